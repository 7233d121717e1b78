package learning

import (
	"slices"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
)

// liftTx looks again at the rules that trying again put in quarantine, once a case that they were tried on is
// withdrawn: one whose other cases don't speak against it is in use again. The case leaves the verdicts of every lesson
// whose rule it kept out.
func (p *Pipeline) liftTx(tx *db.Tx, caseID string) error {
	list, err := lessonsTx(tx, `WHERE stage = 'accept' AND state = 'accepted' AND same_as = 0
		AND id IN (SELECT lesson_id FROM lesson_test WHERE case_id = $1) ORDER BY created_at, id`, caseID)
	if err != nil {
		return err
	}
	for _, l := range list {
		rule, err := p.kb.RuleTx(tx, l.RuleID)
		if err != nil {
			return err
		}
		if rule.Status != knowledge.Quarantined || rule.By.Kind != me.Kind || rule.By.ID != me.ID {
			continue
		}
		if err := p.liftOneTx(tx, l, rule, caseID); err != nil {
			return err
		}
	}
	return nil
}

// liftOneTx reckons the last trial up again without the case.
func (p *Pipeline) liftOneTx(tx *db.Tx, l Lesson, rule *knowledge.Rule, caseID string) error {
	steps, err := stepsTx(tx, l.ID)
	if err != nil {
		return err
	}
	var tests []CaseTest
	for _, s := range steps {
		if s.Name == StageValidate && s.State == StepDone {
			tests = s.Cases
		}
	}
	fewer := slices.DeleteFunc(slices.Clone(tests), func(t CaseTest) bool { return t.CaseID == caseID })
	if len(fewer) == len(tests) {
		return nil
	}
	g := p.policy.gate(fewer)
	if !g.Valid {
		return nil // the others are against it too
	}
	if err := addStepTx(tx, l.ID, Step{Name: StageValidate, AnsweredBy: "embedded", Cases: fewer,
		Output: jsonOf(g),
		Input:  jsonOf(map[string]any{"without": caseID, "again": true})}); err != nil {
		return err
	}
	l.tried(g)
	l.Outcome = "In use again: a case that counted against it was withdrawn."
	gone := func(id string) bool { return id == caseID }
	rule.Supporting, rule.Counter = slices.DeleteFunc(rule.Supporting, gone), slices.DeleteFunc(rule.Counter, gone)
	rule.Status, rule.Confidence, rule.Provisional = knowledge.Active, g.Confidence, g.Provisional
	rule.By, rule.Reason = me, "A decision behind its quarantine was undone."
	if _, err := p.kb.EditRuleTx(tx, *rule); err != nil {
		return err
	}
	if err := saveTx(tx, &l); err != nil {
		return err
	}
	tx.Touch("knowledge")
	return audit.Note(tx, me, "lesson.lifted", "lesson", l.ID, map[string]any{"rule": rule.ID})
}
