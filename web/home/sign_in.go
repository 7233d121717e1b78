package home

import (
	"slices"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/platform/fault"
	"preceptor/views/accounts"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// SignInForm shows the sign-in page. Who is signed in already goes on.
func (p *Pages) SignInForm(c echo.Context, in signIn) error {
	if _, ok := session.Current(c); ok {
		return render.Redirect(c, in.Next)
	}
	return p.signInPage(c, in, nil)
}

// signIn is the form of the page, with what was typed at the desk before a session ended.
type signIn struct {
	Email    string        `form:"email"`
	Password form.Verbatim `form:"password"`
	Account  string        `form:"account"` // of the demo
	Next     string        `form:"next"`
	kept     `form:"kept"`
}

// SignIn checks e-mail and password and starts a session.
func (p *Pages) SignIn(c echo.Context, in signIn) error {
	a, err := p.Accounts.SignIn(c.Request().Context(), in.Email, string(in.Password), c.RealIP())
	if fault.Is(err, fault.Unsigned) || fault.Is(err, fault.Limited) {
		render.RetryAfter(c, err)
		return p.signInPage(c, in, err)
	}
	if err != nil {
		return err
	}
	return p.begin(c, a, in)
}

func (p *Pages) begin(c echo.Context, a account.Account, in signIn) error {
	next := in.Next
	if to := p.takeIn(c, a, in.kept); to != "" {
		next = to
	}
	if err := p.Sessions.Begin(c, a); err != nil {
		return err
	}
	return render.Redirect(c, next)
}

func (p *Pages) signInPage(c echo.Context, in signIn, wrong error) error {
	any, err := p.Accounts.Any(c.Request().Context())
	if err != nil {
		return err
	}
	v := accounts.SignInView{Email: in.Email, Next: render.Local(in.Next), NobodyYet: !any, Kept: in.kept.fields()}
	v.Error, _ = form.Said(wrong)
	if p.demoFor(c) {
		if v.Demo, err = p.demoAccounts(c); err != nil {
			return err
		}
	}
	return render.Page(c, wrong, accounts.SignIn(p.Frame(c, "Sign in"), v))
}

// SignOut ends the session on the server and in the browser.
func (p *Pages) SignOut(c echo.Context) error {
	if err := p.Sessions.End(c); err != nil {
		return err
	}
	return render.Redirect(c, "/sign-in")
}

// demoFor reports whether one-click sign-in is offered: in the demo, to this machine.
func (p *Pages) demoFor(c echo.Context) bool { return p.Demo && session.Local(c.Request()) }

func (p *Pages) demoAccounts(c echo.Context) ([]account.Account, error) {
	all, err := p.Accounts.List(c.Request().Context())
	if err != nil {
		return nil, err
	}
	var list []account.Account
	for _, a := range all {
		if !a.Disabled && !a.Invited {
			list = append(list, a)
		}
	}
	slices.SortStableFunc(list, func(a, b account.Account) int { // those who decide first, as the roles are listed
		return slices.Index(account.Roles, a.Roles[0]) - slices.Index(account.Roles, b.Roles[0])
	})
	return list, nil
}

// DemoSignIn signs in as one of the demo's people, without a password.
func (p *Pages) DemoSignIn(c echo.Context, in signIn) error {
	if !p.demoFor(c) {
		return echo.ErrNotFound
	}
	a, err := p.Accounts.Get(c.Request().Context(), in.Account)
	if err != nil {
		return err
	}
	return p.begin(c, a, in)
}
