package page

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/fault"
	"preceptor/views/accounts"
	"preceptor/web/render"
	"preceptor/web/session"
)

// SignInForm shows the sign-in page. Who is signed in already goes on.
func (p *Pages) SignInForm(c echo.Context) error {
	next := render.Local(c.QueryParam("next"))
	if _, ok := session.Current(c); ok {
		return render.Redirect(c, next)
	}
	return p.signInPage(c, http.StatusOK, accounts.SignInView{Next: next})
}

// SignIn checks e-mail and password and starts a session.
func (p *Pages) SignIn(c echo.Context) error {
	r := c.Request()
	email, next := r.PostFormValue("email"), render.Local(r.PostFormValue("next"))
	a, err := p.Accounts.SignIn(r.Context(), email, r.PostFormValue("password"), c.RealIP())
	switch fault.KindOf(err) {
	case fault.Unsigned, fault.Limited:
		if wait := fault.RetryAfter(err); wait > 0 {
			c.Response().Header().Set("Retry-After", strconv.Itoa(int(wait.Seconds())+1))
		}
		return p.signInPage(c, fault.KindOf(err).Status(), accounts.SignInView{Email: email, Next: next, Error: fault.Message(err)})
	}
	if err != nil {
		return err
	}
	return p.begin(c, a, next)
}

func (p *Pages) begin(c echo.Context, a account.Account, next string) error {
	if to := p.takeIn(c, a); to != "" {
		next = to
	}
	if err := p.Sessions.Begin(c, a); err != nil {
		return err
	}
	return render.Redirect(c, next)
}

func (p *Pages) signInPage(c echo.Context, status int, v accounts.SignInView) error {
	any, err := p.Accounts.Any(c.Request().Context())
	if err != nil {
		return err
	}
	v.NobodyYet = !any
	if v.Kept == nil {
		v.Kept = keptAgain(c)
	}
	if p.demoFor(c) {
		if v.Demo, err = p.demoAccounts(c); err != nil {
			return err
		}
	}
	return render.Page(c, status, accounts.SignIn(p.frame(c, "Sign in"), v))
}

// SignOut ends the session on the server and in the browser.
func (p *Pages) SignOut(c echo.Context) error {
	if err := p.Sessions.End(c); err != nil {
		return err
	}
	return render.Redirect(c, "/sign-in")
}

// demoFor tells whether one-click sign-in is offered: in the demo, to this machine.
func (p *Pages) demoFor(c echo.Context) bool { return p.Demo && session.Local(c.Request()) }

func (p *Pages) demoAccounts(c echo.Context) ([]account.Account, error) {
	all, err := p.Accounts.List(c.Request().Context())
	if err != nil {
		return nil, err
	}
	var list []account.Account
	for _, a := range all {
		if !a.Disabled {
			list = append(list, a)
		}
	}
	slices.SortStableFunc(list, func(a, b account.Account) int { // those who decide first, as the roles are listed
		return slices.Index(account.Roles, a.Roles[0]) - slices.Index(account.Roles, b.Roles[0])
	})
	return list, nil
}

// DemoSignIn signs in as one of the demo's people, without a password.
func (p *Pages) DemoSignIn(c echo.Context) error {
	if !p.demoFor(c) {
		return echo.ErrNotFound
	}
	a, err := p.Accounts.Get(c.Request().Context(), c.Request().PostFormValue("account"))
	if err != nil {
		return err
	}
	return p.begin(c, a, render.Local(c.Request().PostFormValue("next")))
}
