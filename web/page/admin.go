package page

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/internal/job"
	"preceptor/views/admin"
	"preceptor/web/render"
)

// Admin is the door to the administration.
func (p *Pages) Admin(c echo.Context) error {
	ctx := c.Request().Context()
	people, err := p.Accounts.List(ctx)
	if err != nil {
		return err
	}
	agents, err := p.Accounts.Agents(ctx)
	if err != nil {
		return err
	}
	counts, err := p.Jobs.Counts(ctx)
	if err != nil {
		return err
	}
	v := admin.HomeView{People: len(people), Agents: len(agents), Parked: counts[job.Parked]}
	return render.Page(c, http.StatusOK, admin.Home(p.frame(c, "Administration"), v))
}
