package desk

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/internal/platform/fault"
	"preceptor/internal/review"
	"preceptor/views/reviews"
	"preceptor/web/render"
)

// ReviewClaim takes a case to work on.
func (p *Pages) ReviewClaim(c echo.Context, in deskForm) error {
	return p.claim(c, in, p.Reviews.Claim)
}

// ReviewRenew keeps a case for another while; the page asks for it as long as somebody is active on it.
func (p *Pages) ReviewRenew(c echo.Context, in deskForm) error {
	return p.claim(c, in, p.Reviews.Renew)
}

// ReviewUnclaim releases a review and leads back to the queue: to look at it for three seconds would claim it again.
func (p *Pages) ReviewUnclaim(c echo.Context) error {
	if err := p.Reviews.Unclaim(c.Request().Context(), c.Param("id"), me(c)); err != nil {
		return err
	}
	return render.Redirect(c, "/reviews"+filterQuery(filter(c)))
}

func (p *Pages) claim(c echo.Context, in deskForm,
	act func(ctx context.Context, id string, by review.Person) error) error {
	err := act(c.Request().Context(), c.Param("id"), me(c))
	if render.IsHTMX(c) && (err == nil || fault.Is(err, fault.Conflict)) {
		return p.claimState(c, in) // it says who has it
	}
	if err != nil {
		return err
	}
	return render.Redirect(c, "/reviews/"+c.Param("id")+filterQuery(filter(c)))
}

// ReviewClaimState is who works on a case, and what can be done with it where that is not what the page shows.
func (p *Pages) ReviewClaimState(c echo.Context, in deskForm) error { return p.claimState(c, in) }

func (p *Pages) claimState(c echo.Context, in deskForm) error {
	item, err := p.Reviews.Get(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	f := filter(c)
	v := reviews.Case{Item: item, In: item.Interaction, Viewer: f.Viewer, Now: p.Now(), Filter: filterQuery(f),
		Mode: in.Mode}
	if err := p.experts(c.Request().Context(), &v); err != nil {
		return err
	}
	if v.Thread, err = p.Reviews.Thread(c.Request().Context(), &item.Row); err != nil {
		return err
	}
	if c.Request().Method == http.MethodPost && !v.Mine() && !v.HeldByOther() {
		// renewed while one's own decision was on the way: the page has gone on
		return c.NoContent(http.StatusNoContent)
	}
	if in.Standing == "" || in.Standing == v.Standing() {
		return render.Fragment(c, nil, reviews.ClaimView(v))
	}
	if v, err = p.caseView(c, c.Param("id"), in.Mode); err != nil {
		return err
	}
	v.Form, v.SeenTurn = reviews.Form{}, in.Turn // the page still holds what was typed
	return render.Fragment(c, nil, reviews.StandingView(v))
}
