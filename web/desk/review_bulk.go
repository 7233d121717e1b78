package desk

import (
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/platform/fault"
	"preceptor/internal/review"
	"preceptor/views/reviews"
	"preceptor/views/ui"
)

// seen are the cases that a form of the queue names, each with the version that was on the screen.
func seen(ticks []string) (list []review.Seen, err error) {
	for _, tick := range ticks {
		id, version, _ := strings.Cut(tick, ":")
		n, err := strconv.Atoi(version)
		if err != nil {
			return nil, fault.New(fault.Invalid,
				"We can't tell which version you selected. Reload the page and try again.")
		}
		list = append(list, review.Seen{ID: id, Version: n})
	}
	return list, nil
}

// ReviewSkipMany skips what is ticked, with one reason.
func (p *Pages) ReviewSkipMany(c echo.Context, in reviews.Bulk) error {
	var res review.BulkResult
	list, err := seen(in.Ticks)
	if err == nil {
		res, err = p.Reviews.SkipAll(c.Request().Context(), list, me(c), in.Reason)
	}
	said := ""
	if err == nil {
		said, err = done(res, "skipped", "reason")
	}
	if err != nil {
		return p.queueAgain(c, in, err)
	}
	return p.backToQueue(c, filter(c), said)
}

// ReviewSkipsReset has what I skipped handed to me again.
func (p *Pages) ReviewSkipsReset(c echo.Context) error {
	n, err := p.Reviews.ResetSkips(c.Request().Context(), me(c))
	if err != nil {
		return err
	}
	said := "Nothing you skipped is still waiting."
	if n > 0 {
		said = ui.Count(n, "review comes", "reviews come") + " back to you."
	}
	return p.backToQueue(c, filter(c), said)
}
