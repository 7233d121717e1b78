package page

import (
	"github.com/labstack/echo/v4"

	"preceptor/internal/review"
)

// ReviewReject keeps the draft from the customer, with a reason.
func (p *Pages) ReviewReject(c echo.Context) error { return p.decide(c, review.Reject) }
