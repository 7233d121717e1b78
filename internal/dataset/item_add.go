package dataset

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"preceptor/internal/audit"
	"preceptor/internal/labelling"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
)

// MaxBatch bounds the items of one Add: one write transaction.
const MaxBatch = 1000

// Add puts items into a set; each row has its own outcome, in the order of items.
func (s *Store) Add(ctx context.Context, datasetID string, items []NewItem, by Person) (out []Outcome, err error) {
	return db.Write(ctx, s.db, func(tx *db.Tx) ([]Outcome, error) {
		if err := may(s.MayManage, tx, by); err != nil {
			return nil, err
		}
		out, err := s.AddTx(tx, datasetID, items, by.Actor())
		if err != nil {
			return nil, err
		}
		added := 0
		for _, o := range out {
			if o.Result == Added {
				added++
			}
		}
		if added == 0 {
			return out, nil
		}
		return out, audit.Note(tx, by.Actor(), "dataset.added", "dataset", datasetID, map[string]any{"items": added})
	})
}

// AddTx is Add within a transaction, without the audit row, which an import writes once for all of its batches.
func (s *Store) AddTx(tx *db.Tx, datasetID string, items []NewItem, by audit.Actor) ([]Outcome, error) {
	if len(items) > MaxBatch {
		return nil, fault.New(fault.Invalid, "At most %d items can be added at once.", MaxBatch)
	}
	d, err := getTx(tx, datasetID)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(items, func(n NewItem) bool { return len(n.Labels) > 0 }) {
		if err := s.MayBringLabels(tx, d.ID, by.ID); err != nil {
			return nil, err
		}
	}
	a := &adding{tx: tx, d: d, by: by, out: make([]Outcome, len(items)), known: make(map[string]string, len(items))}
	if err := a.prepare(items); err != nil {
		return nil, err
	}
	if a.last, err = seqTx(tx, d.ID, len(items)); err != nil {
		return nil, err
	}
	a.last -= int64(len(items))
	if a.n, err = db.Value[int](tx, "dataset: read the last number", `SELECT coalesce(max(n), 0) FROM dataset_item
		WHERE dataset_id = $1`, d.ID); err != nil {
		return nil, err
	}
	for i := range items {
		if a.out[i].Result == Broken {
			continue
		}
		if err := a.one(&items[i], &a.out[i]); err != nil {
			return nil, err
		}
	}
	tx.Touch(topic)
	return a.out, a.delta.applyTx(tx, d.ID)
}

// adding is one batch on its way in.
type adding struct {
	tx    *db.Tx
	d     *Dataset
	by    audit.Actor
	out   []Outcome
	known map[string]string // hash -> id of what is there
	last  int64             // place
	n     int               // the last item's number: without gaps, unlike places
	delta delta
}

// prepare checks every row and finds those that are there already.
func (a *adding) prepare(items []NewItem) error {
	ask := make([]any, 0, len(items))
	for i := range items {
		if err := items[i].Prepare(&a.d.Settings); err != nil {
			a.out[i] = Outcome{Result: Broken, Why: reason(err)}
			continue
		}
		for _, hash := range slices.Compact(items[i].Hashes()) {
			ask = append(ask, hash)
		}
	}
	for _, part := range db.Batches(ask) {
		err := db.Each(a.tx, "dataset: find duplicates", db.Pairs(a.known),
			`SELECT hash, id FROM dataset_item WHERE dataset_id = $1 AND hash IN (`+db.In(2, len(part))+`)`,
			slices.Concat([]any{a.d.ID}, part)...)
		if err != nil {
			return err
		}
	}
	return nil
}

// reason is what is wrong with a row, in one sentence.
func reason(err error) string {
	if fields := fault.Fields(err); len(fields) > 0 {
		return fields[0].Name + ": " + fields[0].Msg
	}
	return err.Error()
}

func (a *adding) one(n *NewItem, o *Outcome) error {
	hashes := n.Hashes()
	for _, hash := range hashes {
		if itemID := a.known[hash]; itemID != "" {
			return a.again(n, o, itemID)
		}
	}
	a.last++
	a.n++
	r := a.make(n, hashes[0])
	if err := a.insert(r); err != nil {
		return err
	}
	a.known[r.Hash] = r.ID
	*o = Outcome{ID: r.ID, Result: Added}
	a.delta.with(r)
	return a.labels(n, r, o)
}

// make is the item as it stands at first.
func (a *adding) make(n *NewItem, hash string) *row {
	r := &row{place: a.last}
	r.ID, r.DatasetID, r.N, r.Hash, r.Text = id.New(), a.d.ID, a.n, hash, n.Text
	r.ExternalID, r.Group, r.Source, r.SourceID = n.ExternalID, n.Group, n.Source, n.SourceID
	r.State, r.Version, r.Needs, r.AddedAt, r.AddedBy = ItemOpen, 1, a.d.Overlap, a.tx.Now,
		Person{ID: a.by.ID, Name: a.by.Name}
	switch {
	case n.Known != nil:
		r.Check, r.Known = true, *n.Known
	case n.Final != nil:
		a.final(n, r)
	}
	return r
}

// final gives the item the final label that comes with it.
func (a *adding) final(n *NewItem, r *row) {
	r.whole = &Final{Answer: *n.Final, Why: cmp.Or(n.FinalWhy, WhyImport), By: cmp.Or(n.FinalBy, a.by.Name),
		At: a.tx.Now}
	r.finalByID, r.ClosedAt, r.revealedAt = a.by.ID, a.tx.Now, a.tx.NowMs()
	r.State = ItemLabelled
	if n.FinalWhy == WhyRuling || n.FinalWhy == WhyAdjudication {
		r.State = ItemAdjudicated
	}
}

func (a *adding) insert(r *row) error {
	return db.Exec(a.tx, "dataset: add an item", `INSERT INTO dataset_item (id, dataset_id, n, hash, customer, question,
			guidance, group_key, external_id, source, source_id, state, version,
		needs, place, planted, known, final_label, final, final_why, final_by_id, final_by, final_at, closed_at,
			revealed_at, created_at, by_id, by_name, messages)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
			$23, $24, $25, $26, $27, $28, $29)`,
		slices.Concat([]any{r.ID, r.DatasetID, r.N, r.Hash, string(r.Customer), r.Question, r.Guidance, r.Group,
			r.ExternalID, r.Source, r.SourceID,
			r.State, r.Version, r.Needs, r.place, r.Check}, r.said(),
			[]any{db.Ms(r.ClosedAt), r.revealedAt, a.tx.NowMs(), a.by.ID, a.by.Name,
				r.Messages.column()})...)
}

// again is a row whose item is there already: its labels are taken, and its final label where the item has none.
func (a *adding) again(n *NewItem, o *Outcome, itemID string) error {
	*o = Outcome{ID: itemID, Result: Duplicate}
	r, err := itemTx(a.tx, itemID)
	if err != nil {
		return err
	}
	if r.State == ItemErased || r.State == ItemExcluded {
		o.Why = "it was " + r.State + " here"
		return nil
	}
	if n.Known != nil && (!r.Check || r.Known.Label != n.Known.Label) {
		o.Why = "it is already here, and not as a check item with this answer; nothing was changed"
	}
	if n.Final != nil && !r.Check {
		if err := a.finalAgain(n, r, o); err != nil {
			return err
		}
	}
	return a.labels(n, r, o)
}

// finalAgain fills in the final label of an item that nobody here has answered. Before the answers can be seen the
// report says no more than that there are some: who answered it could ask by a file.
func (a *adding) finalAgain(n *NewItem, r *row, o *Outcome) error {
	labels, err := r.standingTx(a.tx)
	hidden := err == nil && inside(labels) > 0 && (r.whole == nil || !r.settled(a.tx.Now))
	switch {
	case err != nil:
		return err
	case hidden:
		o.Why = "people here have answered it, so the file's label was left out"
		return nil
	case r.whole != nil && n.Final.Label != r.whole.Label:
		o.Why = fmt.Sprintf("it is already here with the label %s, and the file says %s; nothing was changed",
			r.whole.Label, n.Final.Label)
		return nil
	case r.whole != nil:
		return nil
	}
	o.Labelled = true
	return r.changeTx(a.tx, func() error {
		a.final(n, r)
		r.taken = r.Has
		return labelling.Off(a.tx, r.DatasetID, r.ID)
	})
}

// externalID is the rater id of somebody who labelled elsewhere.
func externalID(rater string) string {
	return outsideID + strings.ToLower(strings.TrimSuffix(rater, outsideMark))
}

// outside is how a rater of an import is named everywhere: an import can write any name, that of an account holder too.
func outside(rater string) string { return strings.TrimSuffix(rater, outsideMark) + outsideMark }

const (
	outsideID   = "external:"
	outsideMark = " (imported)"
)

// MayBringLabels is nil for who may import labels that others gave elsewhere: nobody who labels in the set, since such
// labels stand beside those of people here.
func (s *Store) MayBringLabels(tx *db.Tx, datasetID, personID string) error {
	labels, err := labelsHereTx(tx, datasetID, personID)
	if err == nil && labels {
		return fault.New(fault.Denied, "You label in this dataset, so you can't import other people's labels. Import "+
			"only the texts, or ask someone who doesn't label here.")
	}
	return err
}

// labelsHereTx reports whether somebody has answered an item of a set.
func labelsHereTx(tx *db.Tx, datasetID, personID string) (labels bool, err error) {
	return db.Value[bool](tx, fmt.Sprintf("dataset: does %s label", personID),
		`SELECT EXISTS (SELECT 1 FROM labelling_answer WHERE set_id = $1 AND by_id = $2)`, datasetID, personID)
}

// labels stores the labels of external raters and settles the item by them.
func (a *adding) labels(n *NewItem, r *row, o *Outcome) error {
	if len(n.Labels) == 0 || r.Check {
		return nil
	}
	fresh := 0
	for _, l := range n.Labels {
		at := db.Ms(l.At)
		if at <= 0 || at > a.tx.NowMs() {
			at = a.tx.NowMs()
		}
		stored, err := db.Change(a.tx, "dataset: add a label", `INSERT INTO labelling_answer (id, set_id, item_id,
				by_id, by_name, revision, first, standing,
				label, answer, spent_ms, at)
			VALUES ($1, $2, $3, $4, $5, 1, 1, 1, $6, $7, $8, $9) ON CONFLICT DO NOTHING`,
			id.New(), r.DatasetID, r.ID, externalID(l.Rater), outside(l.Rater), l.Answer.Label, l.Answer.json(),
			max(0, min(l.SpentMs, MaxSpent)), at)
		if err != nil {
			return err
		}
		if stored > 0 {
			fresh++
			continue
		}
		there, err := db.Value[string](a.tx, "dataset: read a rater's label",
			`SELECT label FROM labelling_answer WHERE item_id = $1 AND by_id = $2 AND standing = 1`, r.ID,
			externalID(l.Rater))
		if err != nil {
			return err
		}
		if there != l.Answer.Label {
			o.Why = fmt.Sprintf("it already has the label %s by %s; %s was left out", there, l.Rater, l.Answer.Label)
		}
	}
	if fresh == 0 {
		return nil
	}
	return r.changeTx(a.tx, func() error {
		r.Has, r.taken = r.Has+fresh, r.taken+fresh
		if err := r.moveTx(a.tx); err != nil {
			return err
		}
		if r.State != ItemOpen {
			return nil
		}
		return resettleTx(a.tx, a.d, r)
	})
}
