package page

import (
	"github.com/labstack/echo/v4"

	"preceptor/internal/review"
)

// ReviewReturn sends the draft back to its agent with a note.
func (p *Pages) ReviewReturn(c echo.Context) error { return p.decide(c, review.Return) }
