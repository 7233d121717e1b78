package home

import (
	"cmp"
	"net/http"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"preceptor/views/accounts"
	"preceptor/views/layout"
	"preceptor/web/render"
)

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
