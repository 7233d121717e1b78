package evaluate

import (
	"context"
	"fmt"

	"preceptor/internal/approval"
	"preceptor/internal/audit"
	"preceptor/internal/dataset/version"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// Waits reports whether somebody asked to switch the threshold on and nobody answered.
func (t Threshold) Waits() bool { return t.State == Proposed && t.Asked != nil }

// AskOn asks to switch a proposal on, which takes effect when somebody else agrees. Denied to who may not, Conflict
// where it is no proposal any more, somebody asked already, or the panel is another one by now.
func (s *Store) AskOn(ctx context.Context, thresholdID, why string, by audit.Actor) error {
	why, err := reasoned(why)
	if err != nil {
		return err
	}
	t, err := s.Threshold(ctx, thresholdID)
	if err != nil {
		return err
	}
	c := approval.Change{Subject: t.Pack, Version: t.Version, Payload: t.ID, Reason: why}
	if c.Base, err = db.Read(ctx, s.db, func(tx *db.Tx) (int, error) {
		return activeTx(tx, t.Kind, t.Pack)
	}); err != nil {
		return err
	}
	act := approval.ThresholdOn
	if t.Kind == ForJudge {
		act = approval.JudgeOn
	}
	_, err = s.approvals.Propose(ctx, act, c, by)
	return err
}

// activeTx is the version that is switched on; 0: none.
func activeTx(tx *db.Tx, kind, pack string) (int, error) {
	return db.Value[int](tx, "evaluate: read what is switched on", `SELECT coalesce(max(version), 0)
		FROM judge_threshold
		WHERE state = 'active' AND kind = $1 AND pack = $2`, kind, pack)
}

// handler is how switching on is checked and followed.
func (s *Store) handler() approval.Handler {
	return approval.Handler{
		MayPropose: s.hooks.MaySwitch, MayAgree: s.hooks.MaySwitch, Topic: "judges", Follow: s.follow,
		Base: func(tx *db.Tx, c approval.Change) (int, error) { return activeTx(tx, c.Kind, c.Subject) },
		Check: func(tx *db.Tx, c approval.Change) error {
			t, err := meantTx(tx, c)
			switch {
			case err != nil:
				return err
			case t.State != Proposed:
				return notNow(t)
			case t.Asked != nil && t.Asked.ID != c.ID:
				return fault.New(fault.Conflict,
					"%s asked for this already. Someone else can agree to it or refuse it.", t.Asked.Proposed.Name)
			case !s.Same(t):
				return fault.New(fault.Conflict,
					"The judges have changed since this was measured. Measure them again first.")
			}
			return nil
		},
		Says: func(tx *db.Tx, c approval.Change) (approval.Says, error) {
			t, err := meantTx(tx, c)
			if err != nil {
				return approval.Says{}, err
			}
			return approval.Says{Title: fmt.Sprintf("Version %d", t.Version), Lines: []string{t.Line()},
				Href: "/compliance/judges/thresholds/" + t.ID}, nil
		},
	}
}

// meantTx is the threshold that a change is about.
func meantTx(tx *db.Tx, c approval.Change) (Threshold, error) {
	t, err := thresholdTx(tx, `WHERE t.id = $1`, c.Payload)
	if fault.Is(err, fault.NotFound) || err == nil && (t.Kind != c.Kind || t.Pack != c.Subject) {
		return t, approval.Unreadable(err)
	}
	return t, err
}

var acts = map[string]string{approval.Proposed: "judges.threshold_on_asked", approval.Agreed: "judges.threshold_on",
	approval.Refused: "judges.threshold_refused", approval.Withdrawn: "judges.threshold_on_withdrawn"}

// follow is what happened to an ask, for the record. What was agreed to takes the place of what was in force, and what
// was refused ends.
func (s *Store) follow(tx *db.Tx, c approval.Change, by audit.Actor) (e audit.Entry, err error) {
	t, err := meantTx(tx, c)
	if err != nil && (c.State == approval.Agreed || !fault.Is(err, fault.Invalid)) {
		return e, err
	}
	why := c.Reason
	switch c.State {
	case approval.Agreed:
		if err := db.Exec(tx, "evaluate: supersede a threshold", `UPDATE judge_threshold SET state = 'superseded',
			ended_by = $1, ended_name = $2, ended_at = $3, ended_why = $4
			WHERE state = 'active' AND kind = $5 AND pack = $6`,
			by.ID, by.Name, tx.NowMs(), fmt.Sprintf("Version %d took its place.", t.Version), t.Kind,
			t.Pack); err != nil {
			return e, err
		}
		if err := db.Exec(tx, "evaluate: switch a threshold on", `UPDATE judge_threshold SET state = 'active',
			switched_by = $1, switched_name = $2, switched_at = $3, switched_why = $4
			WHERE id = $5`,
			c.Proposed.By, c.Proposed.Name, tx.NowMs(), c.Reason, t.ID); err != nil {
			return e, err
		}
		tx.AfterCommit(s.forget)
	case approval.Refused:
		why = c.Answer
		now, err := activeTx(tx, c.Kind, c.Subject)
		if err != nil {
			return e, err
		}
		overtaken, err := approval.Overtaken(tx, c, now)
		if err != nil || overtaken { // the ask ends, and what was measured can be asked for again
			return entry(acts[c.State], t, why), err
		}
		if err := endThresholdTx(tx, t.ID, Refused, why, by); err != nil {
			return e, err
		}
	case approval.Withdrawn:
		why = ""
	}
	return entry(acts[c.State], t, why), nil
}

// Origin tells where the labels came from that a threshold rests on: who imported final labels, and how many. None
// where the run was over a file.
func (s *Store) Origin(ctx context.Context, t Threshold) (list []version.Importer, err error) {
	if t.Kind == ForJudge {
		return nil, nil
	}
	r, err := s.Get(ctx, t.RunID)
	if err != nil || r.VersionID == "" {
		return nil, err
	}
	return s.versions.Importers(ctx, r.VersionID)
}

// ByAsker reports whether who wants the threshold brought labels in that it rests on.
func (t Threshold) ByAsker(importers []version.Importer) bool {
	for _, i := range importers {
		if i.ID == t.AskedBy.ID || t.Asked != nil && i.ID == t.Asked.Proposed.By {
			return true
		}
	}
	return false
}
