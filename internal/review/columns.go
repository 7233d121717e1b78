package review

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
	"preceptor/internal/search"
)

// MostColumns is how many fields of agents' metadata the lists show: as many as fit a phone.
const MostColumns = 3

// Columns are the fields of agents' metadata that the lists show, in their order.
func (q *Queue) Columns(ctx context.Context) ([]string, error) {
	return db.Read(ctx, q.db, columnsTx)
}

func columnsTx(tx *db.Tx) ([]string, error) {
	return db.Column[string](tx, "review: read the columns", `SELECT name FROM review_column ORDER BY place`)
}

// SetColumns chooses the fields that the lists show, by names with commas or blanks between them. Managers and
// administrators may.
func (q *Queue) SetColumns(ctx context.Context, by Person, names string) error {
	var list []string
	for _, name := range strings.FieldsFunc(strings.ToLower(names), func(r rune) bool {
		return r == ',' || unicode.IsSpace(r)
	}) {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	if len(list) > MostColumns || slices.ContainsFunc(list, func(s string) bool {
		return len(s) > interaction.MaxFieldName
	}) {
		return fault.Wrong("The columns can't be saved.", "columns", fmt.Sprintf(
			"Enter at most %d names, of at most %d characters each.", MostColumns, interaction.MaxFieldName))
	}
	return q.db.Write(ctx, func(tx *db.Tx) error {
		if err := db.Exec(tx, "review: clear the columns", `DELETE FROM review_column`); err != nil {
			return err
		}
		for i, name := range list {
			if err := db.Exec(tx, "review: add a column", `INSERT INTO review_column (name, place)
				VALUES ($1, $2)`, name, i); err != nil {
				return err
			}
		}
		tx.Touch("reviews")
		return audit.Note(tx, by.Actor(), "review.columns", "desk", "columns", map[string]any{"columns": list})
	})
}

// putFields keeps the short fields of a case's metadata, to be shown and found; whatever the columns are now.
func putFields(tx *db.Tx, in *interaction.Interaction) error {
	for _, f := range in.Fields() {
		if err := db.Exec(tx, "review: keep a field of "+in.ID, `INSERT INTO review_field (review_id, name, value, folded)
			VALUES ($1, $2, $3, $4) ON CONFLICT (review_id, name) DO NOTHING`, in.ID, f.Name, f.Value,
			strings.ToLower(f.Value)); err != nil {
			return err
		}
	}
	return nil
}

// fieldsTx fills in the columns of rows.
func fieldsTx(tx *db.Tx, rows []Row) error {
	of := map[string]*Row{}
	for i := range rows {
		of[rows[i].ID] = &rows[i]
	}
	for _, part := range db.Batches(lists.Map(rows, func(r Row) string { return r.ID })) {
		if err := db.Each(tx, "review: read columns", func(row db.Row) error {
			var id string
			var f interaction.Field
			err := row.Scan(&id, &f.Name, &f.Value)
			if r := of[id]; err == nil && r != nil {
				r.Fields = append(r.Fields, f)
			}
			return err
		}, `SELECT f.review_id, f.name, f.value FROM review_column c JOIN review_field f ON f.name = c.name
			WHERE f.review_id IN (`+db.In(1, len(part))+`) ORDER BY c.place`, db.Anys(part)...); err != nil {
			return err
		}
	}
	return nil
}

// foundTx lists the newest cases that have every word of a search and every field in it, as case_ref=AB-1: at most n,
// and whether there are more.
func foundTx(tx *db.Tx, text string, n int) (ids []string, more bool, err error) {
	var words []string
	var asks []string
	args := []any{}
	for _, w := range strings.Fields(text) {
		name, value, ok := strings.Cut(strings.ToLower(w), "=")
		if !ok || name == "" || value == "" {
			words = append(words, w)
			continue
		}
		args = append(args, name, value)
		asks = append(asks, fmt.Sprintf(`SELECT review_id FROM review_field WHERE name = $%d AND folded = $%d`,
			len(args)-1, len(args)))
	}
	if len(asks) == 0 {
		return search.FindCasesTx(tx, text, n)
	}
	look := n + 1
	if len(words) > 0 {
		look = mostLooked
	}
	ids, err = db.Column[string](tx, "review: find fields", strings.Join(asks, ` INTERSECT `)+
		fmt.Sprintf(` ORDER BY review_id DESC LIMIT %d`, look), args...)
	if err == nil && len(words) > 0 {
		var with []string
		with, more, err = search.FindCasesTx(tx, strings.Join(words, " "), mostLooked)
		ids = slices.DeleteFunc(ids, func(id string) bool { return !slices.Contains(with, id) })
	}
	if len(ids) > n {
		ids, more = ids[:n], true
	}
	return ids, more, err
}
