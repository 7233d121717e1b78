package learning

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/job"
)

// retestEvery is after how many new exemplars a provisional rule is tried again, and retestMost how many rules one new
// case sends there. Cases that were tried keep their verdicts, so each costs one question only.
const (
	retestEvery = 5
	retestMost  = 100
)

// failingNote is what a rule in use says that fails the cases that arrived since, while they are too few to take it out
// of recall.
const failingNote = " The cases that arrived since count against it; it is tried again as more arrive."

// RetestArgs tries a provisional rule on the cases that arrived since. Case is the number of the newest: a job that
// runs already has read its cases, and must not keep the next one's out.
type RetestArgs struct {
	LessonID string `json:"lesson_id"`
	Case     int    `json:"case,omitempty"`
}

// Kind names the job.
func (RetestArgs) Kind() string { return "learning.retest" }

// retestTx queues the provisional rules of an agent, in use or waiting, once a handful of cases came since the newest
// that each was tried on. Whether they fit the rule is for the job to find out.
func (p *Pipeline) retestTx(tx *db.Tx, agentID string, caseNumber int) error {
	list, err := lessonsTx(tx, `WHERE agent_id = $1 AND stage = 'accept' AND state IN ('waiting', 'accepted')
		AND provisional = 1 AND same_as = 0 AND $2 - (SELECT coalesce(max(t.number), 0) FROM lesson_test t
			WHERE t.lesson_id = lesson.id) >= $3
		ORDER BY created_at DESC, id DESC LIMIT $4`, agentID, caseNumber, retestEvery, retestMost)
	if err != nil {
		return err
	}
	for _, l := range list {
		if err := p.jobs.InsertTx(tx, RetestArgs{l.ID, caseNumber}, job.Unique()); err != nil {
			return err
		}
	}
	return nil
}

// retestable reports whether l is a provisional rule that waits or is in use.
func retestable(l Lesson) bool {
	return l.Provisional && l.Stage == StageAccept && (l.State == Waiting || l.State == Accepted) && !l.SameAs
}

// retest tries a provisional rule on the exemplars that arrived since it was tried last, when there are enough of them.
func (p *Pipeline) retest(ctx context.Context, lessonID string) error {
	var l Lesson
	var src *Source
	var before []CaseTest
	var validated, fresh bool
	err := p.d.Read(ctx, func(tx *db.Tx) (err error) {
		if l, err = lessonTx(tx, lessonID); err != nil {
			return err
		}
		if src, err = sourceTx(tx, lessonID); err != nil || src == nil || !retestable(l) {
			return err
		}
		steps, err := stepsTx(tx, lessonID)
		if err != nil {
			return err
		}
		for _, s := range steps {
			if s.Name == StageValidate && s.State == StepDone {
				before, validated, fresh = s.Cases, true, len(s.Cases) == 0
			}
		}
		return nil
	})
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if src == nil || !retestable(l) || !validated || l.Statement.Empty() || p.policy.gate(before).settled() {
		return nil // what is settled asks nothing more: a person who put the rule back into use knew it
	}
	trials, err := p.trials(ctx, l, src, before)
	if err != nil {
		return err
	}
	if len(trials) < retestEvery && !fresh {
		return nil // an edited statement is tried on what there is
	}
	began := time.Now()
	metered, spent := withMeter(ctx)
	tests, err := p.try(metered, trials, before)
	if err != nil {
		return err
	}
	g := p.policy.gate(tests)
	step := Step{Name: StageValidate, AnsweredBy: p.reasoner.Name(), Cases: tests, Output: jsonOf(g),
		Input: jsonOf(map[string]any{"statement": l.Statement, "domain": l.Domain, "again": true})}
	spent.onto(&step, time.Since(began))
	err = p.d.Write(ctx, func(tx *db.Tx) error { return p.retestedTx(tx, l, step, g) })
	if errors.Is(err, errStale) {
		return nil // settled or tried meanwhile
	}
	return err
}

// retestedTx writes what trying again showed: still provisional, passed, or not to be used. A rule that waits is then
// rejected, and one in use goes into quarantine for a person to look at.
func (p *Pipeline) retestedTx(tx *db.Tx, was Lesson, step Step, g Gate) error {
	l, err := lessonTx(tx, was.ID)
	if err != nil {
		return err
	}
	if !retestable(l) || l.Version != was.Version {
		return errStale
	}
	if rule, err := p.kb.RuleTx(tx, l.RuleID); err != nil || rule.Status != knowledge.Active &&
		rule.Status != knowledge.Candidate {
		return err // a person or credit settled it
	}
	if err := addStepTx(tx, l.ID, step); err != nil {
		return err
	}
	l.tried(g)
	if err := p.retestedRuleTx(tx, &l, g); err != nil {
		return err
	}
	if err := saveTx(tx, &l); err != nil {
		return err
	}
	return audit.Note(tx, me, "lesson.retested", "lesson", l.ID,
		map[string]any{"rule": l.RuleID, "helpful": g.Helpful, "tried": g.Tried, "provisional": g.Provisional,
			"valid": g.Valid})
}

func (p *Pipeline) retestedRuleTx(tx *db.Tx, l *Lesson, g Gate) error {
	rule, err := p.kb.RuleTx(tx, l.RuleID)
	if err != nil {
		return err
	}
	rule.By, rule.Reason = me, fmt.Sprintf("Tried again: %d of %d cases.", g.Helpful, g.Tried)
	if g.Tried == 0 {
		rule.Reason = "Tried again: no case to try it on."
	}
	rule.Confidence, rule.Provisional = g.Confidence, g.Provisional
	helped, hurt, err := evidenceTx(tx, l.ID)
	if err != nil {
		return err
	}
	made, err := keptCasesTx(tx, *l) // rules from before it was kept which they are
	if err != nil {
		return err
	}
	rule.Supporting, rule.Counter = union(rule.Supporting, helped), union(rule.Counter, hurt)
	rule.MadeFrom = union(rule.MadeFrom, made)
	switch {
	case g.Valid || !g.settled():
		l.Outcome = strings.TrimSuffix(l.Outcome, failingNote)
		if l.failing(p.policy) {
			l.Outcome += failingNote
		}
	default:
		rule.Reason = "Tried again on the cases that arrived since: " + g.Why
		if rule.Status == knowledge.Active {
			rule.Status = knowledge.Quarantined
			l.Outcome = "In quarantine: " + g.Why
		} else {
			rule.Status, l.State, l.Outcome = knowledge.Rejected, Rejected, "Dropped: "+g.Why
		}
	}
	_, err = p.kb.EditRuleTx(tx, *rule)
	tx.Touch("knowledge")
	return err
}

func union(have, more []string) []string {
	for _, m := range more {
		if !slices.Contains(have, m) {
			have = append(have, m)
		}
	}
	return have
}

// revalidateMost is how many rules on trial one run sends there; the others follow at the next.
const revalidateMost = 200

// Revalidate queues the provisional rules of every agent to be tried again on the cases that arrived since, also where
// nothing new arrived: a trial that finds nothing fresh does nothing. It may run twice.
func (p *Pipeline) Revalidate(ctx context.Context) error {
	return p.d.Write(ctx, func(tx *db.Tx) error {
		list, err := lessonsTx(tx, `WHERE state IN ('waiting', 'accepted') AND stage = 'accept'
			AND provisional = 1 AND same_as = 0 ORDER BY updated_at, id LIMIT $1`, revalidateMost)
		if err != nil {
			return err
		}
		for _, l := range list {
			if err := p.jobs.InsertTx(tx, RetestArgs{LessonID: l.ID}, job.Unique()); err != nil {
				return err
			}
		}
		return nil
	})
}
