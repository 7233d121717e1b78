package review_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/review"
)

func TestOrderIsPriorityThenAge(t *testing.T) {
	k := open(t)
	rest := k.submit(t)
	low := func() string { k.assess = good; k.assess.Confidence = 0.5; return k.submit(t) }()
	k.assess = good
	pensions := k.submit(t, hasDB)
	frail := k.submit(t, vulnerable)
	frail2 := k.submit(t, vulnerable, hasDB)
	k.assess = review.Assessment{Label: "NON_COMPLIANT", Blocked: true, Confidence: 1,
		Flags: []review.Flag{{Code: "MISSING_DB_WARNING", Severity: review.Critical, Why: "No warning.", Start: 2,
			End: 9}}}
	blocked := k.submit(t, vulnerable, hasDB)
	page, err := k.List(ctx, review.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{blocked, frail, frail2, pensions, low, rest}, ids(page.Items)); diff != "" {
		t.Error(diff)
	}
	var why []string
	for _, r := range page.Items {
		why = append(why, r.Why)
	}
	if diff := cmp.Diff([]string{"MISSING_DB_WARNING, vulnerable customer, DB pension", "vulnerable customer",
		"vulnerable customer, DB pension", "DB pension", "low confidence", ""}, why); diff != "" {
		t.Error(diff)
	}
	top := page.Items[0]
	if f := top.Assessment.Flags[0]; f.Start != 2 || f.End != 9 || !top.Assessment.Blocked || top.Assessment.Passed {
		t.Errorf("assessment = %+v", top.Assessment)
	}
	if top.Opening != "How much is tax free?" || top.Who != "DB, vulnerable" || top.AgentName != "pension-advisor" ||
		top.Task != "tax_free_cash" {
		t.Errorf("row = %+v", top)
	}
}

func TestFiltersAndPaging(t *testing.T) {
	k := open(t)
	var want []string
	for i := range 10 {
		a, name := "a", "scams"
		if i%2 == 1 {
			a = "b"
		}
		if i >= 6 {
			name = "annuity"
		}
		id := k.submit(t, agent(a), task(name))
		if a == "a" && name == "scams" {
			want = append(want, id)
		}
	}
	f := review.Filter{AgentID: "a", Task: "scams", Limit: 2}
	var got []string
	for {
		page, err := k.List(ctx, f)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, ids(page.Items)...)
		if f.Cursor = page.Next; f.Cursor == "" {
			break
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestPagingOfDone(t *testing.T) {
	k := open(t)
	var want []string
	for range 5 {
		id := k.submit(t)
		k.decide(t, id, ann, review.Approve)
		want = append(want, id)
	}
	slices.Reverse(want)
	var got []string
	f := review.Filter{State: review.Done, Limit: 2}
	for {
		page, err := k.List(ctx, f)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, ids(page.Items)...)
		if f.Cursor = page.Next; f.Cursor == "" {
			break
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestListRefusals(t *testing.T) {
	k := open(t)
	for _, f := range []review.Filter{{State: "all"}, {Limit: 101}, {Limit: -1}, {Cursor: "x"}, {Cursor: "MS54LjE"},
		{Cursor: "MS4yLg"}} {
		if _, err := k.List(ctx, f); !fault.Is(err, fault.Invalid) {
			t.Errorf("%+v: %v", f, err)
		}
	}
}

func TestEnqueueTwiceIsOnce(t *testing.T) {
	k := open(t)
	id := k.submit(t)
	in, err := k.in.Get(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	if err := k.db.Write(ctx, func(tx *db.Tx) error { return k.EnqueueTx(tx, in, good) }); err != nil {
		t.Fatal(err)
	}
	if c, err := k.Counts(ctx, "ann", false); err != nil || c.Needs != 1 {
		t.Errorf("counts = %+v, %v", c, err)
	}
}

func TestCountsAndLists(t *testing.T) {
	k := open(t)
	first := k.submit(t)
	second := k.submit(t)
	third := k.submit(t)
	k.submit(t)
	if err := k.Claim(ctx, first, ann); err != nil {
		t.Fatal(err)
	}
	if err := k.Claim(ctx, second, bob); err != nil {
		t.Fatal(err)
	}
	k.decide(t, third, ann, review.Reject)
	got, err := k.Counts(ctx, "ann", false)
	if err != nil {
		t.Fatal(err)
	}
	want := review.Counts{Needs: 2, Others: 1, Mine: 1, Waiting: 3, Done: 1, DoneToday: 1,
		Oldest: k.get(t, first).CreatedAt}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for state, n := range map[string]int{review.Needs: 2, review.Others: 1, review.Done: 1} {
		page, err := k.List(ctx, review.Filter{State: state, Viewer: "ann"})
		if err != nil || len(page.Items) != n {
			t.Errorf("%s: %d rows, %v; want %d", state, len(page.Items), err, n)
		}
	}
	k.clock.Advance(24 * time.Hour)
	if got, err := k.Counts(ctx, "ann", false); err != nil || got.DoneToday != 0 || got.Others != 0 || got.Needs != 3 {
		t.Errorf("a day later: %+v, %v", got, err)
	}
}

func TestNeighbours(t *testing.T) {
	k := open(t)
	a := k.submit(t)
	other := k.submit(t, agent("other"))
	b := k.submit(t)
	top := k.submit(t, vulnerable)
	for _, c := range []struct {
		id   string
		f    review.Filter
		want review.Neighbours
	}{
		{top, review.Filter{}, review.Neighbours{Pos: 1, Total: 4, Next: a}},
		{other, review.Filter{}, review.Neighbours{Pos: 3, Total: 4, Prev: a, Next: b}},
		{b, review.Filter{}, review.Neighbours{Pos: 4, Total: 4, Prev: other}},
		{b, review.Filter{AgentID: robot.ID}, review.Neighbours{Pos: 3, Total: 3, Prev: a}},
		{other, review.Filter{AgentID: robot.ID}, review.Neighbours{Prev: a, Next: b}},
		{a, review.Filter{Task: "annuity"}, review.Neighbours{}},
	} {
		got, err := k.Neighbours(ctx, c.id, c.f)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%+v: %s", c.f, diff)
		}
	}
	for _, id := range []string{a, b} {
		k.decide(t, id, ann, review.Approve)
		k.clock.Advance(time.Second)
	}
	if got, err := k.Neighbours(ctx, a, review.Filter{}); err != nil ||
		got != (review.Neighbours{Pos: 2, Total: 2, Prev: b}) {
		t.Errorf("among the decided: %+v, %v", got, err)
	}
	if _, err := k.Neighbours(ctx, "nope", review.Filter{}); !fault.Is(err, fault.NotFound) {
		t.Errorf("unknown: %v", err)
	}
}

func TestOpeningIsOneShortLine(t *testing.T) {
	for in, want := range map[string]string{
		"":              "",
		" a\n\tb\x00c ": "a b c",
		"<b>x</b>":      "<b>x</b>",
		"Should I take my money out of the old scheme that I paid into from 1987 until the works closed down for good?": "Should I take my money out of the old scheme that I paid into from 1987 until the works…",
	} {
		if got := review.Opening(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
