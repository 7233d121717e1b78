package page

import (
	"context"
	"strconv"

	"github.com/labstack/echo/v4"

	"preceptor/internal/fault"
	"preceptor/internal/rule"
	base "preceptor/views/knowledge"
)

// RuleAccept lets in a rule that has no lesson, or keeps it out, with a reason.
func (p *Pages) RuleAccept(c echo.Context) error {
	ctx, id := context.WithoutCancel(c.Request().Context()), c.Param("id")
	version, _ := strconv.Atoi(c.FormValue("version")) // a wrong one is a version that nobody saw
	why := c.FormValue("why")
	r, err := p.Knowledge.Rule(ctx, id)
	if err != nil {
		return err
	}
	e, err := p.ruleEditor(c, r)
	if err != nil {
		return err
	}
	said := "The rule is not used. Your reason is kept in its history."
	switch c.FormValue("do") {
	case "accept":
		said = "The rule is in use from the next draft on."
		var st *rule.Statement
		if st, err = theRule(e.Form); err == nil {
			err = p.mendRule(ctx, &e.Form, r, e.Pack)
		}
		if err == nil {
			_, err = p.Learning.AcceptRule(ctx, id, st, why, version, keeper(c))
		}
	case "reject":
		err = p.Learning.RejectRule(ctx, id, why, version, keeper(c))
	default:
		return fault.New(fault.Invalid, "Choose whether the rule is accepted or rejected.")
	}
	if fault.Is(err, fault.Invalid) || fault.Is(err, fault.Conflict) {
		return p.rulePage(c, fault.KindOf(err).Status(), func(v *base.Rule) {
			v.Teach, v.Reason, v.Message, v.Errors = &e, why, fault.Message(err), fieldErrors(err)
			if !e.Wrong() {
				e.Refused(v.Errors)
			}
			v.Errors["why"] = v.Errors["reason"]
			delete(v.Errors, "reason")
		})
	}
	if err != nil {
		return err
	}
	return p.done(c, "/knowledge/rules/"+id, said)
}
