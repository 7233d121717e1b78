package knowledge

import (
	"context"

	"github.com/labstack/echo/v4"

	"preceptor/internal/platform/fault"
	"preceptor/internal/rule"
	base "preceptor/views/knowledge"
	"preceptor/web/form"
	"preceptor/web/render"
)

// RuleAccept lets in a rule that has no lesson, or keeps it out, with a reason.
func (p *Pages) RuleAccept(c echo.Context, in ruleForm) error {
	ctx, id := context.WithoutCancel(c.Request().Context()), c.Param("id")
	r, err := p.Knowledge.Rule(ctx, id)
	if err != nil {
		return err
	}
	e, err := p.ruleEditor(c, r)
	if err != nil {
		return err
	}
	said := "The rule is not used. Your reason is kept in its history."
	switch in.Do {
	case "accept":
		said = "The rule is in use from the next draft."
		var st *rule.Statement
		if st, err = theRule(e.Form); err == nil {
			err = p.mendRule(ctx, &e.Form, r, e.Pack)
		}
		if err == nil {
			_, err = p.Learning.AcceptRule(ctx, id, st, in.Why, in.Version, keeper(c))
		}
	case "reject":
		err = p.Learning.RejectRule(ctx, id, in.Why, in.Version, keeper(c))
	default:
		return fault.New(fault.Invalid, "Choose whether the rule is accepted or rejected.")
	}
	if !form.Again(err) {
		return err
	}
	if err != nil {
		return p.rulePage(c, form.Status(err), func(v *base.Rule) {
			v.Teach, v.Reason, v.Message, v.Errors = &e, in.Why, fault.Message(err), form.Errors(err)
			if !e.Wrong() {
				e.Refused(v.Errors)
			}
			v.Errors["why"] = v.Errors["reason"]
			delete(v.Errors, "reason")
		})
	}
	return render.Done(c, "/knowledge/rules/"+id, said)
}
