package knowledge_test

import (
	"slices"
	"strings"
	"testing"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/rule"
)

var everybody = []rule.Condition{{Kind: rule.Scope, Values: []string{rule.Universal}}}

// stated is the text of a rule that a person stated.
func stated(do rule.Act, when ...rule.Condition) knowledge.RuleText {
	t := knowledge.RuleOf(rule.Statement{When: when, Do: do, Because: "it matters"}, pack.Of(pack.Pension))
	t.Confidence, t.FCACompliant = 0.9, true
	return t
}

func say(text string) rule.Act { return rule.Act{Kind: rule.Include, Text: text} }

func field(name, op string, values ...string) rule.Condition {
	return rule.Condition{Kind: rule.Field, Name: name, Op: op, Values: values}
}

func TestConditionsFilterWhatIsRecalled(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	add := func(domain string, text knowledge.RuleText) {
		b.addRule(knowledge.Rule{Status: knowledge.Active, Domain: domain, RuleText: text})
	}
	edu := knowledge.PensionEducation
	//
	add(edu, stated(say("Guarantees are lost for good."), field("pensions", rule.Has, "db")))
	//
	add(edu, stated(say("An annuity can't be changed."), field("age", rule.Below, "55")))
	//
	add(edu, stated(say("Annuity rates vary."), rule.Condition{Kind: rule.Topic, Values: []string{pack.Annuity}}))
	//
	add(edu, stated(rule.Act{Kind: rule.Other, Text: "Be brief about annuities."}, everybody...))
	// R-5, from before
	add(edu, principle("When somebody asks about an annuity, mention annuity rates because they vary"))
	//
	add(edu, stated(say("Ask about pots."),
		rule.Condition{Kind: rule.Mentions, Draft: true, Values: []string{"lifetime"}}))
	//
	add(edu,
		stated(say("Moving house."), rule.Condition{Kind: rule.Like,
			Values: []string{"Can I move my pension to Spain?"}}))
	//
	add(edu, stated(say("It is a Go matter."), rule.Condition{Kind: rule.Scope, Values: []string{"language:go"}}))
	for _, test := range []struct {
		name, question, want string
		s                    pack.Situation
	}{
		{"an annuity, nothing known", "should i buy an annuity", "R-1 R-2 R-3 R-4 R-5 R-6", pack.Situation{}},
		{"an annuity at 60", "should i buy an annuity", "R-3 R-4 R-5 R-6", pack.Situation{Age: 60, HasDC: true}},
		{"an annuity at 50", "should i buy an annuity", "R-2 R-3 R-4 R-5 R-6", pack.Situation{Age: 50, HasDC: true}},
		{"with a final salary pension", "how do i complain", "R-1 R-4 R-6", pack.Situation{HasDB: true}},
		{"like the example", "Can I move my pension to Spain?", "R-4 R-6 R-7", pack.Situation{}},
		{"in a project", "how do i complain", "R-4 R-6 R-8", pack.Situation{Scopes: []string{"language:go"}}},
	} {
		got, err := b.Recall(ctx, knowledge.Query{Text: test.question, Situation: test.s, TopRules: 20})
		if err != nil {
			t.Fatal(err)
		}
		names := strings.Fields(labels(got.Rules))
		slices.Sort(names)
		if strings.Join(names, " ") != test.want {
			t.Errorf("%s: recalled %v, want %s", test.name, names, test.want)
		}
	}
	got, err := b.Recall(ctx, knowledge.Query{Text: "should i buy an annuity", TopRules: 20})
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range got.Rules {
		why := strings.Join(it.Why, "; ")
		switch it.Label {
		case "R-2":
			if it.Match.State != rule.Unknown || len(it.Match.Open) != 1 || it.Legs.Applies ||
				!strings.Contains(why, "not known: age is below 55") {
				t.Errorf("%+v, %s", it.Match, why)
			}
		case "R-3":
			if it.Match.State != rule.Met || !it.Legs.Applies ||
				!strings.Contains(why, "applies: the topic is Annuity") {
				t.Errorf("%+v, %s", it.Match, why)
			}
		case "R-5":
			if it.Match.State != rule.Unknown || it.Legs.Applies {
				t.Errorf("%+v, %s", it.Match, why)
			}
		case "R-6":
			if !it.Match.OpenOnDraft() || !it.Legs.Applies {
				t.Errorf("%+v, %s", it.Match, why)
			}
		}
	}
}

// A compliance rule takes a slot that it did not win only where its conditions hold.
func TestAForcedComplianceRuleMeetsItsConditions(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	for range 4 {
		b.addRule(knowledge.Rule{Status: knowledge.Active,
			RuleText: stated(say("Annuity rates vary: "+strings.Repeat("more ", len(labels(nil))+1)+"annuity."),
				everybody...)})
	}
	weak := stated(say("Annuities of people under 55 are rare."), field("age", rule.Below, "55"))
	weak.Confidence = 0.01
	b.addRule(knowledge.Rule{Status: knowledge.Active, Domain: knowledge.RegulatoryCompliance, RuleText: weak})
	for age, want := range map[int]bool{0: false, 50: true, 60: false} {
		got, err := b.Recall(ctx, knowledge.Query{Text: "should i buy an annuity", Situation: pack.Situation{Age: age},
			TopRules: 1})
		if err != nil || strings.Contains(labels(got.Rules), "R-5") != want {
			t.Errorf("at %d: %s, %v", age, labels(got.Rules), err)
		}
	}
}

func TestNothingRelatedSaysSo(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	b.addCase(knowledge.Case{CaseText: text("Annuities", "asks about an annuity",
		"An annuity pays an income for life.")})
	for question, want := range map[string]string{"what does an annuity pay": "",
		"which football club won in 1966": knowledge.NothingRelated} {
		got, err := b.Recall(ctx, knowledge.Query{Text: question})
		if err != nil || got.Note() != want || (got.Prompt == "") != (want != "") {
			t.Errorf("%s: %q, %q, %v", question, got.Note(), got.Prompt, err)
		}
	}
}

// A domain without compliance checks says nothing of them.
func TestARuleOfAnotherDomainHasNoComplianceMark(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	b.addRule(knowledge.Rule{Status: knowledge.Active, RuleText: stated(say("Restart the printer."), everybody...)})
	for name, want := range map[string]bool{pack.GeneralName: false, pack.Pension: true, "": true} {
		got, err := b.Recall(ctx, knowledge.Query{Text: "my printer is broken", Situation: pack.Situation{Pack: name}})
		if err != nil || len(got.Rules) != 1 || strings.Contains(got.Prompt, "FCA") != want {
			t.Errorf("%q: %s, %v", name, got.Prompt, err)
		}
	}
}

// What people state for everybody is given whatever is asked. What was noticed in an agent's sessions is, too, unless
// it is surely for one kind of work.
func TestAnInstructionForEverybodyIsGiven(t *testing.T) {
	answers := []string{"Never promise a refund", "Do not give medical advice", "Always cite your sources",
		"Never reveal internal ticket numbers", "Use bullet points", "Never share another customer's data",
		"Never speculate about causes", "Never use jargon", "Use a numbered list for steps", "Never quote prices"}
	work := []string{"Never squash commits", "Always run the tests before a push", "Never delete a branch"}
	for _, noticed := range []bool{false, true} {
		b := setUp(t, knowledge.Options{})
		for _, text := range slices.Concat(answers, work) {
			r := stated(rule.Act{Kind: rule.Other, Text: text}, everybody...)
			r.Noticed = noticed
			b.addRule(knowledge.Rule{Status: knowledge.Active, RuleText: r})
		}
		for _, question := range []string{"My parcel is late", "What is photosynthesis?", "I have a headache"} {
			got, err := b.Recall(ctx, knowledge.Query{Text: question, TopRules: 20,
				Situation: pack.Situation{Pack: pack.GeneralName}})
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range slices.Concat(answers, work) {
				given := slices.ContainsFunc(got.Rules, func(it knowledge.Item) bool { return it.Rule.Action == text })
				if want := !noticed || slices.Contains(answers, text); given != want {
					t.Errorf("noticed %v, %s: %q is given: %v", noticed, question, text, given)
				}
			}
		}
	}
}
