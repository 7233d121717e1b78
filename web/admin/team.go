package admin

import (
	"github.com/labstack/echo/v4"

	"preceptor/internal/platform/fault"
	"preceptor/views/accounts"
	"preceptor/views/admin"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// TeamList is every team.
func (p *Pages) TeamList(c echo.Context) error { return p.teamsPage(c, admin.TeamsView{}, nil) }

// teamsPage shows the teams with what was typed and what was wrong.
func (p *Pages) teamsPage(c echo.Context, v admin.TeamsView, wrong error) (err error) {
	if !form.Again(wrong) {
		return wrong
	}
	ctx := c.Request().Context()
	v.Side, v.Errors = p.side(c), accounts.ErrorsOf(wrong)
	if wrong != nil && v.Errors["name"] == "" && v.Errors["members"] == "" {
		v.Errors[""] = fault.Message(wrong)
	}
	if v.Teams, err = p.Accounts.Teams(ctx); err != nil {
		return err
	}
	if v.People, err = p.Accounts.List(ctx); err != nil {
		return err
	}
	return render.Page(c, wrong, admin.Teams(p.Frame(c, "Teams"), v))
}

// TeamAdd makes a team.
func (p *Pages) TeamAdd(c echo.Context, v admin.TeamsView) error {
	t, err := p.Accounts.AddTeam(c.Request().Context(), v.Name, session.Actor(c))
	return p.teamDone(c, v, err, t.Name+" created. Choose its members.")
}

// TeamChange gives a team its name and members.
func (p *Pages) TeamChange(c echo.Context, v admin.TeamsView) error {
	t, err := p.Accounts.ChangeTeam(c.Request().Context(), c.Param("id"), v.Version, v.Name, v.Members,
		session.Actor(c))
	return p.teamDone(c, v, err, t.Name+" saved.")
}

// TeamClose ends a team.
func (p *Pages) TeamClose(c echo.Context, v admin.TeamsView) error {
	t, err := p.Accounts.CloseTeam(c.Request().Context(), c.Param("id"), session.Actor(c))
	return p.teamDone(c, v, err, t.Name+" closed.")
}

// teamDone goes back to the list, or shows it with what was wrong.
func (p *Pages) teamDone(c echo.Context, v admin.TeamsView, err error, line string) error {
	if err != nil {
		v.Editing = c.Param("id")
		return p.teamsPage(c, v, err)
	}
	return render.Done(c, "/admin/teams", line)
}
