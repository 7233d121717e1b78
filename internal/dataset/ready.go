package dataset

import (
	"context"

	"preceptor/internal/platform/db"
)

// Ready is how much of a set a version would take in now, and what keeps the rest out. Everything that is in the set is
// in one of its figures, but for check items, which who may label gets among Open and others not at all.
type Ready struct {
	Goes     int // final, and it may be seen
	Settling int // it has its labels, and the last can still be taken back
	Disputed int // waits for a ruling, since its labels differ
	Agreed   int // waits for a ruling although its labels agree: it has one, or the set wants a ruling on every item
	Open     int // needs labels
	Excluded int
}

// Waits is how many items a version leaves behind that may still become final.
func (r Ready) Waits() int { return r.Settling + r.Disputed + r.Agreed + r.Open }

// readySQL walks what has its labels.
const readySQL = `SELECT state, final_label <> '', revealed_at > 0 OR closed_at <= $1, count(*) FROM dataset_item
	WHERE dataset_id = $2 AND state IN ('labelled', 'disputed', 'adjudicated') AND planted = 0 GROUP BY 1, 2, 3`

// Ready looks what a version would take in now, for those who manage the set.
func (s *Store) Ready(ctx context.Context, datasetID string, who Person) (out Ready, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		if err := may(s.MayManage, tx, who); err != nil {
			return err
		}
		d, err := getTx(tx, datasetID)
		if err != nil {
			return err
		}
		sees, err := s.SeesChecks(tx, who)
		if err != nil {
			return err
		}
		out = Ready{Open: d.Counts.Open, Excluded: d.Counts.Excluded}
		if !sees {
			out.Open += d.Counts.Checks
		}
		return out.readTx(tx, datasetID)
	})
	return out, err
}

func (r *Ready) readTx(tx *db.Tx, datasetID string) error {
	return db.Each(tx, "dataset: count what is ready", func(row db.Row) error {
		var state string
		var final, seen bool
		var n int
		if err := row.Scan(&state, &final, &seen, &n); err != nil {
			return err
		}
		switch {
		case !seen:
			r.Settling += n
		case final && state != ItemDisputed:
			r.Goes += n
		case state == ItemDisputed:
			r.Disputed += n
		default:
			r.Agreed += n
		}
		return nil
	}, readySQL, tx.NowMs()-UndoFor.Milliseconds(), datasetID)
}
