package apptest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"preceptor/internal/platform/db"
)

// HoldCounts has each site end with CountsHold. Tests of app set it: their histories go through every door, and one for
// each page would cost the pages' tests more than they tell.
var HoldCounts bool

// CountsHold fails unless the sums of the statistics, as they were kept with each change, are what counting everything
// anew makes of the file. Whatever a test did through the program's doors is such a history; one that wrote raw rows
// itself has none.
func (s *Site) CountsHold(t testing.TB) {
	t.Helper()
	if s.DB.Reader().Ping() != nil {
		return // the test closed the file itself
	}
	if err := s.Counter.CatchUp(context.Background()); err != nil {
		t.Errorf("count what is due: %v", err)
		return
	}
	kept := s.sums(t)
	if err := s.Counter.Rebuild(context.Background(), nil); err != nil {
		t.Errorf("count anew: %v", err)
		return
	}
	made := s.sums(t)
	for _, l := range kept {
		if !slices.Contains(made, l) {
			t.Errorf("the statistics kept %q, which counting anew does not make", l)
		}
	}
	for _, l := range made {
		if !slices.Contains(kept, l) {
			t.Errorf("counting anew makes %q, which the statistics did not keep", l)
		}
	}
}

// sums are all rows of the sums, a line each.
func (s *Site) sums(t testing.TB) (lines []string) {
	t.Helper()
	for _, q := range []string{
		`SELECT measure, who, agent, topic, block, n, sum, sq, days FROM stat_block`, `SELECT measure, who, agent,
			topic, day, n, buckets, 0, 0
			FROM stat_hist`,
		`SELECT case_id, entries, 0, 0, 0, 0, 0, 0, 0 FROM stat_case`, `SELECT kind, at, case_id, who, 0, 0, 0, 0, 0
			FROM stat_found`,
		`SELECT decision_id, changed, words, 0, 0, 0, 0, 0, 0 FROM stat_edit`,
	} {
		if err := s.DB.Read(context.Background(), func(tx *db.Tx) error {
			return db.Each(tx, "read the sums", func(row db.Row) error {
				var v [9]any
				err := row.Scan(&v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7], &v[8])
				lines = append(lines, strings.TrimSpace(fmt.Sprintln(v[:]...)))
				return err
			}, q)
		}); err != nil {
			t.Fatal(err)
		}
	}
	return lines
}
