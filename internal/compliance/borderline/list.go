package borderline

import (
	"context"

	"preceptor/internal/compliance"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
	"preceptor/internal/platform/fault"
)

// The lists of cases.
const (
	ListWaiting      = "waiting"      // for my answer, oldest first
	ListMine         = "mine"         // that I answered, newest first
	ListAdjudication = "adjudication" // for my ruling, oldest first
	// for my answer or ruling and past its target, oldest first: what Counts.Late counts
	ListLate   = "overdue"
	ListInTime = "in_time" // the others of Counts.Open, oldest first
	ListClosed = "ruled"   // newest first
)

// Filter is what to list.
type Filter struct {
	List   string
	Viewer Viewer
	Cursor string // Page.Next of the page before
	Limit  int    // 50 when 0, at most 200
}

// Row is a case in a list. What is hidden on its page is hidden here.
type Row struct {
	Case
	Blinded int              // experts who gave their first answer
	Holders []string         // others who work on it now
	Mine    compliance.Label // the viewer's own answer; "" without
	Pending bool             // the viewer has answered and not settled
	Skipped bool             // by the viewer
	Ruling  compliance.Label // "" until it is ruled, and while it is shut to the viewer
	RuledBy string
}

// Page is one page of a list.
type Page struct {
	Items []Row
	Next  string // cursor; "" on the last page
}

// List is a page of cases. Whoever is no expert gets ListClosed only.
func (s *Store) List(ctx context.Context, f Filter) (p Page, err error) {
	if !f.Viewer.Expert && f.List != ListClosed {
		return p, fault.New(fault.Denied, "Only experts can see cases that have no ruling yet.")
	}
	limit := f.Limit
	if limit <= 0 {
		limit = 50
	}
	limit = min(limit, 200)
	where, args, order, err := f.where(db.Ms(s.db.Now()))
	if err != nil {
		return p, err
	}
	from, err := keyset.Parse(f.Cursor)
	if err != nil {
		return p, err
	}
	where, args = order.Page(where, args, from, limit+1)
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		cases, err := casesTx(tx, where, args...)
		if err != nil {
			return err
		}
		cases, p.Next = keyset.Cut(cases, limit, func(c *Case) string {
			if f.List == ListClosed {
				return keyset.At(c.ClosedAt, c.ID).Cursor()
			}
			return keyset.At(c.CreatedAt, c.ID).Cursor()
		})
		for i := range cases {
			r, err := rowTx(tx, &cases[i], f.Viewer)
			if err != nil {
				return err
			}
			p.Items = append(p.Items, r)
		}
		return nil
	})
	return p, err
}

// mine reports whether the viewer answered a case: who did may still settle it, and who did not has no place on one
// that all who are asked have answered.
const mine = `EXISTS (SELECT 1 FROM labelling_answer l
	WHERE l.item_id = borderline_case.id AND l.by_id = $1 AND l.standing = 1)`

// where is the condition and the order of a list.
func (f Filter) where(now int64) (where string, args []any, order keyset.Order, err error) {
	order = keyset.Order{At: `created_at`, ID: `id`}
	switch f.List {
	case ListWaiting:
		where, args = ` WHERE state = 'waiting' AND sent_by <> $1 AND NOT EXISTS (SELECT 1 FROM labelling_turn t
			WHERE t.item_id = borderline_case.id AND t.person_id = $1 AND t.state = 'done')
			AND (answered < wanted OR `+mine+`)`, []any{f.Viewer.ID}
		order.Oldest = true
	case ListLate, ListInTime:
		late := ` AND (reminded_at > 0 OR target_at < $2)`
		if f.List == ListInTime {
			late = ` AND reminded_at = 0 AND target_at >= $2`
		}
		where, args = ` WHERE (state = 'adjudication' OR state = 'waiting' AND sent_by <> $1)
			AND NOT EXISTS (SELECT 1 FROM labelling_answer a
			WHERE a.item_id = borderline_case.id AND a.by_id = $1 AND a.standing = 1
				AND (a.first = 0 OR borderline_case.state = 'adjudication'))
			AND (state = 'adjudication' OR answered < wanted OR `+mine+`)`+late, []any{f.Viewer.ID, now}
		order.Oldest = true
	case ListMine:
		where, args = `
			WHERE id IN (SELECT item_id FROM labelling_answer
				WHERE set_id = 'borderline' AND by_id = $1 AND standing = 1
				UNION SELECT case_id FROM borderline_ruling WHERE by_id = $1 AND undone_at = 0)`, []any{f.Viewer.ID}
	case ListAdjudication:
		where, args = ` WHERE state = 'adjudication' AND NOT EXISTS (SELECT 1 FROM labelling_answer a
			WHERE a.item_id = borderline_case.id AND a.by_id = $1 AND a.standing = 1)`, []any{f.Viewer.ID}
		order.Oldest = true
	case ListClosed:
		where, order.At = ` WHERE state = 'ruled'`, `closed_at`
	default:
		return "", nil, order, fault.Wrong("There is no such list.", "list",
			"Choose waiting, mine, adjudication, overdue, in_time or ruled.")
	}
	return where, args, order, nil
}

func rowTx(tx *db.Tx, c *Case, v Viewer) (Row, error) {
	view, err := viewTx(tx, c, v, false)
	if err != nil {
		return Row{}, err
	}
	r := Row{Case: *c, Blinded: view.Blinded, Skipped: view.Skipped}
	for _, p := range view.Holders {
		r.Holders = append(r.Holders, p.Name)
	}
	if view.Blind != nil {
		r.Mine, r.Pending = view.Blind.Label, view.Last == nil
	}
	if view.Last != nil {
		r.Mine = view.Last.Label
	}
	if view.Ruling != nil {
		r.Ruling, r.RuledBy = view.Ruling.Label, view.Ruling.By.Name
	}
	return r, nil
}

// Remind finds the open cases that passed their target since the last call and hands them to OnLate, in the transaction
// that marks them. It returns how many there were.
func (s *Store) Remind(ctx context.Context) (n int, err error) {
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		late, err := casesTx(tx, `
			WHERE state IN ('waiting', 'adjudication') AND reminded_at = 0 AND target_at < $1
			ORDER BY target_at, id LIMIT 500`, tx.NowMs())
		if err != nil || len(late) == 0 {
			return err
		}
		for _, c := range late {
			if err := db.Exec(tx, "borderline: remind of "+c.ID, `UPDATE borderline_case SET reminded_at = $1
				WHERE id = $2`, tx.NowMs(), c.ID); err != nil {
				return err
			}
		}
		n = len(late)
		return s.hooks.OnLate(tx, late)
	})
	return n, err
}
