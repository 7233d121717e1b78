package experts

import (
	"fmt"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/checklist"
	"preceptor/internal/platform/fault"
	"preceptor/views/accounts"
	"preceptor/views/checks"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// CheckNew is the form of a new check.
func (p *Pages) CheckNew(c echo.Context) error {
	return p.checkForm(c, checks.Form{Severity: compliance.Minor}, nil)
}

// CheckReword is the form of the next wording, filled with the newest.
func (p *Pages) CheckReword(c echo.Context) error {
	check, err := p.Checklist.Get(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	if check.Shipped {
		return fault.New(fault.NotFound,
			"This check is built in, so it can't be reworded. Switch it off and write your own instead.")
	}
	w := check.Newest
	return p.checkForm(c, checks.Form{CheckID: w.CheckID, Base: w.Version, Code: w.Code, Title: w.Title,
		Source: w.Source, Severity: w.Severity,
		Why: w.Why, Reference: w.Reference, Finds: strings.Join(w.Finds, "\n"), Leaves: strings.Join(w.Leaves, "\n")},
		nil)
}

// checkForm shows the form with what was typed and what was wrong.
func (p *Pages) checkForm(c echo.Context, v checks.Form, wrong error) error {
	if !form.Again(wrong, fault.Limited) {
		return wrong
	}
	v.Errors = accounts.ErrorsOf(wrong)
	for _, info := range compliance.Registry() {
		v.Codes = append(v.Codes, info.Code)
	}
	title := "Add a check"
	if v.CheckID != "" {
		title = "Reword a check"
	}
	return render.Page(c, wrong, checks.FormPage(p.Frame(c, title).Broad(), v))
}

// CheckAdd keeps a new check.
func (p *Pages) CheckAdd(c echo.Context, v checks.Form) error { return p.checkWrite(c, v) }

// CheckChange keeps the next wording of a check.
func (p *Pages) CheckChange(c echo.Context, v checks.Form) error {
	v.CheckID = c.Param("id")
	return p.checkWrite(c, v)
}

func (p *Pages) checkWrite(c echo.Context, v checks.Form) error {
	w := checklist.Wording{CheckID: v.CheckID, Code: v.Code, Title: v.Title, Source: v.Source, Severity: v.Severity,
		Why: v.Why, Reference: v.Reference,
		Finds: strings.Split(v.Finds, "\n"), Leaves: strings.Split(v.Leaves, "\n"), Reason: v.Reason}
	if v.Act == "preview" {
		return p.checkPreview(c, v, w)
	}
	kept, err := p.Checklist.Write(c.Request().Context(), w, v.Base, session.Actor(c))
	if fault.Is(err, fault.Conflict) && v.CheckID != "" {
		now, gerr := p.Checklist.Get(c.Request().Context(), v.CheckID)
		if gerr != nil {
			return gerr
		}
		v.Base = now.Newest.Version
	}
	if err != nil {
		return p.checkForm(c, v, err)
	}
	return render.Done(c, checks.Href(kept.CheckID),
		fmt.Sprintf("Version %d is saved. Try it on labelled texts, then switch it on.", kept.Version))
}

// checkPreview holds what was typed against its own examples; nothing is kept, and what is only needed to keep it may
// be missing.
func (p *Pages) checkPreview(c echo.Context, v checks.Form, w checklist.Wording) (err error) {
	v.Preview = true
	if wrong := accounts.ErrorsOf(w.Prepare())["source"]; wrong != "" {
		return p.checkForm(c, v, fault.Wrong(wrong, "source", wrong))
	}
	if v.Examples, err = w.Trying().Examples(); err != nil {
		return err
	}
	return p.checkForm(c, v, nil)
}
