package stats

import (
	"context"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/estimate"
	"preceptor/internal/platform/id"
	"preceptor/internal/stats/counter"
)

func TestWilsonAgainstPublishedValues(t *testing.T) {
	for _, c := range []struct {
		part, whole int
		low, high   float64
	}{
		// 81/263: Newcombe 1998, table I
		{0, 10, 0, 0.2775}, {10, 10, 0.7225, 1}, {5, 10, 0.2366, 0.7634}, {81, 263, 0.2553, 0.3662},
	} {
		s := estimate.Of(c.part, c.whole)
		if math.Abs(s.Low-c.low) > 5e-4 || math.Abs(s.High-c.high) > 5e-4 {
			t.Errorf("%d of %d: %.4f to %.4f, want %.4f to %.4f", c.part, c.whole, s.Low, s.High, c.low, c.high)
		}
	}
	if s := estimate.Of(0, 0); s.Value() != 0 || s.Low != 0 || s.High != 0 {
		t.Errorf("nothing: %+v", s)
	}
}

func TestTheIntervalHoldsItsShare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := rapid.IntRange(1, 100_000).Draw(t, "whole")
		s := estimate.Of(rapid.IntRange(0, whole).Draw(t, "part"), whole)
		if s.Low < 0 || s.High > 1 || s.Low > s.Value()+1e-9 || s.High < s.Value()-1e-9 {
			t.Fatalf("%+v does not hold %v", s, s.Value())
		}
	})
}

// decided stores one decided case, waiting for as long as wait; of the task "planted" it is a planted check.
func decided(t *testing.T, d *db.DB, task, kind, state string, at time.Time, wait time.Duration) {
	t.Helper()
	key := id.New()
	err := d.Write(t.Context(), func(tx *db.Tx) error {
		for _, q := range []struct {
			sql  string
			args []any
		}{
			{`INSERT INTO interaction (id, agent_id, agent_name, origin, status, task, task_by, question, customer,
					guidance, guidance_hash, reasoning, model, drafter, knowledge_used, steps, metadata, created_at)
				VALUES ($1, 'a', 'a', 'api', 'held', $2, 'agent', 'q', '{}', 'g', 'h', '', '', '', '[]', '',
					'', $3)`, []any{key, task, db.Ms(at.Add(-wait))}},
			{`INSERT INTO review (id, agent_id, agent_name, task, state, priority, why, who, opening, label, passed,
					blocked, borderline, confidence, flags, source, text_hash, decision_id, decided_at, created_at,
					planted)
				VALUES ($1, 'a', 'a', $2, 'decided', 4, '', '', 'q', '', 1, 0, 0, 1, '[]', '', 'h', $3, $4, $5, CASE $2
					WHEN 'planted' THEN 1 ELSE 0 END)`, []any{key, task, key, db.Ms(at), db.Ms(at.Add(-wait))}},
			{`INSERT INTO decision (id, review_id, kind, state, by_id, by_name, text, text_hash, version, reason,
					reason_code, feedback, confirmation, flags, seconds, decided_at, held_until, policy_version)
				VALUES ($1, $2, $3, $4, CASE $3 WHEN 'sampled' THEN '' ELSE 'p' END, 'P', '', 'h', 1, '', '', '', '',
					'[]', 1, $5, $6, 1)`, []any{key, key, kind, state, db.Ms(at), db.Ms(at)}},
		} {
			if _, err := tx.Exec(q.sql, q.args...); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// agreed puts a policy in force that two administrators agreed on, without which the database takes no sampled
// decision.
func agreed(t *testing.T, d *db.DB) {
	t.Helper()
	err := d.Write(t.Context(), func(tx *db.Tx) error {
		for _, sql := range []string{
			`INSERT INTO account (id, email, email_key, name, password_hash, created_at)
				VALUES ('x', 'x', 'x', 'X', '', 1), ('y', 'y', 'y', 'Y', '', 1)`,
			`INSERT INTO account_role (account_id, role) VALUES ('x', 'admin'), ('y', 'admin')`,
			`INSERT INTO approval (id, subject, version, base, state, payload, reason, proposed_by, proposed_name,
					proposed_at, kind)
				VALUES ('p', '', 1, 0, 'proposed', '{}', 'a test', 'x', 'X', 1, 'policy')`,
			`UPDATE approval SET state = 'agreed', decided_by = 'y', decided_name = 'Y', decided_at = 2 WHERE id = 'p'`,
		} {
			if _, err := tx.Exec(sql); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestOverviewCountsWhatStands(t *testing.T) {
	d := dbtest.New(t)
	agreed(t, d)
	now := d.Now()
	midnight := now.UTC().Truncate(24 * time.Hour)
	decided(t, d, "drawdown", "approve", "released", midnight.Add(time.Millisecond), time.Hour)
	decided(t, d, "drawdown", "approve", "released", midnight.Add(-time.Hour), 3*time.Hour)
	decided(t, d, "scams", "revise", "released", midnight.Add(-25*time.Hour), 2*time.Hour)
	decided(t, d, "scams", "reject", "escalated", midnight.Add(-26*time.Hour), 30*time.Hour)
	decided(t, d, "scams", "approve", "undone", midnight.Add(-time.Hour), time.Hour)
	decided(t, d, "scams", "approve", "released", midnight.AddDate(0, 0, -40), time.Hour)
	for _, c := range [][2]string{{"sampled", "released"}, {"approve", "pending"}, {"approve", "overruled"},
		{"approve", "recalled"}} {
		// nobody's standing decision about real guidance
		decided(t, d, "scams", c[0], c[1], midnight.Add(-time.Hour), time.Hour)
	}
	decided(t, d, "planted", "reject", "held", midnight.Add(-time.Hour), time.Hour)

	if err := counter.New(d, time.UTC).Rebuild(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	o, err := New(d, time.UTC, quiet()).Overview(context.Background(), 30)
	if err != nil {
		t.Fatal(err)
	}
	p := o.Review
	if n := len(p.Volume.Points); n != 30 || p.Volume.Points[29].N != 1 || p.Volume.Points[27].N != 2 {
		t.Fatalf("%d days: %+v", n, p.Volume.Points)
	}
	if p.Decisions.N != 4 || p.Approved.Part != 2 || p.Revised.Part != 1 || p.Escalated.Part != 1 {
		t.Errorf("decisions %d, approved %+v", p.Decisions.N, p.Approved)
	}
	near := func(f Figure, want time.Duration) bool { // within what a bucket is wide
		return (time.Duration(f.Value)*time.Second - want).Abs() <= want/40
	}
	if !near(p.Waited, 150*time.Minute) || !near(p.WaitedP90, 30*time.Hour) {
		t.Errorf("typical %v, slow %v; want 2.5 h and 30 h", p.Waited.Value, p.WaitedP90.Value)
	}
	if len(p.Tasks) != 2 || p.Tasks[0].Figure.N != 2 {
		t.Errorf("tasks: %+v", p.Tasks)
	}
}

func TestAnEmptyFileHasNoFigures(t *testing.T) {
	o, err := New(dbtest.New(t), time.UTC, quiet()).Overview(context.Background(), 7)
	if err != nil {
		t.Fatal(err)
	}
	if o.Review.Decisions.N != 0 || o.Review.Approved.Known || !o.Review.Queue.Oldest.IsZero() ||
		len(o.Review.Volume.Points) != 7 {
		t.Errorf("%+v", o)
	}
}

// Days and weeks are the desk's, whose midnight may be at half past ten in the evening of UTC.
func TestTheOlderFiguresGoByTheDesksDays(t *testing.T) {
	d := dbtest.New(t)
	r := New(d, time.FixedZone("east", 5*3600+1800), quiet())
	today := Days(d.Now(), 1, r.Zone).From
	decided(t, d, "drawdown", "approve", "released", today.Add(-time.Minute), time.Hour)
	decided(t, d, "drawdown", "revise", "released", today, time.Hour)
	decided(t, d, "drawdown", "reject", "escalated", today.AddDate(0, 0, -6), time.Hour)
	// of the day before the first
	decided(t, d, "drawdown", "approve", "released", today.AddDate(0, 0, -6).Add(-time.Minute), time.Hour)
	p, err := r.Pace(t.Context(), 7)
	if err != nil || len(p.People) != 1 {
		t.Errorf("%+v, %v", p.People, err)
	}
	monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7)
	caught := func(key string, at time.Time) {
		if err := d.Write(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec(`INSERT INTO planted_check (id, agent_id, trigger_id, state, due_at, closed_at)
				VALUES ($1, 'a', $1, 'caught', 1, $2)`, key, db.Ms(at))
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	caught("now", monday)
	caught("before", monday.Add(-time.Minute))
	caught("first", monday.AddDate(0, 0, -14))
	caught("out", monday.AddDate(0, 0, -14).Add(-time.Minute))
	w, err := r.Planted(t.Context(), 3)
	if err != nil || len(w.Weeks) != 3 || !w.Weeks[0].Monday.Equal(monday.AddDate(0, 0, -14)) || w.Caught.Whole != 3 {
		t.Fatalf("%+v, %v", w, err)
	}
	for i, week := range w.Weeks {
		if week.Caught.Whole != 1 {
			t.Errorf("week %d: %+v", i, week)
		}
	}
}
