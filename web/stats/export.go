package stats

import (
	"io"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/review/export"
	"preceptor/views/exports"
	"preceptor/views/ui"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// ExportForm offers decisions and skips as files.
func (p *Pages) ExportForm(c echo.Context) error {
	return p.exportPage(c, exports.Form{}, nil)
}

func (p *Pages) exportPage(c echo.Context, typed exports.Form, wrong error) error {
	ctx := c.Request().Context()
	v := exports.View{Own: !session.Leads(c), Form: typed, Zone: p.zone().String()}
	v.Error, v.Errors = form.Said(wrong)
	agents, err := p.AgentOptions(ctx, "all agents")
	if err != nil {
		return err
	}
	if len(agents) > 2 {
		v.Agents = agents
	}
	if !v.Own {
		people, err := p.Accounts.List(ctx)
		if err != nil {
			return err
		}
		v.People = []ui.Option{{Label: "everyone"}}
		for _, one := range people {
			v.People = append(v.People, ui.Option{Value: one.ID, Label: one.Name})
		}
	}
	f := p.Frame(c, "Exports")
	if !v.Own {
		f.Path = "/overview" // where managers and administrators find it
	}
	return render.Page(c, wrong, exports.Page(f, v))
}

// Export streams a file. What can be wrong with the choice is said before the first byte; what fails later cuts the
// connection, so that nobody takes half a file for the whole.
func (p *Pages) Export(c echo.Context, typed exports.Form) error {
	o, err := p.exportOptions(c, typed)
	if err == nil {
		err = o.Check()
	}
	if err != nil {
		return p.exportPage(c, typed, err)
	}
	w, finish := p.exportWriter(c, &o)
	rep, err := p.Exports.Write(c.Request().Context(), w, o)
	return render.Sent(c, err, finish, rep.Rows)
}

func (p *Pages) exportOptions(c echo.Context, typed exports.Form) (export.Options, error) {
	// As on pages: what customers asked and are told is for supervisors alone until it is settled.
	settled := !session.Me(c).Has(account.Supervisor)
	f := export.Filter{Settled: settled, AgentID: typed.Agent, PersonID: typed.Person, Kind: typed.Kind,
		Planted: typed.Planted}
	if !session.Leads(c) {
		f.PersonID, f.Settled = session.Me(c).ID, true
	}
	r := form.Reading{Zone: p.zone()}
	f.From, f.To = r.Days(typed.From, typed.To)
	o := export.Options{Set: export.Set(typed.Set), Format: export.Format(typed.Format), Filter: f,
		By: session.Actor(c), BOM: true}
	return o, r.Err("Check the dates.")
}

func (p *Pages) exportWriter(c echo.Context, o *export.Options) (w io.Writer, finish func() error) {
	kind := "text/csv; charset=utf-8"
	if o.Format == export.JSONL {
		kind = "application/jsonl; charset=utf-8"
	}
	w, o.Wrote, finish = render.Download(c, kind, p.exportName(o), true)
	return w, finish
}

// exportName says what is in the file, when it was made, of which days and in whose zone. Its lines are for programs
// and begin with the columns, so that it can't say so there.
func (p *Pages) exportName(o *export.Options) string {
	parts := []string{"preceptor", string(o.Set), p.Now().In(p.zone()).Format("2006-01-02-1504")}
	if !o.Filter.From.IsZero() {
		parts = append(parts, "from", o.Filter.From.In(p.zone()).Format(time.DateOnly))
	}
	if !o.Filter.To.IsZero() {
		parts = append(parts, "to", o.Filter.To.In(p.zone()).AddDate(0, 0, -1).Format(time.DateOnly))
	}
	parts = append(parts, strings.ReplaceAll(p.zone().String(), "/", "-"))
	return strings.Join(parts, "-") + "." + string(o.Format)
}
