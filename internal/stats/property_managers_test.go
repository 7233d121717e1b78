package stats

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"preceptor/internal/stats/desk"
)

func TestThePagesOfManagersAgree(t *testing.T) {
	seen := 0
	rapid.Check(t, func(rt *rapid.T) {
		if seen++; seen > histories/2 {
			return
		}
		w := newWorld(t, rt)
		for range rapid.IntRange(20, 60).Draw(rt, "steps") {
			w.step()
		}
		w.managers()
		w.must(w.d.Close())
	})
}

// managers holds the pages that managers read beside each other to the same numbers: the desk, which walks decisions, and the page of
// review, which reads sums.
func (w *world) managers() {
	w.clock.Advance(w.now.Sub(w.clock.Now()))
	days := rapid.IntRange(1, 60).Draw(w.T, "days of the desk")
	f := Filter{Range: Days(w.d.Now(), days, w.zone), Plain: true}
	p, err := w.r.Review(context.Background(), f)
	w.must(err)
	pace, err := w.r.Pace(context.Background(), days)
	w.must(err)
	same := func(what string, a, b int) {
		if a != b {
			w.Fatalf("%s of %d days: %d beside %d on the page of review", what, days, a, b)
		}
	}
	people, hasty := map[string]desk.PersonPace{}, 0
	for _, a := range pace.People {
		people[a.ID], hasty = a, hasty+a.Hasty.Part
	}
	for _, a := range p.People {
		one := people[a.ID]
		same("decisions of "+a.ID, one.Decisions, a.Decisions.N)
		same("median of "+a.ID, int(one.Median.Seconds()), int(a.OnCase.Value))
		same("second signatures of "+a.ID, one.Seconds, a.Seconds.N)
		same("approvals of "+a.ID, one.Approved.Part, a.Approved.Part)
		same("hasty ones of "+a.ID, one.Hasty.Part, a.Hasty.Part)
		same("approvals looked at of "+a.ID, one.Hasty.Whole, a.Hasty.N)
	}
	list, err := w.r.HastyOnes(context.Background(), "", days)
	w.must(err)
	same("hasty ones on the desk", hasty, p.Hasty.Part)
	if len(list) < 100 && p.Hasty.Part < 100 {
		same("hasty ones in the list", len(list), p.Hasty.Part)
	}
}
