package experts

import (
	"context"

	"github.com/labstack/echo/v4"

	"preceptor/internal/compliance/borderline"
	"preceptor/internal/platform/fault"
	views "preceptor/views/compliance"
	"preceptor/web/form"
	"preceptor/web/render"
)

// RemarkAdd posts an expert's comment on a borderline case.
func (p *Pages) RemarkAdd(c echo.Context, typed views.RemarkForm) error {
	r, err := p.Borderline.AddRemark(context.WithoutCancel(c.Request().Context()),
		borderline.RemarkInput{CaseID: c.Param("id"), By: expert(c), Quote: typed.Quote, Text: typed.Text,
			FormKey: typed.Key})
	if fault.Is(err, fault.Invalid) {
		typed.Errors = form.Errors(err)
		return p.showBorderline(c, views.Case{Remark: typed}, err)
	}
	if err != nil {
		return err
	}
	return render.Redirect(c, "/compliance/"+c.Param("id")+"#remark-"+r.ID)
}

// RemarkWithdraw takes a comment of mine back.
func (p *Pages) RemarkWithdraw(c echo.Context) error {
	if err := p.Borderline.WithdrawRemark(context.WithoutCancel(c.Request().Context()), c.Param("id"),
		c.Param("remark"), expert(c)); err != nil {
		return err
	}
	return render.Redirect(c, "/compliance/"+c.Param("id")+"#remark-"+c.Param("remark"))
}
