package desk

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/views/reviews"
	"preceptor/web/session"
)

// DecisionRecall takes back a text that was delivered, with a reason; the case is open again and mine, to be corrected.
func (p *Pages) DecisionRecall(c echo.Context, in deskForm) error {
	if err := session.SameAuthor(c, in.As); err != nil {
		return err
	}
	ctx := c.Request().Context()
	d, err := p.Reviews.Decision(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	if _, err := p.Reviews.Recall(ctx, d.ID, me(c), in.Reason); err != nil {
		return p.again(c, in, d.InteractionID, reviews.ModeRecall, err)
	}
	p.afterwards("forget what was typed", p.forget(c, d.InteractionID, in.Version, reviews.ModeRecall))
	p.afterwards("say that it is recalled",
		session.Flash(c,
			"Recalled. The agent is told by webhook, or learns it when it next asks. The review is yours: decide "+
				"what the customer gets instead."))
	return c.Redirect(http.StatusSeeOther, "/reviews/"+d.InteractionID)
}
