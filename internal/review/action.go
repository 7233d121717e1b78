package review

import (
	"encoding/json"
	"slices"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/fault"
)

// ActionsUnder are the actions under review: those of the decision whose text is, or the agent's.
func ActionsUnder(base *Decision, it *interaction.Interaction) interaction.Actions {
	if base != nil {
		return base.Actions
	}
	return it.Actions
}

// ActionsTyped are the actions under review with other arguments, and without those that were refused; nil changes
// nothing. The arguments of what is refused stay the agent's.
func ActionsTyped(under interaction.Actions, arguments []json.RawMessage,
	refused []string) (out interaction.Actions, err error) {
	if out = under; refused != nil {
		if out, err = out.Refuse(refused); err != nil {
			return nil, err
		}
	}
	if arguments == nil {
		return out, nil
	}
	arguments = slices.Clone(arguments)
	for i := range out[:min(len(out), len(arguments))] {
		if out[i].Refused != "" {
			arguments[i] = out[i].Arguments
		}
	}
	return out.With(arguments)
}

// act finds the actions that would go out, and reports whether they differ from those under review. Where the draft is
// nothing but actions, its text says what they do.
func (in *Input) act(c *checked, base *Decision, it *interaction.Interaction) (edited bool, err error) {
	under := ActionsUnder(base, it)
	if c.actions, err = ActionsTyped(under, in.Arguments, in.Refused); err != nil {
		return false, err
	}
	if c.actions.Same(it.Actions) {
		c.actions = it.Actions // typed back: the agent's own words hold again
	}
	if in.Refused != nil && it.NoText && len(c.actions.Approved()) == 0 {
		return false, fault.Wrong("No action would be left.", "actions.0", "Reject the draft instead.")
	}
	edited = !c.actions.Same(under)
	if it.NoText && in.Kind == Revise {
		in.Text = c.actions.Text()
	} else if !it.NoText {
		it.Consultation.Acts = c.actions.Text() // what goes out is judged, and not what was asked for
	}
	return edited, nil
}
