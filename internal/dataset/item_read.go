package dataset

import (
	"context"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"preceptor/internal/db"
	"preceptor/internal/fault"
)

const (
	defaultLimit = 25
	maxLimit     = 100
)

// ItemFilter chooses items of one set.
type ItemFilter struct {
	DatasetID string
	State     string // ItemOpen ...; "": all but erased
	Label     string // of the final label
	Flagged   bool
	Checks    bool // hidden check items only
	Cursor    string
	Limit     int // 1 to 100; 25 when 0
}

// ItemPage is a part of a set, by N.
type ItemPage struct {
	Items []Item
	Next  string // cursor; "" on the last page
}

// Items reads one page of a set, for those who manage it; what was said about an item only once it may be seen. An item that
// settles counts as labelled or disputed in the filter by state and is told as open.
func (s *Store) Items(ctx context.Context, f ItemFilter, who Person) (page ItemPage, err error) {
	limit, err := limited(f.Limit)
	if err != nil {
		return page, err
	}
	after, err := parseCursor(f.Cursor)
	if err != nil {
		return page, err
	}
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		if err := may(s.MayManage, tx, who); err != nil {
			return err
		}
		sees, err := s.SeesChecks(tx, f.DatasetID, who)
		if err != nil {
			return err
		}
		if f.Checks && !sees {
			return fault.New(fault.Denied, "Hidden check items are not shown to those who may label.")
		}
		query, args := itemsSQL(f, after, limit, tx.NowMs())
		list, err := itemsTx(tx, query, args...)
		if err != nil {
			return err
		}
		if len(list) > limit {
			list = list[:limit]
			page.Next = cursor(int64(list[limit-1].N))
		}
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

// itemsSQL walks one index in the order of n. The items that settle at now, in ms, are left out of a filter that would tell what
// they are.
func itemsSQL(f ItemFilter, after int64, limit int, now int64) (string, []any) {
	var b strings.Builder
	args := []any{f.DatasetID, after}
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
		sees, err := s.SeesChecks(tx, r.DatasetID, who)
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
	rows, err := tx.Query(query, args...)
	if err != nil {
		return nil, fmt.Errorf("dataset: list items: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		r, err := scanItem(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, rows.Err()
}

func limited(n int) (int, error) {
	if n < 0 || n > maxLimit {
		return 0, fault.WithFields("The limit can't be used.", fault.Field{Name: "limit", Msg: fmt.Sprintf("Ask for 1 to %d.", maxLimit)})
	}
	if n == 0 {
		return defaultLimit, nil
	}
	return n, nil
}

func cursor(n int64) string {
	return base64.RawURLEncoding.EncodeToString(strconv.AppendInt(nil, n, 10))
}

func parseCursor(c string) (int64, error) {
	if c == "" {
		return 0, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(c)
	n, numErr := strconv.ParseInt(string(b), 10, 64)
	if err != nil || numErr != nil || n < 0 {
		return 0, fault.WithFields("The cursor can't be read.", fault.Field{Name: "cursor", Msg: "Start again from the first page."})
	}
	return n, nil
}
