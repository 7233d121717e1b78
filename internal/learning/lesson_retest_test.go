package learning

import (
	"testing"

	"preceptor/internal/knowledge"
)

// A rule that started on four cases is tried again as approvals arrive, until the gate is passed.
func TestProvisionalRulesAreTriedAgain(t *testing.T) {
	b := open(t, nil, Policy{})
	for n := range 4 {
		b.release(b.decide(corrected(n)))
	}
	b.drain()
	dec := b.decide(dbRevision())
	b.drain()
	first := b.lesson(dec)
	if !first.Provisional || first.Tried != 4 {
		t.Fatalf("at first: %s", first.Summary())
	}
	if _, err := b.Accept(b.ctx, first.ID, nil, first.Version, expert); err != nil {
		t.Fatal(err)
	}
	for n := range 2 {
		b.release(b.decide(corrected(10 + n)))
	}
	b.drain()
	if l := b.lesson(dec); l.Tried != 4 {
		t.Errorf("two new cases are too few to try again: %s", l.Summary())
	}
	for n := range 8 {
		b.release(b.decide(corrected(20 + n)))
	}
	b.drain()
	l := b.lesson(dec)
	if l.Provisional || l.State != Accepted || l.Tried < 10 || l.Helpful != l.Tried ||
		b.audited("lesson.retested") == 0 {
		t.Errorf("with enough cases: provisional %v, %s", l.Provisional, l.Summary())
	}
	if r := b.rule(l); r.Provisional || r.Status != knowledge.Active || r.Confidence != l.Confidence ||
		len(r.Supporting) < 10 || r.Untested() || len(r.MadeFrom) != 0 {
		t.Errorf("the rule: %+v", r)
	}
	steps := len(l.Steps)
	b.release(b.decide(corrected(40)))
	b.drain()
	if l := b.lesson(dec); len(l.Steps) != steps {
		t.Error("tried again although it is settled")
	}
}

// A rule that is tried again and met by no case says so, and no figure is made of it.
func TestTriedAgainOnNoCase(t *testing.T) {
	b := open(t, nil, Policy{})
	dec := b.decide(dbRevision())
	b.drain()
	l := b.lesson(dec)
	edited := warned()
	edited.Do.Text = "A transfer cannot be undone."
	if _, err := b.Accept(b.ctx, l.ID, &edited, l.Version, expert); err != nil {
		t.Fatal(err)
	}
	b.drain()
	if r := b.rule(l); r.Reason != "Tried again: no case to try it on." || !r.Untested() ||
		r.OnTrial() != "not tested yet" {
		t.Errorf("%q, %+v", r.Reason, r.RuleText)
	}
}
