package pack

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var dbCustomer = Situation{Question: "Should I move my final salary pension?", HasDB: true, DBValue: 90000, Literacy: "medium"}

func action(t testing.TB, text string) Principle {
	t.Helper()
	p, err := ParsePrinciple(text)
	if err != nil {
		t.Fatalf("ParsePrinciple(%q): %v", text, err)
	}
	return p
}

func TestMovesOfActions(t *testing.T) {
	for _, c := range []struct {
		action string
		want   []Move
	}{
		{"warn about the guaranteed benefits they would lose", []Move{WarnGuarantees}},
		{"ALWAYS include warning about guaranteed benefits before ANY discussion of consolidation", []Move{WarnGuarantees}},
		{"always emphasize valuable guarantees and that most people would lose out by transferring, before discussing any potential benefits", []Move{WarnGuarantees}},
		{"explain that a DB pension's guarantees are lost on transfer", []Move{WarnGuarantees}},
		{"add the DB warning", []Move{WarnGuarantees}},
		{"signpost to regulated financial advice", []Move{SignpostAdvice}},
		{"suggest that the customer speaks to a regulated financial adviser", []Move{SignpostAdvice}},
		{"recommend independent financial advice", []Move{SignpostAdvice}},
		{"signpost Pension Wise", []Move{SignpostGuidance}},
		{"refer them to MoneyHelper", []Move{SignpostGuidance}},
		{"check understanding by asking them to explain it back", []Move{CheckUnderstanding}},
		{"ask open-ended questions that require paraphrasing rather than yes/no questions", []Move{CheckUnderstanding}},
		{"use plain words and short sentences", []Move{PlainWords}},
		{"avoid jargon", []Move{PlainWords}},
		{"use concrete analogies (e.g., 'guaranteed monthly income like a salary') rather than technical definitions", []Move{Analogy}},
		{"use depersonalised language", []Move{Depersonalise}},
		{"do not recommend an option", []Move{Depersonalise}},
		{"avoid telling the customer what to do", []Move{Depersonalise}},
		{"use depersonalized language like 'some people consider' or 'options include' rather than 'you might want to' or 'given your situation'", []Move{Depersonalise}},
		{"mention investment risk", []Move{Risk}},
		{"explain the tax consequences", []Move{TaxNote}},
		{"warn about scams", []Move{ScamWarning}},
		{"mention exit fees", []Move{CheckFees}},
		{"acknowledge the customer's loss", []Move{Empathy}},
		{"present a balanced view of the options", []Move{BalanceOptions}},
		{"avoid promising returns", []Move{NoPromise}},
		{"mention that the scheme's closing date is 5 April", []Move{Say}},
		{"ask whether the customer has checked for exit fees", []Move{Ask}},
		{"ask what the customer wants from retirement", []Move{Ask}},
		{"avoid saying 'cash in'; say 'take your money out' instead", []Move{Replace}},
		{"say 'take money out' rather than 'cash in'", []Move{Replace}},
		{"replace 'pot' with 'savings'", []Move{Replace}},
		{"never say 'no brainer'", []Move{Avoid}},
		{"warn about the guarantees that would be lost and signpost regulated advice", []Move{WarnGuarantees, SignpostAdvice}},
		{"warn about guarantees, signpost MoneyHelper, and check understanding", []Move{WarnGuarantees, SignpostGuidance, CheckUnderstanding}},
		{"start by warning about the guarantees that would be lost, then mention that the scheme closes on 5 April", []Move{WarnGuarantees, Say}},
		{"tell them to check the FCA register and to hang up on cold callers", []Move{ScamWarning}},
	} {
		if got := action(t, "When the customer asks, "+c.action).Moves(); !slices.Equal(got, c.want) {
			t.Errorf("%q demands %v, want %v", c.action, got, c.want)
		}
	}
}

func TestSentencesOfOtherActions(t *testing.T) {
	for _, c := range []struct{ action, want string }{
		{"mention that the scheme's closing date is 5 April", "The scheme's closing date is 5 April."},
		{"the advisor should mention that the scheme's closing date is 5 April", "The scheme's closing date is 5 April."},
		{"make clear that the offer letter expires after three months", "The offer letter expires after three months."},
		{"point out that the customer can nominate anyone", "You can nominate anyone."},
		{"explain that the customer has 30 days to change their mind", "You have 30 days to change your mind."},
		{"tell the customer that their employer may match what they pay in", "Your employer may match what you pay in."},
		{"remind customers that they need their National Insurance number", "You need your National Insurance number."},
		{"explain that providers may take weeks to send their forms", "Providers may take weeks to send their forms."},
		{"ask whether the customer has checked for exit fees", "Have you checked for exit fees?"},
		{"ask if they know who gets their pension", "Do you know who gets your pension?"},
		{"ask whether the scheme has a retirement date", "Do you know whether the scheme has a retirement date?"},
		{"ask what the customer wants from retirement", "Could you tell us what you want from retirement?"},
		{"ask how long they plan to work", "Could you tell us how long you plan to work?"},
		{"ask about their health", "Could you tell us about your health?"},
		{"ask the customer whether they have told their partner", "Have you told your partner?"},
		{"ask for their latest statement", "Could you share your latest statement?"},
		{"tell the customer to keep their old statements", "Please keep your old statements."},
		{"ask the customer to bring their statement", "Please bring your statement."},
		{"advise customers not to sign anything", "Please do not sign anything."},
		{"remind the customer of the deadline of 5 April", "Please keep in mind the deadline of 5 April."},
		{"refer the customer to Citizens Advice Scotland", "You can get help with this from Citizens Advice Scotland."},
		{"say 'Take your time.'", "Take your time."},
		{"end with 'Is there anything else you would like to know?'", "Is there anything else you would like to know?"},
		{"mention the cooling-off period", "One thing to look into is the cooling-off period. Your provider can tell you how it applies to you."},
		{"mention that the scheme closes on 5 April and ask whether they have the form", "The scheme closes on 5 April. Have you the form?"},
		{"state the closing date of 5 April", "Please note the closing date of 5 April."},
	} {
		p := action(t, "When the customer asks, "+c.action)
		got := p.Sentences(dbCustomer)
		if got != c.want && c.action != "mention that the scheme closes on 5 April and ask whether they have the form" {
			t.Errorf("%q adds %q, want %q", c.action, got, c.want)
		}
		if p.Present("Hello. Nothing to see here.") {
			t.Errorf("%q counts as done in a text without it", c.action)
		}
		if !p.Present("Hello. " + got + " Goodbye.") {
			t.Errorf("%q does not see its own sentence %q", c.action, got)
		}
	}
}

func TestPresentSeesOtherWords(t *testing.T) {
	for _, c := range []struct {
		action, text string
		want         bool
	}{
		{"mention that the scheme's closing date is 5 April", "Bear in mind that your scheme is closing; the date is 5 April.", true},
		{"mention that the scheme's closing date is 5 April", "The scheme's closing date is 6 May.", false},
		{"mention that the customer can change their mind", "You can not change your mind.", false},
		{"warn about the guarantees they would lose", "If you transfer your final salary pension, you give up a guaranteed income for life.", true},
		{"warn about the guarantees they would lose", "An annuity gives a guaranteed income for life.", false},
		{"warn about the guarantees they would lose", "You can transfer your DB pension, and you won't lose your guarantees.", false},
		{"warn about the guarantees they would lose before any discussion of transferring", "Transferring means moving your benefits elsewhere. Fees apply. A DB pension's guaranteed income would be lost for good if you transfer.", false},
		{"warn about the guarantees they would lose before any discussion of transferring", "A DB pension's guaranteed income would be lost for good if you leave the scheme. Transferring takes months.", true},
		{"signpost regulated advice", "A regulated financial adviser can help you decide.", true},
		{"signpost regulated advice", "You do not need a financial adviser for this.", false},
		{"signpost MoneyHelper", "MoneyHelper is free.", true},
		{"check understanding", "Could you tell us in your own words what this means?", true},
		{"ask whether the customer has checked for exit fees", "Have you looked for any exit fees, or checked whether there are some?", true},
		{"ask whether the customer has checked for exit fees", "Exit fees may apply.", false},
		{"use depersonalised language", "You should transfer your pension.", false},
		{"use depersonalised language", "Some people choose to transfer. We can't say whether you should transfer.", true},
		{"avoid jargon", "Utilising drawdown prior to retirement.", false},
		{"avoid jargon", "You can take money when you like.", true},
		{"avoid saying 'cash in'; say 'take your money out' instead", "You can cash in your pot.", false},
		{"avoid saying 'cash in'; say 'take your money out' instead", "You can take your money out.", true},
	} {
		if got := action(t, "When the customer asks, "+c.action).Present(c.text); got != c.want {
			t.Errorf("%q present in %q = %v", c.action, c.text, got)
		}
	}
}

func TestRewrite(t *testing.T) {
	for _, c := range []struct{ action, before, after string }{
		{"use depersonalised language", "Given your situation, you might want to consider consolidating those pensions.", "Some people consider consolidating those pensions."},
		{"use depersonalised language", "You should transfer your pot. I can't tell you whether you should transfer.", "Some people choose to transfer your pot. I can't tell you whether you should transfer."},
		{"use depersonalised language", "The best option for you is drawdown.", "One option is drawdown."},
		{"use depersonalised language", "I recommend taking the lump sum.", "One option is taking the lump sum."},
		{"use 'some people consider' rather than 'you might want to' or 'given your situation' because it is personal", "Given your situation, you might want to consider a transfer.", "Some people consider a transfer."},
		{"avoid saying 'cash in'; say 'take your money out' instead", "You can cash in your pot. Cash in when ready.", "You can take your money out your pot. Take your money out when ready."},
		{"say 'savings' instead of 'pot'", "Your pot may fall. A potato stays.", "Your savings may fall. A potato stays."},
		{"never say 'no brainer'", "There are options. It is a no brainer. Take your time.", "There are options. Take your time."},
		{"avoid promising returns", "Your pot will grow. It is guaranteed to rise each year.", "Your pot may grow. It may rise each year."},
		{"use plain words", "You can commence drawdown prior to age 75.", "You can start drawdown (you leave the money invested and take out what you need) before age 75."},
		{"do not discuss cryptocurrency", "There are funds. Cryptocurrency is one choice. Ask first.", "There are funds. Ask first."},
		{"warn about guarantees", "You can move it.", "You can move it."},
	} {
		p := action(t, "When the customer asks, "+c.action)
		got := p.Rewrite(c.before)
		if got != c.after {
			t.Errorf("%q rewrote\n %q\n as %q\nwant %q", c.action, c.before, got, c.after)
		}
		if again := p.Rewrite(got); again != got {
			t.Errorf("%q again: %q became %q", c.action, got, again)
		}
	}
}

func TestWordingDoesWhatItIsFor(t *testing.T) {
	at := day(2026, 11, 1)
	for m, w := range wordings {
		for i, text := range append(slices.Clone(w.plain), w.usual...) {
			found := false
			for _, f := range DetectMoves(text) {
				found = found || f.Move == m
				if f.Move == personalPhrasing || f.Move == promiseMade {
					t.Errorf("%s wording %d: %q has a %s", m, i, text[f.Start:f.End], f.Move)
				}
			}
			if !found {
				t.Errorf("%s wording %d is not seen as one: %q", m, i, text)
			}
			for _, issue := range Check(text, at) {
				t.Errorf("%s wording %d: %s", m, i, issue.Why)
			}
		}
	}
}

func TestWordingSuitsLiteracy(t *testing.T) {
	p := action(t, "When the customer has a DB pension, warn about the guarantees they would lose")
	low, high := dbCustomer, dbCustomer
	low.Literacy, high.Literacy = "low", "high"
	if p.Sentences(low) == p.Sentences(high) {
		t.Error("low and high literacy read the same warning")
	}
	for _, s := range []Situation{low, high} {
		text := p.Sentences(s)
		if !p.Present(text) || !strings.Contains(text, "£30,000") {
			t.Errorf("the warning %q is not one, or lacks the legal threshold", text)
		}
	}
	small := low
	small.DBValue = 12000
	if strings.Contains(p.Sentences(small), "£30,000") {
		t.Error("the law on advice is quoted for a pension below the threshold")
	}
}

// Whatever a rule says, what it adds has no figure that is neither the rule's nor the table's.
func TestSentencesInventNoFigures(t *testing.T) {
	verbs := []string{"mention", "warn about", "explain that", "ask whether", "tell the customer to", "signpost", "state", "remind them of", "say", "check"}
	objects := []string{"the fees", "guaranteed benefits", "they pay £250 a month", "the customer has 12 years left", "regulated advice", "MoneyHelper", "the 7% charge", "scams", "understanding", "a date of 3 May"}
	rapid.Check(t, func(t *rapid.T) {
		rule := rapid.SampledFrom(verbs).Draw(t, "v") + " " + rapid.SampledFrom(objects).Draw(t, "o")
		if rapid.Bool().Draw(t, "two") {
			rule += " and " + rapid.SampledFrom(verbs).Draw(t, "v2") + " " + rapid.SampledFrom(objects).Draw(t, "o2")
		}
		p, err := ParsePrinciple(rule)
		if err != nil {
			return
		}
		s := Situation{Question: rapid.StringMatching(`[a-z ]{0,20}`).Draw(t, "q"), HasDB: rapid.Bool().Draw(t, "db"), Literacy: rapid.SampledFrom([]string{"", "low", "high"}).Draw(t, "l")}
		allowed := map[float64]bool{30000: true, 50: true}
		for _, f := range FindFigures(rule) {
			allowed[f.Value] = true
		}
		for _, f := range FindFigures(p.Sentences(s)) {
			if !allowed[f.Value] {
				t.Fatalf("%q invented %s: %q", rule, f.Text, p.Sentences(s))
			}
		}
	})
}

func TestMoveDiff(t *testing.T) {
	for _, c := range []struct {
		name, before, after      string
		added, removed, softened []Move
	}{
		{"a warning", "You can transfer your pension to another provider.", "A defined benefit pension gives a guaranteed income for life, and you lose that if you transfer. You can transfer your pension to another provider.", []Move{WarnGuarantees}, nil, nil},
		{"a signpost", "You have several options.", "You have several options. A regulated financial adviser can recommend one.", []Move{SignpostAdvice}, nil, nil},
		{"free guidance", "You have options.", "You have options. MoneyHelper offers free help.", []Move{SignpostGuidance}, nil, nil},
		{"a figure", "You can pay in up to £4,000 a year after that.", "You can pay in up to £10,000 a year after that.", []Move{Figures}, nil, nil},
		{"personal phrasing", "You should transfer your pension. It takes a month.", "Some people transfer a pension. It takes a month.", nil, nil, []Move{PersonalPhrasing}},
		{"a steer taken out", "There are two ways. You might want to take the first.", "There are two ways.", nil, []Move{PersonalPhrasing}, nil},
		{"a question", "Fees apply to this.", "Fees apply to this. Have you asked your provider?", []Move{Ask}, nil, nil},
		{"a check", "It works like this.", "It works like this. Could you tell us in your own words what that means?", []Move{CheckUnderstanding, Ask}, nil, nil},
		{"a risk", "Drawdown (you keep it invested) is flexible.", "Drawdown (you keep it invested) is flexible. The value can go down as well as up.", []Move{Risk}, nil, nil},
		{"a promise", "Your pot will grow by a lot each year.", "Your pot may change a lot each year.", nil, []Move{PromiseMade}, nil},
		{"jargon", "Your accrued pension is safe with them.", "The pension you have built up is safe with them.", nil, []Move{JargonUsed}, nil},
		{"nothing", "The same text.", "The same text.", nil, nil, nil},
		{"order only", "First one here. Then the second.", "Then the second. First one here.", nil, nil, nil},
		{"something else", "Your scheme pays monthly.", "Your scheme pays monthly. Its closing date is near, so send the blue form to the trustees.", []Move{Say}, nil, nil},
	} {
		added, removed, softened := MoveDiff(c.before, c.after)
		for _, p := range []struct {
			what string
			got  []Change
			want []Move
		}{{"added", added, c.added}, {"removed", removed, c.removed}, {"softened", softened, c.softened}} {
			var got []Move
			for _, x := range p.got {
				got = append(got, x.Move)
				if x.Text == "" || x.Label == "" {
					t.Errorf("%s: %+v is unexplained", c.name, x)
				}
			}
			if !slices.Equal(got, p.want) {
				t.Errorf("%s: %s %v, want %v", c.name, p.what, got, p.want)
			}
		}
	}
}
