package page

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/fault"
	"preceptor/internal/review/export"
	"preceptor/views/exports"
	"preceptor/views/ui"
	"preceptor/web/render"
	"preceptor/web/session"
)

// ExportForm offers decisions and skips as files.
func (p *Pages) ExportForm(c echo.Context) error {
	return p.exportPage(c, http.StatusOK, exports.Form{}, nil)
}

// onlyOwn tells whether the account may have nothing but what it did itself.
func onlyOwn(a account.Account) bool { return !a.Has(account.Manager) && !a.Has(account.Admin) }

func (p *Pages) exportPage(c echo.Context, status int, form exports.Form, wrong error) error {
	a, _ := session.Current(c)
	ctx := c.Request().Context()
	v := exports.View{Own: onlyOwn(a), Form: form}
	if wrong != nil {
		v.Error, v.Errors = fault.Message(wrong), fieldErrors(wrong)
	}
	agents, err := p.Accounts.Agents(ctx)
	if err != nil {
		return err
	}
	if len(agents) > 1 {
		v.Agents = []ui.Option{{Label: "all agents"}}
		for _, g := range agents {
			v.Agents = append(v.Agents, ui.Option{Value: g.ID, Label: g.Name})
		}
	}
	if !v.Own {
		people, err := p.Accounts.List(ctx)
		if err != nil {
			return err
		}
		v.People = []ui.Option{{Label: "everybody"}}
		for _, one := range people {
			v.People = append(v.People, ui.Option{Value: one.ID, Label: one.Name})
		}
	}
	f := p.frame(c, "Exports")
	if !v.Own {
		f.Path = "/overview" // where managers and administrators find it
	}
	return render.Page(c, status, exports.Page(f, v))
}

// Export streams a file. What can be wrong with the choice is said before the first byte; what fails later cuts the
// connection, so that nobody takes half a file for the whole.
func (p *Pages) Export(c echo.Context) error {
	form := exports.Form{Set: c.FormValue("set"), Format: c.FormValue("format"), From: c.FormValue("from"), To: c.FormValue("to"), Agent: c.FormValue("agent"),
		Person: c.FormValue("person"), Kind: c.FormValue("kind"), Planted: c.FormValue("planted")}
	o, err := p.exportOptions(c, form)
	if err == nil {
		err = o.Check()
	}
	if fault.Is(err, fault.Invalid) {
		return p.exportPage(c, http.StatusUnprocessableEntity, form, err)
	}
	if err != nil {
		return err
	}
	w, finish := p.exportWriter(c, &o)
	rep, err := p.Exports.Write(c.Request().Context(), w, o)
	if err == nil {
		err = finish()
	}
	if err != nil {
		if !errors.Is(err, context.Canceled) {
			p.Log.Warn("an export was not sent to its end", "rows", rep.Rows, "error", err.Error())
		}
		panic(http.ErrAbortHandler)
	}
	return nil
}

func (p *Pages) exportOptions(c echo.Context, form exports.Form) (o export.Options, err error) {
	a, _ := session.Current(c)
	f := export.Filter{AgentID: form.Agent, PersonID: form.Person, Kind: form.Kind, Planted: form.Planted}
	if onlyOwn(a) {
		f.PersonID, f.Settled = a.ID, true
	}
	var wrong []fault.Field
	day := func(name, s string) time.Time {
		t, err := time.Parse(time.DateOnly, s)
		if s != "" && err != nil {
			wrong = append(wrong, fault.Field{Name: name, Msg: "Write the day as 2026-11-21."})
		}
		return t
	}
	if f.From, f.To = day("from", form.From), day("to", form.To); !f.To.IsZero() {
		f.To = f.To.AddDate(0, 0, 1) // the day itself is meant, too
	}
	o = export.Options{Set: export.Set(form.Set), Format: export.Format(form.Format), Filter: f, By: actor(c), BOM: true}
	if len(wrong) > 0 {
		return o, fault.WithFields("A day can't be read.", wrong...)
	}
	return o, nil
}

func (p *Pages) exportWriter(c echo.Context, o *export.Options) (w io.Writer, finish func() error) {
	kind := "text/csv; charset=utf-8"
	if o.Format == export.JSONL {
		kind = "application/jsonl; charset=utf-8"
	}
	w, o.Wrote, finish = download(c, kind, "preceptor-"+string(o.Set)+"-"+p.Now().Format("2006-01-02-1504")+"."+string(o.Format), true)
	return w, finish
}
