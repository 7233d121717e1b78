package experiment

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
)

// OutcomeTx records how an agent's subject turned out by one metric, in every experiment that it is part of and that
// goes by this metric. The first outcome stands. When a stop rule holds, the experiment is stopped in the same
// transaction.
func (s *Store) OutcomeTx(tx *db.Tx, agentID, subjectID, metric string, good bool) error {
	ids, err := db.Column[string](tx, fmt.Sprintf("experiment: outcome of %s", subjectID), `SELECT x.experiment_id
		FROM experiment_subject x JOIN experiment e ON e.id = x.experiment_id
		WHERE x.subject_id = $1 AND x.agent_id = $2 AND x.outcome < 0 AND e.metric = $3
			ORDER BY x.experiment_id`, subjectID, agentID, metric)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := s.outcomeTx(tx, id, agentID, subjectID, good); err != nil {
			return err
		}
	}
	return nil
}

// RecalledTx is OutcomeTx for what an agent answered a user at a time, where it recalled for this user before (Arm
// without a subject).
func (s *Store) RecalledTx(tx *db.Tx, agentID, user string, at time.Time, metric string, good bool) error {
	if user == "" {
		return nil
	}
	ids, err := db.Column[string](tx, "experiment: list those that go by "+metric, `SELECT id FROM experiment
		WHERE state = 'running' AND purpose IN ('memory', 'rule') AND agent_id IN ('', $1) AND metric = $2
		ORDER BY id`, agentID, metric)
	if err != nil {
		return err
	}
	for _, id := range ids {
		subject := recalledBy(id, user)
		n, err := db.Value[int](tx, "experiment: look for a user", `SELECT COUNT(*) FROM experiment_subject
			WHERE experiment_id = $1 AND agent_id = $2 AND subject_id = $3 AND outcome < 0 AND at <= $4`, id, agentID,
			subject, db.Ms(at))
		if err != nil {
			return err
		}
		if n > 0 {
			if err := s.outcomeTx(tx, id, agentID, subject, good); err != nil {
				return err
			}
		}
	}
	return nil
}

// Result is how something turned out in an experiment that an agent carries out: what it assigned as Subject; without
// one, all that it assigned to User; without either, one answer by Variant to somebody who counts as a person of their
// own, as in seed 001's record_outcome.
type Result struct {
	Subject, User string // User as Ask.Known
	Variant       string // an arm, "a" for the control or "b", or its name in the plan; "" is not said
	Good          bool
}

// armOf is the arm that a variant names; "" for none.
func (e *Experiment) armOf(variant string) string {
	switch {
	case slices.Contains([]string{Control, "a", "A", e.Control}, variant):
		return Control
	case slices.Contains([]string{Treatment, "b", "B", e.Treatment}, variant):
		return Treatment
	}
	return ""
}

// Outcome records a result that this agent brings. NotFound when it was not assigned, or by another agent. The first of
// a subject stands.
func (s *Store) Outcome(ctx context.Context, experimentID, agentID string, r Result) (e *Experiment, err error) {
	return db.Write(ctx, s.db, func(tx *db.Tx) (*Experiment, error) {
		found, err := ofAgentTx(tx, experimentID, agentID)
		if err != nil {
			return nil, err
		}
		subjectID, arm := r.Subject, found.armOf(r.Variant)
		switch {
		case r.Variant != "" && arm == "":
			return nil, fault.Wrong("This outcome can't be recorded.", "variant", "Send a or b, or the variant's name.")
		case subjectID != "":
		case r.User != "":
			subjectID = recalledBy(found.ID, r.User)
		case arm == "":
			return nil, fault.Wrong("This outcome can't be recorded.", "subject_id",
				"Send the subject, the user or the variant.")
		case found.State != Running:
			return nil, fault.New(fault.Conflict, "This experiment isn't running, so it takes no outcome by variant.")
		default:
			subjectID = id.New()
			if err := subjectTx(tx, &found, Ask{AgentID: agentID, User: "\x00" + subjectID, Subject: subjectID},
				arm); err != nil {
				return nil, err
			}
		}
		known, was := 0, ""
		if err := db.One(tx, "experiment: outcome of "+subjectID, `SELECT coalesce(max(outcome), -2),
				coalesce(max(arm), '') FROM experiment_subject
			WHERE experiment_id = $1 AND agent_id = $2 AND subject_id = $3`, found.ID, agentID, subjectID).
			Scan(&known, &was); err != nil {
			return nil, err
		}
		if arm != "" && was != "" && arm != was {
			return nil, fault.New(fault.Conflict,
				"This user is in the other variant. Ask for the variant before you answer.")
		}
		switch known {
		case -2:
			return nil, fault.New(fault.NotFound, "This subject was not assigned to an arm. Ask for its arm first.")
		case -1:
			if err := s.outcomeTx(tx, found.ID, agentID, subjectID, r.Good); err != nil {
				return nil, err
			}
		}
		again, err := getTx(tx, found.ID)
		return &again, err
	})
}

func (s *Store) outcomeTx(tx *db.Tx, experimentID, agentID, subjectID string, good bool) error {
	e, err := getTx(tx, experimentID)
	if err != nil {
		return err
	}
	value := 0
	if good {
		value = 1
	}
	var arm string
	var counts bool
	err = db.One(tx, "experiment: outcome of "+subjectID, `UPDATE experiment_subject SET outcome = $1, outcome_at = $2
		WHERE experiment_id = $3 AND agent_id = $4 AND subject_id = $5 AND outcome < 0
		RETURNING arm, NOT EXISTS (SELECT 1 FROM experiment_subject o
			WHERE o.experiment_id = experiment_subject.experiment_id AND o.unit = experiment_subject.unit
			AND o.counted = 1)`,
		value, tx.NowMs(), experimentID, agentID, subjectID).Scan(&arm, &counts)
	if err != nil {
		return err
	}
	if e.State != Running || !counts {
		return nil
	}
	if err := db.Exec(tx, "experiment: count "+subjectID, `UPDATE experiment_subject SET counted = 1
		WHERE experiment_id = $1 AND agent_id = $2 AND subject_id = $3`, experimentID, agentID, subjectID); err != nil {
		return err
	}
	at := 0
	if arm == Control {
		at = 1
	}
	e.Counts.N[at]++
	e.Counts.Good[at] += value
	if err := db.Exec(tx, "experiment: count "+subjectID, `UPDATE experiment SET n_t = $1, n_c = $2, good_t = $3,
		good_c = $4
		WHERE id = $5`,
		e.Counts.N[0], e.Counts.N[1], e.Counts.Good[0], e.Counts.Good[1], e.ID); err != nil {
		return err
	}
	tx.Touch("experiments")
	look := e.Look()
	if err := keepLookTx(tx, e.ID, e.Counts, look); err != nil {
		return err
	}
	if look.Ended == "" {
		return nil
	}
	return s.stopTx(tx, &e, look.Ended, "", audit.System("Experiment"))
}

// keepLookTx keeps the newest look of each whole percent; the last of all is the figures themselves.
func keepLookTx(tx *db.Tx, id string, c Counts, l Look) error {
	if !l.Known() {
		return nil
	}
	return db.Exec(tx, "experiment: keep a look", `INSERT INTO experiment_look (experiment_id, percent, n, effect, low,
			high, at) VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (experiment_id, percent) DO UPDATE SET n = excluded.n, effect = excluded.effect, low = excluded.low,
			high = excluded.high, at = excluded.at`,
		id, int(math.Floor(l.Progress*100)), c.Total(), l.Effect, l.Low, l.High, tx.NowMs())
}
