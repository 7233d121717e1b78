package review_test

import (
	"slices"
	"testing"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/review"
)

// What the desk does all day is planned once. To plan a statement takes longer than to run it; SQLite does so again,
// kept prepared or not, where it has to look at a value to learn whether a partial index serves.
func TestStatementsArePlannedOnce(t *testing.T) {
	k := open(t)
	k.fill(t, 300)
	k.unsign(t)
	var cases []string
	page, err := k.List(ctx, review.Filter{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range page.Items {
		cases = append(cases, r.ID)
	}
	slices.Reverse(cases) // those that are decided below come last
	f := review.Filter{Viewer: "ann"}
	list := func(f review.Filter) func(int) error {
		f.Viewer = "ann"
		return func(i int) error {
			k.clock.Advance(time.Second)
			_, err := k.List(ctx, f)
			return err
		}
	}
	for name, do := range map[string]func(i int) error{
		"waiting":     list(f),
		"of an agent": list(review.Filter{AgentID: "agent-1"}),
		"with a flag": list(review.Filter{Flag: "FLAG_1"}),
		"late": list(review.Filter{Age: review.Late,
			Targets: review.Targets{"": {Soon: time.Second, Late: time.Minute}}}),
		"assigned":     list(review.Filter{Assigned: "bob"}),
		"open by them": list(review.Filter{Reviewer: "cy"}),
		"two eyes":     list(review.Filter{Eyes: review.TwoEyes}),
		"with others":  list(review.Filter{State: review.Others}),
		"signed by me": list(review.Filter{State: review.Signed}),
		"done":         list(review.Filter{State: review.Done}),
		"done by them": list(review.Filter{State: review.Done, Reviewer: "bob"}),
		"counts":       func(int) error { _, err := k.Counts(ctx, "ann", false); return err },
		"targets":      func(int) error { _, err := k.Targets(ctx); return err },
		"flags":        func(int) error { _, err := k.FlagCodes(ctx); return err },
		"progress":     func(int) error { _, err := k.Progress(ctx, []string{"ann"}); return err },
		"case":         func(i int) error { _, err := k.Get(ctx, cases[i]); return err },
		"neighbours":   func(i int) error { _, err := k.Neighbours(ctx, cases[i], f); return err },
		"of its task": func(i int) error {
			_, err := k.Neighbours(ctx, cases[i], review.Filter{Task: "task-1"})
			return err
		},
		"like it": func(i int) error { _, err := k.Similar(ctx, cases[i], 5); return err },
		"rail":    func(int) error { _, err := k.Recent(ctx, ann, 10); return err },
		"drafts":  func(i int) error { _, err := k.Drafts(ctx, cases[i], ann); return err },
		"claim and decide": func(int) error {
			id, _, err := k.ClaimNext(ctx, ann, review.Filter{})
			if err != nil {
				return err
			}
			if err := k.Renew(ctx, id, ann); err != nil {
				return err
			}
			_, err = k.Decide(ctx, review.Input{ID: id, By: ann, Kind: review.Reject, ReasonCode: "wrong_facts",
				Version: 1, TextHash: textHash})
			return err
		},
	} {
		for i := range 15 { // what was met twice is prepared when the next transaction begins
			if err := do(i); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		before := db.Planned()
		for i := range 10 {
			if err := do(15 + i); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if n := db.Planned() - before; n > 0 {
			t.Errorf("%s is planned anew: %d columns in ten times", name, n)
		}
	}
}
