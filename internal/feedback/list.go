package feedback

import (
	"context"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
	"preceptor/internal/platform/fault"
)

// ExemplarFilter chooses exemplars for people, last changed first. The zero value is all of them.
type ExemplarFilter struct {
	State     string // one of the states; "" for any
	AgentType string
	Cursor    string
	Limit     int // 1 to 100; 25 when 0
}

// Exemplars lists exemplars. next is "" on the last page.
func (b *Book) Exemplars(ctx context.Context, f ExemplarFilter) (list []Exemplar, next string, err error) {
	if f.Limit, err = keyset.Limit(f.Limit); err != nil {
		return nil, "", err
	}
	from, err := keyset.Parse(f.Cursor)
	if err != nil {
		return nil, "", err
	}
	w := keyset.Where{SQL: `WHERE 1 = 1`}
	w.Is(`state`, f.State)
	list, err = db.Read(ctx, b.db, func(tx *db.Tx) ([]Exemplar, error) {
		names, err := b.namedTx(tx, f.AgentType)
		if err != nil {
			return nil, err
		}
		w.If(len(names) > 0, `agent_type IN (`+db.In(len(w.Args)+1, len(names))+`)`)
		w.Args = append(w.Args, db.Anys(names)...)
		where, args := keyset.Order{At: `changed_at`, ID: `id`}.Page(w.SQL, w.Args, from, f.Limit+1)
		list, err := exemplarsTx(tx, where, args...)
		for i := 0; i < len(list) && err == nil; i++ {
			list[i].AgentType, err = b.nowTx(tx, list[i].AgentType)
		}
		return list, err
	})
	list, next = keyset.Cut(list, f.Limit, func(e *Exemplar) string { return keyset.At(e.ChangedAt, e.ID).Cursor() })
	return list, next, err
}

func carriersTx(tx *db.Tx, exemplarID string) (list []string, err error) {
	return db.Column[string](tx, "feedback: read what carries an exemplar", `SELECT subject_id
		FROM exemplar_source WHERE exemplar_id = $1
		ORDER BY subject_id`, exemplarID)
}

// RecordTx counts the votes for and against an exemplar: on the answers that were written with it in sight, and on
// those that carry it. Retirement goes by it.
func RecordTx(tx *db.Tx, exemplarID string) (ups, downs int, err error) {
	err = db.One(tx, "feedback: count the votes on an exemplar", `SELECT coalesce(sum(CASE
			WHEN norm > 0.5 THEN 1 ELSE 0 END), 0), coalesce(sum(CASE WHEN norm < 0.5 THEN 1 ELSE 0 END), 0) FROM vote
		WHERE subject_id IN (SELECT subject_id FROM exemplar_use WHERE exemplar_id = $1 UNION SELECT subject_id
			FROM exemplar_source WHERE exemplar_id = $1)`, exemplarID).Scan(&ups, &downs)
	return ups, downs, err
}

// Retire has a person take an exemplar out of use for good, with a reason.
func (b *Book) Retire(ctx context.Context, exemplarID, why string, by audit.Actor) error {
	if by.Kind != audit.Person {
		return fault.New(fault.Denied, "Only a person can do that.")
	}
	var w wrong
	w.text("why", &why, MaxText, true)
	if err := w.err(); err != nil {
		return err
	}
	return b.db.Write(ctx, func(tx *db.Tx) error { return b.RetireTx(tx, exemplarID, why, by) })
}
