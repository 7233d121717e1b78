package page

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/audit"
	"preceptor/internal/fault"
	"preceptor/views/accounts"
	"preceptor/views/admin"
	"preceptor/web/render"
	"preceptor/web/session"
)

// People lists everybody.
func (p *Pages) People(c echo.Context) error {
	return p.peoplePage(c, http.StatusOK, admin.PersonForm{Roles: []account.Role{account.Supervisor}}, nil)
}

func (p *Pages) peoplePage(c echo.Context, status int, form admin.PersonForm, wrong error) error {
	me, _ := session.Current(c)
	list, err := p.Accounts.List(c.Request().Context())
	if err != nil {
		return err
	}
	v := admin.PeopleView{People: list, Me: me.ID, Form: form, Errors: accounts.ErrorsOf(wrong)}
	return render.Page(c, status, admin.People(p.frame(c, "People"), v))
}

// PeopleAdd adds somebody.
func (p *Pages) PeopleAdd(c echo.Context) error {
	r := c.Request()
	n := account.NewAccount{Email: r.PostFormValue("email"), Name: r.PostFormValue("name"), Password: r.PostFormValue("password"), Roles: postedRoles(r)}
	a, err := p.Accounts.Add(r.Context(), n, actor(c))
	return p.peopleDone(c, err, admin.PersonForm{Email: n.Email, Name: n.Name, Roles: n.Roles}, a.Name+" can sign in now.")
}

// PeopleRoles sets a person's roles.
func (p *Pages) PeopleRoles(c echo.Context) error {
	a, err := p.Accounts.SetRoles(c.Request().Context(), c.Param("id"), postedRoles(c.Request()), actor(c))
	return p.peopleDone(c, err, admin.PersonForm{}, a.Name+" is now: "+accounts.RoleList(a)+".")
}

// PeopleDisable keeps a person from signing in.
func (p *Pages) PeopleDisable(c echo.Context) error {
	a, err := p.Accounts.Disable(c.Request().Context(), c.Param("id"), actor(c))
	return p.peopleDone(c, err, admin.PersonForm{}, a.Name+" may not sign in any more and is signed out everywhere.")
}

// PeopleEnable lets a person sign in again.
func (p *Pages) PeopleEnable(c echo.Context) error {
	a, err := p.Accounts.Enable(c.Request().Context(), c.Param("id"), actor(c))
	return p.peopleDone(c, err, admin.PersonForm{}, a.Name+" may sign in again.")
}

// PeoplePassword gives a person a new password.
func (p *Pages) PeoplePassword(c echo.Context) error {
	err := p.Accounts.SetPassword(c.Request().Context(), c.Param("id"), c.Request().PostFormValue("password"), actor(c))
	if fault.Is(err, fault.Invalid) { // the form beside it has a field of the same name; say it above instead
		err = fault.New(fault.Invalid, "%s", fault.Message(err))
	}
	return p.peopleDone(c, err, admin.PersonForm{}, "The new password counts from now on.")
}

// peopleDone goes back to the list, or shows it with what was wrong.
func (p *Pages) peopleDone(c echo.Context, err error, form admin.PersonForm, line string) error {
	switch fault.KindOf(err) {
	case fault.Invalid, fault.Conflict:
		return p.peoplePage(c, fault.KindOf(err).Status(), form, err)
	}
	if err != nil {
		return err
	}
	return p.done(c, "/admin/people", line)
}

// actor is who is signed in, as the audit log names them.
func actor(c echo.Context) audit.Actor {
	a, _ := session.Current(c)
	return a.Actor()
}
