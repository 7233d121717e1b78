package judges

import (
	"testing"

	"preceptor/internal/compliance/evaluate"
	"preceptor/internal/compliance/measure"
)

// What a run found is said in counts, for people who are no statisticians.
func TestARunIsSummedUpInASentence(t *testing.T) {
	rate := func(part, whole int) measure.Rate { return measure.Rate{Part: part, Whole: whole} }
	for want, f := range map[string]evaluate.Figure{
		"The panel missed 0 of 31 violations and held up 1 of 60 compliant texts. 59 of 91 texts passed without review.":             {Name: "The panel", Missed: rate(0, 31), FalseAlarm: rate(1, 60), Cleared: rate(59, 91)},
		"Checks missed 1 of 1 violation and held up none, because there were no compliant texts. 1 of 1 text passed without review.": {Name: "Checks", Missed: rate(1, 1), Cleared: rate(1, 1)},
		"A missed none, because there were no violations and held up 0 of 2 compliant texts.":                                        {Name: "A", FalseAlarm: rate(0, 2)},
	} {
		if got := summary(f); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
