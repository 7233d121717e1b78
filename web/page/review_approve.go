package page

import (
	"github.com/labstack/echo/v4"

	"preceptor/internal/review"
	"preceptor/views/reviews"
)

// ReviewApprove lets the draft go out as it was shown.
func (p *Pages) ReviewApprove(c echo.Context) error { return p.decide(c, review.Approve) }

// ReviewOverrule lets the draft go out against the checks that block it, once a second supervisor agrees.
func (p *Pages) ReviewOverrule(c echo.Context) error {
	return p.decideIn(c, review.Approve, reviews.ModeOverrule)
}
