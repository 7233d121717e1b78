// Package stats holds the pages of managers: what users say, the figures and what they were counted from, seeded
// checks, experiments, comparisons, exports and packs of evidence.
package stats

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/platform/fault"
	numbers "preceptor/internal/stats"
	"preceptor/views/packs"
	"preceptor/views/stats"
	"preceptor/web/frame"
	"preceptor/web/hidden"
	"preceptor/web/render"
	"preceptor/web/session"
)

// Pages are the handlers.
type Pages struct {
	*frame.Maker
	*hidden.Guard
}

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

// The periods of the page about the desk.
const (
	deskDays  = 28
	deskWeeks = 12
)

// DeskStats shows managers what the desk catches, and how long people take.
func (p *Pages) DeskStats(c echo.Context, in statsQuery) (err error) {
	ctx := c.Request().Context()
	v := stats.Desk{Days: deskDays}
	v.Scope = stats.Scope{Path: "/overview/desk", Period: stats.LastDays(p.Now(), deskDays, p.zone()), Now: p.Now()}
	if v.Planted, err = p.Stats.Planted(ctx, deskWeeks); err != nil {
		return err
	}
	if v.Review, err = p.Stats.Review(ctx,
		numbers.Filter{Range: numbers.Days(v.Now, deskDays, p.zone()), Plain: true}); err != nil {
		return err
	}
	if v.Pace, err = p.Stats.Pace(ctx, deskDays); err != nil {
		return err
	}
	if v.Off, err = p.plantsNothing(ctx); err != nil {
		return err
	}
	return p.statsPage(c, in, v.Scope, v, stats.DeskPage(p.Frame(c, "Desk").Broad().Follow(), v))
}

// plantsNothing reports whether no policy in force mixes in seeded checks.
func (p *Pages) plantsNothing(ctx context.Context) (bool, error) {
	list, err := p.Policies.InForce(ctx)
	if err != nil {
		return false, err
	}
	for _, v := range list {
		if v.Planted > 0 {
			return false, nil
		}
	}
	return true, nil
}

// HastyList shows the approvals that were faster than one can read, of one person or of everybody.
func (p *Pages) HastyList(c echo.Context, in struct {
	Person string `form:"person"`
}) error {
	ctx := c.Request().Context()
	v := stats.Hasty{Days: deskDays, Now: p.Now()}
	if in.Person != "" {
		a, err := p.Accounts.Get(ctx, in.Person)
		if fault.Is(err, fault.NotFound) {
			return fault.New(fault.NotFound, "There is no such person.")
		}
		if err != nil {
			return err
		}
		v.Person = a.Name
	}
	var err error
	if v.Items, err = p.Stats.HastyOnes(ctx, in.Person, deskDays); err != nil {
		return err
	}
	return render.Page(c, nil, stats.HastyPage(p.Frame(c, "Rapid approvals").At("/overview/desk").Broad(), v))
}

// ReviewRead is a review to read, for those who don't decide. Supervisors have it on the desk.
func (p *Pages) ReviewRead(c echo.Context) (err error) {
	ctx, id := c.Request().Context(), c.Param("id")
	if err := p.MayRead(c, id); err != nil {
		return err
	}
	v := packs.Review{Now: p.Now()}
	if v.In, err = p.Interactions.Get(ctx, id); err != nil {
		return err
	}
	if session.Me(c).Has(account.Supervisor) {
		return c.Redirect(http.StatusSeeOther, "/reviews/"+id)
	}
	e, err := p.evidenceOf(c)
	if err != nil {
		return err
	}
	if v.Refused = e.Refused; v.Refused == "" {
		v.MayRead = true
	}
	if v.Decisions, err = p.Reviews.DecisionsFor(ctx, id); err != nil {
		return err
	}
	if v.Votes, err = p.Feedback.VotesOf(ctx, id, mostVotes); err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	return render.Page(c, nil,
		packs.ReviewPage(p.Frame(c, v.In.AgentName+": review").At("/stats").Broad(), v))
}
