package home

import (
	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/platform/fault"
	"preceptor/views/accounts"
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

// JoinForm shows the page behind a link with which a person chooses a password. Looking at it uses nothing up: programs
// that preview links do so too.
func (p *Pages) JoinForm(c echo.Context) error { return p.joinPage(c, nil) }

// Join sets the password that was chosen and signs the person in.
func (p *Pages) Join(c echo.Context, in session.NewPerson) error {
	a, err := p.Accounts.UseLink(c.Request().Context(), c.Param("secret"), string(in.Password), c.RealIP())
	if fault.Is(err, fault.Invalid) {
		return p.joinPage(c, err)
	}
	if err != nil {
		return err
	}
	return p.begin(c, a, signIn{})
}

func (p *Pages) joinPage(c echo.Context, wrong error) error {
	c.Response().Header().Set("Referrer-Policy", "no-referrer") // the address is a secret
	a, err := p.Accounts.CheckLink(c.Request().Context(), c.Param("secret"), c.RealIP())
	if err != nil {
		return err
	}
	v := accounts.JoinView{Secret: c.Param("secret"), Account: a, Errors: accounts.ErrorsOf(wrong)}
	return render.Page(c, wrong, accounts.Join(p.Frame(c, "Choose your password"), v))
}

func (p *Pages) setupPage(c echo.Context, in session.NewPerson, wrong error) error {
	v := accounts.SetupView{Secret: c.Param("secret"), Email: in.Email, Name: in.Name, Roles: in.Roles,
		Errors: accounts.ErrorsOf(wrong)}
	c.Response().Header().Set("Referrer-Policy", "no-referrer") // the address is a secret
	return render.Page(c, wrong, accounts.Setup(p.Frame(c, "Create the first account"), v))
}
