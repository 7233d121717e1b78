package learning

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
)

func TestListPagesAndFilters(t *testing.T) {
	b := open(t, nil, Policy{})
	want := []string{}
	for i := range 7 {
		s := dbRevision()
		s.InteractionID = fmt.Sprintf("i-%d", i/2)
		if i == 6 {
			s = approval(1)
		}
		want = append([]string{b.decide(s)}, want...)
		if i%2 == 0 {
			b.clock.Advance(time.Second) // some share their time
		}
	}
	var got []string
	f := Filter{Limit: 3}
	for {
		page, err := b.List(b.ctx, f)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range page.Items {
			got = append(got, l.DecisionID)
		}
		if f.Cursor = page.Next; f.Cursor == "" {
			break
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("pages give\n%v, want\n%v", got, want)
	}
	for name, c := range map[string]struct {
		f Filter
		n int
	}{"open": {Filter{Open: true}, 6}, "rules": {Filter{Rules: true}, 6}, "approvals": {Filter{Stage: StageCase}, 1},
		"ended":       {Filter{Ended: true}, 0},
		"interaction": {Filter{InteractionID: "i-1"}, 2}, "agent": {Filter{AgentID: "agent-1"}, 7},
		"no agent": {Filter{AgentID: "x"}, 0}, "running": {Filter{State: Running, Stage: StageReflect}, 6}} {
		page, err := b.List(b.ctx, c.f)
		if err != nil || len(page.Items) != c.n {
			t.Errorf("%s: %d, want %d (%v)", name, len(page.Items), c.n, err)
		}
	}
	for _, bad := range []string{"x", "zz.", "1." + "not-an-id", "'; DROP TABLE lesson"} {
		if _, err := b.List(b.ctx, Filter{Cursor: bad}); !fault.Is(err, fault.Invalid) {
			t.Errorf("cursor %q: %v", bad, err)
		}
	}
	list, err := b.ForInteraction(b.ctx, "i-0")
	if err != nil || len(list) != 2 {
		t.Errorf("for an interaction: %d %v", len(list), err)
	}
	b.drain()
	n, err := b.Counts(b.ctx)
	if err != nil || n.Accept != 1 || n.Open() != 1 || n.Oldest.IsZero() {
		t.Errorf("counts %+v %v", n, err)
	}
}

func TestGetOfNothing(t *testing.T) {
	b := open(t, nil, Policy{})
	for _, bad := range []string{"", "x", id.New()} {
		if _, err := b.Get(b.ctx, bad); !fault.Is(err, fault.NotFound) {
			t.Errorf("Get(%q): %v", bad, err)
		}
	}
}

func TestListsUseTheirIndexes(t *testing.T) {
	b := open(t, nil, Policy{})
	for _, c := range []struct {
		query string
		args  []any
	}{
		{`SELECT state, stage, count(*), min(created_at) FROM lesson
			WHERE state IN ('running', 'waiting', 'failed', 'unstated') AND (stage <> 'case' OR state = 'failed')
			GROUP BY state, stage`, nil},
		{`SELECT id FROM lesson WHERE interaction_id = $1 ORDER BY created_at, id`, []any{"x"}},
		{`SELECT id FROM lesson WHERE state = $1 AND stage = $2
			ORDER BY created_at DESC, id DESC LIMIT 51`, []any{"waiting", "accept"}},
		{`SELECT id FROM lesson ORDER BY created_at DESC, id DESC LIMIT 51`, nil},
	} {
		var plan string
		err := b.d.Read(b.ctx, func(tx *db.Tx) error {
			var a, p, u int
			return tx.QueryRow("EXPLAIN QUERY PLAN "+c.query, c.args...).Scan(&a, &p, &u, &plan)
		})
		if err != nil || !strings.Contains(plan, "INDEX") {
			t.Errorf("%s\n%s %v", c.query, plan, err)
		}
	}
}

// The lists of what has ended are most of the table: they are walked by time and never sorted.
func TestEndedLessonsAreNotSorted(t *testing.T) {
	b := open(t, nil, Policy{})
	for _, f := range []Filter{{Ended: true}, {Ended: true, Rules: true}, {Ended: true, Domain: "risk_disclosure"},
		{Ended: true, Origin: Ruling}, {Ended: true, AgentID: "a"}} {
		query, args, _, err := f.query()
		if err != nil {
			t.Fatal(err)
		}
		if err := b.d.Read(b.ctx, func(tx *db.Tx) error {
			rows, err := tx.Query("EXPLAIN QUERY PLAN SELECT "+lessonColumns+" FROM lesson "+query, args...)
			if err != nil {
				return err
			}
			defer rows.Close()
			for rows.Next() {
				var a, p, u int
				var step string
				if err := rows.Scan(&a, &p, &u, &step); err != nil {
					return err
				}
				if strings.Contains(step, "TEMP B-TREE") {
					t.Errorf("%+v: %s", f, step)
				}
			}
			return rows.Err()
		}); err != nil {
			t.Error(err)
		}
	}
}

func TestSummaries(t *testing.T) {
	for want, l := range map[string]Lesson{
		"Reflect …": {Stage: StageReflect, State: Running},
		"Reflect → Validate 8/10 → Refine → Judge → Rule R-12, waiting for acceptance": {Stage: StageAccept,
			State: Waiting, Helpful: 8, Tried: 10, RuleNumber: 12},
		"Reflect → Validate 8/10 → Refine → Judge → Rule R-12, in use · Case #003": {Stage: StageAccept,
			State: Accepted, RuleStatus: "active", Helpful: 8, Tried: 10, RuleNumber: 12, CaseState: CaseKept,
			CaseNumber: 3},
		"Reflect → Validate 2/5: dropped": {Stage: StageValidate,
			State: Rejected, Helpful: 2, Tried: 5},
		"Needs a rule": {Stage: StageReflect,
			State: Unstated},
		"Reflect: nothing to learn": {Stage: StageReflect,
			State: Nothing},
		"Reflect → Validate: unproven → Refine → Judge: same as rule R-7": {Stage: StageJudge,
			State: Nothing, SameAs: true, RuleNumber: 7, Provisional: true},
		"Reflect → Validate 1/1 → Refine: failed": {Stage: StageRefine,
			State: Failed, Helpful: 1, Tried: 1},
		"Reflect → Validate 1/1 → Refine → Judge → Rule R-2, not accepted": {Stage: StageAccept,
			State: Rejected, Helpful: 1, Tried: 1, RuleNumber: 2},
		"Case, once it is released": {Stage: StageCase,
			State: Waiting, CaseState: CaseWaiting},
		"Case: withdrawn": {Stage: StageCase,
			State: Withdrawn, CaseState: CaseWithdrawn},
	} {
		if got := l.Summary(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestSeedGate(t *testing.T) {
	p := Policy{Gate: GateSeed}.withDefaults()
	for name, c := range map[string]struct {
		tests              []CaseTest
		valid, provisional bool
		confidence         float64
	}{
		"seven of ten":  {manyTests(7, 3, 0), true, false, 0.7},
		"six of ten":    {manyTests(6, 4, 0), false, false, 0.6},
		"ten silent":    {manyTests(0, 0, 10), true, true, 2.0 / 3},
		"three of four": {manyTests(3, 1, 0), true, true, 5.0 / 7},
		"two of three":  {manyTests(2, 1, 0), false, true, 4.0 / 6},
		"only its own":  {manyTests(0, 0, 0), true, true, 2.0 / 3},
	} {
		g := p.gate(c.tests)
		if g.Valid != c.valid || g.Provisional != c.provisional || g.Confidence < c.confidence-1e-9 ||
			g.Confidence > c.confidence+1e-9 || g.Why == "" {
			t.Errorf("%s: %+v", name, g)
		}
	}
	if g := p.gate(manyTests(3, 1, 0)); g.Why != "3 of 4 cases; unproven: fewer than 10 cases." {
		t.Errorf("%q", g.Why)
	}
}
