package page

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/checkbook"
	"preceptor/internal/fault"
	"preceptor/views/accounts"
	"preceptor/views/checks"
	"preceptor/web/render"
)

// CheckNew is the form of a new check.
func (p *Pages) CheckNew(c echo.Context) error {
	return p.checkForm(c, http.StatusOK, checks.Form{Severity: compliance.Minor})
}

// CheckReword is the form of the next wording, filled with the newest.
func (p *Pages) CheckReword(c echo.Context) error {
	check, err := p.Checkbook.Get(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	if check.Shipped {
		return fault.New(fault.NotFound, "This check comes with Preceptor and is no check of your own, so it can't be reworded. Switch it off and write one of your own.")
	}
	w := check.Newest
	return p.checkForm(c, http.StatusOK, checks.Form{CheckID: w.CheckID, Base: w.Version, Code: w.Code, Title: w.Title, Source: w.Source, Severity: w.Severity,
		Why: w.Why, Reference: w.Reference, Finds: strings.Join(w.Finds, "\n"), Leaves: strings.Join(w.Leaves, "\n")})
}

func (p *Pages) checkForm(c echo.Context, status int, v checks.Form) error {
	for _, info := range compliance.Registry() {
		v.Codes = append(v.Codes, info.Code)
	}
	title := "Add a check"
	if v.CheckID != "" {
		title = "Reword a check"
	}
	f := p.frame(c, title)
	f.Wide = true
	return render.Page(c, status, checks.FormPage(f, v))
}

// CheckAdd keeps a new check.
func (p *Pages) CheckAdd(c echo.Context) error { return p.checkWrite(c, "") }

// CheckChange keeps the next wording of a check.
func (p *Pages) CheckChange(c echo.Context) error { return p.checkWrite(c, c.Param("id")) }

func (p *Pages) checkWrite(c echo.Context, checkID string) error {
	base, _ := strconv.Atoi(c.FormValue("base")) // a wrong one is a version that nobody saw
	v := checks.Form{CheckID: checkID, Base: base, Code: c.FormValue("code"), Title: c.FormValue("title"), Source: c.FormValue("source"),
		Severity: c.FormValue("severity"), Why: c.FormValue("why"), Reference: c.FormValue("reference"), Finds: c.FormValue("finds"), Leaves: c.FormValue("leaves"), Reason: c.FormValue("reason")}
	w := checkbook.Wording{CheckID: checkID, Code: v.Code, Title: v.Title, Source: v.Source, Severity: v.Severity, Why: v.Why, Reference: v.Reference,
		Finds: strings.Split(v.Finds, "\n"), Leaves: strings.Split(v.Leaves, "\n"), Reason: v.Reason}
	if c.FormValue("act") == "preview" {
		return p.checkPreview(c, v, w)
	}
	kept, err := p.Checkbook.Write(c.Request().Context(), w, base, actor(c))
	switch k := fault.KindOf(err); {
	case err == nil:
		return p.done(c, checks.Href(kept.CheckID), fmt.Sprintf("Version %d is saved. Try it on labelled texts, then switch it on.", kept.Version))
	case k == fault.Conflict && checkID != "":
		now, gerr := p.Checkbook.Get(c.Request().Context(), checkID)
		if gerr != nil {
			return gerr
		}
		v.Base = now.Newest.Version
	case k != fault.Invalid && k != fault.Limited && k != fault.Conflict:
		return err
	}
	v.Errors = accounts.ErrorsOf(err)
	return p.checkForm(c, fault.KindOf(err).Status(), v)
}

// checkPreview holds what was typed against its own examples; nothing is kept, and what is only needed to keep it may be missing.
func (p *Pages) checkPreview(c echo.Context, v checks.Form, w checkbook.Wording) error {
	v.Preview = true
	if wrong := accounts.ErrorsOf(w.Prepare())["source"]; wrong != "" {
		v.Errors = accounts.Errors{"source": wrong}
		return p.checkForm(c, http.StatusUnprocessableEntity, v)
	}
	var err error
	if v.Examples, err = w.Trying().Examples(); err != nil {
		return err
	}
	return p.checkForm(c, http.StatusOK, v)
}
