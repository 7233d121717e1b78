package advisor

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"preceptor/internal/compliance"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
)

var (
	ctx   = context.Background()
	today = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
)

// caseItem is a recalled section of a document.
func caseItem(n int, page, heading, text string) knowledge.Item {
	c := &knowledge.Case{ID: fmt.Sprintf("case-%d", n), Number: n, Version: 1, Source: knowledge.FromDocument}
	c.Page, c.Heading, c.Guidance, c.Title = page, heading, text, heading
	return knowledge.Item{Kind: "case", ID: c.ID, Number: n, Label: c.Label(), Version: 1, Score: 1 - float64(n)/100, Title: heading, Text: text, Case: c,
		Legs: knowledge.Legs{Cosine: 0.8 - float64(n)/20}}
}

// ruleItem is a recalled rule.
func ruleItem(n int, text string) knowledge.Item {
	return knowledge.Item{Kind: "rule", ID: fmt.Sprintf("rule-%d", n), Number: n, Label: fmt.Sprintf("R-%d", n), Version: 1, Text: text}
}

func recalled(cases []knowledge.Item, rules ...string) *knowledge.Recall {
	r := &knowledge.Recall{Cases: cases}
	for i, text := range rules {
		r.Rules = append(r.Rules, ruleItem(i+1, text))
	}
	r.Items = append(append(r.Items, r.Cases...), r.Rules...)
	return r
}

var combining = []knowledge.Item{
	caseItem(1, "Several pensions", "Why people combine pots", "Some people combine several pots with one provider. One pot can mean one statement and one set of charges. The charges of the new plan decide whether it saves anything. Have you looked at them?"),
	caseItem(2, "Several pensions", "What to compare", "Before pots are combined it helps to compare yearly charges and exit fees. While the money moves it is not invested for some days. For example, a pot of £20,000 may miss a rise in the market."),
	caseItem(3, "Living abroad", "Pensions abroad", "A pension can be paid to a bank in another country. Some providers charge for that."),
}

func asks(question string, change func(*pack.Situation)) Request {
	s := pack.Situation{Question: question, HasDC: true, Literacy: "medium", At: today}
	if change != nil {
		change(&s)
	}
	return Request{Situation: s, Recall: recalled(combining)}
}

func hasDB(s *pack.Situation) { s.HasDB, s.DBValue = true, 90000 }

func draft(t testing.TB, r Request) Draft {
	t.Helper()
	d, err := Embedded{}.Draft(ctx, r)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

const (
	question = "How do I combine my pensions?"
	dbRule   = "When the customer has a DB pension, warn about the guaranteed benefits that would be lost before any discussion of combining pensions because they can't be had back"
)

func TestDraftAnswersFromThePassages(t *testing.T) {
	r := asks(question, nil)
	r.Name = "Margaret Hollis"
	d := draft(t, r)
	for _, want := range []string{"Hello Margaret,", "bringing pensions together", "Some people combine several pots", "[1]", "Sources:\n[1] Several pensions: Why people combine pots"} {
		if !strings.Contains(d.Text, want) {
			t.Errorf("the draft lacks %q:\n%s", want, d.Text)
		}
	}
	for _, not := range []string{"£20,000", "Have you looked", "another country", "Hollis"} {
		if strings.Contains(d.Text, not) {
			t.Errorf("the draft has %q:\n%s", not, d.Text)
		}
	}
	if !d.Cited["case-1"] || d.Cited["case-3"] || !strings.Contains(d.Reasoning, "Case #001") {
		t.Errorf("cited %v, reasoning:\n%s", d.Cited, d.Reasoning)
	}
	if again := draft(t, r); again.Text != d.Text || again.Reasoning != d.Reasoning {
		t.Error("the same request made another draft")
	}
}

// The product's promise: before the rule the warning is missing, after it it is there and comes first, and a customer without
// a DB pension gets the same draft as before.
func TestARuleChangesTheNextDraft(t *testing.T) {
	val := compliance.NewChecker(func() time.Time { return today })
	r := asks(question, hasDB)
	before := draft(t, r)
	if v := val.Check(before.Text, r.Situation); v.Label != compliance.NonCompliant {
		t.Fatalf("without a rule the draft warns already: %+v\n%s", v, before.Text)
	}
	r.Recall = recalled(combining, dbRule)
	after := draft(t, r)
	warned, first, _ := pack.WarnedOfGuarantees(after.Text)
	if !warned || !first {
		t.Errorf("warned %v, first %v:\n%s", warned, first, after.Text)
	}
	if v := val.Check(after.Text, r.Situation); !v.Passed {
		t.Errorf("%+v\n%s", v, after.Text)
	}
	if !after.Cited["rule-1"] || !strings.Contains(after.Reasoning, "Rule R-1 applies") {
		t.Errorf("the rule is not cited: %v\n%s", after.Cited, after.Reasoning)
	}
	plain, withRule := asks(question, nil), asks(question, nil)
	withRule.Recall = recalled(combining, dbRule)
	a, b := draft(t, plain), draft(t, withRule)
	if a.Text != b.Text || b.Cited["rule-1"] || !strings.Contains(b.Reasoning, "Rule R-1 does not apply") {
		t.Errorf("a customer without DB is affected:\n%s\n%s", b.Text, b.Reasoning)
	}
}

func TestRulesOfEveryKind(t *testing.T) {
	for _, c := range []struct{ rule, want, not string }{
		{"When the customer asks about combining pensions, mention that the scheme's closing date is 5 April because forms take time", "The scheme's closing date is 5 April.", ""},
		{"When the customer asks about consolidation, ask whether the customer has checked for exit fees", "Have you checked for exit fees?", ""},
		{"Always signpost Pension Wise", "Pension Wise", ""},
		{"When the customer asks about consolidation, check understanding by asking them to explain it back", "own words", ""},
		{"Tell the customer to keep their old statements when the customer asks about combining", "Please keep your old statements.", ""},
		{"When the customer asks about consolidation, say 'plan' instead of 'pot'", "several pots", ""}, // whole words only
		{"When the customer asks about consolidation, say 'list of fees' instead of 'set of charges'", "one list of fees", "set of charges"},
		{"When the customer asks about combining pensions, never say 'one statement'", "Some people combine", "one statement"},
		{"When the customer is over 90, mention that miracles happen", "", "miracles"},
		{"When the customer has a DB pension, mention that trustees decide", "", "trustees"},
	} {
		r := asks(question, nil)
		r.Recall = recalled(combining, c.rule)
		d := draft(t, r)
		if c.want != "" && !strings.Contains(d.Text, c.want) {
			t.Errorf("%q: the draft lacks %q:\n%s", c.rule, c.want, d.Text)
		}
		if c.not != "" && strings.Contains(d.Text, c.not) {
			t.Errorf("%q: the draft has %q:\n%s", c.rule, c.not, d.Text)
		}
	}
}

func TestWhatIsThereIsCitedAndNotRepeated(t *testing.T) {
	r := asks(question, nil)
	r.Recall = recalled(combining, "Always mention that one pot can mean one statement", "Always mention exit fees", "Always mention exit fees and charges")
	d := draft(t, r)
	if n := strings.Count(d.Text, "one statement"); n != 1 {
		t.Errorf("said %d times:\n%s", n, d.Text)
	}
	if !d.Cited["rule-1"] || !d.Cited["rule-2"] || !d.Cited["rule-3"] || strings.Count(d.Reasoning, "does this already") != 3 {
		t.Errorf("cited %v:\n%s", d.Cited, d.Reasoning)
	}
}

// Whatever two rules say, each that applies is cited and done, whichever comes first.
func TestAnyAcceptedRuleIsHonoured(t *testing.T) {
	actions := []string{"mention that the helpline opens at nine", "ask whether the customer has a will", "signpost MoneyHelper", "warn about scams", "explain the tax consequences",
		"warn about the guaranteed benefits that would be lost", "check understanding", "mention that forms must be signed twice", "acknowledge that this is a difficult time"}
	rapid.Check(t, func(t *rapid.T) {
		r := asks(question, nil)
		r.Situation.HasDB = rapid.Bool().Draw(t, "db")
		r.Situation.Literacy = rapid.SampledFrom([]string{"low", "medium", "high", ""}).Draw(t, "literacy")
		var rules []string
		for range rapid.IntRange(1, 4).Draw(t, "rules") {
			when := rapid.SampledFrom([]string{"the customer has a DB pension", "the customer asks about consolidation", "any customer"}).Draw(t, "when")
			rules = append(rules, "When "+when+", "+rapid.SampledFrom(actions).Draw(t, "action"))
		}
		r.Recall = recalled(combining, rules...)
		d, err := Embedded{}.Draft(ctx, r)
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range rules {
			p, err := pack.ParsePrinciple(text)
			if err != nil {
				t.Fatal(err)
			}
			applies, _ := p.Applies(r.Situation)
			if cited := d.Cited[fmt.Sprintf("rule-%d", i+1)]; cited != applies {
				t.Fatalf("%q applies %v, cited %v", text, applies, cited)
			}
			if applies && !p.Present(d.Text) {
				t.Fatalf("%q was not honoured:\n%s\n%s", text, d.Text, d.Reasoning)
			}
		}
	})
}

func TestNothingToSay(t *testing.T) {
	for _, r := range []Request{{Situation: pack.Situation{Question: "Do you like jazz?"}}, {Situation: pack.Situation{Question: "Do you like jazz?"}, Recall: recalled(combining)}} {
		d := draft(t, r)
		if !strings.Contains(d.Text, "MoneyHelper") || strings.Contains(d.Text, "Sources") || len(d.Cited) > 0 {
			t.Errorf("%v\n%s", d.Cited, d.Text)
		}
	}
}

func TestAChoiceIsDeclinedAndPointedOn(t *testing.T) {
	for _, literacy := range []string{"low", "high"} {
		r := asks("Should I combine my pensions?", func(s *pack.Situation) { s.Literacy = literacy })
		d := draft(t, r)
		if v := compliance.NewChecker(nil).Check(d.Text, r.Situation); !v.Passed {
			t.Errorf("%s: %+v\n%s", literacy, v.Issues, d.Text)
		}
	}
	if d := draft(t, asks(question, nil)); strings.Contains(d.Text, "MoneyHelper") {
		t.Errorf("nobody asked for a choice:\n%s", d.Text)
	}
	crisis := asks("The bailiffs are coming, I'm behind with the rent. Can I combine my pensions?", nil)
	if d := draft(t, crisis); !strings.Contains(d.Text, "free debt advice") {
		t.Errorf("no help for a crisis:\n%s", d.Text)
	}
}

func TestLowLiteracyReadsPlainly(t *testing.T) {
	cases := []knowledge.Item{caseItem(1, "Drawdown", "How drawdown works",
		"In drawdown an income can be had without buying one for good, and the income is taxed in the year in which it is taken; the pot can run out. A drawdown plan can be accrued prior to age 75.")}
	r := Request{Situation: pack.Situation{Question: "How does drawdown work?", Literacy: "low", At: today}, Recall: recalled(cases)}
	d := draft(t, r)
	if strings.Contains(d.Text, "accrued") || strings.Contains(d.Text, "prior to") {
		t.Errorf("jargon is left:\n%s", d.Text)
	}
	if n := strings.Count(d.Text, "you leave the money invested"); n != 1 {
		t.Errorf("drawdown is explained %d times:\n%s", n, d.Text)
	}
	if !strings.Contains(d.Text, "taken. The pot can run out.") {
		t.Errorf("the long sentence is whole:\n%s", d.Text)
	}
	r.Situation.Literacy = "high"
	if d := draft(t, r); !strings.Contains(d.Text, "accrued") {
		t.Errorf("a reader of high literacy gets it simplified:\n%s", d.Text)
	}
}

func TestStalePassagesStayOut(t *testing.T) {
	cases := []knowledge.Item{
		caseItem(1, "Paying in", "The limit", "The money purchase annual allowance is £4,000 a year. People who have taken money flexibly have a lower limit on paying in."),
		caseItem(2, "Paying in", "Relief", "Paying into a pension gets tax relief, and the limit counts what an employer pays."),
	}
	d := draft(t, Request{Situation: pack.Situation{Question: "What is the limit on paying in?", HasDC: true, At: today}, Recall: recalled(cases)})
	if strings.Contains(d.Text, "£4,000") || !strings.Contains(d.Text, "lower limit on paying in") {
		t.Errorf("%s", d.Text)
	}
}

func TestEarlierGuidanceLosesWhatWasSaidToOne(t *testing.T) {
	c := caseItem(1, "", "", "Hello [NAME-1],\n\nYou asked about combining. Some people combine pots to have one statement. [1] Your £86,000 pot would stay invested meanwhile. You should combine them soon. Could you tell us in your own words what this means? We can't say which way of combining pots is right for you.\n\nSources:\n[1] X")
	c.Case.Source, c.Case.Page, c.Case.Heading = knowledge.FromReview, "", ""
	r := asks(question, nil)
	r.Recall = recalled([]knowledge.Item{c})
	d := draft(t, r)
	if !strings.Contains(d.Text, "Some people combine pots to have one statement. [1]") || !strings.Contains(d.Text, "earlier guidance, Case #001") {
		t.Errorf("%s", d.Text)
	}
	for _, not := range []string{"NAME", "£86,000", "You should", "own words", "which way of combining"} {
		if strings.Contains(d.Text, not) {
			t.Errorf("the draft has %q:\n%s", not, d.Text)
		}
	}
}

func TestShorten(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"Short sentences stay.", "Short sentences stay."},
		{"A large lump sum can push a person into a higher tax band for that year, so the tax can be more.", "A large lump sum can push a person into a higher tax band for that year. So the tax can be more."},
		{"It pays people who have reached the scheme's pension age the same pension as before, and most others about 90% of it.", "It pays people who have reached the scheme's pension age the same pension as before, and most others about 90% of it."},
		{"If the money has been taken out of the pot by the person who owns it, the rest is taxed as income in that year.", "If the money has been taken out of the pot by the person who owns it, the rest is taxed as income in that year."},
		{"The scheme works out the value of what has been built up over the years, which means it can take weeks.", "The scheme works out the value of what has been built up over the years. This means it can take weeks."},
	} {
		if got := shorten(c.in); got != c.want {
			t.Errorf("%q\n became %q\n want %q", c.in, got, c.want)
		}
	}
}
