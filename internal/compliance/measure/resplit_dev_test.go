package measure_test

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"testing"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/embedded"
	"preceptor/internal/compliance/measure"
	"preceptor/internal/interaction"
)

// development scores our own labelled texts with the checks and the embedded panel as they stand. A text that the panel
// or one of its judges does not call compliant is never cleared, whatever its score.
func development(t *testing.T, names ...string) (cases []measure.Case) {
	t.Helper()
	v := compliance.New(compliance.NewChecker(func() time.Time { return time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC) }),
		compliance.Panel{Judges: embedded.Judges(nil)})
	for _, name := range names {
		f, err := os.Open("../testdata/texts/" + name)
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
				t.Fatalf("%s: %v", name, err)
			}
			said := v.Validate(t.Context(), item.Guidance,
				interaction.Consultation{Question: item.Question, Customer: interaction.CustomerLoosely(item.Customer)})
			c := measure.Case{Score: said.Violation, Violation: item.Label == measure.NonCompliant, Family: item.Family}
			if said.Label != compliance.Compliant || slices.ContainsFunc(said.Judges, func(j compliance.Vote) bool {
				return !j.Abstained && !j.Passed
			}) {
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

// Over 1,000 random resplits, the realised missed-violation rate exceeds alpha in no more than the promised share: with
// the scores of the embedded panel, on the part that nothing was fitted on, and on all of it.
func TestThePromiseHoldsOnOurOwnTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("judges thousands of texts; make check runs it")
	}
	held := development(t, "test.jsonl")
	for name, cases := range map[string][]measure.Case{"held out": held,
		"all of it": append(development(t, "train.jsonl"), held...)} {
		for _, aim := range []measure.Aim{{Alpha: 0.05, Delta: 0.1}, {Alpha: 0.1, Delta: 0.1},
			{Alpha: 0.2, Delta: 0.1}} {
			got, err := measure.Resplit{Seed: 7}.Run(cases, aim)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s (%d texts), α %v: certified %d of %d, exceeded %d, allowed %d", name, len(cases), aim.Alpha,
				got.Certified.Part, got.Rounds, got.Exceeded.Part, got.Allowed)
			if got.Rounds != measure.Resplits || !got.Held() {
				t.Errorf("%s, %+v: %+v", name, aim, got)
			}
		}
	}
}
