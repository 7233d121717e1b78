package stats

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/platform/fault"
	"preceptor/views/packs"
	"preceptor/web/render"
	"preceptor/web/session"
)

// ReviewRead is a review to read, for those who don't decide. Supervisors have it on the desk.
func (p *Pages) ReviewRead(c echo.Context) (err error) {
	ctx, id := c.Request().Context(), c.Param("id")
	if err := p.MayRead(c, id); err != nil {
		return err
	}
	v := packs.Review{Now: p.Now()}
	if v.In, err = p.Interactions.Get(ctx, id); err != nil {
		return err
	}
	if session.Me(c).Has(account.Supervisor) {
		return c.Redirect(http.StatusSeeOther, "/reviews/"+id)
	}
	e, err := p.evidenceOf(c)
	if err != nil {
		return err
	}
	if v.Refused = e.Refused; v.Refused == "" {
		v.MayRead = true
	}
	if v.Decisions, err = p.Reviews.DecisionsFor(ctx, id); err != nil {
		return err
	}
	if v.Votes, err = p.Feedback.VotesOf(ctx, id, mostVotes); err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	return render.Page(c, nil,
		packs.ReviewPage(p.Frame(c, v.In.AgentName+": review").At("/stats").Broad(), v))
}
