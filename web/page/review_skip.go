package page

import (
	"strconv"

	"github.com/labstack/echo/v4"

	"preceptor/views/reviews"
)

// ReviewSkip leaves a case to others, with a reason, and goes on.
func (p *Pages) ReviewSkip(c echo.Context) error {
	if err := sameAuthor(c); err != nil {
		return err
	}
	version, _ := strconv.Atoi(c.FormValue("version")) // a wrong one is a version that nobody saw
	if err := p.Reviews.Skip(c.Request().Context(), c.Param("id"), me(c), version, c.FormValue("reason")); err != nil {
		return p.again(c, c.Param("id"), reviews.ModeSkip, err)
	}
	return p.next(c)
}
