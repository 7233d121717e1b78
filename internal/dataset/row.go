package dataset

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// row is an item as it is stored.
type row struct {
	Item
	taken      int
	place      int64
	revealedAt int64
	erasedAt   int64
	whole      *Final // what stands, hidden or not
	finalByID  string
}

const itemColumns = `i.id, i.dataset_id, i.n, i.hash, i.customer, i.question, i.messages, i.guidance, i.group_key, i.external_id,
	i.source, i.source_id, i.state, i.version,
	i.needs, i.has, i.taken, i.place, i.planted, i.known, i.final, i.final_why, i.final_by_id, i.final_by, i.final_at,
		i.flags, i.excluded_why, i.closed_at,
	i.revealed_at, i.erased_at, i.created_at, i.by_id, i.by_name`

func scanItem(s db.Row) (*row, error) {
	r := &row{}
	var customer, known, final, why, by string
	var finalAt int64
	if err := s.Scan(&r.ID, &r.DatasetID, &r.N, &r.Hash, &customer, &r.Question, db.JSON(&r.Messages), &r.Guidance,
		&r.Group, &r.ExternalID,
		&r.Source, &r.SourceID, &r.State, &r.Version,
		&r.Needs, &r.Has, &r.taken, &r.place, &r.Check, &known, &final, &why, &r.finalByID, &by, &finalAt, &r.Flags,
		&r.ExcludedWhy, db.At(&r.ClosedAt),
		&r.revealedAt, &r.erasedAt, db.At(&r.AddedAt), &r.AddedBy.ID, &r.AddedBy.Name); err != nil {
		return nil, fmt.Errorf("dataset: read an item: %w", err)
	}
	if customer != "" {
		r.Customer = json.RawMessage(customer)
	}
	var err error
	if r.Known, err = parseAnswer(known); err != nil {
		return nil, err
	}
	if why != "" {
		r.whole = &Final{Why: why, By: by, At: db.Time(finalAt)}
		if r.whole.Answer, err = parseAnswer(final); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func itemTx(tx *db.Tx, itemID string) (*row, error) {
	return scanItem(db.One(tx, "dataset: read an item", `SELECT `+itemColumns+` FROM dataset_item i WHERE i.id = $1`,
		itemID).
		Or(fault.New(fault.NotFound, "There is no such item.")))
}

// settled reports whether what was said about the item may be seen: it has its labels, and the last of them can't be
// taken back.
func (r *row) settled(now time.Time) bool {
	return !r.ClosedAt.IsZero() && (r.revealedAt > 0 || !now.Before(r.ClosedAt.Add(UndoFor)))
}

// shown is the item as managers may see it at now.
func (r *row) shown(now time.Time) Item {
	it := r.Item
	if it.Settling = !it.ClosedAt.IsZero() && !r.settled(now); !it.Settling {
		it.Final = r.whole
	} else {
		it.State = ItemOpen // labelled or disputed would tell
	}
	return it
}

// delta is what a change of items does to the counters of their set.
type delta Counts

// without takes the item as it stands out of the counters; with puts it in.
func (d *delta) without(r *row) { d.add(r, -1) }
func (d *delta) with(r *row)    { d.add(r, 1) }

func (d *delta) add(r *row, by int) {
	if r.State == ItemErased {
		return
	}
	d.Items += by
	if r.State == ItemExcluded {
		d.Excluded += by
		return
	}
	if r.Check {
		d.Checks += by
		return
	}
	d.Labels += by * r.Has
	if r.whole != nil {
		d.Final += by
	}
	switch r.State {
	case ItemOpen:
		d.Open += by
		d.Wanted += by * max(0, r.Needs-r.Has)
	case ItemLabelled:
		d.Labelled += by
	case ItemDisputed:
		d.Disputed += by
	case ItemAdjudicated:
		d.Adjudicated += by
	}
}

// applyTx writes the counters, and has seq go on by moves, whose last it returns.
func (d delta) applyTx(tx *db.Tx, datasetID string) error {
	if d == (delta{}) {
		return nil
	}
	return db.Exec(tx, "dataset: count", `UPDATE dataset SET items = items + $1, open = open + $2,
		labelled = labelled + $3, disputed = disputed + $4, adjudicated = adjudicated + $5,
		excluded = excluded + $6, checks = checks + $7, final = final + $8, labels = labels + $9, wanted = wanted + $10
			WHERE id = $11`,
		d.Items, d.Open, d.Labelled, d.Disputed, d.Adjudicated, d.Excluded, d.Checks, d.Final, d.Labels, d.Wanted,
		datasetID)
}

// changeTx stores what change makes of an item, and the counters with it.
func (r *row) changeTx(tx *db.Tx, change func() error) error {
	var d delta
	d.without(r)
	version := r.Version
	if err := change(); err != nil {
		return err
	}
	d.with(r)
	r.Version++
	if n, err := db.Change(tx, "dataset: change item "+r.ID, `UPDATE dataset_item SET state = $1, version = $2,
		needs = $3, has = $4, taken = $5, place = $6, planted = $7, known = $8, final_label = $9,
		final = $10, final_why = $11, final_by_id = $12, final_by = $13, final_at = $14, flags = $15,
			excluded_why = $16, closed_at = $17, revealed_at = $18
		WHERE id = $19 AND version = $20`,
		slices.Concat([]any{r.State, r.Version, r.Needs, r.Has, r.taken, r.place, r.Check}, r.said(),
			[]any{r.Flags, r.ExcludedWhy, db.Ms(r.ClosedAt), r.revealedAt, r.ID, version})...); err != nil || n != 1 {
		return fmt.Errorf("dataset: change item %s: %d rows, %w", r.ID, n, err)
	}
	tx.Touch(topic)
	return d.applyTx(tx, r.DatasetID)
}

// said are the stored columns of the known answer and of the final one.
func (r *row) said() []any {
	known, final := "", ""
	if r.Check {
		known = r.Known.json()
	}
	f := r.whole
	if f == nil {
		f = &Final{}
	} else {
		final = f.Answer.json()
	}
	return []any{known, f.Label, final, f.Why, r.finalByID, f.By, db.Ms(f.At)}
}

// moveTx gives the item the last place of its level.
func (r *row) moveTx(tx *db.Tx) error {
	last, err := seqTx(tx, r.DatasetID, 1)
	r.place = last
	return err
}

// seqTx takes n numbers of a set; the last of them is returned.
func seqTx(tx *db.Tx, datasetID string, n int) (last int64, err error) {
	return db.Value[int64](tx, "dataset: number", `UPDATE dataset SET seq = seq + $1
		WHERE id = $2 RETURNING seq`, n, datasetID)
}
