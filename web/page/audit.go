package page

import (
	"context"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/audit"
	"preceptor/internal/fault"
	"preceptor/views/accounts"
	"preceptor/views/admin"
	"preceptor/web/render"
)

// AuditLog shows the record of who did what.
func (p *Pages) AuditLog(c echo.Context) error { return p.auditPage(c, nil) }

// AuditVerify checks the whole chain and shows what it found above the log.
func (p *Pages) AuditVerify(c echo.Context) error {
	report, err := p.Audit.Verify(c.Request().Context())
	if err != nil {
		return err
	}
	return p.auditPage(c, &report)
}

func (p *Pages) auditPage(c echo.Context, report *audit.Report) error {
	before, err := number(c.QueryParam("before"))
	if err != nil {
		return err
	}
	v, f := auditFilter(c.QueryParam)
	v.Side, v.Report, f.Before = p.side(c), report, before
	status := http.StatusOK
	if len(v.Errors) > 0 {
		status = http.StatusUnprocessableEntity
	} else {
		page, err := p.Audit.List(c.Request().Context(), f)
		if err != nil {
			return err
		}
		v.Rows, v.Until = page.Rows, page.Until
		auditAddresses(&v, before, page.Next)
	}
	return render.Page(c, status, admin.Audit(p.frame(c, "Audit log"), v))
}

// auditFilter reads the search form. The last day is part of the time.
func auditFilter(value func(string) string) (admin.AuditView, audit.Filter) {
	text := func(name string) string { return strings.TrimSpace(value(name)) }
	v := admin.AuditView{Words: text("words"), Who: text("who"), Action: text("action"), Object: text("object"), From: text("from"), To: text("to"), Errors: accounts.Errors{}}
	day := func(name, s string) time.Time {
		if s == "" {
			return time.Time{}
		}
		t, err := time.Parse(time.DateOnly, s)
		if err != nil {
			v.Errors[name] = "Give a day as 2026-11-02."
		}
		return t
	}
	f := audit.Filter{Words: v.Words, Who: v.Who, Action: v.Action, ObjectID: v.Object, From: day("from", v.From)}
	if to := day("to", v.To); !to.IsZero() {
		f.To = to.AddDate(0, 0, 1)
	}
	return v, f
}

// auditAddresses are where the first and the next page stand.
func auditAddresses(v *admin.AuditView, before, next int64) {
	q := url.Values{}
	for name, value := range map[string]string{"words": v.Words, "who": v.Who, "action": v.Action, "object": v.Object, "from": v.From, "to": v.To} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if before > 0 {
		v.First = at("/admin/audit", q)
	}
	if next > 0 {
		q.Set("before", strconv.FormatInt(next, 10))
		v.Next = at("/admin/audit", q)
	}
}

// AuditExport sends everything that the search finds as a file, while it is read.
func (p *Pages) AuditExport(c echo.Context) error {
	v, f := auditFilter(c.Request().PostFormValue)
	if len(v.Errors) > 0 {
		return fault.New(fault.Invalid, "The days of the search can't be read. Search again, then export.")
	}
	format := c.Request().PostFormValue("format")
	kinds := map[string]string{audit.JSONLines: "application/jsonl", audit.CSV: "text/csv; charset=utf-8"}
	if kinds[format] == "" {
		return fault.New(fault.Invalid, "Choose CSV or JSON Lines.")
	}
	rc := http.NewResponseController(c.Response())
	if err := rc.SetWriteDeadline(time.Now().Add(time.Hour)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	out := &late{c: c, kind: kinds[format], name: "preceptor-audit-" + p.Now().Format("2006-01-02-1504") + "." + format}
	err := p.Audit.Export(c.Request().Context(), actor(c), f, format, out)
	switch {
	case err == nil && !out.begun:
		_, err = out.Write(nil)
		return err
	case err == nil || !out.begun:
		return err
	case !errors.Is(err, context.Canceled):
		p.Log.Warn("an export of the audit log was not sent to its end", "error", err.Error())
	}
	panic(http.ErrAbortHandler) // the file must not look whole
}

// late begins the answer with the first byte of the file, so that what fails before is answered as an error.
type late struct {
	c          echo.Context
	kind, name string
	begun      bool
}

func (l *late) Write(b []byte) (int, error) {
	if !l.begun {
		l.begun = true
		h := l.c.Response().Header()
		h.Set("Content-Type", l.kind)
		h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": l.name}))
		l.c.Response().WriteHeader(http.StatusOK)
	}
	return l.c.Response().Write(b)
}
