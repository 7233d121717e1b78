package page

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"
)

// ReviewShow is one case. Its query names the form that is open: revise, reject or skip.
func (p *Pages) ReviewShow(c echo.Context) error {
	mode := c.QueryParam("mode")
	if !slices.Contains([]string{"revise", "reject", "skip"}, mode) {
		mode = ""
	}
	v, err := p.caseView(c, mode)
	if err != nil {
		return err
	}
	if mode == "revise" && !v.Decided() {
		if err := p.check(c, &v); err != nil {
			return err
		}
	}
	return p.showCase(c, http.StatusOK, v)
}

// ReviewBack answers a browser that loads the address of a form again: it shows the case.
func (p *Pages) ReviewBack(c echo.Context) error {
	return c.Redirect(http.StatusSeeOther, "/reviews/"+c.Param("id"))
}
