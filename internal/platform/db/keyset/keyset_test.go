package keyset_test

import (
	"context"
	"database/sql"
	"encoding/base64"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/db/keyset"
	"preceptor/internal/platform/fault"
)

func TestMain(m *testing.M) { os.Exit(dbtest.Main(m)) }

func TestLimit(t *testing.T) {
	for asked, want := range map[int]int{0: keyset.Standard, 1: 1, 25: 25, 100: 100} {
		if got, err := keyset.Limit(asked); got != want || err != nil {
			t.Errorf("%d: %d, %v", asked, got, err)
		}
	}
	for _, asked := range []int{-1, 101, math.MinInt, math.MaxInt} {
		if _, err := keyset.Limit(asked); !fault.Is(err, fault.Invalid) || len(fault.Fields(err)) != 1 ||
			fault.Fields(err)[0].Name != "limit" {
			t.Errorf("%d: %v", asked, err)
		}
	}
}

func TestAPlaceIsReadAsItWasWritten(t *testing.T) {
	for _, p := range []keyset.Place{
		{1_793_000_000_000, "0198c5a0-0000-7000-8000-000000000001"}, {0, "a"}, {-1, "a"}, {math.MaxInt64, "a.b.c"},
		{math.MinInt64, "~"},
		keyset.At(time.UnixMilli(5).UTC(), "x"), keyset.At(time.Time{}, "x"),
	} {
		c := p.Cursor()
		if got, err := keyset.Parse(c); got != p || err != nil {
			t.Errorf("%+v: %q is read as %+v, %v", p, c, got, err)
		}
		if strings.ContainsAny(c, "+/=?&%.") {
			t.Errorf("%q can't stand in a link as it is", c)
		}
	}
	if p, err := keyset.Parse(""); p != (keyset.Place{}) || err != nil {
		t.Errorf("no cursor: %+v, %v", p, err)
	}
}

// Links that were handed out by earlier versions lead on: a cursor of a time and an id has been spelt so since the
// first.
func TestTheSpellingStays(t *testing.T) {
	if got, want := keyset.Cursor(int64(12), "a"), "MTIuYQ"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := keyset.Cursor(7), base64.RawURLEncoding.EncodeToString([]byte("7")); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestOtherKeysAreReadAsTheyWereWritten(t *testing.T) {
	var priority int
	var ms int64
	var id, day string
	if err := keyset.Read(keyset.Cursor(3, int64(-9), "a.b"), &priority, &ms, &id); err != nil || priority != 3 ||
		ms != -9 || id != "a.b" {
		t.Errorf("%d %d %q, %v", priority, ms, id, err)
	}
	if err := keyset.Read(keyset.Cursor("2026-11-22", "n1"), &day, &id); err != nil || day != "2026-11-22" ||
		id != "n1" {
		t.Errorf("%q %q, %v", day, id, err)
	}
	for name, c := range map[string]string{"fewer values": keyset.Cursor(3, "a"),
		"other kinds": keyset.Cursor("a", "b", "c")} {
		if err := keyset.Read(c, &priority, &ms, &id); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestABentCursorIsRefused(t *testing.T) {
	of := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
	whole := keyset.Place{Ms: 1_793_000_000_000, ID: "0198c5a0"}.Cursor()
	for name, c := range map[string]string{
		"words": "no cursor", "an escape": "%25", "a number": of("123"), "no time": of("x.y"), "no id": of("12."),
		"nothing": of("."), "a plus sign": of("+12.a"),
		"zeros before it": of("012.a"), "a time beyond all": of("99999999999999999999.a"), "a blank": of("12.a b"),
		"a line break inside": of("12.a\nb"),
		"a NUL":               of("12.a\x00"), "no UTF-8": of("12.\xff"), "beyond ASCII": of("12.ü"),
		"padded":             whole + "=",
		"a line break":       whole[:4] + "\n" + whole[4:],
		"the other alphabet": "+/+/", "with leftover bits": "MTIuYR", "cut in its time": whole[:8],
		"far too long": of("12." + strings.Repeat("a", 2_000)),
	} {
		p, err := keyset.Parse(c)
		if !fault.Is(err, fault.Invalid) || p != (keyset.Place{}) {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
		if f := fault.Fields(err); len(f) != 1 || f[0].Name != "cursor" ||
			strings.Contains(fault.Message(err), "cursor") {
			t.Errorf("%s: %v %q", name, f, fault.Message(err))
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, c := range []string{"", "MTIuYQ", "MTIuYR", "MTIu", "LmE", "x", "MTIuYQ\n",
		keyset.Place{Ms: 1_793_000_000_000, ID: "0198c5a0-0000-7000-8000-000000000001"}.Cursor()} {
		f.Add(c)
	}
	f.Fuzz(func(t *testing.T, c string) {
		p, err := keyset.Parse(c)
		switch {
		case err != nil:
			if !fault.Is(err, fault.Invalid) || p != (keyset.Place{}) {
				t.Fatalf("%q: %+v, %v", c, p, err)
			}
		case c == "":
			if p != (keyset.Place{}) {
				t.Fatalf("no cursor is %+v", p)
			}
		case p.ID == "" || p.Cursor() != c:
			t.Fatalf("%q is read as %+v, whose cursor is %q", c, p, p.Cursor())
		}
	})
}

func TestThePageOfAList(t *testing.T) {
	from := keyset.Place{Ms: 5, ID: "x"}
	for _, c := range []struct {
		o    keyset.Order
		args []any
		from keyset.Place
		want string
		n    int
	}{
		{keyset.Order{At: "at", ID: "id"}, nil, keyset.Place{}, " ORDER BY at DESC, id DESC LIMIT $1", 1},
		{keyset.Order{At: "at", ID: "id"}, []any{"a"}, from, " AND (at, id) < ($2, $3) " +
			"ORDER BY at DESC, id DESC LIMIT $4", 4},
		{keyset.Order{At: "c.at", ID: "c.id", Oldest: true}, []any{"a", "b"}, from, " AND (c.at, c.id) > ($3, $4) " +
			"ORDER BY c.at, c.id LIMIT $5", 5},
		{keyset.Order{At: "at", ID: "id"}, nil, keyset.Place{Ms: 5}, " AND (at, id) < ($1, $2) " +
			"ORDER BY at DESC, id DESC LIMIT $3", 3}, // from a day on
	} {
		query, args := c.o.Page("Q", c.args, c.from, 26)
		if query != "Q"+c.want || len(args) != c.n || args[c.n-1] != 26 {
			t.Errorf("%s %v", query, args)
		}
	}
	shared := make([]any, 1, 9)
	_, one := keyset.Order{}.Page("", shared, from, 1)
	_, two := keyset.Order{}.Page("", shared, keyset.Place{Ms: 6, ID: "y"}, 2)
	if one[1] != int64(5) || two[1] != int64(6) {
		t.Errorf("two pages share their arguments: %v %v", one, two)
	}
}

type row struct {
	ms int64
	id string
}

func of(r *row) string { return keyset.Place{Ms: r.ms, ID: r.id}.Cursor() }

func TestCut(t *testing.T) {
	rows := []row{{3, "c"}, {2, "b"}, {1, "a"}}
	for limit, want := range map[int]struct {
		n    int
		next string
	}{1: {1, of(&rows[0])}, 2: {2, of(&rows[1])}, 3: {3, ""}, 4: {3, ""}} {
		if page, next := keyset.Cut(rows, limit, of); len(page) != want.n || next != want.next {
			t.Errorf("%d: %v, %q", limit, page, next)
		}
	}
	if page, next := keyset.Cut(nil, 2, of); page != nil || next != "" {
		t.Errorf("of none: %v, %q", page, next)
	}
}

// What stands through the whole reading comes once and in order, whatever comes in or goes between two pages, with many
// rows of one time.
func TestEveryRowThatStaysComesOnce(t *testing.T) {
	d := dbtest.New(t)
	ctx := context.Background()
	if err := d.Schema(ctx, func(ctx context.Context, w *sql.DB) error {
		_, err := w.ExecContext(ctx, `CREATE TABLE listed (id TEXT PRIMARY KEY, at INTEGER NOT NULL,
				kept INTEGER NOT NULL) STRICT`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(rt *rapid.T) {
		n := 0
		insert := func(tx *db.Tx, kept bool) error {
			n++
			r := row{rapid.Int64Range(0, 6).Draw(rt, "at"),
				fmt.Sprintf("%d-%d", rapid.IntRange(0, 9).Draw(rt, "id"), n)}
			_, err := tx.Exec(`INSERT INTO listed (id, at, kept) VALUES ($1, $2, $3)`, r.id, r.ms, kept)
			return err
		}
		must := func(err error) {
			if err != nil {
				rt.Fatal(err)
			}
		}
		stays := rapid.IntRange(0, 12).Draw(rt, "stays")
		must(d.Write(ctx, func(tx *db.Tx) error {
			if _, err := tx.Exec(`DELETE FROM listed`); err != nil {
				return err
			}
			for range stays {
				if err := insert(tx, true); err != nil {
					return err
				}
			}
			return nil
		}))
		o := keyset.Order{At: "at", ID: "id", Oldest: rapid.Bool().Draw(rt, "oldest")}
		var seen []row
		kept, cursor := 0, ""
		for pages := 0; ; pages++ {
			must(d.Write(ctx, func(tx *db.Tx) error { // somebody else, between two pages
				if rapid.Bool().Draw(rt, "goes") {
					if _, err := tx.Exec(`DELETE FROM listed WHERE kept = 0`); err != nil {
						return err
					}
				}
				if pages < 5 && rapid.Bool().Draw(rt, "comes") {
					return insert(tx, false)
				}
				return nil
			}))
			limit := rapid.IntRange(1, 5).Draw(rt, "limit")
			from, err := keyset.Parse(cursor)
			must(err)
			query, args := o.Page(`SELECT at, id, kept FROM listed WHERE at >= $1`, []any{0}, from, limit+1)
			var page []row
			stands := map[string]bool{}
			must(d.Read(ctx, func(tx *db.Tx) error {
				rows, err := tx.Query(query, args...)
				if err != nil {
					return err
				}
				defer rows.Close()
				for rows.Next() {
					var r row
					var stays bool
					if err := rows.Scan(&r.ms, &r.id, &stays); err != nil {
						return err
					}
					page, stands[r.id] = append(page, r), stays
				}
				return rows.Err()
			}))
			page, cursor = keyset.Cut(page, limit, of)
			for _, r := range page {
				if stands[r.id] {
					kept++
				}
			}
			seen = append(seen, page...)
			if cursor == "" {
				break
			}
		}
		for i := 1; i < len(seen); i++ {
			a, b := seen[i-1], seen[i]
			if o.Oldest {
				a, b = b, a
			}
			if !(a.ms > b.ms || a.ms == b.ms && a.id > b.id) {
				rt.Fatalf("out of order or twice: %v", seen)
			}
		}
		if kept != stays {
			rt.Fatalf("%d of %d that stayed: %v", kept, stays, seen)
		}
	})
}
