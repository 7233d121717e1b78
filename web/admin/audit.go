package admin

import (
	"context"
	"io"
	"regexp"

	"github.com/labstack/echo/v4"

	"preceptor/internal/audit"
	"preceptor/internal/platform/fault"
	"preceptor/views/accounts"
	"preceptor/views/admin"
	"preceptor/views/ui"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// AuditLog shows the record of who did what.
func (p *Pages) AuditLog(c echo.Context, v admin.AuditView) error { return p.auditPage(c, v) }

// AuditVerify checks the whole chain and shows what it found above the log.
func (p *Pages) AuditVerify(c echo.Context, v admin.AuditView) error {
	report, err := p.Audit.Verify(c.Request().Context())
	if err != nil {
		return err
	}
	v.Report = &report
	return p.auditPage(c, v)
}

func (p *Pages) auditPage(c echo.Context, v admin.AuditView) error {
	f, wrong := auditFilter(v)
	v.Side, v.Errors = p.side(c), accounts.ErrorsOf(wrong)
	if wrong == nil {
		page, err := p.Audit.List(c.Request().Context(), f)
		if err != nil {
			return err
		}
		v.Rows, v.Until = page.Rows, page.Until
		v.Pages = ui.Around("/admin/audit", v, func(v *admin.AuditView) *int64 { return &v.Before }, page.Next)
		if v.Names, err = p.objectNames(c.Request().Context(), v.Rows); err != nil {
			return err
		}
	}
	return render.Page(c, wrong, admin.Audit(p.Frame(c, "Audit log"), v))
}

// idForm is how an id is written, as those of a person, a team, an agent or a rule in a row's details.
var idForm = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// objectNames are what people call the objects of rows, each asked for once, and whom the details name by an id.
func (p *Pages) objectNames(ctx context.Context, rows []audit.Row) (map[string]string, error) {
	names := map[string]string{}
	for _, r := range rows {
		key := admin.ObjectKey(r)
		if _, ok := names[key]; ok {
			continue
		}
		name, err := p.Audit.Name(ctx, r.ObjectKind, r.ObjectID)
		if err != nil {
			return nil, err
		}
		names[key] = name
		for _, id := range idForm.FindAllString(string(r.Content), mostNamed) {
			if _, ok := names[id]; ok {
				continue
			}
			names[id] = ""
			for _, kind := range []string{"account", "team", "agent", "rule"} {
				if name, err = p.Audit.Name(ctx, kind, id); err != nil {
					return nil, err
				}
				if name != "" {
					names[id] = name
					break
				}
			}
		}
	}
	return names, nil
}

// mostNamed is how many ids of one row are looked up.
const mostNamed = 50

// auditFilter reads the search form. The last day is part of the time.
func auditFilter(v admin.AuditView) (audit.Filter, error) {
	var r form.Reading
	f := audit.Filter{Words: v.Words, Who: v.Who, Action: v.Action, ObjectID: v.Object, Before: v.Before}
	f.From, f.To = r.Days(v.From, v.To)
	return f, r.Err("The dates in the search aren't valid. Search again, then export.")
}

// AuditExport sends everything that the search finds as a file, while it is read.
func (p *Pages) AuditExport(c echo.Context, in struct {
	admin.AuditView `form:"search"`
	Format          string `form:"format"`
}) error {
	f, err := auditFilter(in.AuditView)
	if err != nil {
		return err
	}
	kinds := map[string]string{audit.JSONLines: "application/jsonl", audit.CSV: "text/csv; charset=utf-8"}
	if kinds[in.Format] == "" {
		return fault.New(fault.Invalid, "Choose CSV or JSON Lines.")
	}
	out := &late{c: c, kind: kinds[in.Format], name: "preceptor-audit-" + p.Now().Format("2006-01-02-1504") + "." +
		in.Format}
	err = p.Audit.Export(c.Request().Context(), session.Actor(c), f, in.Format, out)
	if err != nil && out.w == nil {
		return err
	}
	return render.Sent(c, err, out.end, 0)
}

// late begins the answer with the first byte of the file, so that what fails before is answered as an error.
type late struct {
	c          echo.Context
	kind, name string
	w          io.Writer
	finish     func() error
}

func (l *late) Write(b []byte) (int, error) {
	if l.w == nil {
		l.w, _, l.finish = render.Download(l.c, l.kind, l.name, true)
	}
	return l.w.Write(b)
}

func (l *late) end() error {
	if _, err := l.Write(nil); err != nil {
		return err
	}
	return l.finish()
}
