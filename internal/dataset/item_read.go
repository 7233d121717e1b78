package dataset

import (
	"context"
	"strconv"
	"strings"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
	"preceptor/internal/platform/fault"
)

// ItemFilter chooses items of one set.
type ItemFilter struct {
	DatasetID string
	State     string `form:"state"` // ItemOpen ...; "": all but erased
	Label     string `form:"label"` // of the final label
	Flagged   bool   `form:"flagged"`
	Checks    bool   `form:"checks"` // hidden check items only
	Cursor    string `form:"cursor"`
	Limit     int    // 1 to 100; 25 when 0
}

// ItemPage is a part of a set, by N.
type ItemPage struct {
	Items []Item
	Next  string // cursor; "" on the last page
}

// Items reads one page of a set, for those who manage it; what was said about an item only once it may be seen. An item
// that settles counts as labelled or disputed in the filter by state and is told as open.
func (s *Store) Items(ctx context.Context, f ItemFilter, who Person) (page ItemPage, err error) {
	limit, err := keyset.Limit(f.Limit)
	if err != nil {
		return page, err
	}
	from, err := after(f.Cursor)
	if err != nil {
		return page, err
	}
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		if err := may(s.MayManage, tx, who); err != nil {
			return err
		}
		sees, err := s.SeesChecks(tx, who)
		if err != nil {
			return err
		}
		if f.Checks && !sees {
			return fault.New(fault.Denied, "Hidden check items are not shown to people who can label.")
		}
		query, args := itemsSQL(f, from, limit, tx.NowMs())
		list, err := itemsTx(tx, query, args...)
		if err != nil {
			return err
		}
		list, page.Next = cut(list, limit)
		for _, r := range list {
			page.Items = append(page.Items, r.shown(tx.Now))
		}
		if !sees {
			hideChecks(page.Items)
		}
		return nil
	})
	return page, err
}

// itemsSQL walks one index in the order of n. The items that settle at now, in ms, are left out of a filter that would
// tell what they are.
func itemsSQL(f ItemFilter, from int64, limit int, now int64) (string, []any) {
	var b strings.Builder
	args := []any{f.DatasetID, from}
	b.WriteString(`SELECT ` + itemColumns + ` FROM dataset_item i WHERE i.dataset_id = $1 AND i.n > $2`)
	add := func(sql string, v any) {
		args = append(args, v)
		b.WriteString(sql + "$" + strconv.Itoa(len(args)))
	}
	switch {
	case f.State != "":
		add(` AND i.state = `, f.State)
	default:
		b.WriteString(` AND i.state <> 'erased'`)
	}
	if f.Label != "" {
		add(` AND (i.revealed_at > 0 OR i.closed_at <= `, now-UndoFor.Milliseconds())
		add(`) AND i.final_label <> '' AND i.final_label = `, f.Label)
	}
	if f.Flagged {
		b.WriteString(` AND i.flags > 0`)
	}
	if f.Checks {
		b.WriteString(` AND i.planted = 1`)
	}
	add(` ORDER BY i.n LIMIT `, limit+1)
	return b.String(), args
}

// Item reads one item for those who manage the set; Final only once it may be seen.
func (s *Store) Item(ctx context.Context, itemID string, who Person) (it *Item, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		if err := may(s.MayManage, tx, who); err != nil {
			return err
		}
		r, err := itemTx(tx, itemID)
		if err != nil {
			return err
		}
		sees, err := s.SeesChecks(tx, who)
		if err != nil {
			return err
		}
		one := []Item{r.shown(tx.Now)}
		if !sees {
			hideChecks(one)
		}
		it = &one[0]
		return nil
	})
	return it, err
}

func itemsTx(tx *db.Tx, query string, args ...any) (list []*row, err error) {
	return db.List(tx, "dataset: list items", scanItem, query, args...)
}

// after is the N behind which a page begins; 0 for the first.
func after(cursor string) (n int64, err error) {
	if cursor == "" {
		return 0, nil
	}
	return n, keyset.Read(cursor, &n)
}

// cut takes the row beyond a page off and tells where the next one begins.
func cut(list []*row, limit int) (page []*row, next string) {
	return keyset.Cut(list, limit, func(r **row) string { return keyset.Cursor((*r).N) })
}
