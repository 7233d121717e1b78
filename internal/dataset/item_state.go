package dataset

import (
	"context"
	"unicode/utf8"

	"preceptor/internal/audit"
	"preceptor/internal/labelling"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
)

// Exclude leaves an item out of what is labelled, measured and frozen, with a reason. Its labels stay.
func (s *Store) Exclude(ctx context.Context, itemID, why string, by Person) error {
	why, err := text.Reason(why, "reason", "Say why, in a few words.")
	if err != nil {
		return err
	}
	return s.manageTx(ctx, itemID, by, func(tx *db.Tx, d *Dataset, r *row) error {
		if r.State == ItemExcluded {
			return nil
		}
		if err := labelling.Off(tx, r.DatasetID, r.ID); err != nil {
			return err
		}
		if err := r.changeTx(tx, func() error {
			r.State, r.ExcludedWhy, r.taken = ItemExcluded, why, r.Has
			return nil
		}); err != nil {
			return err
		}
		return audit.Note(tx, by.Actor(), "dataset.excluded", "dataset_item", r.ID, map[string]any{"dataset": d.ID})
	})
}

// Include takes an excluded item in again, as it stood.
func (s *Store) Include(ctx context.Context, itemID string, by Person) error {
	return s.manageTx(ctx, itemID, by, func(tx *db.Tx, d *Dataset, r *row) error {
		if r.State != ItemExcluded {
			return nil
		}
		if err := r.changeTx(tx, func() error {
			r.ExcludedWhy = ""
			switch {
			case r.whole != nil && r.whole.Why == WhyAdjudication, r.whole != nil && r.whole.Why == WhyRuling:
				r.State = ItemAdjudicated
			case r.whole != nil:
				r.State = ItemLabelled
			case !r.ClosedAt.IsZero():
				closed := r.ClosedAt
				err := r.unruleTx(tx, d)
				r.ClosedAt = closed
				return err
			default:
				r.State = ItemOpen
				return r.moveTx(tx)
			}
			return nil
		}); err != nil {
			return err
		}
		return audit.Note(tx, by.Actor(), "dataset.included", "dataset_item", r.ID, map[string]any{"dataset": d.ID})
	})
}

// PlantCheck makes an unlabelled item a hidden check with a known answer; nil makes it an ordinary item again. Conflict
// once somebody answered it.
func (s *Store) PlantCheck(ctx context.Context, itemID string, known *Answer, by Person) error {
	return s.manageTx(ctx, itemID, by, func(tx *db.Tx, d *Dataset, r *row) error {
		if known != nil {
			if err := known.judged(&d.Settings, utf8.RuneCountInString(r.Guidance)); err != nil {
				return err
			}
		}
		var labelled bool
		if err := db.One(tx, "dataset: read labels", `SELECT
			EXISTS (SELECT 1 FROM labelling_answer WHERE item_id = $1 AND undone_at = 0)`, r.ID).Scan(&labelled); err !=
			nil {
			return err
		}
		if labelled || r.State != ItemOpen {
			return fault.New(fault.Conflict,
				"This item has answers or is not open, so it can't become a check item or stop being one. Choose "+
					"another.")
		}
		if err := labelling.Off(tx, r.DatasetID, r.ID); err != nil {
			return err
		}
		if err := r.changeTx(tx, func() error {
			r.Check, r.Known, r.taken = known != nil, Answer{}, 0
			if known != nil {
				r.Known = *known
			}
			return r.moveTx(tx)
		}); err != nil {
			return err
		}
		if known != nil {
			if err := readsTx(tx, r, by); err != nil {
				return err
			}
		}
		return audit.Note(tx, by.Actor(), "dataset.check_planted", "dataset_item", r.ID,
			map[string]any{"dataset": d.ID, "check": r.Check})
	})
}

// manageTx has f change an item that by may manage.
func (s *Store) manageTx(ctx context.Context, itemID string, by Person,
	f func(tx *db.Tx, d *Dataset, r *row) error) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		if err := may(s.MayManage, tx, by); err != nil {
			return err
		}
		r, err := itemTx(tx, itemID)
		if err != nil {
			return err
		}
		if r.State == ItemErased {
			return fault.New(fault.Conflict, "This item was erased; only the record that it existed is left.")
		}
		d, err := getTx(tx, r.DatasetID)
		if err != nil {
			return err
		}
		return f(tx, d, r)
	})
}

// Erase empties an item for good, which the law may demand: its text, what was written about it and where the marks
// were. That there was an item, its labels and who gave them stay. Frozen versions keep its salted hash and still
// verify. Twice is as once.
func (s *Store) Erase(ctx context.Context, itemID, why string, by audit.Actor) error {
	return s.db.Write(ctx, func(tx *db.Tx) error { return s.EraseTx(tx, itemID, why, by) })
}

// EraseTx is Erase within a transaction.
func (s *Store) EraseTx(tx *db.Tx, itemID, why string, by audit.Actor) error {
	why, err := text.Reason(why, "reason", "Say why, in a few words.")
	if err != nil {
		return err
	}
	r, err := itemTx(tx, itemID)
	if err != nil || r.State == ItemErased {
		return err
	}
	var d delta
	d.without(r)
	if err := labelling.Off(tx, r.DatasetID, r.ID); err != nil {
		return err
	}
	if err := db.Exec(tx, "dataset: erase "+r.ID,
		`UPDATE dataset_item SET state = 'erased', version = version + 1, hash = $1, customer = '', question = '', messages = '',
			guidance = '', group_key = '', external_id = '',
		source_id = '', known = '', planted = 0, final = '', excluded_why = '', erased_at = $2 WHERE id = $3`,
		"erased:"+r.ID, tx.NowMs(), r.ID); err != nil {
		return err
	}
	for _, q := range []string{
		`UPDATE labelling_answer SET answer = '' WHERE item_id = $1`,
		`UPDATE dataset_ruling SET answer = '', undone_why = '' WHERE item_id = $1`,
		`UPDATE dataset_skip SET reason = '' WHERE item_id = $1`,
		`UPDATE labelling_turn SET flag = '', draft = '' WHERE item_id = $1`,
	} {
		if err := db.Exec(tx, "dataset: erase "+r.ID, q, r.ID); err != nil {
			return err
		}
	}
	for _, f := range s.OnErased {
		if err := f(tx, r.ID); err != nil {
			return err
		}
	}
	if err := d.applyTx(tx, r.DatasetID); err != nil {
		return err
	}
	tx.Touch(topic)
	return audit.Note(tx, by, "dataset.erased", "dataset_item", r.ID,
		map[string]any{"dataset": r.DatasetID, "why": why})
}

// OfSource finds the items that came from one thing elsewhere in the program (a review, a ruling), in all sets: what an
// erasure of that thing reaches.
func (s *Store) OfSource(tx *db.Tx, source, sourceID string) (ids []string, err error) {
	return db.Column[string](tx, "dataset: find items", `SELECT id FROM dataset_item
		WHERE source = $1 AND source_id = $2 AND source <> 'import'`, source, sourceID)
}
