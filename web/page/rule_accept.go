package page

import (
	"context"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/fault"
	base "preceptor/views/knowledge"
)

// RuleAccept lets in a rule that has no lesson, or keeps it out, with a reason.
func (p *Pages) RuleAccept(c echo.Context) error {
	ctx, id := context.WithoutCancel(c.Request().Context()), c.Param("id")
	version, _ := strconv.Atoi(c.FormValue("version")) // a wrong one is a version that nobody saw
	text, why := c.FormValue("text"), c.FormValue("why")
	var err error
	said := "The rule is not used. Your reason is kept in its history."
	switch c.FormValue("do") {
	case "accept":
		said = "The rule is in use from the next draft on."
		if strings.TrimSpace(text) == "" {
			err = fault.WithFields("There is no rule left to accept.", fault.Field{Name: "text", Msg: "Write it as: When [situation], [action] because [reason]."})
			break
		}
		_, err = p.Learning.AcceptRule(ctx, id, nil, why, version, keeper(c))
	case "reject":
		err = p.Learning.RejectRule(ctx, id, why, version, keeper(c))
	default:
		return fault.New(fault.Invalid, "Choose whether the rule is accepted or rejected.")
	}
	if fault.Is(err, fault.Invalid) || fault.Is(err, fault.Conflict) {
		return p.rulePage(c, fault.KindOf(err).Status(), func(v *base.Rule) {
			v.Typed, v.Reason, v.Message, v.Errors = text, why, fault.Message(err), fieldErrors(err)
			v.Errors["why"] = v.Errors["reason"]
			delete(v.Errors, "reason")
		})
	}
	if err != nil {
		return err
	}
	return p.done(c, "/knowledge/rules/"+id, said)
}
