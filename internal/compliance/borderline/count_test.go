package borderline_test

import (
	"strings"
	"testing"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
)

func (d *desk) number(t testing.TB, sql string, args ...any) (n int) {
	t.Helper()
	err := d.db.Read(ctx, func(tx *db.Tx) error { return tx.QueryRow(sql, args...).Scan(&n) })
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return n
}

// placeLeft is an answer that a case wants, or one's own.
const placeLeft = `((SELECT count(*) FROM labelling_answer a WHERE a.item_id = c.id AND a.first = 1 AND a.undone_at = 0)
	< c.wanted OR EXISTS (SELECT 1 FROM labelling_answer a
		WHERE a.item_id = c.id AND a.by_id = $1 AND a.undone_at = 0))`

// wantCounted compares what is kept with what the rows say; every test of this package ends with it.
func (d *desk) wantCounted(t testing.TB) {
	t.Helper()
	if n := d.number(t, `SELECT count(*) FROM borderline_case c WHERE answered <>
		(SELECT count(*) FROM labelling_answer a WHERE a.item_id = c.id AND a.first = 1 AND a.undone_at = 0)`); n > 0 {
		t.Errorf("%d cases have another number of first answers than is kept", n)
	}
	for _, who := range []borderline.Viewer{{}, {Person: eva, Expert: true}, {Person: fay, Expert: true},
		{Person: sue, Expert: true}} {
		c, err := d.Counts(ctx, who)
		if err != nil {
			t.Fatal(err)
		}
		want := d.number(t, `SELECT count(*) FROM borderline_case c
			WHERE state = 'waiting' AND ($1 = '' OR sent_by <> $1) AND NOT EXISTS (SELECT 1 FROM labelling_answer a
			WHERE a.item_id = c.id AND a.by_id = $1 AND a.undone_at = 0 AND a.first = 0)
			AND ($1 = '' OR `+placeLeft+`)`, who.ID)
		if c.Waiting != want {
			t.Errorf("%q has %d cases to answer, %+v are told", who.Name, want, c)
		}
		late := d.number(t, `SELECT count(*) FROM borderline_case c
			WHERE state IN ('waiting', 'adjudication') AND target_at < $1
			AND (state = 'adjudication' OR $2 = '' OR sent_by <> $2)
			AND NOT EXISTS (SELECT 1 FROM labelling_answer a
				WHERE a.item_id = c.id AND a.by_id = $2 AND a.undone_at = 0
				AND (a.first = 0 OR c.state = 'adjudication'))
			AND (state = 'adjudication' OR $2 = '' OR `+strings.ReplaceAll(placeLeft, "$1", "$2")+`)`,
			d.clock.Now().UnixMilli(), who.ID)
		if c.Late != late {
			t.Errorf("%q has %d late cases, %d are told", who.Name, late, c.Late)
		}
		for list, n := range map[string]int{borderline.ListLate: c.Late, borderline.ListInTime: c.Open() - c.Late,
			borderline.ListWaiting: c.Waiting, borderline.ListAdjudication: c.Adjudication} {
			if p, err := d.List(ctx, borderline.Filter{List: list, Viewer: who, Limit: 200}); who.Expert &&
				(err != nil || len(p.Items) != n) {
				t.Errorf("%q has %d cases %s, %d are listed, %v", who.Name, n, list, len(p.Items), err)
			}
		}
	}
}

// The counts that every page shows are found without a walk over the cases that wait, whatever the engine knows of
// them.
func TestCountsNeverWalkWhatWaits(t *testing.T) {
	dbtest.FilesOnly(t, "it looks at SQLite's plan")
	d := open(t)
	check := func(when string) {
		t.Helper()
		for _, sql := range borderline.CountSQL() {
			args := []any{eva.ID}[:min(1, strings.Count(sql, "$1"))]
			plan := d.plan(t, sql, args)
			for line := range strings.Lines(plan) {
				line = strings.TrimSpace(line)
				for _, index := range []string{"borderline_case_begun", "borderline_case_sent"} {
					line = strings.TrimPrefix(line, "SCAN c USING INDEX "+index) // they hold what people began and sent
					line = strings.TrimPrefix(line, "SCAN c USING COVERING INDEX "+index)
				}
				if strings.HasPrefix(line, "SCAN borderline_case") || strings.HasPrefix(line, "SCAN c") ||
					strings.Contains(line, "AUTOMATIC") || strings.Contains(line, "borderline_case_open (state=?)") &&
					sql != borderline.CountSQL()[2] {
					t.Errorf("%s: %s\n%s\n%s", when, line, plan, sql)
				}
			}
		}
	}
	check("empty")
	for range 60 {
		d.enrol(t, seedVerdict(), false)
	}
	d.blind(t, d.enrol(t, seedVerdict(), true), eva, compliance.NonCompliant)
	check("full")
	if _, err := d.db.Writer().Exec(`ANALYZE`); err != nil {
		t.Fatal(err)
	}
	check("analysed")
}

func (d *desk) plan(t testing.TB, sql string, args []any) string {
	t.Helper()
	rows, err := d.db.Writer().Query(`EXPLAIN QUERY PLAN `+sql, args...)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	defer rows.Close()
	var lines []string
	for rows.Next() {
		var id, parent, unused int
		var line string
		if err := rows.Scan(&id, &parent, &unused, &line); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func TestCountsArePlannedOnce(t *testing.T) {
	d := open(t)
	d.enrol(t, seedVerdict(), false)
	who := borderline.Viewer{Person: eva, Expert: true}
	for name, do := range map[string]func() error{
		"counts": func() error { _, err := d.Counts(ctx, who); return err },
	} {
		var before int64
		for i := range 25 {
			if i == 15 {
				before = db.Planned()
			}
			if err := do(); err != nil {
				t.Fatal(err)
			}
		}
		if n := db.Planned() - before; n > 0 {
			t.Errorf("%s is planned anew: %d columns in ten times", name, n)
		}
	}
}

// An expert's own figures follow what they do.
func TestCountsOfOneExpert(t *testing.T) {
	d := open(t)
	two := d.enrol(t, seedVerdict(), true)
	d.enrol(t, seedVerdict(), false)
	want := func(who borderline.Person, n int) {
		t.Helper()
		d.wantCounted(t)
		if c, err := d.Counts(ctx, borderline.Viewer{Person: who, Expert: true}); err != nil || c.Open() != n {
			t.Errorf("%s has %d to answer, want %d, %v", who.Name, c.Open(), n, err)
		}
	}
	want(eva, 2)
	d.blind(t, two, eva, compliance.NonCompliant)
	want(eva, 2)
	if _, err := d.Keep(ctx, two.ID, eva); err != nil {
		t.Fatal(err)
	}
	want(eva, 1)
	want(fay, 2)
	if err := d.Undo(ctx, two.ID, eva); err != nil {
		t.Fatal(err)
	}
	want(eva, 2)
}

// A case that all who are asked have answered, and not all of them for good, waits for them and for nobody else.
func TestACaseWithoutAPlaceIsNoWork(t *testing.T) {
	d := open(t)
	has := func(by borderline.Person) int {
		t.Helper()
		d.wantCounted(t)
		c, err := d.Counts(ctx, borderline.Viewer{Person: by, Expert: true})
		if err != nil {
			t.Fatal(err)
		}
		return c.Open()
	}
	for _, hard := range []bool{false, true} { // one is asked, two are
		mine, others := has(eva), has(fay)
		c := d.enrol(t, seedVerdict(), hard)
		d.blind(t, c, eva, compliance.NonCompliant)
		want := others
		if hard {
			want++ // her place
		}
		if has(fay) != want || has(eva) != mine+1 {
			t.Errorf("two are asked: %t: %d for who answered, %d for another", hard, has(eva)-mine, has(fay)-others)
		}
		if hard {
			d.blind(t, c, fay, compliance.NonCompliant)
			if has(fay) != others+1 || has(gus) != 0 {
				t.Errorf("both answered, and %d wait for one of them, %d for a third", has(fay)-others, has(gus))
			}
		}
		d.clock.Advance(48 * time.Hour) // past the target, too
		has(gus)
	}
}
