package learning

import (
	"errors"
	"fmt"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// hold is where lessons are stopped, and why.
type hold struct{ stage, why string }

// HoldAt has every lesson that reaches a stage fail there with a reason, as when its step can't be done, until release
// is called; trying again goes on from there. The demo shows so a lesson at every stage; nothing else uses it.
func (p *Pipeline) HoldAt(stage, why string) (release func()) {
	p.held.Store(&hold{stage, why})
	return func() { p.held.Store(nil) }
}

// heldAt is why lessons are stopped at a stage; nil when they are not.
func (p *Pipeline) heldAt(stage string) error {
	h := p.held.Load()
	if h == nil || h.stage != stage {
		return nil
	}
	return fault.Wrap(fault.Invalid, fmt.Errorf("%w at %s", errHeld, stage), "%s", h.why)
}

// errHeld says that lessons are stopped. The lesson fails and says so; no job is parked, because nothing is broken.
var errHeld = errors.New("learning: held")

func heldOutcome(stage, reasoner string, took time.Duration, why error) outcome {
	return outcome{
		step: Step{Name: stage, State: StepFailed, AnsweredBy: reasoner, Duration: took, Input: jsonOf(struct{}{}),
			Output: jsonOf(map[string]string{"error": fault.Message(why)})},
		change: func(_ *db.Tx, l *Lesson) error {
			l.State, l.Outcome = Failed, stageTitle(stage)+" failed: "+fault.Message(why)
			return nil
		},
	}
}
