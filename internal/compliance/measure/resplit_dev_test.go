package measure_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/embedded"
	"preceptor/internal/compliance/measure"
	"preceptor/internal/interaction"
)

// development scores our own labelled texts with the checks and the embedded panel as they stand. A text that the panel
// does not call compliant is never cleared, whatever its score.
func development(t *testing.T) (cases []measure.Case) {
	t.Helper()
	paths, err := filepath.Glob("../testdata/dev_*.jsonl")
	if err != nil || len(paths) == 0 {
		t.Skip("the labelled texts are not there: internal/compliance/testdata/dev_*.jsonl")
	}
	v := compliance.New(compliance.NewChecker(func() time.Time { return time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC) }), compliance.Panel{Judges: embedded.Judges()})
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<22)
		for lines.Scan() {
			var item struct {
				Family, Question, Guidance, Label string
				Customer                          json.RawMessage
			}
			if err := json.Unmarshal(lines.Bytes(), &item); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			said := v.Validate(t.Context(), item.Guidance, interaction.Consultation{Question: item.Question, Customer: interaction.CustomerLoosely(item.Customer)})
			c := measure.Case{Score: said.Violation, Violation: item.Label == measure.NonCompliant, Family: item.Family}
			if said.Label != compliance.Compliant {
				c.Score = 1
			}
			cases = append(cases, c)
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return cases
}

// Acceptance 7, on the texts and the panel that ship: items at random, and whole families with one violation of each.
func TestThePromiseHoldsOnOurOwnTexts(t *testing.T) {
	cases := development(t)
	for _, r := range []measure.Resplit{{Seed: 7}, {Seed: 7, OnePerFamily: true}} {
		for _, aim := range []measure.Aim{{Alpha: 0.05, Delta: 0.05}, {Alpha: 0.1, Delta: 0.1}} {
			got, err := r.Run(cases, aim)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("α %v, δ %v, one of a family %v: exceeded in %d of %d, %d allowed; certified %d; decided by the panel %.2f, missed %.4f, at worst %.3f", aim.Alpha, aim.Delta,
				r.OnePerFamily, got.Exceeded.Part, got.Rounds, got.Allowed, got.Certified.Part, got.Decided, got.Missed, got.Worst)
			if got.Rounds != 1000 || !got.Held() {
				t.Errorf("%+v, %+v: %+v", r, aim, got)
			}
		}
	}
}
