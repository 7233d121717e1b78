package home

import (
	"net/http"

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

func homeOf(a account.Account) string {
	switch {
	case a.Has(account.Supervisor):
		return "/reviews"
	case a.Has(account.Expert):
		return "/todo"
	case a.Has(account.Manager):
		return "/overview"
	case a.Has(account.Admin):
		return "/admin"
	}
	return "/ask"
}

// Nav is the navigation alone, with fresh counts, for pages that follow what changes.
func (p *Pages) Nav(c echo.Context, in struct {
	At string `form:"at"`
}) error {
	return render.Fragment(c, http.StatusOK, layout.Nav(p.Frame(c, "").At(render.Local(in.At)).Follow()))
}
