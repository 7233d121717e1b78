package home

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/views/layout"
	"preceptor/web/render"
	"preceptor/web/session"
)

// Home sends everybody to the page their work is on.
func (p *Pages) Home(c echo.Context) error {
	a := session.Me(c)
	return c.Redirect(http.StatusSeeOther, homeOf(a))
}

// homeOf is where a person's work is. A role that hasn't taken effect opens no page of work: the notice on every page
// says when it does.
func homeOf(a account.Account) string {
	in := func(r account.Role) bool { return a.Has(r) && !slices.Contains(a.Waiting, r) }
	switch {
	case in(account.Supervisor):
		return "/reviews"
	case in(account.Expert):
		return "/todo"
	case in(account.Manager):
		return "/overview"
	case in(account.Admin):
		return "/admin"
	}
	return "/ask"
}

// Nav is the navigation alone, with fresh counts, for pages that follow what changes.
func (p *Pages) Nav(c echo.Context, in struct {
	At string `form:"at"`
}) error {
	return render.Fragment(c, nil, layout.Nav(p.Frame(c, "").At(render.Local(in.At)).Follow()))
}
