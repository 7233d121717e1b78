// Package home holds the pages of everybody: signing in and setting up, the account, the inbox, search, help, asking
// the advisor and talking to agents; and what keeps pages fresh. The faults that every room answers with are drawn
// here.
package home

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"preceptor/help"
	"preceptor/internal/account"
	"preceptor/internal/platform/fault"
	"preceptor/views/accounts"
	"preceptor/views/home"
	"preceptor/views/layout"
	"preceptor/web/frame"
	"preceptor/web/hidden"
	"preceptor/web/render"
	"preceptor/web/session"
)

// Pages are the handlers.
type Pages struct {
	*frame.Maker
	*hidden.Guard
}

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

// HelpList is the list of help pages.
func (p *Pages) HelpList(c echo.Context) error {
	return render.Page(c, nil, home.HelpListPage(p.Frame(c, "Help"), help.Pages()))
}

// HelpShow is one page of help.
func (p *Pages) HelpShow(c echo.Context) error {
	page, ok := help.Find(c.Param("page"))
	if !ok {
		return fault.New(fault.NotFound, "There is no help page with this name. See Help for the full list.")
	}
	return render.Page(c, nil, home.HelpPage(p.Frame(c, page.Title).Broad(), page, help.Pages()))
}

// Faults are the views of errors, for render.Use.
func (p *Pages) Faults() render.Views {
	view := func(r render.Problem) layout.Fault {
		f := layout.Fault{Status: r.Status, Title: r.Heading, Message: r.Message, RequestID: r.RequestID}
		for _, field := range r.Fields {
			if field.Msg != r.Message {
				f.Fields = append(f.Fields, field.Msg)
			}
		}
		return f
	}
	return render.Views{
		Page: func(c echo.Context, r render.Problem) templ.Component {
			v := view(r)
			if kept := keptOf(c); r.Status == http.StatusUnauthorized && kept != nil {
				s := accounts.SignInView{Next: "/reviews", Kept: kept}
				if p.demoFor(c) {
					s.Demo, _ = p.demoAccounts(c) // without them there is the form
				}
				return accounts.SignIn(p.Frame(c, "Sign in"), s)
			}
			return layout.Problem(p.Frame(c, cmp.Or(v.Title, layout.TitleOf(v.Status))), v)
		},
		Notice: func(r render.Problem) templ.Component { return layout.ProblemFragment(view(r)) },
	}
}

// Busy is the page that everybody is shown while the program prepares something.
func (p *Pages) Busy(c echo.Context, said string) error {
	return render.Status(c, http.StatusServiceUnavailable, layout.Busy(p.Frame(c, "Almost ready"), said))
}
