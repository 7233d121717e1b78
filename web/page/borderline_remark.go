package page

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/internal/compliance/borderline"
	"preceptor/internal/fault"
	views "preceptor/views/compliance"
	"preceptor/web/render"
)

// RemarkAdd posts an expert's comment on a borderline case.
func (p *Pages) RemarkAdd(c echo.Context) error {
	form := views.RemarkForm{Key: c.FormValue("form_key"), Quote: c.FormValue("remark_quote"), Text: c.FormValue("remark")}
	r, err := p.Borderline.AddRemark(context.WithoutCancel(c.Request().Context()),
		borderline.RemarkInput{CaseID: c.Param("id"), By: expert(c), Quote: form.Quote, Text: form.Text, FormKey: form.Key})
	if fault.Is(err, fault.Invalid) {
		form.Errors = fieldErrors(err)
		return p.drawBorderline(c, http.StatusUnprocessableEntity, views.Case{Form: views.Form{Message: fault.Message(err)}, Remark: form})
	}
	if err != nil {
		return err
	}
	return render.Redirect(c, "/compliance/"+c.Param("id")+"#remark-"+r.ID)
}

// RemarkWithdraw takes a comment of mine back.
func (p *Pages) RemarkWithdraw(c echo.Context) error {
	if err := p.Borderline.WithdrawRemark(context.WithoutCancel(c.Request().Context()), c.Param("id"), c.Param("remark"), expert(c)); err != nil {
		return err
	}
	return render.Redirect(c, "/compliance/"+c.Param("id")+"#remark-"+c.Param("remark"))
}
