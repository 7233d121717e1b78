package page

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/audit"
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
	v := admin.AuditView{Action: strings.TrimSpace(c.QueryParam("action")), Actor: strings.TrimSpace(c.QueryParam("actor")),
		Object: strings.TrimSpace(c.QueryParam("object")), Report: report}
	page, err := p.Audit.List(c.Request().Context(), audit.Filter{Action: v.Action, ActorID: v.Actor, ObjectID: v.Object, Before: before})
	if err != nil {
		return err
	}
	v.Rows = page.Rows
	if page.Next > 0 {
		q := url.Values{"before": {strconv.FormatInt(page.Next, 10)}}
		for name, value := range map[string]string{"action": v.Action, "actor": v.Actor, "object": v.Object} {
			if value != "" {
				q.Set(name, value)
			}
		}
		v.Next = "/admin/audit?" + q.Encode()
	}
	return render.Page(c, http.StatusOK, admin.Audit(p.frame(c, "Audit log"), v))
}
