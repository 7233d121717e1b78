package advisor

import (
	"slices"
	"strings"
	"testing"

	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/rule"
)

func ruled(t *testing.T, list ...rule.Statement) Draft {
	t.Helper()
	r := asks(question, nil)
	r.Recall = recalled(combining, list...)
	return draft(t, r)
}

// told is all that a supervisor is told of a draft.
func told(d Draft) []string {
	return Told(&interaction.Interaction{Provenance: d.Provenance}, nil, d.Text)
}

// What a rule wants said is missed in the text that is shown, and only while the rule is in use.
func TestARuleIsMissedInTheTextThatIsShown(t *testing.T) {
	d := ruled(t, always(include("It is fine to put the telephone down without explaining.", rule.AtEnd)))
	in := &interaction.Interaction{Provenance: d.Provenance}
	used := []knowledge.UsedItem{{ID: "rule-1", Status: knowledge.Active}}
	for text, missed := range map[string]int{
		d.Text: 1,
		"Hello. It's fine to put the telephone down without explaining. Goodbye.":   0,
		d.Text + "\n\nIt is fine to put the telephone down, without explaining.":    0,
		d.Text + "\n\nIt is not fine to put the telephone down without explaining.": 1,
	} {
		if got := Told(in, used, text); len(got) != missed {
			t.Errorf("%s: %q", text, got)
		}
	}
	for status, missed := range map[string]int{knowledge.Active: 1, knowledge.Quarantined: 0, knowledge.Withdrawn: 0} {
		used[0].Status = status
		if got := Told(in, used, d.Text); len(got) != missed {
			t.Errorf("%s: %q", status, got)
		}
	}
}

func TestActsAreCarriedOut(t *testing.T) {
	for _, c := range []struct {
		do        rule.Act
		want, not string
	}{
		{include("The scheme closes on 5 April.", rule.AtTopic), "\n\nThe scheme closes on 5 April.\n\nSources:", ""},
		{include("Please know that one pot can be simpler.", rule.AtTopic),
			"[1]\n\nPlease know that one pot can be simpler.\n\n", ""},
		{include("We are sorry to hear this.", rule.AtStart), "Hello,\n\nWe are sorry to hear this.\n\nThank you", ""},
		{include("Do write again.", rule.AtEnd), "\n\nDo write again.\n\nSources:", ""},
		{rule.Act{Kind: rule.Ask, Text: "Have you checked for exit fees?"},
			"\n\nHave you checked for exit fees?\n\nSources:", ""},
		{rule.Act{Kind: rule.Point, Text: "MoneyHelper can talk this through with you for free."},
			"\n\nMoneyHelper can talk this through with you for free.\n\nSources:", ""},
		{replace("pot", "plan"), "several pots with one provider. One plan can mean", "One pot"},
		{replace("pot", "plan", "pots", "plans"), "combine several plans with", "pot"},
		{replace("set of charges", "list of fees"), "one list of fees", "set of charges"},
		{replace("charges", "costs", "yearly charges", "annual costs"), "annual costs", "charges"},
		{never("one statement"), "Some people combine", "one statement"},
		{never("One pot can mean one statement and one set of charges. [1]"), "Some people combine", "one statement"},
	} {
		d := ruled(t, always(c.do))
		if c.want != "" && !strings.Contains(d.Text, c.want) {
			t.Errorf("%s: the draft lacks %q:\n%s", c.do.Words(), c.want, d.Text)
		}
		if c.not != "" && strings.Contains(d.Text, c.not) {
			t.Errorf("%s: the draft has %q:\n%s", c.do.Words(), c.not, d.Text)
		}
		if !d.Cited["rule-1"] || len(told(d)) > 0 {
			t.Errorf("%s: cited %v, notes %v", c.do.Words(), d.Cited, told(d))
		}
	}
}

func TestWhatIsSaidIsNotSaidAgain(t *testing.T) {
	again := include("One pot can mean one statement, and one set of charges.", rule.AtTopic)
	d := ruled(t, always(again), always(rule.Act{Kind: rule.Ask, Text: "Is that clear?"}),
		always(rule.Act{Kind: rule.Ask, Text: "Is that clear?"}))
	if n := strings.Count(d.Text, "one statement"); n != 1 || strings.Count(d.Text, "Is that clear?") != 1 {
		t.Errorf("said %d times:\n%s", n, d.Text)
	}
	if !d.Cited["rule-1"] || !d.Cited["rule-3"] || strings.Count(d.Reasoning, "does this already") != 2 {
		t.Errorf("cited %v:\n%s", d.Cited, d.Reasoning)
	}
	again.Place = rule.AtStart // what the answer says moves to where the rule wants it
	d = ruled(t, always(again))
	if !strings.HasPrefix(d.Text, "Hello,\n\n"+again.Text) || strings.Count(d.Text, "one statement") != 1 {
		t.Errorf("not moved:\n%s", d.Text)
	}
	denied := always(include("One pot can't mean one statement and one set of charges.", rule.AtTopic))
	if d := ruled(t, denied); strings.Count(d.Text, "one statement") != 2 {
		t.Errorf("the opposite counts as said:\n%s", d.Text)
	}
}

func TestADraftThatNeedsForbiddenWordsIsNotMade(t *testing.T) {
	d := ruled(t, always(never("pot", "charges")), always(include("Do write again.", rule.AtEnd)))
	if !strings.Contains(d.Text, pack.Of("pension").Frames.Unknown) || strings.Contains(d.Text, "[1]") ||
		strings.Contains(d.Text, "pots") {
		t.Errorf("a stump:\n%s", d.Text)
	}
	if len(d.Notes) != 1 || !strings.Contains(d.Notes[0], "could not be made") ||
		!strings.Contains(d.Notes[0], "R-1") || d.Cited["case-1"] {
		t.Errorf("notes %q, cited %v", d.Notes, d.Cited)
	}
}

func TestARuleForbidsWhatAnotherIncludes(t *testing.T) {
	d := ruled(t, always(include("This is a jolly good idea.", rule.AtEnd)), always(never("jolly")))
	if strings.Contains(d.Text, "jolly") || len(told(d)) != 1 ||
		!strings.Contains(told(d)[0], "R-1 is not carried out: R-2 says never to say “jolly”") || d.Cited["rule-1"] {
		t.Errorf("%q, %v\n%s", told(d), d.Cited, d.Text)
	}
	d = ruled(t, always(never("pots")), always(replace("pot", "plan", "pots", "plans")))
	if !strings.Contains(d.Text, "several plans") || len(told(d)) > 0 {
		t.Errorf("what is replaced is not said: %q\n%s", told(d), d.Text)
	}
}

func TestWhatTheAdvisorCannotDoIsShown(t *testing.T) {
	old := ruleItem(2, rule.Statement{})
	old.Text, old.Rule.Statement = "When a customer is sad, be kind", rule.Statement{}
	r := asks(question, nil)
	plain := draft(t, r)
	r.Recall = recalled(combining, always(rule.Act{Kind: rule.Other, Text: "write warmly"}))
	r.Recall.Rules = append(r.Recall.Rules, old)
	d := draft(t, r)
	want := []string{"R-1 applies, please check: write warmly",
		"R-2 has no conditions that can be checked, please check: When a customer is sad, be kind"}
	if d.Text != plain.Text || !slices.Equal(told(d), want) || len(d.Cited) != len(plain.Cited) {
		t.Errorf("%q, %v\n%s", d.Notes, d.Cited, d.Text)
	}
}

func TestConditionsOnTheDraft(t *testing.T) {
	fees := include("Ask for the fees in writing.", rule.AtTopic)
	on := func(word string) rule.Condition {
		return rule.Condition{Kind: rule.Mentions, Values: []string{word}, Draft: true}
	}
	like := rule.Condition{Kind: rule.Like, Values: []string{"May I merge my pots?"}}
	for _, c := range []struct {
		name  string
		st    rule.Statement
		match rule.Result
		met   bool
	}{
		{"mentioned", when(fees, on("exit fee")), rule.Result{}, true},
		{"not mentioned", when(fees, on("annuity")), rule.Result{}, false},
		{"only another rule says it", when(fees, on("umbrella")), rule.Result{}, false},
		{"and near by recall", when(fees, on("exit fee"), like),
			rule.Result{State: rule.Unknown, Open: []rule.Condition{on("exit fee")}, Held: []rule.Condition{like}},
			true},
		{"likeness is not known", when(fees, on("exit fee"), like),
			rule.Result{State: rule.Unknown, Open: []rule.Condition{on("exit fee"), like}}, false},
		{"recall says no", always(fees), rule.Result{State: rule.NotMet}, false},
		{"not known", when(fees, rule.Condition{Kind: rule.Field, Name: "age", Op: rule.Below, Values: []string{"55"}}),
			rule.Result{}, false},
	} {
		r := asks(question, nil)
		r.Recall = recalled(combining, c.st, always(include("Take an umbrella.", rule.AtEnd)))
		r.Recall.Rules[0].Match = c.match
		if d := draft(t, r); strings.Contains(d.Text, fees.Text) != c.met {
			t.Errorf("%s: want %v\n%s\n%s", c.name, c.met, d.Text, d.Reasoning)
		}
	}
}

func TestMarksTellWhereSentencesComeFrom(t *testing.T) {
	d := ruled(t, always(include("Do write again.", rule.AtStart)), always(replace("provider", "company")))
	got := map[string]string{}
	last := 0
	for _, m := range d.Marks {
		got[d.Text[m.Start:m.End]] = m.Kind + " " + m.Label
		if m.Start < last {
			t.Errorf("out of order: %+v", d.Marks)
		}
		last = m.Start
	}
	for text, want := range map[string]string{"Do write again.": interaction.MarkRule + " R-1",
		"company": interaction.MarkRule + " R-2",
		"Some people combine several pots with one company.": interaction.MarkSource + " Case #001"} {
		if got[text] != want {
			t.Errorf("%q is marked %q, want %q (%v)", text, got[text], want, got)
		}
	}
}

func TestSourcesAreNamedWithoutForbiddenWords(t *testing.T) {
	cases := []knowledge.Item{caseItem(1, "Pots", "Combining", combining[0].Text)}
	for _, c := range []struct {
		do   rule.Act
		want string
	}{{never("jolly"), "[1] Pots: Combining"}, {replace("pots", "plans"), "[1] Combining"}, {never("pots"), ""}} {
		r := asks(question, nil)
		r.Recall = recalled(cases, always(c.do))
		d := draft(t, r)
		if c.want != "" && !strings.HasSuffix(d.Text, c.want) || c.want == "" && strings.Contains(d.Text, "Pots") {
			t.Errorf("%s: want %q\n%s", c.do.Words(), c.want, d.Text)
		}
	}
}

func TestSwap(t *testing.T) {
	a := acts{swaps: []swap{{avoid: "annuity", say: "guaranteed income"}, {avoid: "pot", say: "plan"},
		{avoid: "plan", say: "igloo"}, {avoid: "don't", say: "do not"}}}
	for in, want := range map[string]string{
		"An annuity is a pot.":      "A guaranteed income is a plan.",
		"Pot, potter and jam-pot":   "Plan, potter and jam-pot",
		"a plan":                    "an igloo",
		"We don’t.":                 "We do not.",
		"annuities":                 "annuities",
		"Ein “pot” (pot) pot's 100": "Ein “plan” (plan) plan's 100",
	} {
		if got, _ := a.swap(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// Where a rule points somewhere the signpost doesn't say it again in other words, and a question about "this" is only
// asked where there is something that it is about; the supervisor is told, and the rule isn't counted.
func TestARuleReadsAsPartOfTheDraft(t *testing.T) {
	adviser := always(rule.Act{Kind: rule.Point, Text: "Pension Wise offers free and impartial guidance on 0800 138 3944. " +
		"A recommendation about which option suits one person can only come from a regulated financial adviser."})
	r := asks("Should I combine my pots or leave them where they are? Which is better for me?", nil)
	r.Recall = recalled(combining, adviser)
	d := draft(t, r)
	if n := strings.Count(d.Text, "regulated financial adviser"); n != 1 || !d.Cited["rule-1"] ||
		!strings.Contains(d.Text, "We can't say which choice is right for you.") {
		t.Errorf("an adviser is named %d times:\n%s", n, d.Text)
	}
	for _, text := range []string{"Which part of this would help to go over again?", "Do these figures help?",
		"Have you checked for exit fees?"} {
		ask := always(rule.Act{Kind: rule.Ask, Text: text})
		if d := ruled(t, ask); !strings.Contains(d.Text, text) || !d.Cited["rule-1"] {
			t.Errorf("%s: it isn't asked:\n%s", text, d.Text)
		}
		r := asks("Who won the snooker last night?", nil)
		r.Recall = recalled(nil, ask)
		dangling := !strings.HasPrefix(text, "Have you")
		if d := draft(t, r); strings.Contains(d.Text, text) == dangling || d.Cited["rule-1"] == dangling ||
			strings.Contains(strings.Join(told(d), "\n"), "R-1 is not carried out") != dangling {
			t.Errorf("%s: cited %v, notes %v\n%s", text, d.Cited, told(d), d.Text)
		}
	}
}

// Of two rules in use that contradict each other the draft follows one: the exception that a person made, or else that
// for fewer customers, and the supervisor is told.
func TestOfTwoOppositesOneIsSaid(t *testing.T) {
	const may, never = "The provider may use an emergency tax code, and HMRC pays it back.",
		"The provider may not use an emergency tax code, and HMRC does not pay it back."
	wide := always(include(may, rule.AtEnd))
	narrow := when(include(never, rule.AtEnd), rule.Condition{Kind: rule.Mentions, Values: []string{"combine"}})
	also := when(include(never, rule.AtEnd), rule.Condition{Kind: rule.Mentions, Values: []string{"pensions"}})
	decided := narrow
	decided.Except = []string{"rule-1"}
	for name, c := range map[string]struct {
		rules       []rule.Statement
		said, other string
		told        string
	}{
		"the opposite of what is said isn't said": {[]rule.Statement{wide, narrow}, never, may,
			"R-1 is not carried out: it says “" + may + "”, and R-2 says “" + never + "”. Check which holds."},
		"whichever comes first": {[]rule.Statement{narrow, wide}, never, may, "R-2 is not carried out: "},
		"neither is narrower": {[]rule.Statement{when(include(may, rule.AtEnd), narrow.When...), also}, may, never,
			"R-2 is not carried out: "},
		"a person decided": {[]rule.Statement{wide, decided}, never, may, ""},
	} {
		d := ruled(t, c.rules...)
		if !strings.Contains(d.Text, c.said) || strings.Contains(d.Text, c.other) {
			t.Errorf("%s:\n%s", name, d.Text)
		}
		if list := told(d); len(list) != min(1, len(c.told)) || len(list) == 1 && !strings.HasPrefix(list[0], c.told) {
			t.Errorf("%s: told %q", name, list)
		}
	}
}

func TestOnlyWhatIsSurelyTheSameCountsAsSaid(t *testing.T) {
	const code = "The provider may use an emergency tax code for the first payment; HMRC pays it back on form P55."
	for text, want := range map[string]bool{
		code: true,
		"The provider may use an emergency tax code for the first payment: HMRC pays back on a form P55.":              true,
		"The provider may not use an emergency tax code for the first payment; HMRC does not pay it back on form P55.": false,
		"The provider may not use an emergency tax code for the first payment; HMRC pays it back on form P55.":         false,
		"The provider must use an emergency tax code for the first payment; HMRC pays it back on form P55.":            false,
		"The provider may use an emergency tax code for the first payment; HMRC pays it back on form P50.":             false,
	} {
		if saysAll(code, text) != want {
			t.Errorf("%q: said %v", text, !want)
		}
	}
}

// A text that a rule wants said, and that doesn't fit, is no answer: the draft says that there is none.
func TestATextThatIsNotSaidIsNoAnswer(t *testing.T) {
	r := Request{Situation: pack.Situation{Question: "Is there a pool at the gym?", Pack: pack.GeneralName, At: today}}
	for text, unanswered := range map[string]bool{"These pools at the gym need a swimming cap.": true,
		"Pools at the gym need a swimming cap.": false} {
		r.Recall = recalled(nil, always(include(text, rule.AtTopic)))
		d := draft(t, r)
		if d.Unanswered != unanswered || strings.Contains(d.Text, pack.Of(pack.GeneralName).Frames.Unknown) != unanswered {
			t.Errorf("%s: %v\n%s", text, d.Unanswered, d.Text)
		}
	}
}

// What leans on a sentence that a rule forbids is left out with it, and the supervisor is told.
func TestWhatLeansOnAForbiddenSentenceIsTold(t *testing.T) {
	r := asks(question, nil)
	r.Recall = recalled([]knowledge.Item{caseItem(1, "Several pensions", "Why people combine pensions",
		"People combine pensions with one provider. To combine pensions, ask the provider for its form. Combined "+
			"pensions often have lower charges. However, that can lose the guarantees of the pensions.")},
		always(never("lower charges")))
	d := draft(t, r)
	if strings.Contains(d.Text, "However") || !strings.Contains(d.Reasoning,
		"Also left out, because it refers back to what a rule left out: “However, that can lose") {
		t.Errorf("%q\n%s", d.Reasoning, d.Text)
	}
}
