package page

import (
	"context"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"preceptor/internal/fault"
)

// RuleSettle ends a rule's quarantine: back into use, or retired.
func (p *Pages) RuleSettle(c echo.Context) error {
	id := c.Param("id")
	version, _ := strconv.Atoi(c.FormValue("version")) // a wrong one is a version that nobody saw
	keep := c.FormValue("keep") == "1"
	if !keep && c.FormValue("keep") != "0" {
		return fault.New(fault.Invalid, "Choose whether the rule comes back into use or is retired.")
	}
	err := p.Credit.Settle(context.WithoutCancel(c.Request().Context()), id, keep, c.FormValue("reason"), version, keeper(c))
	if fault.Is(err, fault.Invalid) && c.FormValue("back") == "quarantine" {
		return p.showQuarantine(c, http.StatusUnprocessableEntity, id, fieldErrors(err))
	}
	if fault.Is(err, fault.Invalid) {
		return p.showRule(c, http.StatusUnprocessableEntity, c.FormValue("reason"), fieldErrors(err))
	}
	if err != nil {
		return err
	}
	back := "/knowledge/rules/" + id
	if c.FormValue("back") == "quarantine" {
		back = "/knowledge/quarantine"
	}
	if keep {
		return p.done(c, back, "The rule is in use again. What spoke against it before counts no more.")
	}
	return p.done(c, back, "The rule is retired. Its history stays.")
}
