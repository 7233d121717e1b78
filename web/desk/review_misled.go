package desk

import (
	"context"

	"preceptor/views/reviews"
)

// asked adds to a form that does not approve the draft what the draft was shown, to be ticked. Approvals are not asked.
func (p *Pages) asked(ctx context.Context, v *reviews.Case) (err error) {
	switch v.Mode {
	case reviews.ModeRevise, reviews.ModeReject, reviews.ModeReturn:
	default:
		return nil
	}
	if !v.Settles(v.Mode) {
		return nil
	}
	v.Questions, err = p.Credit.Questions(ctx, v.Item.ID, v.Item.AgentID)
	return err
}
