package page

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"preceptor/internal/fault"
	"preceptor/views/accounts"
	"preceptor/views/admin"
	"preceptor/web/render"
)

// TeamList is every team.
func (p *Pages) TeamList(c echo.Context) error {
	return p.teamsPage(c, http.StatusOK, admin.TeamsView{})
}

func (p *Pages) teamsPage(c echo.Context, status int, v admin.TeamsView) (err error) {
	ctx := c.Request().Context()
	v.Side = p.side(c)
	if v.Teams, err = p.Accounts.Teams(ctx); err != nil {
		return err
	}
	if v.People, err = p.Accounts.List(ctx); err != nil {
		return err
	}
	return render.Page(c, status, admin.Teams(p.frame(c, "Teams"), v))
}

// TeamAdd makes a team.
func (p *Pages) TeamAdd(c echo.Context) error {
	t, err := p.Accounts.AddTeam(c.Request().Context(), c.FormValue("name"), actor(c))
	return p.teamDone(c, err, "", t.Name+" is made. Choose its members.")
}

// TeamChange gives a team its name and members.
func (p *Pages) TeamChange(c echo.Context) error {
	id := c.Param("id")
	version, _ := strconv.Atoi(c.FormValue("version")) // a wrong one is a version that nobody saw
	t, err := p.Accounts.ChangeTeam(c.Request().Context(), id, version, c.FormValue("name"), c.Request().PostForm["members"], actor(c))
	return p.teamDone(c, err, id, t.Name+" is kept as you chose.")
}

// TeamClose ends a team.
func (p *Pages) TeamClose(c echo.Context) error {
	t, err := p.Accounts.CloseTeam(c.Request().Context(), c.Param("id"), actor(c))
	return p.teamDone(c, err, c.Param("id"), t.Name+" is closed.")
}

// teamDone goes back to the list, or shows it with what was typed and what was wrong.
func (p *Pages) teamDone(c echo.Context, err error, editing, line string) error {
	switch fault.KindOf(err) {
	case fault.Invalid, fault.Conflict:
		v := admin.TeamsView{Editing: editing, Name: c.FormValue("name"), Members: c.Request().PostForm["members"], Errors: accounts.ErrorsOf(err)}
		if v.Errors["name"] == "" && v.Errors["members"] == "" {
			v.Errors[""] = fault.Message(err)
		}
		return p.teamsPage(c, fault.KindOf(err).Status(), v)
	}
	if err != nil {
		return err
	}
	return p.done(c, "/admin/teams", line)
}
