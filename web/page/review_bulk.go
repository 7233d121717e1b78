package page

import (
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/review"
	"preceptor/views/ui"
)

// ticked are the cases that a form names, each with the version that was on the screen.
func ticked(c echo.Context) (list []review.Seen) {
	if _, err := c.FormParams(); err != nil {
		return nil
	}
	for _, value := range c.Request().Form["id"] {
		id, version, _ := strings.Cut(value, ":")
		n, _ := strconv.Atoi(version) // a wrong one is a version that nobody saw
		list = append(list, review.Seen{ID: id, Version: n})
	}
	return list
}

// ReviewSkipMany skips what is ticked, with one reason.
func (p *Pages) ReviewSkipMany(c echo.Context) error {
	f := filter(c)
	res, err := p.Reviews.SkipAll(c.Request().Context(), ticked(c), me(c), c.FormValue("reason"))
	if err != nil {
		return p.queueAgain(c, f, err)
	}
	return p.backToQueue(c, f, res.Sentence("skipped"))
}

// ReviewSkipsReset has what I skipped handed to me again.
func (p *Pages) ReviewSkipsReset(c echo.Context) error {
	n, err := p.Reviews.ResetSkips(c.Request().Context(), me(c))
	if err != nil {
		return err
	}
	said := "You skipped nothing that still waits."
	if n > 0 {
		said = ui.Count(n, "case comes", "cases come") + " back to you."
	}
	return p.backToQueue(c, filter(c), said)
}
