package page

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/fault"
	"preceptor/internal/id"
	"preceptor/views/accounts"
	"preceptor/web/render"
	"preceptor/web/session"
)

// Account shows a person's own page.
func (p *Pages) Account(c echo.Context) error { return p.accountPage(c, http.StatusOK, nil) }

func (p *Pages) accountPage(c echo.Context, status int, wrong error) error {
	a, _ := session.Current(c)
	s, _ := session.CurrentSession(c)
	list, err := p.Accounts.ListSessions(c.Request().Context(), a.ID)
	if err != nil {
		return err
	}
	v := accounts.AccountView{Account: a, Sessions: list, Current: s.ID, Errors: accounts.ErrorsOf(wrong)}
	return render.Page(c, status, accounts.Account(p.frame(c, "Your account"), v))
}

// AccountPassword changes the password. Every session ends; this browser gets a new one.
func (p *Pages) AccountPassword(c echo.Context) error {
	a, _ := session.Current(c)
	r := c.Request()
	err := p.Accounts.ChangePassword(r.Context(), a.ID, r.PostFormValue("current"), r.PostFormValue("password"), c.RealIP())
	switch fault.KindOf(err) {
	case fault.Invalid, fault.Limited:
		return p.accountPage(c, fault.KindOf(err).Status(), err)
	}
	if err != nil {
		return err
	}
	if err := p.Sessions.Begin(c, a); err != nil {
		return err
	}
	return p.done(c, "/account", "The password is changed. You are signed out everywhere else.")
}

// AccountPreferences keeps how the pages look, from the account's page.
func (p *Pages) AccountPreferences(c echo.Context) error {
	a, _ := session.Current(c)
	r := c.Request()
	prefs := account.Prefs{Theme: r.PostFormValue("theme"), Density: r.PostFormValue("density"), LetterKeys: r.PostFormValue("letter_keys") == "on"}
	err := p.Accounts.SetPrefs(r.Context(), a.ID, prefs)
	if fault.Is(err, fault.Invalid) {
		return p.accountPage(c, http.StatusUnprocessableEntity, err)
	}
	if err != nil {
		return err
	}
	return p.done(c, "/account", "The pages look as you chose.")
}

// Preferences changes one setting from the account menu and goes back to the page it was opened on.
func (p *Pages) Preferences(c echo.Context) error {
	a, _ := session.Current(c)
	r := c.Request()
	prefs := a.Prefs
	switch theme := r.PostFormValue("theme"); theme {
	case "":
	case "auto":
		prefs.Theme = "system"
	default:
		prefs.Theme = theme
	}
	if keys := r.PostFormValue("keys"); keys != "" {
		prefs.LetterKeys = keys == "on"
	}
	if err := p.Accounts.SetPrefs(r.Context(), a.ID, prefs); err != nil {
		return err
	}
	return render.Redirect(c, render.Local(r.PostFormValue("back")))
}

// AccountSessionsEnd signs out one other browser, or all of them.
func (p *Pages) AccountSessionsEnd(c echo.Context) error {
	a, _ := session.Current(c)
	s, _ := session.CurrentSession(c)
	ctx, which := c.Request().Context(), c.Request().PostFormValue("session")
	var err error
	switch {
	case which == "others":
		_, err = p.Accounts.EndOthers(ctx, a.ID, s.ID)
	case id.Valid(which):
		_, err = p.Accounts.EndOne(ctx, a.ID, which)
	default:
		err = fault.New(fault.Invalid, "Choose which browser is to be signed out.")
	}
	if err != nil {
		return err
	}
	return p.done(c, "/account", "Signed out there.")
}

// done goes on after a form with one line for the next page.
func (p *Pages) done(c echo.Context, to, line string) error {
	if err := session.Flash(c, line); err != nil {
		return err
	}
	return render.Redirect(c, to)
}
