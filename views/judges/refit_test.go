package judges

import (
	"testing"

	"preceptor/internal/compliance/refit"
)

// What labels come to is one plain sentence, whether they are too few, unsure, of no use or better.
func TestWhatLabelsComeToIsOneSentence(t *testing.T) {
	measured := refit.Report{Labels: 80, Customers: 60, Tested: 80, Of: 40, After: refit.Score{AUC: 0.9, Found: 28},
		Before: refit.Score{AUC: 0.8, Found: 24}}
	unsure, none, better := measured, measured, measured
	unsure.Low, unsure.More = -0.01, 40
	none.Low = -0.2
	better.Low = 0.02
	for want, r := range map[string]refit.Report{
		"12 labels so far, 3 of them violations. We can measure once 8 more are in, above all violations.": {
			Labels: 12, Violations: 3, Lacking: refit.FewViolations, More: 8},
		"1 label so far, 1 of them violations. We can measure once 19 more are in, above all compliant texts.": {
			Labels: 1, Violations: 1, Lacking: refit.FewCompliant, More: 19},
		"40 labels from 4 customers. We can measure once labels from 6 more customers are in.": {
			Labels: 40, Customers: 4, Lacking: refit.FewCustomers, More: 6},
		"80 labels: finds 28 of 40 violations at 1 false alarm in 20, 24 as it counted then; about 40 more labels " +
			"would tell.": unsure,
		"80 labels: finds 28 of 40 violations at 1 false alarm in 20, 24 as it counted then. The difference isn't " +
			"significant.": none,
		"80 labels: finds 28 of 40 violations at 1 false alarm in 20, 24 as it counted then.": better,
	} {
		if got := taughtLine(r); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
