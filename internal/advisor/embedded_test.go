package advisor

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/rule"
)

var (
	ctx   = context.Background()
	today = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
)

// caseItem is a recalled section of a document.
func caseItem(n int, page, heading, text string) knowledge.Item {
	c := &knowledge.Case{ID: fmt.Sprintf("case-%d", n), Number: n, Version: 1, Source: knowledge.FromDocument}
	c.Page, c.Heading, c.Guidance, c.Title = page, heading, text, heading
	return knowledge.Item{Kind: "case", ID: c.ID, Number: n, Label: c.Label(), Version: 1, Score: 1 - float64(n)/100,
		Title: heading, Text: text, Case: c,
		Legs: knowledge.Legs{Cosine: 0.8 - float64(n)/200}}
}

// ruleItem is a recalled rule that was stated.
func ruleItem(n int, st rule.Statement) knowledge.Item {
	r := &knowledge.Rule{ID: fmt.Sprintf("rule-%d", n), Number: n, RuleText: knowledge.RuleOf(st, pack.Of("pension"))}
	return knowledge.Item{Kind: "rule", ID: r.ID, Number: n, Label: r.Label(), Version: 1, Text: r.Principle, Rule: r}
}

func recalled(cases []knowledge.Item, rules ...rule.Statement) *knowledge.Recall {
	r := &knowledge.Recall{Cases: cases}
	for i, st := range rules {
		r.Rules = append(r.Rules, ruleItem(i+1, st))
	}
	r.Items = append(append(r.Items, r.Cases...), r.Rules...)
	return r
}

// always is a rule for everybody, when one with conditions.
func always(do rule.Act) rule.Statement {
	return when(do, rule.Condition{Kind: rule.Scope, Values: []string{rule.Universal}})
}

func when(do rule.Act, on ...rule.Condition) rule.Statement { return rule.Statement{When: on, Do: do} }

func include(text, place string) rule.Act {
	return rule.Act{Kind: rule.Include, Text: text, Place: place}
}

func never(phrases ...string) rule.Act { return rule.Act{Kind: rule.Never, Phrases: phrases} }

func replace(pairs ...string) rule.Act {
	a := rule.Act{Kind: rule.Replace}
	for i := 0; i < len(pairs); i += 2 {
		a.Swaps = append(a.Swaps, rule.Swap{Avoid: pairs[i], Say: pairs[i+1]})
	}
	return a
}

var combining = []knowledge.Item{
	caseItem(1, "Several pensions", "Why people combine pots",
		"Some people combine several pots with one provider. One pot can mean one statement and one set of charges. "+
			"The charges of the new plan decide whether it saves anything. Have you looked at them?"),
	caseItem(2, "Several pensions", "What to compare",
		"Before pots are combined it helps to compare yearly charges and exit fees. While the money moves it is not "+
			"invested for some days. For example, a pot of £20,000 may miss a rise in the market."),
	caseItem(3, "Living abroad", "Pensions abroad",
		"A pension can be paid to a bank in another country. Some providers charge for that."),
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
	warning  = "A defined benefit pension pays a guaranteed income for life, and that guarantee is lost for good " +
		"once it is transferred."
)

var dbRule = when(include(warning, rule.AtStart),
	rule.Condition{Kind: rule.Field, Name: "pensions", Op: rule.Has, Values: []string{"db"}})

func TestDraftAnswersFromThePassages(t *testing.T) {
	r := asks(question, nil)
	r.Name = "Margaret Hollis"
	d := draft(t, r)
	for _, want := range []string{"Hello Margaret,", "Thank you for your question about bringing pensions together.",
		"Some people combine several pots", "[1]", "Sources:\n[1] Several pensions: Why people combine pots"} {
		if !strings.Contains(d.Text, want) {
			t.Errorf("the draft lacks %q:\n%s", want, d.Text)
		}
	}
	for _, not := range []string{"£20,000", "Have you looked", "another country", "Hollis", "MoneyHelper"} {
		if strings.Contains(d.Text, not) {
			t.Errorf("the draft has %q:\n%s", not, d.Text)
		}
	}
	if !d.Cited["case-1"] || d.Cited["case-3"] || !strings.Contains(d.Reasoning, "Case #001") || len(d.Notes) > 0 {
		t.Errorf("cited %v, notes %v, reasoning:\n%s", d.Cited, d.Notes, d.Reasoning)
	}
	if again := draft(t, r); again.Text != d.Text || again.Reasoning != d.Reasoning {
		t.Error("the same request made another draft")
	}
}

// The product's promise: before the rule the warning is missing, after it it is there and comes first, and a customer
// without a DB pension gets the same draft as before.
func TestARuleChangesTheNextDraft(t *testing.T) {
	r := asks(question, hasDB)
	before := draft(t, r)
	r.Recall = recalled(combining, dbRule)
	after := draft(t, r)
	if strings.Contains(before.Text, warning) || !strings.HasPrefix(after.Text, "Hello,\n\n"+warning+"\n\nThank you") {
		t.Errorf("before:\n%s\nafter:\n%s", before.Text, after.Text)
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

// What would not read as part of the draft is told to the supervisor, and the rule isn't cited.
func TestATextThatFitsNowhereIsTold(t *testing.T) {
	for text, c := range map[string]struct {
		place string
		fits  bool
	}{
		"Hello and welcome to our desk.":                      {rule.AtEnd, false},
		"Dear customer, please read this with care.":          {rule.AtStart, false},
		"It can take six weeks.":                              {rule.AtStart, false},
		"Yes, you can do that.":                               {rule.AtEnd, false},
		"This lowers the charges of your pots in most cases.": {rule.AtTopic, true},
		"They close in the winter.":                           {rule.AtTopic, false},
		"Ask each provider for its exit fee.":                 {rule.AtEnd, true},
	} {
		r := asks(question, nil)
		r.Recall = recalled(combining, always(include(text, c.place)))
		d := draft(t, r)
		left := slices.ContainsFunc(told(d), func(n string) bool {
			return strings.Contains(n, "R-1 is not carried out") && strings.HasSuffix(n, "“"+text+"”")
		})
		if strings.Contains(d.Text, text) != c.fits || d.Cited["rule-1"] != c.fits || left == c.fits {
			t.Errorf("%q: cited %v, notes %q\n%s", text, d.Cited["rule-1"], told(d), d.Text)
		}
	}
}

func TestStalePassagesStayOut(t *testing.T) {
	cases := []knowledge.Item{
		caseItem(1, "Paying in", "The limit",
			"The money purchase annual allowance is £4,000 a year. People who have taken money flexibly have a lower "+
				"limit on paying in."),
		caseItem(2, "Paying in", "Relief",
			"Paying into a pension gets tax relief, and the limit counts what an employer pays."),
	}
	d := draft(t,
		Request{Situation: pack.Situation{Question: "What is the limit on paying in?", HasDC: true, At: today},
			Recall: recalled(cases)})
	if strings.Contains(d.Text, "£4,000") || !strings.Contains(d.Text, "lower limit on paying in") {
		t.Errorf("%s", d.Text)
	}
}

func TestNothingToSay(t *testing.T) {
	for name, want := range map[string]string{"pension": "MoneyHelper", "general": "a colleague will look at it"} {
		for _, r := range []Request{{Situation: pack.Situation{Question: "Do you like jazz?"}},
			{Situation: pack.Situation{Question: "Do you like jazz?"}, Recall: recalled(combining)}} {
			r.Situation.Pack = name
			if r.Recall != nil {
				far := slices.Clone(combining)
				for i := range far {
					far[i].Legs.Cosine = map[string]float64{"pension": 0.5}[name] // of general words alone are known
				}
				r.Recall = recalled(far)
			}
			d := draft(t, r)
			if !strings.Contains(d.Text, want) || strings.Contains(d.Text, "Sources") || len(d.Cited) > 0 {
				t.Errorf("%v\n%s", d.Cited, d.Text)
			}
			if name == "general" && strings.Contains(strings.ToLower(d.Text+d.Reasoning), "pension") {
				t.Errorf("a pension word for another domain:\n%s\n%s", d.Text, d.Reasoning)
			}
		}
	}
}

func TestAChoiceIsDeclinedAndPointedOn(t *testing.T) {
	r := asks("Should I combine my pensions?", nil)
	d := draft(t, r)
	if v := compliance.NewChecker(nil).Check(d.Text, r.Situation); !v.Passed ||
		strings.Count(d.Text, "We can't say which choice is right for you.") != 1 {
		t.Errorf("%+v\n%s", v.Issues, d.Text)
	}
	r.Recall = recalled(combining, always(include(pack.Of("pension").Frames.Signpost, rule.AtStart)))
	if d := draft(t, r); strings.Count(d.Text, "We can't say which choice is right for you.") != 1 {
		t.Errorf("said twice, or not at all:\n%s", d.Text)
	}
}

func TestTheNoteOfWhatWasSentBackIsShown(t *testing.T) {
	r := asks(question, nil)
	before := draft(t, r)
	r.Note = "Say 'plan' instead of 'pot'.\nIt reads like a leaflet."
	after := draft(t, r)
	if after.Text != before.Text || len(after.Notes) != 1 ||
		after.Notes[0] != "Sent back with: “Say 'plan' instead of 'pot'. It reads like a leaflet.”. The embedded "+
			"advisor can't act on notes." {
		t.Errorf("%q\n%s", after.Notes, after.Text)
	}
}
