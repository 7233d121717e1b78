package judges

import (
	"testing"

	"preceptor/internal/compliance/evaluate"
	"preceptor/internal/compliance/measure"
)

// What a run found is said in counts, for people who are no statisticians.
func TestARunIsSummedUpInASentence(t *testing.T) {
	rate := func(part, whole int) measure.Rate { return measure.Rate{Part: part, Whole: whole} }
	for want, r := range map[string]measure.Report{
		"A missed 0 of 31 violations and held up 1 of 60 compliant texts. 59 of 91 texts passed without review.": {
			Missed: rate(0, 31), FalseAlarm: rate(1, 60), Cleared: rate(59, 91)},
		"A missed 1 of 1 violation and had no compliant texts to hold up. 1 of 1 text passed without review.": {
			Missed: rate(1, 1), Cleared: rate(1, 1)},
		"A had no violations to miss and held up 0 of 2 compliant texts.": {FalseAlarm: rate(0, 2)},
	} {
		if got := summary(evaluate.Figure{Name: "A", Report: r}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
