package packs

import (
	"testing"
	"time"

	"preceptor/internal/interaction"
)

func TestWhatHasNoDecisionSaysWhy(t *testing.T) {
	erased := time.UnixMilli(1)
	for want, in := range map[string]interaction.Interaction{
		"Waiting for a supervisor.":                {Status: interaction.Waiting},
		"The agent withdrew it before a decision.": {Status: interaction.Withdrawn, ErasedAt: erased},
		"It expired before a decision.":            {Status: interaction.Expired},
		"Erased before a decision.":                {Status: interaction.Closed, ErasedAt: erased},
		"Not decided yet.":                         {Status: interaction.Drafting},
	} {
		if got := (Review{In: &in}).undecided(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
