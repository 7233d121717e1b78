package knowledge_test

import (
	"slices"
	"testing"

	"preceptor/internal/knowledge"
	"preceptor/internal/rule"
	"preceptor/internal/search"
)

// A person who types the words of what is in use finds it, whatever it is conditional on and however far it is by
// meaning, before and after a rollback; what isn't in use is found by its words, too.
func TestWhatIsInUseIsFoundByItsOwnWords(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	like := func(question string) rule.Condition {
		return rule.Condition{Kind: rule.Like, Values: []string{question}}
	}
	add := func(status string, text knowledge.RuleText) {
		b.addRule(knowledge.Rule{Status: status, Domain: knowledge.PensionEducation, RuleText: text})
	}
	//
	add(knowledge.Active, stated(say("It is fine to put the telephone down on whoever calls about your pot."),
		like("Someone rang me about a review"), field("age", rule.Below, "55")))
	add(knowledge.Active, stated(say("Pension Wise appointments are free."), like("Who can I talk to?")))
	add(knowledge.Active, stated(say("Returns are not something that anybody can guarantee."),
		field("pensions", rule.Has, "db")))
	add(knowledge.Active, stated(say("Ask how many pots there are."), everybody...))
	add(knowledge.Candidate, stated(say("Cruse helps the bereaved."), everybody...))
	b.addCase(knowledge.Case{CaseText: text("Higher tax at first", "A first withdrawal",
		"An emergency tax code is often used on the first payment.")})
	finds := func(when string) {
		t.Helper()
		for _, test := range []struct{ typed, kind, want string }{
			{"telephone down", search.KindRule, "R-1"},
			{"It is fine to put the phone down on whoever calls about", search.KindRule, "R-1"},
			{"Pension Wise", search.KindRule, "R-2"},
			{"GUARANTEE", search.KindRule, "R-3"},
			{"emergency tax code", search.KindCase, "Case #001"},
		} {
			found, err := b.Find(ctx, test.kind, knowledge.Filter{Text: test.typed})
			if err != nil || len(found.Items) == 0 || found.Items[0].Label != test.want {
				t.Errorf("%s, %q finds %s, want %s first: %v", when, test.typed, labels(found.Items), test.want, err)
			}
			if slices.ContainsFunc(found.Items, func(it knowledge.Item) bool { return it.Score < 0 || it.Score > 1 }) {
				t.Errorf("%s, %q: a score is beyond 0 to 1", when, test.typed)
			}
		}
		list, err := b.Idle(ctx, knowledge.Filter{Text: "cruse"})
		if err != nil || len(list) != 1 || list[0].Label() != "R-5" {
			t.Errorf("%s, not in use: %+v, %v", when, list, err)
		}
		if list, err = b.Idle(ctx, knowledge.Filter{Text: "???"}); err != nil || len(list) != 0 {
			t.Errorf("%s, nothing but marks: %+v, %v", when, list, err)
		}
	}
	finds("at first")
	by := knowledge.Person{ID: "p", Name: "Edie", Roles: []string{"expert"}}
	state, err := b.SaveState(ctx, "Monday", by)
	if err != nil {
		t.Fatal(err)
	}
	add(knowledge.Active, stated(say("This one goes again."), everybody...))
	p, err := b.PreviewRollback(ctx, state.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Rollback(ctx, state.ID, "It was wrong.", p.Seq, by); err != nil {
		t.Fatal(err)
	}
	finds("after a rollback")
	got, err := b.Recall(ctx, knowledge.Query{Text: "telephone down", TopRules: 20})
	if err != nil || slices.ContainsFunc(got.Rules, func(it knowledge.Item) bool { return it.Label == "R-2" }) {
		t.Errorf("an agent is still given what its conditions let through alone: %v, %v", labels(got.Rules), err)
	}
}
