package conflict

import (
	"context"
	"slices"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
	"preceptor/internal/platform/fault"
)

const columns = `id, kind, item_kind, left_id, right_id, left_text, right_text, narrower, confidence, why, found_by,
	found_at, state, outcome, note, by_name, closed_at, version`

func queryTx(tx *db.Tx, where string, args ...any) (list []Conflict, err error) {
	return db.Rows(tx, "conflict: read", func(c *Conflict) []any {
		return []any{&c.ID, &c.Kind, &c.ItemKind, &c.LeftID, &c.RightID, &c.leftText, &c.rightText, &c.Narrower,
			&c.Confidence, &c.Why, &c.FoundBy,
			db.At(&c.FoundAt), &c.State, &c.Outcome, &c.Note, &c.By, db.At(&c.ClosedAt), &c.Version}
	}, `SELECT `+columns+` FROM knowledge_conflict `+where, args...)
}

// Filter picks conflicts; the zero value is what is open, oldest first.
type Filter struct {
	Closed bool   `form:"closed"` // those that ended, latest first
	Kind   string `form:"kind"`
	Cursor string `form:"cursor"` // Next of the page before
	Limit  int    // 50 when 0
}

// List reads a page of conflicts with their items, and the cursor of the next page.
func (s *Store) List(ctx context.Context, f Filter) (list []Conflict, next string, err error) {
	where, args := `WHERE state = 'open'`, []any{}
	order := keyset.Order{At: `found_at`, ID: `id`, Oldest: true}
	if f.Closed {
		where, order = `WHERE state IN ('settled', 'gone')`, keyset.Order{At: `closed_at`, ID: `id`}
	}
	if f.Kind != "" {
		where, args = where+` AND kind = $1`, []any{f.Kind}
	}
	from, err := keyset.Parse(f.Cursor)
	if err != nil {
		return nil, "", err
	}
	if f.Limit <= 0 {
		f.Limit = 50
	}
	where, args = order.Page(where, args, from, f.Limit+1)
	err = s.d.Read(ctx, func(tx *db.Tx) error {
		if list, err = queryTx(tx, where, args...); err != nil {
			return err
		}
		list, next = keyset.Cut(list, f.Limit, func(c *Conflict) string {
			if f.Closed {
				return keyset.At(c.ClosedAt, c.ID).Cursor()
			}
			return keyset.At(c.FoundAt, c.ID).Cursor()
		})
		return s.fillTx(tx, list)
	})
	return list, next, err
}

// fillTx reads the items of conflicts with the wordings that they are of, or the ones in use where those are gone.
func (s *Store) fillTx(tx *db.Tx, list []Conflict) (err error) {
	for i := range list {
		c := &list[i]
		left, right := c.ItemKind, c.ItemKind
		if c.ItemKind == OfBoth {
			left, right = OfRules, OfCases
		}
		if c.Left, err = s.itemTx(tx, left, c.LeftID, c.leftText); err != nil {
			return err
		}
		if c.Right, err = s.itemTx(tx, right, c.RightID, c.rightText); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) itemTx(tx *db.Tx, kind, itemID, text string) (it Item, err error) {
	switch {
	case itemID == "":
	case kind == OfCases:
		head, err := s.kb.CaseTx(tx, itemID)
		if err != nil {
			return it, err
		}
		if it.Case, err = s.kb.CaseInUseTx(tx, head); err == nil {
			it.Later = it.Case.Turns
		}
		return it, err
	default:
		head, err := s.kb.RuleTx(tx, itemID)
		if err != nil {
			return it, err
		}
		wordings, err := s.kb.WordingsTx(tx, head)
		if err != nil {
			return it, err
		}
		i := max(0, slices.IndexFunc(wordings, func(w knowledge.Rule) bool { return textOf(w) == text }))
		it.Rule = &wordings[i]
		if it.ValidFrom.After(tx.Now) {
			if it.From = it.ValidFrom; i > 0 {
				it.Now = wordings[0].Principle
			}
		}
		if it.Later = it.Turns; i+1 < len(wordings) {
			it.Next = wordings[i+1].Principle
		}
		return it, nil
	}
	return it, nil
}

// Get reads a conflict with its items.
func (s *Store) Get(ctx context.Context, conflictID string) (*Conflict, error) {
	return db.Read(ctx, s.d, func(tx *db.Tx) (*Conflict, error) { return s.getTx(tx, conflictID) })
}

func (s *Store) getTx(tx *db.Tx, conflictID string) (*Conflict, error) {
	list, err := queryTx(tx, `WHERE id = $1`, conflictID)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fault.New(fault.NotFound, "There is no such conflict.")
	}
	return &list[0], s.fillTx(tx, list)
}

// ofMost is how many conflicts of one item are listed.
const ofMost = 50

// Of lists the conflicts of a rule or case with their items, open ones first.
func (s *Store) Of(ctx context.Context, itemID string) (list []Conflict, err error) {
	err = s.d.Read(ctx, func(tx *db.Tx) error {
		list, err = queryTx(tx, `WHERE (left_id = $1 OR right_id = $2)
			ORDER BY CASE WHEN state = 'open' THEN 0 ELSE 1 END, found_at DESC, id DESC LIMIT $3`, itemID, itemID,
			ofMost)
		if err != nil {
			return err
		}
		return s.fillTx(tx, list)
	})
	return list, err
}

// Counts is what is open.
type Counts struct {
	Open   int
	ByKind map[string]int
	Oldest time.Time // zero when nothing is
}

// Counts counts what is open.
func (s *Store) Counts(ctx context.Context) (n Counts, err error) {
	n.ByKind = map[string]int{}
	err = s.d.Read(ctx, func(tx *db.Tx) error {
		return db.Each(tx, "conflict: count", func(row db.Row) error {
			var kind string
			var k int
			var at int64
			if err := row.Scan(&kind, &k, &at); err != nil {
				return err
			}
			n.Open, n.ByKind[kind] = n.Open+k, k
			if t := db.Time(at); n.Oldest.IsZero() || t.Before(n.Oldest) {
				n.Oldest = t
			}
			return nil
		}, `SELECT kind, count(*), min(found_at) FROM knowledge_conflict WHERE state = 'open' GROUP BY kind`)
	})
	return n, err
}

func recordTx(tx *db.Tx, c Conflict, action string, by audit.Actor) error {
	return audit.Note(tx, by, action, "conflict", c.ID,
		map[string]any{"kind": c.Kind, "left": c.LeftID, "right": c.RightID, "outcome": c.Outcome, "note": c.Note})
}
