// Package keyset is how lists are read page by page: the next page begins behind the last row of this one, found by the
// columns that the list goes by and not by counting rows. It owns no table. The SELECT and its conditions are those of
// the package that owns the table; this one writes the range, the order and the limit behind them, and the cursor that
// carries the last row's place.
//
// What it promises.
//   - Stable: a row that stands through the whole reading comes once, in order, whatever comes in or goes between two
//     pages. A row whose own place changes meanwhile may come twice or not at all.
//   - A deep page costs what the first one costs, where the list's columns have an index: that is for the package that
//     owns the table.
//   - A cursor is opaque: only Read opens it, nobody may build one, and what it holds may change with the program. One
//     place has one spelling. It carries nothing but columns of a row that its reader was shown, and it grants nothing:
//     conditions of who may see what stand in the query of every page.
//   - A cursor that was bent or cut off is refused as fault.Invalid, in the field cursor, in words for whoever followed
//     a link. It never reaches the database.
//
// Decided against: OFFSET (it reads what it skips, and rows that come in shift it); signing cursors (they grant
// nothing); a type for whole pages with their rows (every domain names its own, and few lines were left to share);
// writing the whole SELECT here (SQL lives beside the table's methods).
package keyset

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

const (
	// Standard is how many rows a page has when nobody says.
	Standard = 25
	// Most is how many rows can be asked for.
	Most = 100
)

// Limit is how many rows a page shall have: Standard when 0 were asked for. Invalid below 0 and above Most.
func Limit(asked int) (int, error) {
	switch {
	case asked < 0 || asked > Most:
		return 0, fault.WithFields("The limit can't be used.",
			fault.Field{Name: "limit", Msg: fmt.Sprintf("Ask for 1 to %d.", Most)})
	case asked == 0:
		return Standard, nil
	}
	return asked, nil
}

// Place is where a row stands in a list by a time, in milliseconds as it is stored, and an id. The zero Place is before
// all rows.
type Place struct {
	Ms int64
	ID string
}

// At is the place of a row.
func At(t time.Time, id string) Place { return Place{db.Ms(t), id} }

// Cursor is the place as it goes into a link.
func (p Place) Cursor() string { return Cursor(p.Ms, p.ID) }

// Parse reads the cursor of a place; "" is the first page. Invalid for what is none.
func Parse(cursor string) (p Place, err error) {
	if cursor == "" {
		return Place{}, nil
	}
	if err := Read(cursor, &p.Ms, &p.ID); err != nil {
		return Place{}, err
	}
	return p, nil
}

// Order is what a list goes by: the columns of a time and of an id that breaks ties.
type Order struct {
	At, ID string
	Oldest bool // oldest first; otherwise newest first
}

// Page completes query, which ends in a condition and has args: limit rows behind from, in order, and all of them from
// the first on for the zero Place. Its placeholders follow those of args.
func (o Order) Page(query string, args []any, from Place, limit int) (string, []any) {
	than, way := `<`, ` DESC`
	if o.Oldest {
		than, way = `>`, ``
	}
	args = args[:len(args):len(args)] // never into an array that another page shares
	arg := func(v any) string {
		args = append(args, v)
		return "$" + strconv.Itoa(len(args))
	}
	if from != (Place{}) {
		query += ` AND (` + o.At + `, ` + o.ID + `) ` + than + ` (` + arg(from.Ms) + `, ` + arg(from.ID) + `)`
	}
	return query + ` ORDER BY ` + o.At + way + `, ` + o.ID + way + ` LIMIT ` + arg(limit), args
}

// Cut takes off what was read beyond a page of limit rows, for which one row more is asked for, and tells where the
// next page begins: the cursor of the last row that stays, as of makes it, or "" on the last page.
func Cut[T any](rows []T, limit int, of func(last *T) string) (page []T, next string) {
	if len(rows) <= limit {
		return rows, ""
	}
	return rows[:limit], of(&rows[limit-1])
}

// maxCursor bounds what is looked at, in bytes: an id from outside may be long, a cursor is not.
const maxCursor = 1_000

// Cursor makes a cursor of the values that a list goes by: int, int64 or string each, a string without a dot except for
// the last.
func Cursor(parts ...any) string {
	return base64.RawURLEncoding.EncodeToString(
		[]byte(strings.TrimSuffix(fmt.Sprintf(strings.Repeat("%v.", len(parts)), parts...), ".")))
}

// Read opens a cursor that Cursor made of as many values of the same kinds: *int, *int64 or *string each. Invalid for
// any other.
func Read(cursor string, into ...any) error {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	parts := strings.SplitN(string(raw), ".", len(into))
	if err != nil || len(cursor) > maxCursor || len(parts) < len(into) {
		return refused()
	}
	for i, part := range parts {
		if !read(part, into[i]) {
			return refused()
		}
	}
	if base64.RawURLEncoding.EncodeToString(raw) != cursor { // with a line break in it
		return refused()
	}
	return nil
}

// read takes a value as Cursor spells it, and no other spelling of it.
func read(part string, into any) bool {
	switch p := into.(type) {
	case *string:
		*p = part
		return part != "" && strings.IndexFunc(part, func(r rune) bool { return r <= ' ' || r > '~' }) < 0
	case *int64:
		n, err := strconv.ParseInt(part, 10, 64)
		*p = n
		return err == nil && strconv.FormatInt(n, 10) == part
	case *int:
		n, err := strconv.Atoi(part)
		*p = n
		return err == nil && strconv.Itoa(n) == part
	}
	panic(fmt.Sprintf("keyset: a cursor has no %T", into))
}

func refused() error {
	return fault.WithFields(
		"This page of the list can't be found: its address is cut off or was changed. Go back to the first page.",
		fault.Field{Name: "cursor",
			Msg: "Send the cursor of the previous page unchanged, or leave it out to start again."})
}
