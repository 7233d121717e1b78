package page

import (
	"github.com/labstack/echo/v4"

	"preceptor/internal/review"
)

// ReviewApprove lets the draft go out as it was shown.
func (p *Pages) ReviewApprove(c echo.Context) error { return p.decide(c, review.Approve) }
