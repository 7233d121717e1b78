package knowledge

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/internal/platform/fault"
	"preceptor/web/form"
	"preceptor/web/render"
)

// RuleSettle ends a rule's quarantine: back into use, or retired.
func (p *Pages) RuleSettle(c echo.Context, in ruleForm) error {
	if in.Keep != "1" && in.Keep != "0" {
		return fault.New(fault.Invalid, "Choose whether the rule comes back into use or is retired.")
	}
	back := "/knowledge/rules/" + c.Param("id")
	if in.Back == "quarantine" {
		back = "/knowledge/quarantine"
	}
	err := p.Credit.Settle(context.WithoutCancel(c.Request().Context()), c.Param("id"), in.Keep == "1", in.Reason,
		in.Version, keeper(c))
	switch {
	case fault.Is(err, fault.Invalid) && in.Back == "quarantine":
		return p.showQuarantine(c, in, err)
	case fault.Is(err, fault.Invalid):
		return p.showRule(c, http.StatusUnprocessableEntity, in.Reason, form.Errors(err))
	case err != nil:
		return err
	case in.Keep == "1":
		return render.Done(c, back, "The rule is in use again. Earlier evidence against it no longer counts.")
	}
	return render.Done(c, back, "The rule is retired. Its history is kept.")
}
