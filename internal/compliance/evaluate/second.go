package evaluate

import (
	"context"
	"fmt"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/dataset/version"
	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/id"
)

// How an ask to switch on ends.
const (
	askAgreed    = "agreed"
	askRefused   = "refused"
	askWithdrawn = "withdrawn"
)

// SwitchAsk is that somebody wants a threshold switched on; it takes effect when another person agrees.
type SwitchAsk struct {
	ID       string
	By       audit.Actor
	Why      string
	At       time.Time
	Agreed   audit.Actor // no name: it waits
	AgreedAt time.Time
}

// Waits tells whether somebody asked to switch the threshold on and nobody answered.
func (t Threshold) Waits() bool { return t.State == Proposed && t.Asked != nil }

// AskOn asks to switch a proposal on, which takes effect when somebody else agrees. Denied to who may not, Conflict
// where it is no proposal any more, somebody asked already, or the panel is another one by now.
func (s *Store) AskOn(ctx context.Context, thresholdID, why string, by audit.Actor) error {
	why, err := reasoned(why)
	if err != nil {
		return err
	}
	now := s.basis()
	return s.change(ctx, thresholdID, Proposed, by, func(tx *db.Tx, t Threshold) error {
		switch {
		case t.Asked != nil:
			return fault.New(fault.Conflict, "%s asked for this already. Someone else can agree to it or refuse it.",
				t.Asked.By.Name)
		case t.PanelID != now[t.Kind]:
			return errPanelChanged
		}
		err := db.Exec(tx, "evaluate: ask to switch a threshold on", `INSERT INTO judge_threshold_ask (id, threshold_id,
				state, why, by_id, by_name, at)
			VALUES ($1, $2, 'asked', $3, $4, $5, $6)`,
			id.New(), t.ID, why, by.ID, by.Name, tx.NowMs())
		if err != nil {
			return err
		}
		if err := s.hooks.OnAsked(tx, t, by); err != nil {
			return err
		}
		return record(tx, by, "judges.threshold_on_asked", t, why)
	})
}

var errPanelChanged = fault.New(fault.Conflict,
	"The judges have changed since this was measured. Measure them again first.")

// AgreeOn puts what somebody else asked for into force; what was in force is superseded. Both must hold their roles at
// that moment.
func (s *Store) AgreeOn(ctx context.Context, thresholdID string, by audit.Actor) error {
	now := s.basis()
	return s.change(ctx, thresholdID, Proposed, by, func(tx *db.Tx, t Threshold) error {
		switch {
		case t.Asked == nil:
			return errNobodyAsked
		case t.Asked.By.ID == by.ID:
			return fault.New(fault.Denied, "You asked for this, so someone else has to agree. You can withdraw it.")
		case t.PanelID != now[t.Kind]:
			return errPanelChanged
		}
		if err := s.hooks.MaySwitch(tx, t.Asked.By.ID); fault.Is(err, fault.Denied) {
			return fault.Wrap(fault.Conflict, err,
				"%s, who asked for this, can no longer switch thresholds. Refuse it; another person can ask again.",
				t.Asked.By.Name)
		} else if err != nil {
			return err
		}
		if err := s.endAskTx(tx, t, askAgreed, by); err != nil {
			return err
		}
		if err := db.Exec(tx, "evaluate: supersede a threshold", `UPDATE judge_threshold SET state = 'superseded',
			ended_by = $1, ended_name = $2, ended_at = $3, ended_why = $4
			WHERE state = 'active' AND kind = $5 AND pack = $6`,
			by.ID, by.Name, tx.NowMs(), fmt.Sprintf("Version %d took its place.", t.Version), t.Kind, t.Pack); err !=
			nil {
			return err
		}
		if err := db.Exec(tx, "evaluate: switch a threshold on", `UPDATE judge_threshold SET state = 'active',
			switched_by = $1, switched_name = $2, switched_at = $3, switched_why = $4
			WHERE id = $5`,
			t.Asked.By.ID, t.Asked.By.Name, tx.NowMs(), t.Asked.Why, t.ID); err != nil {
			return err
		}
		return record(tx, by, "judges.threshold_on", t, t.Asked.Why)
	})
}

var errNobodyAsked = fault.New(fault.Conflict,
	"Nothing is waiting for an answer here. Another person may have just answered.")

// WithdrawOn takes back what one asked for oneself; the proposal stays.
func (s *Store) WithdrawOn(ctx context.Context, thresholdID string, by audit.Actor) error {
	return s.change(ctx, thresholdID, Proposed, by, func(tx *db.Tx, t Threshold) error {
		switch {
		case t.Asked == nil:
			return errNobodyAsked
		case t.Asked.By.ID != by.ID:
			return fault.New(fault.Denied, "%s asked for this; refuse it instead.", t.Asked.By.Name)
		}
		if err := s.endAskTx(tx, t, askWithdrawn, by); err != nil {
			return err
		}
		return record(tx, by, "judges.threshold_on_withdrawn", t, "")
	})
}

// endAskTx answers what waits, if anything does.
func (s *Store) endAskTx(tx *db.Tx, t Threshold, state string, by audit.Actor) error {
	n, err := db.Change(tx, "evaluate: answer who asked to switch a threshold on", `UPDATE judge_threshold_ask
		SET state = $1, answered_by = $2, answered_name = $3, answered_at = $4
		WHERE threshold_id = $5 AND state = 'asked'`,
		state, by.ID, by.Name, tx.NowMs(), t.ID)
	if err != nil || n == 0 {
		return err
	}
	others, err := db.Value[bool](tx, "evaluate: do others wait", `SELECT
		EXISTS (SELECT 1 FROM judge_threshold_ask WHERE state = 'asked')`)
	if err != nil {
		return err
	}
	return s.hooks.OnAnswered(tx, t, others)
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

// ByAsker tells whether who wants the threshold brought labels in that it rests on.
func (t Threshold) ByAsker(importers []version.Importer) bool {
	for _, i := range importers {
		if i.ID == t.AskedBy.ID || t.Asked != nil && i.ID == t.Asked.By.ID {
			return true
		}
	}
	return false
}
