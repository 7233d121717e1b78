package page

import (
	"github.com/labstack/echo/v4"

	"preceptor/internal/review"
)

// ReviewRevise lets the person's own text go out.
func (p *Pages) ReviewRevise(c echo.Context) error { return p.decide(c, review.Revise) }
