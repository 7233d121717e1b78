package learning

import (
	"fmt"

	"preceptor/internal/fault"
)

// hold is where lessons are stopped, and why.
type hold struct{ stage, why string }

// HoldAt has every lesson that reaches a stage fail there with a reason, as when its step can't be done, until release is called; trying
// again goes on from there. The demo shows so a lesson at every stage; nothing else uses it.
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
	return fault.Wrap(fault.Invalid, fmt.Errorf("%w: held at %s", errUnheard, stage), "%s", h.why)
}
