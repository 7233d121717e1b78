package search

import (
	"context"
	"strings"

	"preceptor/internal/platform/db"
)

// refoldRows is how many rows one transaction cuts anew.
const refoldRows = 200

// Refold cuts the words of what an older version of the program indexed, some rows at a time. It may be stopped and run
// again. Of numbers that a case of the desk was indexed with, the parts alone are known.
func (t *Tables) Refold(ctx context.Context) error {
	for _, batch := range []func(tx *db.Tx) (int, error){refoldEntries, refoldCases} {
		for n := refoldRows; n == refoldRows; {
			if err := t.db.Write(ctx, func(tx *db.Tx) (err error) {
				n, err = batch(tx)
				return err
			}); err != nil {
				return err
			}
		}
	}
	return nil
}

func refoldEntries(tx *db.Tx) (int, error) {
	list, err := db.Rows(tx, "search: read entries to cut",
		func(r *row) []any { return []any{&r.id, &r.active, &r.title, &r.body} },
		`SELECT id, active, title, body FROM search_entry
			WHERE words IS NULL AND id > 0 ORDER BY id LIMIT $1`, refoldRows)
	for _, r := range list {
		words := missed(r.title, r.body)
		change := r.active && words != ""
		if err == nil && change {
			err = removeText(tx, r)
		}
		if err == nil {
			err = db.Exec(tx, "search: cut an entry", `UPDATE search_entry SET words = $1 WHERE id = $2`, words, r.id)
		}
		if r.words = words; err == nil && change {
			err = addText(tx, r)
		}
	}
	return len(list), err
}

func refoldCases(tx *db.Tx) (int, error) {
	type one struct {
		row   int64
		words string
	}
	list, err := db.Rows(tx, "search: read cases to cut", func(c *one) []any { return []any{&c.row, &c.words} },
		`SELECT id, words FROM search_case WHERE folded = 0 ORDER BY id LIMIT $1`, refoldRows)
	for _, c := range list {
		now := strings.Join(distinct(c.words), " ")
		if err == nil && now != c.words {
			if err = unindexCase(tx, c.row, c.words); err == nil {
				err = indexCase(tx, c.row, now)
			}
		}
		if err == nil {
			err = db.Exec(tx, "search: cut a case", `UPDATE search_case SET words = $1, folded = 1 WHERE id = $2`, now,
				c.row)
		}
	}
	return len(list), err
}
