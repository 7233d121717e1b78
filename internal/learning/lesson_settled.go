package learning

import (
	"context"
	"strconv"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
)

// RuleEndedTx ends the lesson that waits for a rule which a person took out elsewhere, as when a conflict was settled.
// With into its evidence went to another rule.
func (p *Pipeline) RuleEndedTx(tx *db.Tx, ruleID string, into *knowledge.Rule, reason string,
	by knowledge.Person) error {
	list, err := waitingForTx(tx, ruleID)
	if err != nil {
		return err
	}
	for _, l := range list {
		step := map[string]any{"accepted": false, "reason": reason}
		l.State, l.Outcome = Rejected, "Not accepted by "+by.Name+": "+reason
		if into != nil {
			l.State, l.SameAs, l.RuleID, l.RuleNumber = Nothing, true, into.ID, into.Number
			l.Outcome, step["into"] = "Merged into rule "+into.Label()+" by "+by.Name+".", into.ID
		}
		if err := addStepTx(tx, l.ID,
			Step{Name: StageAccept, AnsweredBy: by.Name,
				Input: jsonOf(map[string]string{"rule": l.RuleText}), Output: jsonOf(step)}); err != nil {
			return err
		}
		if err := saveTx(tx, &l); err != nil {
			return err
		}
		if err := audit.Note(tx, by.Actor(), "lesson.rejected", "lesson", l.ID,
			map[string]any{"rule": ruleID, "reason": reason}); err != nil {
			return err
		}
	}
	return nil
}

// RuleRewordedTx keeps the lesson that made a rule with the statement that a person gave the rule elsewhere: what is
// accepted is what is on the screen, and validation begins again.
func (p *Pipeline) RuleRewordedTx(tx *db.Tx, r knowledge.Rule, by knowledge.Person) error {
	list, err := lessonsTx(tx, `
		WHERE rule_id = $1 AND stage = 'accept' AND state IN ('waiting', 'accepted') AND same_as = 0`, r.ID)
	if err != nil {
		return err
	}
	for _, l := range list {
		if l.RuleText == r.Principle {
			continue
		}
		if err := addStepTx(tx, l.ID, Step{Name: StageRefine, AnsweredBy: by.Name,
			Input:  jsonOf(map[string]string{"rule": l.RuleText}),
			Output: jsonOf(map[string]string{"rule": r.Principle})}); err != nil {
			return err
		}
		same := sameStatement(l.Statement, r.Statement) // but for its reason
		l.RuleText, l.Statement, l.Title, l.Guessed = r.Principle, r.Statement, r.Title, false
		if !same {
			if err := p.untriedTx(tx, &l, l.Statement); err != nil {
				return err
			}
		}
		if err := saveTx(tx, &l); err != nil {
			return err
		}
	}
	return nil
}

func waitingForTx(tx *db.Tx, ruleID string) ([]Lesson, error) {
	return lessonsTx(tx, `WHERE rule_id = $1 AND stage = 'accept' AND state = 'waiting' AND same_as = 0`, ruleID)
}

// Fresh lists the lessons that taught the same as a rule since it went into quarantine, newest first: what a person
// should see who settles it.
func (p *Pipeline) Fresh(ctx context.Context, ruleID string, since time.Time) ([]Lesson, error) {
	return db.Read(ctx, p.d, func(tx *db.Tx) ([]Lesson, error) {
		return lessonsTx(tx, `WHERE rule_id = $1 AND same_as = 1 AND state = 'nothing' AND updated_at >= $2
			ORDER BY created_at DESC, id DESC LIMIT 20`, ruleID, since.UnixMilli())
	})
}

// sameAs is what is said of a lesson that a rule says already. A rule in quarantine does not silence it: whoever
// settles the quarantine sees it.
func sameAs(same *Known) string {
	if same.Status == knowledge.Quarantined {
		return "The same as rule R-" + strconv.Itoa(same.Number) +
			", which is in quarantine. The person who ends the quarantine sees this lesson as new evidence for it."
	}
	return "Adds nothing new: same as rule R-" + strconv.Itoa(same.Number) + ". The case is kept as evidence for it."
}
