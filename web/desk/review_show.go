package desk

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/review"
	"preceptor/views/reviews"
	"preceptor/web/hidden"
	"preceptor/web/session"
)

// ReviewShow is one case. Its query names the form that is open, and the older text for which something was typed that
// is to be used in it.
func (p *Pages) ReviewShow(c echo.Context, in struct {
	Mode  string `form:"mode"`
	Draft int    `form:"draft"`
	Put   string `form:"put"` // the flag whose approved wording is put in
}) error {
	if !session.Me(c).Has(account.Supervisor) { // somebody sent them the supervisors' address
		return c.Redirect(http.StatusSeeOther, hidden.CaseHref(c, c.Param("id")))
	}
	mode := in.Mode
	if mode != reviews.ModeAssign && !slices.Contains(review.DraftModes, mode) {
		mode = ""
	}
	v, err := p.caseView(c, c.Param("id"), mode)
	if err != nil {
		return err
	}
	if !v.Settles(mode) {
		v.Mode = ""
	}
	if in.Draft > 0 {
		takeOver(&v, in.Draft)
	}
	if v.Mode == reviews.ModeRevise {
		if err := p.put(c, &v, in.Put, ""); err != nil {
			return err
		}
	}
	if err := p.openTeach(c, &v); err != nil {
		return err
	}
	if v.Mode == reviews.ModeRevise {
		if err := p.check(c, &v); err != nil {
			return err
		}
	}
	return p.showCase(c, http.StatusOK, v)
}

// takeOver puts what was typed for an older version of the text into the form that is open.
func takeOver(v *reviews.Case, version int) {
	i := slices.IndexFunc(v.Typed, func(d review.Draft) bool { return d.Version == version && d.Mode == v.Mode })
	if i < 0 {
		return
	}
	v.Form = formOf(v.Typed[i], v.Form.Text)
	v.Typed = slices.Delete(v.Typed, i, i+1)
}

// ReviewBack answers a browser that loads the address of a form again: it shows the case.
func (p *Pages) ReviewBack(c echo.Context) error {
	if _, err := p.Reviews.Get(c.Request().Context(), c.Param("id")); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/reviews/"+c.Param("id"))
}
