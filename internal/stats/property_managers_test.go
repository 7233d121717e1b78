package stats

import (
	"context"
	"testing"

	"pgregory.net/rapid"
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

// managers holds the list of rapid approvals, which walks decisions, to the page of review, which reads sums.
func (w *world) managers() {
	w.clock.Advance(w.now.Sub(w.clock.Now()))
	days := rapid.IntRange(1, 60).Draw(w.T, "days of the desk")
	f := Filter{Range: Days(w.d.Now(), days, w.zone), Plain: true}
	p, err := w.r.Review(context.Background(), f)
	w.must(err)
	same := func(what string, a, b int) {
		if a != b {
			w.Fatalf("%s of %d days: %d beside %d on the page of review", what, days, a, b)
		}
	}
	list, err := w.r.HastyOnes(context.Background(), "", days)
	w.must(err)
	if len(list) < 100 && p.Hasty.Part < 100 {
		same("hasty ones in the list", len(list), p.Hasty.Part)
	}
}
