package knowledge

import (
	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	base "preceptor/views/knowledge"
	"preceptor/web/hidden"
	"preceptor/web/render"
	"preceptor/web/session"
)

// RecallShow is the prompt of a past draft. Its items are for everybody who learns; what the customer said
// in it is for those alone who may read the case, and seeded checks are hidden as their cases are.
func (p *Pages) RecallShow(c echo.Context) error {
	ctx, id := c.Request().Context(), c.Param("id")
	if err := p.MayRead(c, id); err != nil {
		return err
	}
	if _, err := p.Interactions.Get(ctx, id); err != nil {
		return err
	}
	a := session.Me(c)
	v := base.Recall{Case: hidden.CaseHref(c, id), MayOpen: a.Has(account.Supervisor),
		Evidence: a.Has(account.Supervisor) || session.Leads(c), Now: p.Now()}
	var err error
	if v.Prompt, err = p.Knowledge.Prompt(ctx, id); err != nil {
		return err
	}
	return render.Page(c, nil, base.RecallPage(p.Frame(c, "Original prompt").Broad().Follow(), v))
}
