package page

import (
	"context"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/audit"
	"preceptor/internal/fault"
	"preceptor/views/accounts"
	"preceptor/views/admin"
	"preceptor/web/render"
	"preceptor/web/session"
)

// People lists people by page and filter.
func (p *Pages) People(c echo.Context) error {
	return p.peoplePage(c, http.StatusOK, admin.PersonForm{Roles: []account.Role{account.Supervisor}}, nil)
}

func (p *Pages) peoplePage(c echo.Context, status int, form admin.PersonForm, wrong error) (err error) {
	me, _ := session.Current(c)
	v := admin.PeopleView{Side: p.side(c), Me: me.ID, Form: form, Errors: accounts.ErrorsOf(wrong),
		Words: c.QueryParam("q"), Role: account.Role(c.QueryParam("role")), Access: c.QueryParam("access")}
	f := account.PeopleFilter{Words: v.Words, Role: v.Role, Disabled: v.Access, After: c.QueryParam("after")}
	var next string
	if v.People, next, err = p.Accounts.People(c.Request().Context(), f); err != nil {
		return err
	}
	if v.Teams, err = p.teamNames(c.Request().Context()); err != nil {
		return err
	}
	q := url.Values{}
	for name, value := range map[string]string{"q": v.Words, "role": string(v.Role), "access": v.Access} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if f.After != "" {
		v.First = at("/admin/people", q)
	}
	if next != "" {
		q.Set("after", next)
		v.Next = at("/admin/people", q)
	}
	return render.Page(c, status, admin.People(p.frame(c, "People"), v))
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

// at is an address with a query.
func at(path string, q url.Values) string {
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

// PeopleAdd adds somebody.
func (p *Pages) PeopleAdd(c echo.Context) error {
	r := c.Request()
	n := account.NewAccount{Email: r.PostFormValue("email"), Name: r.PostFormValue("name"), Password: r.PostFormValue("password"), Roles: postedRoles(r)}
	a, err := p.Accounts.Add(r.Context(), n, actor(c))
	switch fault.KindOf(err) {
	case fault.Invalid, fault.Conflict:
		return p.peoplePage(c, fault.KindOf(err).Status(), admin.PersonForm{Email: n.Email, Name: n.Name, Roles: n.Roles}, err)
	}
	if err != nil {
		return err
	}
	return p.done(c, "/admin/people", a.Name+" can sign in now.")
}

// PersonShow shows one person.
func (p *Pages) PersonShow(c echo.Context) error { return p.personPage(c, http.StatusOK, nil, nil) }

func (p *Pages) personPage(c echo.Context, status int, typed []account.Role, wrong error) error {
	ctx := c.Request().Context()
	a, err := p.Accounts.Get(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	sessions, err := p.Accounts.ListSessions(ctx, a.ID)
	if err != nil {
		return err
	}
	me, _ := session.Current(c)
	v := admin.PersonView{Side: p.side(c), Person: a, Roles: a.Roles, Sessions: sessions, Me: me.ID, Errors: accounts.ErrorsOf(wrong)}
	if typed != nil {
		v.Roles = typed
	}
	return render.Page(c, status, admin.Person(p.frame(c, a.Name), v))
}

// PeopleRoles sets a person's roles.
func (p *Pages) PeopleRoles(c echo.Context) error {
	roles := postedRoles(c.Request())
	a, err := p.Accounts.SetRoles(c.Request().Context(), c.Param("id"), roles, actor(c))
	return p.personDone(c, roles, err, a.Name+" is now: "+accounts.RoleList(a)+".")
}

// PeopleDisable keeps a person from signing in.
func (p *Pages) PeopleDisable(c echo.Context) error {
	a, err := p.Accounts.Disable(c.Request().Context(), c.Param("id"), actor(c))
	return p.personDone(c, nil, err, a.Name+" may not sign in any more and is signed out everywhere.")
}

// PeopleEnable lets a person sign in again.
func (p *Pages) PeopleEnable(c echo.Context) error {
	a, err := p.Accounts.Enable(c.Request().Context(), c.Param("id"), actor(c))
	return p.personDone(c, nil, err, a.Name+" may sign in again.")
}

// PeopleSignOut ends a person's sessions.
func (p *Pages) PeopleSignOut(c echo.Context) error {
	a, _, err := p.Accounts.EndAll(c.Request().Context(), c.Param("id"), actor(c))
	return p.personDone(c, nil, err, a.Name+" is signed out everywhere.")
}

// PeoplePassword gives a person a new password.
func (p *Pages) PeoplePassword(c echo.Context) error {
	err := p.Accounts.SetPassword(c.Request().Context(), c.Param("id"), c.Request().PostFormValue("password"), actor(c))
	return p.personDone(c, nil, err, "The new password counts from now on.")
}

// personDone goes back to the person, or shows them with what was wrong.
func (p *Pages) personDone(c echo.Context, typed []account.Role, err error, line string) error {
	switch fault.KindOf(err) {
	case fault.Invalid, fault.Conflict:
		return p.personPage(c, fault.KindOf(err).Status(), typed, err)
	}
	if err != nil {
		return err
	}
	return p.done(c, "/admin/people/"+c.Param("id"), line)
}

// actor is who is signed in, as the audit log names them.
func actor(c echo.Context) audit.Actor {
	a, _ := session.Current(c)
	return a.Actor()
}
