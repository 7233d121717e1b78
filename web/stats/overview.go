package stats

import (
	"github.com/labstack/echo/v4"

	"preceptor/internal/compliance/borderline"
	"preceptor/views/stats"
)

// overviewDays is the period that the overview shows.
const overviewDays = 14

// Overview is what a manager sees in ten seconds.
func (p *Pages) Overview(c echo.Context, in statsQuery) error {
	o, err := p.Stats.Overview(c.Request().Context(), overviewDays)
	if err != nil {
		return err
	}
	v := stats.Overview{Overview: o, Period: overviewDays, Now: p.Now()}
	if v.Quality, err = p.Borderline.Quality(c.Request().Context(), o.Review.Filter.From); err != nil {
		return err
	}
	if v.Experts, err = p.Borderline.Counts(c.Request().Context(), borderline.Viewer{}); err != nil {
		return err
	}
	if v.Learning, err = p.Learning.Counts(c.Request().Context()); err != nil {
		return err
	}
	if v.Knowledge, err = p.ToLookAt(c.Request().Context()); err != nil {
		return err
	}
	open, err := p.Unanswered.Totals(c.Request().Context())
	if err != nil {
		return err
	}
	v.Knowledge.Unanswered = open.Questions
	v.Fall.Scope = stats.Scope{Path: "/overview", Period: stats.LastDays(v.Now, overviewDays, p.zone()), Now: v.Now}
	if v.Fall.Fall, err = p.Stats.Fall(c.Request().Context(), v.Fall.Scope.Period.Filter()); err != nil {
		return err
	}
	return p.statsPage(c, in, v.Fall.Scope, v,
		stats.OverviewPage(p.Frame(c, "Overview").Broad().Follow(), v))
}
