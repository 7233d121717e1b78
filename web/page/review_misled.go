package page

import (
	"context"

	"github.com/labstack/echo/v4"

	"preceptor/internal/knowledge/credit"
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

// misled is what was ticked, as it is kept beside the decision; "" when nothing was.
func misled(c echo.Context) string {
	form, err := c.FormParams()
	if err != nil {
		return "" // optional: it never holds up a decision
	}
	return credit.Answer{Asked: form["asked"], Ticked: form["misled"]}.String()
}
