package page

import (
	"net/http"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/views/accounts"
	"preceptor/views/layout"
	"preceptor/views/ui"
	"preceptor/web/render"
	"preceptor/web/session"
)

// frame is the page around the page that c asks for, as its person may see it.
func (p *Pages) frame(c echo.Context, title string) layout.Frame {
	f := layout.Frame{Title: title, Path: c.Request().URL.Path, Demo: p.Demo, Now: p.Now()}
	a, ok := session.Current(c)
	if !ok {
		return f
	}
	f.Person = &layout.Person{Name: a.Name, Email: a.Email, Roles: roleNames(a)}
	if a.Prefs.Theme != "system" {
		f.Theme = a.Prefs.Theme
	}
	f.NoKeys, f.Dense = !a.Prefs.LetterKeys, a.Prefs.Density == "compact"
	f.Packs = p.packs(c)
	f.Nav, f.Own, f.Unread = p.nav(c, a), own(a), p.unread(c)
	if render.IsHTMX(c) {
		return f // a part that is fetched again shows no notice, so it must not use one up
	}
	if line := session.TakeFlash(c); line != "" {
		f.Flash = []layout.Flash{{Tone: ui.Green, Text: line}}
	}
	return f
}

// nav is the navigation that the account's roles allow, with what waits for them. A count that can't be read is left out:
// no page fails for it.
func (p *Pages) nav(c echo.Context, a account.Account) []layout.Item {
	var items []layout.Item
	if a.Has(account.Supervisor) {
		n, err := p.Reviews.Counts(c.Request().Context(), a.ID)
		if err != nil {
			p.Log.Warn("count what waits", "error", err.Error())
		}
		items = append(items, layout.Item{Label: "Reviews", Href: "/reviews", Count: n.Needs, CountLabel: "need review"})
	} else if a.Has(account.Manager) || a.Has(account.Admin) {
		items = append(items, layout.Item{Label: "Reviews", Href: "/reviews"}) // to see where cases stand, and assign them
	}
	if a.Has(account.Expert) || a.Has(account.Manager) || a.Has(account.Admin) {
		n, err := p.Borderline.CountOpen(c.Request().Context(), viewer(c))
		if err != nil {
			p.Log.Warn("count borderline cases", "error", err.Error())
		}
		items = append(items, layout.Item{Label: "Borderline", Href: "/compliance", Count: n, CountLabel: "with experts"})
	}
	if a.Has(account.Expert) || a.Has(account.Manager) || a.Has(account.Admin) {
		items = append(items, layout.Item{Label: "Datasets", Href: "/datasets"})
	}
	learning := layout.Item{Label: "Learning", Href: "/learning"}
	if a.Has(account.Expert) || a.Has(account.Admin) {
		n, err := p.Learning.ToAccept(c.Request().Context())
		if err != nil {
			p.Log.Warn("count lessons", "error", err.Error())
		}
		learning.Count, learning.CountLabel = n, "wait for acceptance"
	}
	items = append(items, learning, p.knowledgeItem(c, a), layout.Item{Label: "Ask", Href: "/ask"})
	if a.Has(account.Manager) || a.Has(account.Admin) {
		items = append(items, layout.Item{Label: "Statistics", Href: "/stats", Also: "/overview /exports /preferences /experiments /feedback"})
	}
	if a.Has(account.Admin) {
		items = append(items, layout.Item{Label: "Administration", Href: "/admin"})
	}
	return items
}

func roleNames(a account.Account) []string {
	names := make([]string, len(a.Roles))
	for i, r := range a.Roles {
		names[i] = string(r)
	}
	return names
}

// Faults are the views of errors, for render.Use.
func (p *Pages) Faults() render.Views {
	view := func(r render.Problem) layout.Fault {
		f := layout.Fault{Status: r.Status, Message: r.Message, RequestID: r.RequestID}
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
				return accounts.SignIn(p.frame(c, "Sign in"), s)
			}
			return layout.Problem(p.frame(c, layout.TitleOf(v.Status)), v)
		},
		Notice: func(r render.Problem) templ.Component { return layout.ProblemFragment(view(r)) },
	}
}

// Busy is the page that everybody is shown while the program prepares something.
func (p *Pages) Busy(c echo.Context, said string) error {
	return render.Page(c, http.StatusServiceUnavailable, layout.Busy(p.frame(c, "Almost ready"), said))
}
