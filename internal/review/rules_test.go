package review_test

import (
	"testing"

	"preceptor/internal/interaction"
	"preceptor/internal/review"
)

// A draft that was assessed under what is in force now is not assessed again; under anything else it is.
func TestAnAssessmentHoldsUnderItsOwnRules(t *testing.T) {
	for name, c := range map[string]struct {
		madeUnder, inForce string
		kind               string
		want               int // how often it is assessed
	}{
		"the same":            {"monday", "monday", review.Approve, 0},
		"others since":        {"monday", "tuesday", review.Approve, 1},
		"nobody knows":        {"", "", review.Approve, 1},
		"a text of their own": {"monday", "monday", review.Revise, 1},
	} {
		t.Run(name, func(t *testing.T) {
			k := open(t)
			asked := 0
			passes := review.Assessment{Label: "COMPLIANT_GUIDANCE", Passed: true, Confidence: 0.9, Rules: c.madeUnder}
			k.Assess = func(string, *interaction.Interaction) review.Assessment {
				asked++
				return passes
			}
			k.Rules = func() string { return c.inForce }
			k.assess = passes
			id := k.submit(t)
			in := k.input(t, id, ann, c.kind)
			if c.kind == review.Revise {
				in.Text, in.Reason, in.Feedback = "Another text.", "It was unclear.", "Be clear."
			}
			if _, err := k.Decide(ctx, in); err != nil {
				t.Fatal(err)
			}
			if asked != c.want {
				t.Errorf("assessed %d times, want %d", asked, c.want)
			}
		})
	}
}
