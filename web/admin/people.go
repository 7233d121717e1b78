package admin

import (
	"context"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/views/accounts"
	"preceptor/views/admin"
	"preceptor/views/ui"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// People lists people by page and filter.
func (p *Pages) People(c echo.Context, v admin.PeopleView) error {
	v.Form.Roles = []account.Role{account.Supervisor}
	return p.peoplePage(c, v, nil)
}

func (p *Pages) peoplePage(c echo.Context, v admin.PeopleView, wrong error) (err error) {
	if !form.Again(wrong) {
		return wrong
	}
	v.Side, v.Me, v.Errors = p.side(c), session.Me(c).ID, accounts.ErrorsOf(wrong)
	var next string
	f := account.PeopleFilter{Words: v.Words, Role: v.Role, Disabled: v.Access, After: v.After}
	if v.People, next, err = p.Accounts.People(c.Request().Context(), f); err != nil {
		return err
	}
	if v.Teams, err = p.teamNames(c.Request().Context()); err != nil {
		return err
	}
	other := v
	if other.After = ""; v.After != "" {
		v.First = ui.Address("/admin/people", other)
	}
	if other.After = next; next != "" {
		v.Next = ui.Address("/admin/people", other)
	}
	return render.Page(c, form.Status(wrong), admin.People(p.Frame(c, "People"), v))
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

// PeopleAdd adds somebody.
func (p *Pages) PeopleAdd(c echo.Context, in session.NewPerson) error {
	a, err := p.Accounts.Add(c.Request().Context(), in.Account(), session.Actor(c))
	if err != nil {
		return p.peoplePage(c, admin.PeopleView{Form: admin.PersonForm{Email: in.Email, Name: in.Name, Roles: in.Roles}}, err)
	}
	return render.Done(c, "/admin/people", a.Name+" can sign in now.")
}

// PersonShow shows one person.
func (p *Pages) PersonShow(c echo.Context) error { return p.personPage(c, nil, nil) }

func (p *Pages) personPage(c echo.Context, typed []account.Role, wrong error) error {
	if !form.Again(wrong) {
		return wrong
	}
	ctx := c.Request().Context()
	a, err := p.Accounts.Get(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	sessions, err := p.Accounts.ListSessions(ctx, a.ID)
	if err != nil {
		return err
	}
	v := admin.PersonView{Side: p.side(c), Person: a, Roles: a.Roles, Sessions: sessions, Me: session.Me(c).ID, Errors: accounts.ErrorsOf(wrong)}
	if typed != nil {
		v.Roles = typed
	}
	return render.Page(c, form.Status(wrong), admin.Person(p.Frame(c, a.Name), v))
}

// PeopleRoles sets a person's roles.
func (p *Pages) PeopleRoles(c echo.Context, in session.NewPerson) error {
	a, err := p.Accounts.SetRoles(c.Request().Context(), c.Param("id"), in.Roles, session.Actor(c))
	return p.personDone(c, in.Roles, err, a.Name+" is now: "+accounts.RoleList(a)+".")
}

// PeopleDisable keeps a person from signing in.
func (p *Pages) PeopleDisable(c echo.Context) error {
	a, err := p.Accounts.Disable(c.Request().Context(), c.Param("id"), session.Actor(c))
	return p.personDone(c, nil, err, a.Name+" may not sign in any more and is signed out everywhere.")
}

// PeopleEnable lets a person sign in again.
func (p *Pages) PeopleEnable(c echo.Context) error {
	a, err := p.Accounts.Enable(c.Request().Context(), c.Param("id"), session.Actor(c))
	return p.personDone(c, nil, err, a.Name+" may sign in again.")
}

// PeopleSignOut ends a person's sessions.
func (p *Pages) PeopleSignOut(c echo.Context) error {
	a, _, err := p.Accounts.EndAll(c.Request().Context(), c.Param("id"), session.Actor(c))
	return p.personDone(c, nil, err, a.Name+" is signed out everywhere.")
}

// PeoplePassword gives a person a new password.
func (p *Pages) PeoplePassword(c echo.Context, in session.NewPerson) error {
	err := p.Accounts.SetPassword(c.Request().Context(), c.Param("id"), string(in.Password), session.Actor(c))
	return p.personDone(c, nil, err, "The new password counts from now on.")
}

// personDone goes back to the person, or shows them with what was wrong.
func (p *Pages) personDone(c echo.Context, typed []account.Role, err error, line string) error {
	if err != nil {
		return p.personPage(c, typed, err)
	}
	return render.Done(c, "/admin/people/"+c.Param("id"), line)
}
