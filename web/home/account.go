package home

import (
	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/views/accounts"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// Account shows a person's own page.
func (p *Pages) Account(c echo.Context) error { return p.accountPage(c, nil) }

func (p *Pages) accountPage(c echo.Context, wrong error) error {
	a := session.Me(c)
	s, _ := session.CurrentSession(c)
	list, err := p.Accounts.ListSessions(c.Request().Context(), a.ID)
	if err != nil {
		return err
	}
	v := accounts.AccountView{Account: a, Sessions: list, Current: s.ID, Errors: accounts.ErrorsOf(wrong)}
	return render.Page(c, wrong, accounts.Account(p.Frame(c, "Your account"), v), fault.Limited)
}

// AccountPassword changes the password. Every session ends; this browser gets a new one.
func (p *Pages) AccountPassword(c echo.Context, in struct {
	Current  form.Verbatim `form:"current"`
	Password form.Verbatim `form:"password"`
}) error {
	a := session.Me(c)
	if err := p.Accounts.ChangePassword(c.Request().Context(), a.ID, string(in.Current), string(in.Password),
		c.RealIP()); err != nil {
		return p.accountPage(c, err)
	}
	if err := p.Sessions.Begin(c, a); err != nil {
		return err
	}
	return render.Done(c, "/account", "Password changed. You are signed out everywhere else.")
}

// AccountPreferences keeps how the pages look, from the account's page.
func (p *Pages) AccountPreferences(c echo.Context, in struct {
	Theme      string `form:"theme"`
	Density    string `form:"density"`
	LetterKeys bool   `form:"letter_keys"`
}) error {
	if err := p.Accounts.SetPrefs(c.Request().Context(), session.Me(c).ID, account.Prefs(in)); err != nil {
		return p.accountPage(c, err)
	}
	return render.Done(c, "/account", "Saved.")
}

// Preferences changes one setting from the account menu and goes back to the page it was opened on.
func (p *Pages) Preferences(c echo.Context, in struct {
	Theme string `form:"theme"`
	Keys  string `form:"keys"`
	Back  string `form:"back"`
}) error {
	a := session.Me(c)
	switch in.Theme {
	case "":
	case "auto":
		a.Prefs.Theme = "system"
	default:
		a.Prefs.Theme = in.Theme
	}
	if in.Keys != "" {
		a.Prefs.LetterKeys = in.Keys == "on"
	}
	if err := p.Accounts.SetPrefs(c.Request().Context(), a.ID, a.Prefs); err != nil {
		return err
	}
	return render.Redirect(c, in.Back)
}

// AccountSessionsEnd signs out one other browser, or all of them.
func (p *Pages) AccountSessionsEnd(c echo.Context, in struct {
	Session string `form:"session"`
}) (err error) {
	a := session.Me(c)
	s, _ := session.CurrentSession(c)
	switch {
	case in.Session == "others":
		_, err = p.Accounts.EndOthers(c.Request().Context(), a.ID, s.ID)
	case id.Valid(in.Session):
		_, err = p.Accounts.EndOne(c.Request().Context(), a.ID, in.Session)
	default:
		err = fault.New(fault.Invalid, "Choose a browser to sign out.")
	}
	if err != nil {
		return err
	}
	return render.Done(c, "/account", "That browser is signed out.")
}
