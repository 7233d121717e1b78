package review

import (
	"preceptor/internal/interaction"
)

// ActionsUnder are the actions under review: those of the decision whose text is, or the agent's.
func ActionsUnder(base *Decision, it *interaction.Interaction) interaction.Actions {
	if base != nil {
		return base.Actions
	}
	return it.Actions
}

// act finds the actions that would go out, and reports whether they differ from those under review. Where the draft is
// nothing but actions, its text says what they do.
func (in *Input) act(c *checked, base *Decision, it *interaction.Interaction) (edited bool, err error) {
	c.actions = ActionsUnder(base, it)
	if in.Arguments != nil {
		other, err := c.actions.With(in.Arguments)
		if err != nil {
			return false, err
		}
		edited, c.actions = !other.Same(c.actions), other
	}
	if it.NoText && in.Kind == Revise {
		in.Text = c.actions.Text()
	} else if !it.NoText {
		it.Consultation.Acts = c.actions.Text() // what goes out is judged, and not what was asked for
	}
	return edited, nil
}
