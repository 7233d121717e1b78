package learning

import (
	"strings"
	"testing"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/rule"
)

// quarantined lets a rule in and has it fail ten cases, the last of which came of a decision of its own; it returns
// both decisions.
func (b *bench) quarantined() (rule, lastCase string) {
	b.t.Helper()
	rule = b.decide(dbRevision())
	b.drain()
	l := b.lesson(rule)
	if _, err := b.Accept(b.ctx, l.ID, nil, l.Version, expert); err != nil {
		b.t.Fatal(err)
	}
	lastCase = b.decide(approval(1))
	b.release(lastCase)
	b.drain()
	tests := []CaseTest{{Kind: TestOrigin, Verdict: Helped}}
	for range 9 {
		tests = append(tests, CaseTest{Kind: TestExemplar, Verdict: Hurt, Fired: true,
			Why: "People approved the opposite."})
	}
	tests = append(tests, CaseTest{CaseID: b.lesson(lastCase).CaseID, Kind: TestExemplar, Verdict: Hurt, Fired: true,
		Why: "People approved the opposite."})
	b.write(func(tx *db.Tx) error {
		now, err := lessonTx(tx, l.ID)
		if err != nil {
			return err
		}
		g := b.policy.gate(tests)
		return b.retestedTx(tx, now, Step{Name: StageValidate, State: StepDone, AnsweredBy: b.reasoner.Name(),
			Cases: tests, Input: jsonOf(m{"again": true}), Output: jsonOf(g)}, g)
	})
	if s := b.rule(b.lesson(rule)).Status; s != knowledge.Quarantined {
		b.t.Fatalf("the rule is %s", s)
	}
	return rule, lastCase
}

func TestUndoingWhatARetestsQuarantineRestsOnLiftsIt(t *testing.T) {
	b := open(t, nil, Policy{})
	dec, lastCase := b.quarantined()
	b.undo(lastCase)
	l := b.lesson(dec)
	if r := b.rule(l); r.Status != knowledge.Active || !strings.Contains(r.Reason, "undone") || l.Tried != 9 ||
		b.audited("lesson.lifted") != 1 {
		t.Errorf("rule %s, %q, tried %d", r.Status, r.Reason, l.Tried)
	}
	b.undo(lastCase) // again changes nothing
	if b.audited("lesson.lifted") != 1 {
		t.Error("lifted twice")
	}
}

func TestAPersonsQuarantineStays(t *testing.T) {
	b := open(t, nil, Policy{})
	dec, lastCase := b.quarantined()
	id := b.rule(b.lesson(dec)).ID
	for _, status := range []string{knowledge.Active, knowledge.Quarantined} {
		b.write(func(tx *db.Tx) error {
			_, err := b.kb.SetRuleStatusTx(tx, id, status, knowledge.Change{By: expert.Actor(), Reason: "I doubt it."})
			return err
		})
	}
	b.undo(lastCase)
	if s := b.rule(b.lesson(dec)).Status; s != knowledge.Quarantined {
		t.Errorf("the rule is %s", s)
	}
}

func TestARuleInQuarantineSilencesNoLesson(t *testing.T) {
	b := open(t, nil, Policy{})
	dec, _ := b.quarantined()
	r := b.rule(b.lesson(dec))
	again := b.lesson(b.after(b.decide(dbRevision())))
	if again.State != Nothing || again.RuleID != r.ID || !strings.Contains(again.Outcome, "in quarantine") {
		t.Fatalf("%s: %q", again.State, again.Outcome)
	}
	fresh, err := b.Fresh(b.ctx, r.ID, r.UpdatedAt)
	if err != nil || len(fresh) != 1 || fresh[0].ID != again.ID {
		t.Errorf("%+v %v", fresh, err)
	}
}

// after has the jobs of a decision run.
func (b *bench) after(decisionID string) string {
	b.t.Helper()
	b.drain()
	return decisionID
}

func TestALessonFollowsWhatBecomesOfItsRuleElsewhere(t *testing.T) {
	b := open(t, nil, Policy{})
	dec := b.after(b.decide(dbRevision()))
	l := b.lesson(dec)
	narrower := warned()
	narrower.When = append(narrower.When, rule.Condition{Kind: rule.Topic, Values: []string{"db_transfer"}})
	b.write(func(tx *db.Tx) error {
		r, err := b.kb.RuleTx(tx, l.RuleID)
		if err != nil {
			return err
		}
		*r = r.Restate(knowledge.Vetted{Statement: narrower}, pack.Of(""))
		r.Reason = "Narrowed."
		made, err := b.kb.EditRuleTx(tx, *r)
		if err != nil {
			return err
		}
		return b.RuleRewordedTx(tx, made, expert)
	})
	if l = b.lesson(dec); !sameStatement(l.Statement, narrower) || l.RuleText != b.rule(l).Principle ||
		l.State != Waiting || l.Tried != 0 || !l.Provisional {
		t.Fatalf("%s %q", l.State, l.RuleText)
	}
	b.write(func(tx *db.Tx) error {
		r, err := b.kb.SetRuleStatusTx(tx, l.RuleID, knowledge.Rejected,
			knowledge.Change{By: expert.Actor(), Reason: "R-9 is kept."})
		if err != nil {
			return err
		}
		return b.RuleEndedTx(tx, r.ID, nil, "R-9 is kept.", expert)
	})
	if l = b.lesson(dec); l.State != Rejected || !strings.Contains(l.Outcome, "R-9") {
		t.Errorf("%s %q", l.State, l.Outcome)
	}
}

// A lesson says how its rule is now, not how it was when it was accepted.
func TestALessonSaysHowItsRuleIs(t *testing.T) {
	b := open(t, nil, Policy{})
	dec := b.after(b.decide(dbRevision()))
	if _, err := b.Accept(b.ctx, b.lesson(dec).ID, nil, b.lesson(dec).Version, expert); err != nil {
		t.Fatal(err)
	}
	for _, status := range []string{knowledge.Active, knowledge.Quarantined, knowledge.Retired} {
		b.write(func(tx *db.Tx) error {
			_, err := b.kb.SetRuleStatusTx(tx, b.lesson(dec).RuleID, status,
				knowledge.Change{By: expert.Actor(), Reason: "A test."})
			return err
		})
		if l := b.lesson(dec); l.State != Accepted || !strings.HasSuffix(strings.Split(l.Summary(), " · ")[0],
			", "+knowledge.StatusWords(status)) {
			t.Errorf("%s: %q", status, l.Summary())
		}
	}
}
