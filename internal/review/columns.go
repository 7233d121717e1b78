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
	var rows []string
	var args []any
	for _, f := range in.Fields() {
		rows = append(rows, `(`+db.In(len(args)+1, 4)+`)`)
		args = append(args, in.ID, f.Name, f.Value, strings.ToLower(f.Value))
	}
	if len(rows) == 0 {
		return nil
	}
	return db.Exec(tx, "review: keep the fields of "+in.ID, `INSERT INTO review_field (review_id, name, value, folded)
		VALUES `+strings.Join(rows, `, `)+` ON CONFLICT (review_id, name) DO NOTHING`, args...)
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

// MostFields is how many fields one search may name.
const MostFields = 3

// few is how many cases are gone through one by one.
const few = 1_000

// many is how many of the cases with a field are looked at, the newest.
var many = 20_000

// foundTx lists the newest cases that have every word of a search and every field in it, as case_ref=AB-1: at most n,
// and whether there are more. It goes through the cases of the rarest field, or of the words where each is common.
func foundTx(tx *db.Tx, text string, n int) (ids []string, more bool, err error) {
	var words []string
	var fields [][2]string
	for _, w := range strings.Fields(text) {
		if name, value, ok := strings.Cut(strings.ToLower(w), "="); ok && name != "" && value != "" {
			fields = append(fields, [2]string{name, value})
		} else {
			words = append(words, w)
		}
	}
	if len(fields) == 0 {
		return search.FindCasesTx(tx, text, n)
	} else if len(fields) > MostFields {
		return nil, false, fault.Wrong("This can't be searched for.", "q",
			fmt.Sprintf("Name at most %d fields.", MostFields))
	}
	least := many
	for i, f := range fields {
		had, err := db.Value[int](tx, "review: count a field", `SELECT count(*) FROM (SELECT 1 FROM review_field
			WHERE name = $1 AND folded = $2 LIMIT $3) AS part`, f[0], f[1], many)
		if err != nil {
			return nil, false, err
		}
		if had < least {
			least, fields[0], fields[i] = had, f, fields[0]
		}
	}
	query := `SELECT f.review_id FROM (SELECT review_id FROM review_field WHERE name = $1 AND folded = $2
		ORDER BY review_id DESC LIMIT $3) AS f WHERE 1 = 1`
	args := []any{fields[0][0], fields[0][1], many}
	for _, f := range fields[1:] {
		args = append(args, f[0], f[1])
		query += fmt.Sprintf(` AND EXISTS (SELECT 1 FROM review_field o WHERE o.review_id = f.review_id
			AND o.name = $%d AND o.folded = $%d)`, len(args)-1, len(args))
	}
	if len(words) > 0 {
		ids, more, err = search.FindCasesAmongTx(tx, strings.Join(words, " "), n, search.Among{Few: least < few,
			Query: query, Args: args})
		return ids, more || least == many, err
	}
	ids, err = db.Column[string](tx, "review: find fields", query+
		fmt.Sprintf(` ORDER BY f.review_id DESC LIMIT $%d`, len(args)+1), append(args, n+1)...)
	if len(ids) > n {
		ids, more = ids[:n], true
	}
	return ids, more || least == many, err
}
