package stats

import (
	"context"

	"github.com/labstack/echo/v4"

	"preceptor/internal/platform/fault"
	numbers "preceptor/internal/stats"
	"preceptor/views/stats"
	"preceptor/web/render"
)

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
