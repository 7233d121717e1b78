package stats

import (
	"context"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
)

// An approval's lesson ends as a case and is called accepted, too; a revision may leave both a case and a rule.
func TestLessonsAcceptedAsRulesAreNotThoseKeptAsCases(t *testing.T) {
	d := dbtest.New(t)
	now := d.Now()
	if err := d.Write(t.Context(), func(tx *db.Tx) error {
		for i, l := range []struct {
			origin, stage, state, kept string
			ago                        time.Duration
		}{
			{"approve", "case", "accepted", "kept", time.Hour}, {"approve", "case", "accepted", "kept", 2 * time.Hour},
			{"approve", "case", "running", "running", time.Hour},
			{"revise", "accept", "accepted", "kept", time.Hour}, {"revise", "accept", "waiting", "kept", time.Hour},
			{"reject", "accept", "accepted", "", 3 * time.Hour},
			{"revise", "accept", "accepted", "kept", 10 * 24 * time.Hour},
		} {
			if _, err := tx.Exec(`INSERT INTO lesson (id, origin, cause_kind, cause_id, interaction_id, agent_id,
					agent_name, decided_by, task, stage, state, case_state, created_at, updated_at, version)
				VALUES ($1, $2, 'decision', $1, '', 'a', 'a', 'P', 't', $3, $4, $5, $6, $6, 1)`, string(rune('a'+i)),
				l.origin, l.stage, l.state, l.kept, db.Ms(now.Add(-l.ago))); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	r := New(d, time.UTC, quiet())
	f := Filter{Range: Days(now, 7, time.UTC)}
	p, err := r.Learning(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		f            Figure
		want, before int
	}{{p.Begun, 6, 1}, {p.Accepted, 2, 1}, {p.Kept, 4, 1}} {
		if c.f.N != c.want || c.f.Before == nil || c.f.Before.N != c.before {
			t.Errorf("%s: %d, before %v; want %d and %d", c.f.Key, c.f.N, c.f.Before, c.want, c.before)
		}
		rows, err := r.Rows(t.Context(), f, RowQuery{Of: c.f.Key})
		if err != nil || len(rows.Rows) != c.want {
			t.Errorf("%s leads to %d rows, %v", c.f.Key, len(rows.Rows), err)
		}
	}
	for _, o := range p.Origins {
		want := map[string]int{"approve": 0, "revise": 1, "reject": 1}[o.Key]
		if o.Figure.Part != want {
			t.Errorf("%s: %d accepted, want %d", o.Key, o.Figure.Part, want)
		}
	}
}

// The bases are everybody's: a filter changes neither their sizes nor the consultations that they are held against.
func TestNoFilterNarrowsTheBases(t *testing.T) {
	seen, narrowed := 0, false
	rapid.Check(t, func(rt *rapid.T) {
		if seen++; seen > 8 {
			return
		}
		w := newWorld(t, rt)
		for range 40 {
			w.step()
		}
		w.clock.Advance(w.now.Sub(w.clock.Now()))
		w.r.hooks.Growth = func(_ context.Context, _ time.Time, _ time.Duration,
			n int) (cases, rules []int, err error) {
			return make([]int, n), make([]int, n), nil
		}
		w.r.hooks.ExpectedCases = func(all, approved int) int { return 1000*all + approved }
		f := Filter{Range: Days(w.d.Now(), 7, w.zone)}
		all, err := w.r.Learning(t.Context(), f)
		w.must(err)
		f.Agent, f.Topic = w.pick(wAgents, "agent"), w.pick(wTopics, "topic")
		one, err := w.r.Learning(t.Context(), f)
		w.must(err)
		if !slices.Equal(all.Cases, one.Cases) || !slices.Equal(all.Rules, one.Rules) {
			w.Errorf("of %s and %s: %v, of all %v", f.Agent, f.Topic, one.Cases, all.Cases)
		}
		narrowed = narrowed || one.Consultations.N < all.Consultations.N
		w.must(w.d.Close())
	})
	if !narrowed {
		t.Error("no filter narrowed anything: the test is blind")
	}
}
