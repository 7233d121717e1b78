package transfer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"preceptor/internal/dataset"
	"preceptor/internal/dataset/version"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/table"
)

// exportRow is one item with all that was said about it.
type exportRow struct {
	ID         string           `json:"id"`
	ExternalID string           `json:"external_id,omitempty"`
	Hash       string           `json:"hash"`
	Group      string           `json:"group,omitempty"`
	Question   string           `json:"question,omitempty"`
	Messages   dataset.Messages `json:"messages,omitempty"`
	Guidance   string           `json:"guidance"`
	Source     string           `json:"source"`
	SourceID   string           `json:"source_id,omitempty"`
	State      string           `json:"state"`
	Split      string           `json:"split,omitempty"`
	Cluster    string           `json:"cluster,omitempty"`
	Label      string           `json:"label,omitempty"` // final
	Boundary   string           `json:"boundary,omitempty"`
	Issues     []dataset.Issue  `json:"issues,omitempty"`
	Rationale  string           `json:"rationale,omitempty"`
	Notes      string           `json:"notes,omitempty"`
	LabelWhy   string           `json:"label_why,omitempty"`
	LabelBy    string           `json:"label_by,omitempty"`
	LabelledAt string           `json:"labelled_at,omitempty"`
	Check      bool             `json:"check,omitempty"`
	Excluded   string           `json:"excluded_why,omitempty"`
	Erased     bool             `json:"erased,omitempty"`
	Skips      []saidRow        `json:"skips,omitempty"`
	Flags      []saidRow        `json:"flags,omitempty"`
	Customer   json.RawMessage  `json:"customer,omitempty"`
	Known      json.RawMessage  `json:"known,omitempty"`
	Labels     []labelRow       `json:"labels,omitempty"`
	Rulings    []rulingRow      `json:"rulings,omitempty"`

	codes  []string
	n      int
	hidden bool // no answer may be seen yet
}

// labelRow is one answer; its answer as it is stored.
type labelRow struct {
	By       string          `json:"by"`
	ByID     string          `json:"by_id"`
	Revision int             `json:"revision"`
	First    bool            `json:"first"`
	Standing bool            `json:"standing"`
	Late     bool            `json:"late,omitempty"`
	SpentMs  int64           `json:"spent_ms"`
	Rubric   string          `json:"rubric,omitempty"`
	At       string          `json:"at"`
	UndoneAt string          `json:"undone_at,omitempty"`
	Answer   json.RawMessage `json:"answer,omitempty"`
}

// saidRow is a skip with its reason, or a flag with its note.
type saidRow struct {
	By   string `json:"by"`
	ByID string `json:"by_id"`
	Text string `json:"text"`
	At   string `json:"at"`
}

type rulingRow struct {
	By       string          `json:"by"`
	ByID     string          `json:"by_id"`
	Rubric   string          `json:"rubric,omitempty"`
	At       string          `json:"at"`
	UndoneAt string          `json:"undone_at,omitempty"`
	UndoWhy  string          `json:"undo_why,omitempty"`
	Answer   json.RawMessage `json:"answer,omitempty"`
}

func stamp(ms int64) string { return table.Stamp(db.Time(ms)) }

// read gives the next rows of a split, and the place of the last that was looked at: after itself at the end.
func (e *exporting) read(ctx context.Context, split string, after int) (list []*exportRow, last int, err error) {
	err = e.s.db.ReadWhole(ctx, func(tx *db.Tx) error {
		if e.version != nil {
			list, last, err = e.frozenTx(tx, split, after)
		} else {
			list, last, err = e.liveTx(tx, after)
		}
		if err != nil || len(list) == 0 {
			return err
		}
		return e.saidTx(tx, list)
	})
	return list, last, err
}

// liveTx reads items as they are now. What nobody may see yet is told as open, without a word of what was said.
func (e *exporting) liveTx(tx *db.Tx, after int) (list []*exportRow, last int, err error) {
	last = after
	err = db.Each(tx, "transfer: read items", func(row db.Row) error {
		r := &exportRow{}
		var customer, known, final string
		var at int64
		if err := row.Scan(&r.ID, &r.n, &r.Hash, &customer, &r.Question, db.JSON(&r.Messages), &r.Guidance, &r.Group,
			&r.ExternalID,
			&r.Source, &r.SourceID, &r.State, &r.Check, &known, &final,
			&r.LabelWhy, &r.LabelBy, &at, &r.Excluded, &r.hidden); err != nil {
			return err
		}
		if last = r.n; r.Check && !e.checks {
			return nil
		}
		r.Customer, r.Known, r.LabelledAt = text(customer), text(known), stamp(at)
		r.hidden = r.hidden && !e.all
		switch {
		case r.hidden:
			r.LabelWhy, r.LabelBy, r.LabelledAt = "", "", ""
			if r.State != dataset.ItemExcluded {
				r.State = dataset.ItemOpen
			}
		case final != "":
			var a dataset.Answer
			if err := json.Unmarshal([]byte(final), &a); err != nil {
				return fmt.Errorf("transfer: read a final label: %w", err)
			}
			r.answer(a)
		}
		list = append(list, r)
		return nil
	}, `SELECT id, n, hash, customer, question, messages, guidance, group_key, external_id, source, source_id, state, planted,
		known, final, final_why, final_by, final_at,
			excluded_why, closed_at = 0 OR (revealed_at = 0 AND closed_at > $1) FROM dataset_item
				WHERE dataset_id = $2 AND n > $3 AND n <= $4 AND state <> 'erased' ORDER BY n LIMIT $5`,
		tx.NowMs()-dataset.UndoFor.Milliseconds(), e.set.ID, after, e.until, batchRows)
	return list, last, err
}

func text(s string) json.RawMessage {
	if s == "" {
		return nil
	}
	return json.RawMessage(s)
}

func (r *exportRow) answer(a dataset.Answer) {
	r.Label, r.Boundary, r.Issues, r.codes = a.Label, a.Boundary, a.Issues, a.Codes()
	r.Rationale, r.Notes = a.Rationale, a.Notes
}

// frozenTx reads rows of a version; an erased item is told with its label alone.
func (e *exporting) frozenTx(tx *db.Tx, split string, after int) (list []*exportRow, last int, err error) {
	rows, err := version.Rows(tx, e.version.ID, split, after, batchRows)
	if err != nil {
		return nil, after, err
	}
	last = after
	for _, v := range rows {
		last = v.N
		r := &exportRow{ID: v.ItemID, n: v.N, Hash: v.Content, Group: v.Group, ExternalID: v.ExternalID,
			Customer: v.Customer, Question: v.Question, Messages: v.Messages, Guidance: v.Guidance,
			Source: v.Source, SourceID: v.SourceID, State: "frozen", Split: v.Split, Cluster: v.Cluster,
			LabelWhy: v.Why, LabelBy: v.By, Erased: v.Erased}
		r.answer(v.Answer)
		r.Label = v.Label
		list = append(list, r)
	}
	return list, last, nil
}

// saidTx fills in labels, skips, flags and rulings; of a version, those that were there when it was frozen.
func (e *exporting) saidTx(tx *db.Tx, list []*exportRow) error {
	until := int64(1) << 62
	if e.version != nil {
		until = db.Ms(e.version.At)
	}
	of := make(map[string]*exportRow, len(list))
	seen, all := make([]any, 0, len(list)), make([]any, 0, len(list))
	for _, r := range list {
		of[r.ID] = r
		if all = append(all, r.ID); !r.hidden {
			seen = append(seen, r.ID)
		}
	}
	return errors.Join(e.answersTx(tx, of, seen, until), e.marksTx(tx, of, all, until))
}

// answersTx fills in labels and rulings.
func (e *exporting) answersTx(tx *db.Tx, of map[string]*exportRow, ids []any, until int64) error {
	for _, part := range db.Batches(ids) {
		args, in := append([]any{until}, part...), db.In(2, len(part))
		if err := errors.Join(db.Each(tx, "transfer: read labels", func(row db.Row) error {
			var id, answer string
			var l labelRow
			var at, undone int64
			if err := row.Scan(&id, &l.By, &l.ByID, &l.Revision, &l.First, &l.Standing, &l.Late, &answer, &l.SpentMs,
				&l.Rubric, &at, &undone); err != nil {
				return err
			}
			l.Answer, l.At, l.UndoneAt = text(answer), stamp(at), stamp(undone)
			of[id].Labels = append(of[id].Labels, l)
			return nil
		}, `SELECT item_id, by_name, by_id, revision, first, standing, late, answer, spent_ms, rubric, at, undone_at
			FROM labelling_answer WHERE at <= $1 AND item_id IN (`+in+`) ORDER BY at, id`, args...),
			db.Each(tx, "transfer: read rulings", func(row db.Row) error {
				var id, answer string
				var v rulingRow
				var at, undone int64
				if err := row.Scan(&id, &v.By, &v.ByID, &answer, &v.Rubric, &at, &undone, &v.UndoWhy); err != nil {
					return err
				}
				v.Answer, v.At, v.UndoneAt = text(answer), stamp(at), stamp(undone)
				of[id].Rulings = append(of[id].Rulings, v)
				return nil
			}, `SELECT item_id, by_name, by_id, answer, rubric, at, undone_at, undone_why FROM dataset_ruling
				WHERE at <= $1 AND item_id IN (`+in+`) ORDER BY at, id`, args...),
		); err != nil {
			return err
		}
	}
	return nil
}

// marksTx fills in skips and flags, also of items that still need labels. They are no answers, but their words may hint
// at one: of an item that may still be answered, who may label is told the words of their own alone.
func (e *exporting) marksTx(tx *db.Tx, of map[string]*exportRow, ids []any, until int64) error {
	read := func(into func(r *exportRow) *[]saidRow) func(row db.Row) error {
		return func(row db.Row) error {
			var id string
			var k saidRow
			var at int64
			if err := row.Scan(&id, &k.By, &k.ByID, &k.Text, &at); err != nil {
				return err
			}
			k.At = stamp(at)
			if r := of[id]; r.hidden && !e.checks && k.ByID != e.o.By.ID {
				k.Text = ""
			}
			list := into(of[id])
			*list = append(*list, k)
			return nil
		}
	}
	for _, part := range db.Batches(ids) {
		args, in := append([]any{until}, part...), db.In(2, len(part))
		if err := errors.Join(
			db.Each(tx, "transfer: read skips", read(func(r *exportRow) *[]saidRow { return &r.Skips }),
				`SELECT item_id, by_name, by_id, reason, at FROM dataset_skip
					WHERE at <= $1 AND item_id IN (`+in+`) ORDER BY at, id`, args...),
			db.Each(tx, "transfer: read flags", read(func(r *exportRow) *[]saidRow { return &r.Flags }),
				`SELECT t.item_id, p.name, p.person_id, t.flag, t.at
					FROM labelling_turn t JOIN dataset_person p ON p.dataset_id = t.set_id AND p.person_id = t.person_id
				WHERE t.at <= $1 AND t.flag <> '' AND t.item_id IN (`+in+`) ORDER BY t.at, t.person_id`, args...),
		); err != nil {
			return err
		}
	}
	return nil
}
