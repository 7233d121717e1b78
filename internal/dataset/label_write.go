package dataset

import (
	"context"
	"time"
	"unicode/utf8"

	"preceptor/internal/labelling"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// Label stores an answer to an item that I have before me; with Revise it replaces my answer, and the first is kept.
// Its faults: Invalid with the fields to mend; NotFound when the item is not on my list; Conflict when it was answered
// or is complete.
func (s *Store) Label(ctx context.Context, in LabelInput) (l *Label, err error) {
	return db.Write(ctx, s.db, func(tx *db.Tx) (*Label, error) { return s.labelTx(tx, in) })
}

func (s *Store) labelTx(tx *db.Tx, in LabelInput) (*Label, error) {
	r, err := itemTx(tx, in.ItemID)
	if err != nil {
		return nil, err
	}
	d, err := s.labellerTx(tx, r.DatasetID, in.By)
	if err != nil {
		return nil, err
	}
	if err := in.Answer.judged(&d.Settings, utf8.RuneCountInString(r.Guidance)); err != nil {
		return nil, err
	}
	t, err := r.turnTx(tx, in.By)
	switch {
	case err != nil:
		return nil, err
	case d.State == Closed:
		return nil, fault.New(fault.Conflict, "This dataset is closed, so it no longer takes answers.")
	case t.State == labelling.Seen:
		return nil, fault.New(fault.Denied, "You have read the answers to this item, so you can no longer label it.")
	case t.State == labelling.Done && !in.Revise:
		return nil, fault.New(fault.Conflict,
			"You have answered this item already. Open it from your last answers to change that.")
	case t.State == labelling.Done:
		return s.reviseTx(tx, d, r, in)
	case r.State != ItemOpen:
		return nil, fault.New(fault.Conflict,
			"Others have completed this item, so it no longer needs an answer. Go to the next one.")
	}
	return s.firstTx(tx, d, r, in, t.State)
}

// firstTx stores an answer where there is no standing one.
func (s *Store) firstTx(tx *db.Tx, d *Dataset, r *row, in LabelInput, state string) (*Label, error) {
	l, err := writeLabelTx(tx, d, r, in, false)
	if err != nil {
		return nil, err
	}
	p := personDelta{done: 1, spent: l.SpentMs, at: tx.NowMs()}
	if state == labelling.Skipped {
		p.skipped = -1
	}
	if r.Check {
		p.checks, p.right = 1, right(l.Answer, r.Known)
		return l, personTx(tx, d.ID, in.By, p)
	}
	if err := personTx(tx, d.ID, in.By, p); err != nil {
		return nil, err
	}
	return l, r.changeTx(tx, func() error {
		r.Has++
		if state != labelling.Open {
			r.taken++
		}
		if r.Has < r.Needs {
			if state == labelling.Open { // neither its level nor its state changes
				return nil
			}
			return r.moveTx(tx)
		}
		return resettleTx(tx, d, r)
	})
}

func right(a, known Answer) int {
	if a.Label == known.Label {
		return 1
	}
	return 0
}

// reviseTx replaces my standing answer.
func (s *Store) reviseTx(tx *db.Tx, d *Dataset, r *row, in LabelInput) (*Label, error) {
	if r.State != ItemOpen && r.State != ItemLabelled && r.State != ItemDisputed {
		return nil, fault.New(fault.Conflict, "This item is %s, so its answers can no longer change.", r.State)
	}
	late := !r.undoable(tx.Now)
	before, err := r.at(in.By).Answers(tx)
	if err != nil {
		return nil, err
	}
	l, err := writeLabelTx(tx, d, r, in, late)
	if err != nil {
		return nil, err
	}
	p := personDelta{spent: l.SpentMs, at: tx.NowMs()}
	if r.Check {
		p.right = right(l.Answer, r.Known) - max(0, before[len(before)-1].Outcome)
		return l, personTx(tx, d.ID, in.By, p)
	}
	if err := personTx(tx, d.ID, in.By, p); err != nil {
		return nil, err
	}
	return l, r.changeTx(tx, func() error {
		if !late {
			return resettleTx(tx, d, r)
		}
		if r.whole != nil && l.Answer.Label != r.whole.Label { // it breaks an agreement, and never makes one
			r.State, r.whole, r.finalByID = ItemDisputed, nil, ""
		}
		return nil
	})
}

// writeLabelTx stores a row, and has it stand in the place of the one before.
func writeLabelTx(tx *db.Tx, d *Dataset, r *row, in LabelInput, late bool) (*Label, error) {
	a := labelling.Answer{Label: in.Answer.Label, Body: in.Answer.json(), Late: late,
		SpentMs: max(0, min(in.SpentMs, MaxSpent)), Rubric: d.Rubric}
	if err := ensurePersonTx(tx, d.ID, in.By); err != nil {
		return nil, err
	}
	if err := db.One(tx, "dataset: number an answer", `SELECT done + 1 FROM dataset_person
		WHERE dataset_id = $1 AND person_id = $2`,
		d.ID, in.By.ID).Scan(&a.Seq); err != nil {
		return nil, err
	}
	if r.Check {
		a.Outcome = 2*right(in.Answer, r.Known) - 1
	}
	if err := r.at(in.By).Answer(tx, &a); err != nil {
		return nil, err
	}
	l, err := labelOf(a)
	return &l, err
}

// undoable reports whether a standing label of the item can be taken back: nobody can have seen what others said.
func (r *row) undoable(now time.Time) bool {
	switch r.State {
	case ItemOpen: // one that was complete, seen and opened again keeps its answers
		return r.revealedAt == 0
	case ItemLabelled, ItemDisputed:
		return !r.settled(now)
	}
	return false
}

// Undo takes my answer back, with its revisions, or that I passed the item over: it is on my list again, before what
// comes later. Conflict once the answers can be seen, or others have labelled what I passed over.
func (s *Store) Undo(ctx context.Context, itemID string, who Person) (t *Task, err error) {
	return db.Write(ctx, s.db, func(tx *db.Tx) (*Task, error) {
		if err := s.undoTx(tx, itemID, who); err != nil {
			return nil, err
		}
		return s.taskTx(tx, itemID, who)
	})
}

func (s *Store) undoTx(tx *db.Tx, itemID string, who Person) error {
	r, err := itemTx(tx, itemID)
	if err != nil {
		return err
	}
	d, err := s.labellerTx(tx, r.DatasetID, who)
	if err != nil {
		return err
	}
	t, err := r.turnTx(tx, who)
	if err != nil {
		return err
	}
	if t.State == labelling.Skipped {
		if r.State != ItemOpen || d.State == Closed {
			return fault.New(fault.Conflict, "This item no longer needs labels, so it can't come back to you.")
		}
		return unskipTx(tx, d.ID, itemID, who)
	}
	if t.State != labelling.Done {
		return fault.New(fault.Conflict, "You have no answer to undo.")
	}
	if !r.undoable(tx.Now) || d.State == Closed {
		return fault.New(fault.Conflict,
			"This item is complete and its answers can be seen, so you can't undo yours. You can change it; both "+
				"answers are kept.")
	}
	said, err := r.at(who).TakeBack(tx)
	if err != nil {
		return err
	}
	p, outcome := personDelta{done: -1}, 0
	for _, a := range said {
		p.spent -= a.SpentMs
		outcome = a.Outcome
	}
	if r.Check {
		p.checks, p.right = -1, -max(0, outcome)
		return personTx(tx, d.ID, who, p)
	}
	if err := personTx(tx, d.ID, who, p); err != nil {
		return err
	}
	return r.changeTx(tx, func() error {
		r.Has-- // taken stays: it is on my list
		return r.openTx(tx)
	})
}

// personDelta is what an act changes about a person's counters.
type personDelta struct {
	done, skipped, flagged, checks, right int
	spent                                 int64
	at                                    int64
}

func personTx(tx *db.Tx, datasetID string, who Person, p personDelta) error {
	err := db.Exec(tx, "dataset: count what "+who.ID+" did",
		`UPDATE dataset_person SET done = done + $1, skipped = skipped + $2, flagged = flagged + $3,
			checks = checks + $4, correct = correct + $5, spent_ms = spent_ms + $6,
		last_at = CASE WHEN last_at > $7 THEN last_at ELSE $7 END WHERE dataset_id = $8 AND person_id = $9`, p.done,
		p.skipped, p.flagged, p.checks, p.right, p.spent, p.at, datasetID, who.ID)
	if err != nil {
		return err
	}
	tx.Touch(topic)
	return nil
}
