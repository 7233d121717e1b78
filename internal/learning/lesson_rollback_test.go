package learning

import (
	"testing"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// accepted is a lesson whose rule an expert let in, and whose case is kept.
func (b *bench) accepted() Lesson {
	b.t.Helper()
	d := b.decide(dbRevision())
	b.drain()
	b.release(d)
	b.drain()
	l := b.lesson(d)
	if _, err := b.Accept(b.ctx, l.ID, nil, l.Version, expert); err != nil {
		b.t.Fatal(err)
	}
	return b.lesson(d)
}

func (b *bench) stand(l Lesson) string {
	b.t.Helper()
	c, err := b.kb.Case(b.ctx, l.CaseID)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.rule(l).Status + " " + c.Status
}

func TestALessonIsTakenBackAndBroughtBack(t *testing.T) {
	b := open(t, nil, Policy{})
	l := b.accepted()
	if err := b.RollBack(b.ctx, l.ID, "why", l.Version, knowledge.Person{Roles: []string{"supervisor"}}); !fault.Is(err,
		fault.Denied) {
		t.Errorf("a supervisor: %v", err)
	}
	if err := b.RollBack(b.ctx, l.ID, " ", l.Version, expert); !fault.Is(err, fault.Invalid) {
		t.Errorf("without a reason: %v", err)
	}
	if err := b.RollBack(b.ctx, l.ID, "why", l.Version-1, expert); !fault.Is(err, fault.Conflict) {
		t.Errorf("a version that nobody saw: %v", err)
	}
	if err := b.RollBack(b.ctx, l.ID, "it confused people", l.Version, expert); err != nil {
		t.Fatal(err)
	}
	l = b.lesson(l.DecisionID)
	if got := b.stand(l); got != "retired retired" || l.State != Withdrawn || !l.MayBringBack() ||
		b.audited("lesson.rolled_back") != 1 {
		t.Errorf("%s, %s", got, l.State)
	}
	if err := b.RollBack(b.ctx, l.ID, "again", l.Version, expert); !fault.Is(err, fault.Conflict) {
		t.Errorf("taken back twice: %v", err)
	}
	if err := b.BringBack(b.ctx, l.ID, "it did not", l.Version, expert); err != nil {
		t.Fatal(err)
	}
	l = b.lesson(l.DecisionID)
	if got := b.stand(l); got != "active active" || l.State != Accepted || l.CaseState != CaseKept {
		t.Errorf("%s, %s, %s", got, l.State, l.CaseState)
	}
}

func TestWhatWasQuarantinedComesBackToQuarantine(t *testing.T) {
	b := open(t, nil, Policy{})
	l := b.accepted()
	b.write(func(tx *db.Tx) error {
		_, err := b.kb.SetRuleStatusTx(tx, l.RuleID, knowledge.Quarantined,
			knowledge.Change{By: audit.System("credit"), Reason: "it harms"})
		return err
	})
	if err := b.RollBack(b.ctx, l.ID, "it harms", l.Version, expert); err != nil {
		t.Fatal(err)
	}
	l = b.lesson(l.DecisionID)
	if err := b.BringBack(b.ctx, l.ID, "look again", l.Version, expert); err != nil {
		t.Fatal(err)
	}
	if got := b.stand(l); got != "quarantined active" {
		t.Errorf("%s", got)
	}
}

// A decision that is undone after its lesson was taken back takes the way back away, and what a person settled
// otherwise stays so.
func TestWhatCantBeBroughtBack(t *testing.T) {
	b := open(t, nil, Policy{})
	undone := b.accepted()
	if err := b.RollBack(b.ctx, undone.ID, "why", undone.Version, expert); err != nil {
		t.Fatal(err)
	}
	b.undo(undone.DecisionID)
	undone = b.lesson(undone.DecisionID)
	if err := b.BringBack(b.ctx, undone.ID, "why", undone.Version, expert); !fault.Is(err, fault.Conflict) ||
		undone.MayBringBack() {
		t.Errorf("an undone decision: %v", err)
	}

	b = open(t, nil, Policy{})
	settled := b.accepted()
	if err := b.RollBack(b.ctx, settled.ID, "why", settled.Version, expert); err != nil {
		t.Fatal(err)
	}
	for _, status := range []string{knowledge.Active, knowledge.Retired} {
		b.write(func(tx *db.Tx) error {
			_, err := b.kb.SetRuleStatusTx(tx, settled.RuleID, status,
				knowledge.Change{By: expert.Actor(), Reason: "settled"})
			return err
		})
	}
	settled = b.lesson(settled.DecisionID)
	if err := b.BringBack(b.ctx, settled.ID, "why", settled.Version, expert); !fault.Is(err, fault.Conflict) {
		t.Errorf("settled otherwise: %v", err)
	}
}
