package admin

import (
	"context"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/platform/fault"
	"preceptor/views/accounts"
	"preceptor/views/admin"
	"preceptor/views/ui"
	"preceptor/web/render"
	"preceptor/web/session"
)

// People lists people by page and filter.
func (p *Pages) People(c echo.Context, v admin.PeopleView) error {
	v.Fresh = session.TakeOnce[*admin.FreshLink](c)
	return p.peoplePage(c, v, nil)
}

func (p *Pages) peoplePage(c echo.Context, v admin.PeopleView, wrong error) (err error) {
	v.Side, v.Me, v.Errors = p.side(c), session.Me(c).ID, accounts.ErrorsOf(wrong)
	var next string
	f := account.PeopleFilter{Words: v.Words, Role: v.Role, Disabled: v.Access, After: v.After}
	if v.People, next, err = p.Accounts.People(c.Request().Context(), f); err != nil {
		return err
	}
	if v.Teams, err = p.teamNames(c.Request().Context()); err != nil {
		return err
	}
	v.Pages = ui.Around("/admin/people", v, func(v *admin.PeopleView) *string { return &v.After }, next)
	return render.Page(c, wrong, admin.People(p.Frame(c, "People"), v))
}

// teamNames are everybody's teams, by account.
func (p *Pages) teamNames(ctx context.Context) (map[string]string, error) {
	teams, err := p.Accounts.Teams(ctx)
	names := map[string]string{}
	for _, t := range teams {
		for _, m := range t.Members {
			if names[m.ID] != "" {
				names[m.ID] += ", "
			}
			names[m.ID] += t.Name
		}
	}
	return names, err
}

// PeopleAdd invites a person; the page that follows shows the link, once.
func (p *Pages) PeopleAdd(c echo.Context, in session.NewPerson) error {
	a, secret, err := p.Accounts.Invite(c.Request().Context(), in.Account(), session.Actor(c))
	if err != nil {
		return p.peoplePage(c,
			admin.PeopleView{Form: admin.PersonForm{Email: in.Email, Name: in.Name, Roles: in.Roles}}, err)
	}
	return render.Once(c, "/admin/people", p.freshLink(a, secret))
}

func (p *Pages) freshLink(a account.Account, secret string) *admin.FreshLink {
	return &admin.FreshLink{Who: a, Link: p.Address("/join/" + secret), Until: p.Now().Add(account.LinkFor)}
}

// PersonShow shows one person.
func (p *Pages) PersonShow(c echo.Context) error {
	return p.personPage(c, admin.PersonView{Fresh: session.TakeOnce[*admin.FreshLink](c)}, nil)
}

func (p *Pages) personPage(c echo.Context, v admin.PersonView, wrong error) (err error) {
	ctx := c.Request().Context()
	v.Side, v.Me, v.Errors = p.side(c), session.Me(c).ID, accounts.ErrorsOf(wrong)
	if v.Person, err = p.Accounts.Get(ctx, c.Param("id")); err != nil {
		return err
	}
	if v.Sessions, err = p.Accounts.ListSessions(ctx, v.Person.ID); err != nil {
		return err
	}
	if v.LinkUntil, err = p.Accounts.LinkExpires(ctx, v.Person.ID); err != nil {
		return err
	}
	if v.Loss, err = p.Reviews.LossOf(ctx, v.Person.ID); err != nil {
		return err
	}
	if v.Name == "" && v.Errors["name"] == "" {
		v.Name = v.Person.Name
	}
	if v.Email == "" && v.Errors["email"] == "" {
		v.Email = v.Person.Email
	}
	if v.Roles == nil {
		v.Roles = v.Person.Roles
	}
	return render.Page(c, wrong, admin.Person(p.Frame(c, v.Person.Name), v))
}

// PeopleRoles sets a person's roles.
func (p *Pages) PeopleRoles(c echo.Context, in session.NewPerson) error {
	a, err := p.Accounts.SetRoles(c.Request().Context(), c.Param("id"), in.Roles, session.Actor(c), in.Base)
	return p.personDone(c, in.Roles, err, a.Name+"'s roles: "+account.Words(a.Roles)+"."+admin.StartsLine(a))
}

// PeopleName gives a person another name.
func (p *Pages) PeopleName(c echo.Context, in session.NewPerson) error {
	a, err := p.Accounts.Rename(c.Request().Context(), c.Param("id"), in.Name, session.Actor(c), in.Base)
	if err != nil {
		return p.personPage(c, admin.PersonView{Name: in.Name}, err)
	}
	return p.personDone(c, nil, nil, "Renamed to "+a.Name+".")
}

// PeopleEmail gives a person another address to sign in with.
func (p *Pages) PeopleEmail(c echo.Context, in session.NewPerson) error {
	a, err := p.Accounts.SetEmail(c.Request().Context(), c.Param("id"), in.Email, session.Actor(c), in.Base)
	if err != nil {
		return p.personPage(c, admin.PersonView{Email: in.Email}, err)
	}
	return p.personDone(c, nil, nil, a.Name+" signs in with "+a.Email+" from now on.")
}

// PeopleDisable keeps a person from signing in.
func (p *Pages) PeopleDisable(c echo.Context) error {
	loss, err := p.Reviews.LossOf(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	a, err := p.Accounts.Disable(c.Request().Context(), c.Param("id"), session.Actor(c))
	return p.personDone(c, nil, err, a.Name+" can no longer sign in and is signed out everywhere."+
		admin.TookBack(loss))
}

// PeopleEnable lets a person sign in again.
func (p *Pages) PeopleEnable(c echo.Context) error {
	a, err := p.Accounts.Enable(c.Request().Context(), c.Param("id"), session.Actor(c))
	return p.personDone(c, nil, err, a.Name+" can sign in again.")
}

// PeopleSignOut ends a person's sessions.
func (p *Pages) PeopleSignOut(c echo.Context) error {
	a, _, err := p.Accounts.EndAll(c.Request().Context(), c.Param("id"), session.Actor(c))
	return p.personDone(c, nil, err, a.Name+" is signed out everywhere.")
}

// PeopleLink makes a link with which the person chooses a new password; the page that follows shows it, once.
func (p *Pages) PeopleLink(c echo.Context) error {
	a, secret, err := p.Accounts.MakeLink(c.Request().Context(), c.Param("id"), session.Actor(c))
	if err != nil {
		return p.personPage(c, admin.PersonView{}, err)
	}
	return render.Once(c, "/admin/people/"+a.ID, p.freshLink(a, secret))
}

// personDone goes back to the person, or shows them with what was wrong.
func (p *Pages) personDone(c echo.Context, typed []account.Role, err error, line string) error {
	if err != nil {
		return p.personPage(c, admin.PersonView{Roles: typed}, err)
	}
	return render.Done(c, "/admin/people/"+c.Param("id"), line)
}

// TeamList is every team.
func (p *Pages) TeamList(c echo.Context) error { return p.teamsPage(c, admin.TeamsView{}, nil) }

// teamsPage shows the teams with what was typed and what was wrong.
func (p *Pages) teamsPage(c echo.Context, v admin.TeamsView, wrong error) (err error) {
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
