package home

import (
	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/fault"
	"preceptor/views/accounts"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// SetupForm shows the page behind the set-up link, while it works.
func (p *Pages) SetupForm(c echo.Context) error {
	if err := p.Accounts.CheckSetup(c.Request().Context(), c.Param("secret")); err != nil {
		return err
	}
	return p.setupPage(c, session.NewPerson{Roles: []account.Role{account.Supervisor}}, nil)
}

// Setup makes the first administrator and signs them in.
func (p *Pages) Setup(c echo.Context, in session.NewPerson) error {
	a, err := p.Accounts.Setup(c.Request().Context(), c.Param("secret"), in.Account())
	if fault.Is(err, fault.Invalid) {
		return p.setupPage(c, in, err)
	}
	if err != nil {
		return err
	}
	return p.begin(c, a, signIn{})
}

func (p *Pages) setupPage(c echo.Context, in session.NewPerson, wrong error) error {
	v := accounts.SetupView{Secret: c.Param("secret"), Email: in.Email, Name: in.Name, Roles: in.Roles, Errors: accounts.ErrorsOf(wrong)}
	c.Response().Header().Set("Referrer-Policy", "no-referrer") // the address is a secret
	return render.Page(c, form.Status(wrong), accounts.Setup(p.Frame(c, "Make the first account"), v))
}
