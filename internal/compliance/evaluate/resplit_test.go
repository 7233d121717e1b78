package evaluate

import (
	"os"
	"testing"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/embedded"
	"preceptor/internal/compliance/measure"
)

// developmentSet reads labelled texts of ours; none, when the files are not there.
func developmentSet(t *testing.T, names ...string) (items []Item) {
	t.Helper()
	for _, name := range names {
		f, err := os.Open("../testdata/texts/" + name)
		if os.IsNotExist(err) {
			t.Skipf("%s is not there yet", name)
		}
		if err != nil {
			t.Fatal(err)
		}
		list, wrong, err := ReadLines(f)
		f.Close()
		if err != nil || len(wrong) > 0 {
			t.Fatalf("%s: %v %v", name, wrong, err)
		}
		items = append(items, list...)
	}
	return items
}

// Over 1,000 random resplits of the development set, the realised missed-violation rate exceeds alpha in no more than the promised
// share: with the scores of the embedded panel, on the part that nothing was fitted on, and on all of it.
func TestTheThresholdKeepsItsPromiseOverResplits(t *testing.T) {
	v := compliance.New(compliance.NewChecker(func() time.Time { return time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC) }), compliance.Panel{Judges: embedded.Judges()})
	train, test := developmentSet(t, "train.jsonl"), developmentSet(t, "test.jsonl")
	all := (&Content{}).cases(Ask(t.Context(), v, append(train, test...)))
	for name, cases := range map[string][]measure.Case{"held out": all[len(train):], "all of it": all} {
		for _, aim := range []measure.Aim{{Alpha: 0.05, Delta: 0.1}, {Alpha: 0.1, Delta: 0.1}, {Alpha: 0.2, Delta: 0.1}} {
			r, err := measure.Resplit{Rounds: measure.Resplits, Seed: 7}.Run(cases, aim)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s (%d texts), alpha %.2f: certified %d of %d, exceeded %d, allowed %d", name, len(cases), aim.Alpha, r.Certified.Part, r.Rounds, r.Exceeded.Part, r.Allowed)
			if r.Rounds != measure.Resplits || !r.Held() {
				t.Errorf("%s, alpha %.2f: exceeded in %d of %d rounds, %d are allowed", name, aim.Alpha, r.Exceeded.Part, r.Rounds, r.Allowed)
			}
		}
	}
}
