package compliance

import (
	"slices"
	"strings"
	"testing"
	"time"

	"preceptor/internal/pack"
)

func at() time.Time { return time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC) }

var (
	dbAsks = pack.Situation{Question: "How do I transfer my final salary pension?", HasDB: true, DBValue: 120000,
		Task: pack.DBTransfer}
	dcAsks   = pack.Situation{Question: "How does drawdown work?", HasDC: true, DCValue: 60000}
	mixed    = pack.Situation{Question: "How can I combine all my pensions?", HasDB: true, HasDC: true, DBValue: 90000}
	stateDB  = pack.Situation{Question: "When do I get my State Pension?", HasDB: true, HasState: true}
	chooses  = pack.Situation{Question: "Should I take my tax-free cash or leave it?", HasDC: true}
	indebted = pack.Situation{Question: "The bailiffs are coming and I am in debt. Can I get my pension?", HasDC: true}
	nobody   = pack.Situation{}
)

// severityOf is the severity of the first issue with code; "" when there is none.
func severityOf(v Verdict, code string) string {
	for _, i := range v.Issues {
		if i.Code == code {
			return i.Severity
		}
	}
	return ""
}

// steerSeverity is the severity of a steer: a hard one is a personal recommendation, a softened one a disguised one.
func steerSeverity(v Verdict) string {
	if s := severityOf(v, PersonalRecommendation); s != "" {
		return s
	}
	return severityOf(v, DisguisedRecommendation)
}

func TestPersonalRecommendation(t *testing.T) {
	for _, c := range []struct {
		text string
		want string
	}{
		// A choice is made for the customer.
		{"You should transfer your pension to a SIPP.", Critical},
		{"You should definitely consolidate those pots.", Critical},
		{"You shouldn't transfer your DB pension.", Critical},
		{"You should stay in your DB scheme.", Critical},
		{"You really ought to take the lump sum now.", Critical},
		{"You need to move your pot to a cheaper provider.", Critical},
		{"I recommend that you transfer to a personal pension.", Critical},
		{"I'd recommend drawdown here.", Critical},
		{"We strongly suggest keeping your final salary pension.", Critical},
		{"We would advise against transferring.", Critical},
		{"We do not recommend transferring your pension.", Critical},
		{"My advice is to take the annuity.", Critical},
		{"The best option for you is an annuity.", Critical},
		{"The best option is to leave your pot invested.", Critical},
		{"Drawdown is right for you.", Critical},
		{"An annuity is not suitable for you.", Critical},
		{"If I were you, I'd leave it where it is.", Critical},
		{"In your position I would take the cash.", Critical},
		{"I think you should wait until 60.", Critical},
		{"Keep your final salary pension where it is.", Critical},
		{"Transfer your pot to Acme now.", Critical},
		{"Don't transfer your pension.", Critical},
		{"Go for the annuity.", Critical},
		{"You'd be better off keeping your DB pension.", Critical},
		{"It would be wise to consolidate your pensions.", Critical},
		{"Your best bet is drawdown.", Critical},
		{"This is general guidance only, but you should take your 25% now.", Critical},
		{"I can't give advice, but I would take the lump sum.", Critical},
		{"Combining your pots is a no-brainer.", Critical},
		{"I’d go for the lump sum.", Critical},
		{"You asked 'should I transfer'. Yes, you should transfer it.", Critical},
		// Softened steers.
		{"You might want to consider consolidating those pensions.", Major},
		{"Given your situation, you might want to consider consolidating those pensions.", Major},
		{"You may wish to take the lump sum.", Major},
		{"You could consider drawdown.", Major},
		{"It would make sense for you to transfer.", Critical},
		{"Based on your age, an annuity could be attractive.", Major},
		{"An annuity might be right for you.", Major},
		{"People in your position usually choose drawdown.", Major},
		{"It is worth considering consolidation.", Major},
		{"Consider transferring to a lower-cost provider.", Major},
		{"Have you thought about combining them?", Major},
		{"Drawdown could suit your needs.", Major},
		// Guidance.
		{"I can't tell you whether you should transfer.", ""},
		{"We cannot recommend that you transfer or stay.", ""},
		{"We aren't able to say which option is best for you.", ""},
		{"Some people consider transferring; others keep what they have.", ""},
		{"You asked whether you should transfer your pension.", ""},
		{"You asked 'should I transfer'.", ""},
		{"You asked: “You should move my pension, right?”", ""},
		{"Only you can decide whether to take the lump sum.", ""},
		{"An adviser can tell you whether you should take the annuity.", ""},
		{"A regulated adviser may recommend that you keep your pension.", ""},
		{"You should check with your provider what charges apply.", ""},
		{"You should speak to a regulated financial adviser before you decide.", ""},
		{"You must take regulated advice by law before you transfer more than £30,000.", ""},
		{"You should get regulated financial advice.", ""},
		{"We recommend getting regulated financial advice.", ""},
		{"You should never transfer your pension to someone who cold calls you; it is likely to be a scam.", ""},
		{"Do not transfer any money if you suspect a scam.", ""},
		{"Don't transfer anything until you have had regulated advice.", ""},
		{"If someone tells you that you should transfer quickly, be careful.", ""},
		{"If you want to transfer, you need to leave the scheme first.", ""},
		{"If you decide to take drawdown, you should tell your provider.", ""},
		{"You must be 55 or over to take your pension.", ""},
		{"Whether drawdown is right for you depends on many things.", ""},
		{"Which option is best for you depends on your circumstances.", ""},
		{"Should you transfer your pension?", ""},
		{"Your options include:\n- Keep your pension where it is.\n- Take the lump sum.\n- Buy an annuity.", ""},
		{"Take your time before you decide.", ""},
		{"Keep a copy of your statements.", ""},
		{"You should keep your paperwork safe.", ""},
		{"You could be worse off if you transfer.", ""},
		{"Most people are better off keeping a defined benefit pension.", ""},
		{"You can take 25% of your pot tax free.", ""},
		{"You can choose to take cash in chunks.", ""},
		{"We don't recommend particular products or providers.", ""},
		{"This is not a personal recommendation.", ""},
		{"It is up to you whether to consolidate.", ""},
		{"It may not be suitable for everyone.", ""},
		{"You may want to speak to an adviser before transferring.", ""},
		{"You should receive a statement each year.", ""},
		{"You should not be rushed into a decision.", ""},
		{"Someone who says you should move your pension overseas may be running a scam.", ""},
		{"Compare charges before you move anything.", ""},
		// A second lot, written to catch the first.
		{"", ""},
	} {
		v := NewChecker(at).Check(c.text, nobody)
		if got := steerSeverity(v); got != c.want {
			t.Errorf("%q: %q, want %q (%+v)", c.text, got, c.want, v.Issues)
		}
	}
}

const warning = "A defined benefit pension pays a guaranteed income for life, and you lose that guarantee for good " +
	"if you move it. "

func TestMissingDBWarning(t *testing.T) {
	for _, c := range []struct {
		text string
		s    pack.Situation
		want string
	}{
		{"To transfer, ask your scheme for a transfer value.", dbAsks, Critical},
		{"Moving your pension takes about three months.", dbAsks, Critical},
		{"You can combine pensions by moving them to one provider.", mixed, Critical},
		{"Consolidation can make things simpler and reduce charges.", mixed, Critical},
		{"Transferring your final salary pension gives you more flexibility.", nobody, Critical},
		{"A transfer from a DB scheme to a SIPP is possible.", nobody, Critical},
		{"An annuity gives a guaranteed income for life. You can transfer to buy one.", dbAsks, Critical},
		{"Your scheme can move the benefits to a personal pension.", dbAsks, Critical},
		{"You can consolidate your pots online.",
			pack.Situation{Question: "Can I put all my pensions together?",
				Features: []string{"guaranteed annuity rate"}, HasDC: true}, Major},
		{"Switching providers takes weeks.", pack.Situation{Question: "Can I transfer my council pension?"}, Critical},
		{"Growth is not guaranteed after a transfer.", dbAsks, Critical},
		{"Moving your pensions together is simple.",
			pack.Situation{Question: "merge everything?", HasDB: true, HasDC: true}, Critical},
		{"The transfer value is what the scheme would pay.", dbAsks, Critical},
		// with the discussion is soon enough
		{"Transferring means leaving the scheme. Forms are needed. " + warning, dbAsks, ""},
		{"Transferring means leaving the scheme. Forms are needed. They go to the trustees. It takes some weeks. The " +
			"money then arrives. It is invested. You draw it as you like. " + warning, dbAsks, Critical},
		{"Combining pots can cut charges. It can also be simpler. If you give up a DB pension you lose a guaranteed " +
			"income.", mixed, ""},
		{"First, ask about combining them online. " + warning, mixed, ""},

		{warning + "To transfer, ask your scheme for a transfer value.", dbAsks, ""},
		{"You asked about transferring your pension. " + warning + "A transfer takes months.", dbAsks, ""},
		{"If you transfer a final salary pension, you give up a guaranteed income for life.", dbAsks, ""},
		{"Most people would be worse off by transferring out of a DB pension. A transfer takes months.", dbAsks, ""},
		{"Transferring out of a defined benefit scheme means losing valuable guarantees. This can't be reversed.",
			dbAsks, ""},
		{"We can't tell you whether to transfer. " + warning, dbAsks, ""},
		{"A final salary pension is like a wage for life. If you move it, that promise is gone and you cannot get " +
			"it back.", dbAsks, ""},
		{"Your guaranteed annuity rate would be lost if you moved the pot. Combining pots takes weeks.",
			pack.Situation{Question: "Can I merge my pots?", Features: []string{"guaranteed annuity rate"},
				HasDC: true}, ""},
		{"The FCA says that transferring out of a DB scheme is unlikely to be in most people's interests. A transfer " +
			"takes months.", dbAsks, ""},
		{"By leaving the scheme you would be giving up safeguarded benefits, and you can't get them back. A transfer " +
			"value is an offer.", dbAsks, ""},
		{"You can claim your State Pension from 66.", stateDB, ""},
		{"Your State Pension is paid every four weeks.", stateDB, ""},
		{"Drawdown means leaving your money invested.", dcAsks, ""},
		{"You can transfer your pot to another provider.", dcAsks, ""},
		{"You can combine your pots; check for exit fees.",
			pack.Situation{Question: "Can I combine my pots?", HasDC: true}, ""},
		{"You can combine your two personal pensions online.",
			pack.Situation{Question: "Can I combine my two personal pensions?", HasDC: true, HasDB: true}, ""},
		{"Tax is due on what you take.", nobody, ""},
		{"You can transfer a personal pension at any time.", nobody, ""},
		{"Check the FCA register.", pack.Situation{Question: "A man rang me about my pension", HasDB: true}, ""},
		{"Your DB pension is paid from 65.", pack.Situation{Question: "When is my DB pension paid?", HasDB: true}, ""},
		{"Your scheme may pay a lump sum on death.", pack.Situation{Question: "What happens when I die?", HasDB: true},
			""},
		{"What is a final salary pension? It is a promise of an income.", nobody, ""},
		{"", nobody, ""},
	} {
		v := NewChecker(at).Check(c.text, c.s)
		if got := severityOf(v, MissingDBWarning); got != c.want {
			t.Errorf("%q for %q: %q, want %q", c.text, c.s.Question, got, c.want)
		}
	}
}

// A greeting that names what was asked is no place of a finding where there is another; it counts all the same, as
// advice may stand alone.
func TestAGreetingIsNoPlace(t *testing.T) {
	const hello = "Thank you for your question about transferring a final salary pension.\n\n"
	if v := NewChecker(at).Check(
		"You could ask for a transfer value and move it to a personal plan.\n\nIt takes about three months.",
		dbAsks); severityOf(v, MissingDBWarning) != Critical {
		t.Errorf("advice that stands alone asks for no warning: %+v", v.Issues)
	}
	for _, above := range []string{hello, "Hello,\n\n" + hello, "Dear Ann,\n\n"} {
		v := NewChecker(at).Check(above+"To transfer, ask your scheme for a transfer value.", dbAsks)
		if !slices.ContainsFunc(v.Issues, func(i Issue) bool {
			return i.Code == MissingDBWarning && strings.Contains(i.Quote, "To transfer, ask")
		}) {
			t.Errorf("under %q what needs the warning isn't quoted: %+v", above, v.Issues)
		}
	}
}

func TestMissingSignpost(t *testing.T) {
	const law = "By law you need regulated financial advice first. "
	for _, c := range []struct {
		text string
		s    pack.Situation
		want string
	}{
		{"You can take it or leave it.", chooses, Major},
		{"There are several ways to take money.", chooses, Major},
		{"Both have advantages and disadvantages.",
			pack.Situation{Question: "Which is better, drawdown or an annuity?"}, Major},
		{"Charges differ.", pack.Situation{Question: "What would you do in my shoes?"}, Major},
		{"It depends.", pack.Situation{Question: "Is it a good idea to cash it in?"}, Major},
		{"It depends.", pack.Situation{Question: "What's the best thing to do with my pot?"}, Major},
		{"It depends.", pack.Situation{Question: "Please recommend a provider"}, Major},
		{"It depends.", pack.Situation{Question: "Would I be better off waiting?"}, Major},
		{"It depends.", pack.Situation{Question: "Is it worth transferring?"}, Major},
		{"It depends.", pack.Situation{Question: "can you help me decide"}, Major},
		{"It depends.", pack.Situation{Question: "what do you think about annuities"}, Major},
		{"It depends.", pack.Situation{Question: "Shall I pay in more?"}, Major},
		{"You do not need a financial adviser for this.", chooses, Major},
		{"This is not financial advice.", chooses, Major},
		{"Ask your employer.", chooses, Major},
		{warning + "Ask the scheme for a transfer value.", dbAsks, Major},
		{warning + "MoneyHelper has free guidance.", dbAsks, Major}, // the law wants advice
		{warning + "Ask for a quote.", pack.Situation{Question: "I want to transfer my DB pension", HasDB: true},
			Major},
		{"You can take money from 55.", indebted, Major},
		{"Your pension can usually not be taken by creditors.", indebted, Major},
		{"Take what you need.", pack.Situation{Question: "I'm desperate and can't cope any more"}, Major},
		{"It depends on you.", pack.Situation{Question: "help me choose between these funds"}, Major},
		{"Up to you.", pack.Situation{Question: "tell me what to do with my pension"}, Major},
		{"Yes.", pack.Situation{Question: "Do you think I should retire at 60?"}, Major},
		{"No.", pack.Situation{Question: "Am I mad to cash in?", Goal: "wants a recommendation"}, Major},

		{"You can take it or leave it. MoneyHelper is free.", chooses, ""},
		{"Pension Wise appointments are free from 50.", chooses, ""},
		{"A regulated financial adviser can recommend one.", chooses, ""},
		{"Speak to an independent financial adviser.", chooses, ""},
		{"An FCA-authorised adviser can look at it.", chooses, ""},
		{"Drawdown means leaving your money invested.", dcAsks, ""},
		{"Your State Pension age is 66.", stateDB, ""},
		{warning + law, dbAsks, ""},
		{warning + "You would need to see a regulated pension transfer specialist.", dbAsks, ""},
		{warning + "Ask for a quote.",
			pack.Situation{Question: "How do I transfer my DB pension?", HasDB: true, DBValue: 12000}, ""},
		{"StepChange helps with debt, free of charge.", indebted, ""},
		{"Citizens Advice can help.", indebted, ""},
		{"Samaritans are there day and night.", pack.Situation{Question: "I can't cope, I am desperate"}, ""},
		{"The annual allowance is £60,000.", pack.Situation{Question: "What is the annual allowance?"}, ""},
		{"25% is usually tax free.", pack.Situation{Question: "How much is tax free?"}, ""},
		{"You nominate somebody on a form.", pack.Situation{Question: "How do I nominate my wife?"}, ""},
		{"Ask the Pension Tracing Service.", pack.Situation{Question: "How do I find an old pension?"}, ""},
		{"They pay you from 65.", pack.Situation{Question: "When is my DB pension paid?", HasDB: true, DBValue: 200000},
			""},
		{"Tax is due on the rest.", pack.Situation{Question: "How much tax will I pay?"}, ""},
		{"A statement comes each year.", pack.Situation{Question: "When will I get a statement?"}, ""},
		{"Charges are on your statement.", pack.Situation{Question: "Where do I see my charges?"}, ""},
		{"The value can fall.", pack.Situation{Question: "Why has my pension gone down?"}, ""},
		{"Yes, from 55.", pack.Situation{Question: "Can I get it at 56?"}, ""},
		{"It stops at 75.", pack.Situation{Question: "Until what age can I pay in?"}, ""},
		{"", nobody, ""},
	} {
		v := NewChecker(at).Check(c.text, c.s)
		if got := severityOf(v, MissingSignpost); got != c.want {
			t.Errorf("%q for %q: %q, want %q", c.text, c.s.Question, got, c.want)
		}
	}
}

func TestVerdict(t *testing.T) {
	val := NewChecker(at)
	clean := val.Check("Usually 25% of a pot is tax free.", pack.Situation{Question: "How much is tax free?"})
	if clean.Label != Compliant || !clean.Passed || !clean.Sure() || clean.RequiresHumanReview || clean.Issues == nil ||
		clean.Judges == nil {
		t.Errorf("a clean text: %+v", clean)
	}
	bad := val.Check("You should transfer it.", dbAsks)
	if bad.Label != NonCompliant || bad.Passed || !bad.Sure() || bad.Source != RuleBased {
		t.Errorf("a recommendation: %+v", bad)
	}
	soft := val.Check("You might want to consider consolidating.", dcAsks)
	if soft.Label != Borderline || soft.Passed || !soft.RequiresHumanReview || soft.Confidence < clarifyBelow ||
		soft.Confidence >= sureFrom {
		t.Errorf("a softened steer: %+v", soft)
	}
	two := val.Check("You might want to consider consolidating.", chooses)
	if two.Label != Borderline || two.Confidence >= clarifyBelow {
		t.Errorf("two major issues: %+v", two)
	}
}

func TestSpansAreCodePoints(t *testing.T) {
	text := "Für £5 – “hallo”. You should transfer your pension. Ünd ende."
	v := NewChecker(at).Check(text, nobody)
	if len(v.Issues) != 1 {
		t.Fatalf("%+v", v.Issues)
	}
	i := v.Issues[0]
	if got := string([]rune(text)[i.Span[0]:i.Span[1]]); got != i.Quote ||
		!strings.HasPrefix(got, "You should transfer") {
		t.Errorf("span %v is %q, quote %q", i.Span, got, i.Quote)
	}
}

// BenchmarkLongText shows what 200 kB cost, of text made to be hard; BenchmarkValidate a draft of usual length.
func BenchmarkLongText(b *testing.B) {
	for _, unit := range []string{"You should ", "a ", `"'"' `, "transfer. ", "if you were whether "} {
		text := strings.Repeat(unit, 200_000/len(unit))
		b.Run(strings.TrimSpace(unit), func(b *testing.B) {
			for b.Loop() {
				NewChecker(at).Check(text, dbAsks)
			}
		})
	}
}

func BenchmarkValidate(b *testing.B) {
	text := "Hello,\n\nYou asked about transferring your pension. " + warning +
		strings.Repeat("The scheme sends a transfer value once a year, free of charge. The value of investments can "+
			"go down as well as up. ", 10) +
		"We can't tell you whether you should transfer. A regulated financial adviser can recommend what suits your " +
		"circumstances."
	for b.Loop() {
		NewChecker(at).Check(text, dbAsks)
	}
}

func FuzzValidate(f *testing.F) {
	for _, s := range []string{"You should transfer.", "£ – “x” you might want to consider drawdown", "\xff\xfe",
		"- Take it.\n\n# x\n1. y", warning} {
		f.Add(s, "Should I move my DB pension?")
	}
	val := NewChecker(at)
	f.Fuzz(func(t *testing.T, text, question string) {
		v := val.Check(text, pack.Situation{Question: question, HasDB: len(question)%2 == 0})
		runes := []rune(strings.ToValidUTF8(text, "\uFFFD"))
		for _, i := range v.Issues {
			if i.Span[0] < 0 || i.Span[1] < i.Span[0] || i.Span[1] > len(runes) ||
				string(runes[i.Span[0]:i.Span[1]]) != i.Quote {
				t.Fatalf("%+v is not in %q", i, text)
			}
			if i.Why == "" || i.Reference == "" || i.Severity == "" {
				t.Fatalf("%+v is unexplained", i)
			}
		}
		if v.Passed != (v.Label == Compliant) || v.Confidence <= 0 || v.Confidence > 1 {
			t.Fatalf("%+v", v)
		}
	})
}

// What a reader does not see must not hide words from the checks; the places still count in the text as it came.
func TestInvisibleMarksHideNothing(t *testing.T) {
	v := NewChecker(nil)
	plain := v.Check("It is up to you. I recommend that you transfer your pension to a SIPP now.", pack.Situation{})
	if plain.Label != NonCompliant {
		t.Fatalf("the plain text is %s", plain.Label)
	}
	for _, text := range []string{
		"It is up to you. I rec\u200bommend that\u2060 you tr\u00adansfer your pension to a SIPP now.\u200b",
		"It\u00a0is up to you. I recommend\u00a0that\u202fyou transfer your pension to a SIPP now.",
	} {
		got := v.Check(text, pack.Situation{})
		if got.Label != plain.Label || len(got.Issues) != len(plain.Issues) {
			t.Errorf("%q: %s with %d issues", text, got.Label, len(got.Issues))
			continue
		}
		for i, is := range got.Issues {
			seen, _, _ := asSeen([]rune(is.Quote))
			if seen != plain.Issues[i].Quote || is.Quote != string([]rune(text)[is.Span[0]:is.Span[1]]) {
				t.Errorf("%q at %v, want %q", is.Quote, is.Span, plain.Issues[i].Quote)
			}
		}
	}
}

// What the rules cost goes up with the square of what one sentence holds, so no sentence, however long, holds much.
func TestNoTextIsCheckedForMinutes(t *testing.T) {
	for _, unit := range []string{"you should transfer your pension ", "guaranteed returns, ", "1a", "a/", "not", "’"} {
		text := "Until April 2023 " + strings.Repeat(unit, 200_000/len(unit)) + "."
		r, steps := pack.Of("pension").Phrases().ReadText(text, nil), 0
		for _, s := range r.Sentences {
			steps += len(s.Matches) * (len(s.Matches) + len(s.Tokens))
		}
		if most := 15_000 * len(text); steps > most {
			t.Errorf("%q: %d steps, at most %d are allowed", unit, steps, most)
		}
	}
}
