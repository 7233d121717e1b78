package desk

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/views/reviews"
	"preceptor/web/render"
	"preceptor/web/session"
)

// ReviewCheck says what the check makes of a text that is being written, and how it differs from the draft: as a
// fragment while somebody types, as the whole page with everything typed when there is no script.
func (p *Pages) ReviewCheck(c echo.Context, in deskForm) error {
	if err := session.SameAuthor(c, in.As); err != nil {
		return err
	}
	if render.IsHTMX(c) {
		return p.checkFragment(c, in)
	}
	v, err := p.caseView(c, c.Param("id"), reviews.ModeRevise)
	if err != nil {
		return err
	}
	v.Form = in.form(c, v.Item.Text)
	if err := p.put(c, &v, in.Put, in.Reply); err != nil {
		return err
	}
	if err := p.stated(c, &v); err != nil {
		return err
	}
	if err := p.check(c, &v); err != nil {
		return err
	}
	return p.showCase(c, http.StatusOK, v)
}

// checkFragment reads no more than the check needs: it runs at every pause of the typing.
func (p *Pages) checkFragment(c echo.Context, in deskForm) (err error) {
	var v reviews.Case
	ctx, id := c.Request().Context(), c.Param("id")
	if v.Item, err = p.Reviews.Get(ctx, id); err != nil {
		return err
	}
	v.Viewer, v.In, v.Form = session.Me(c).ID, v.Item.Interaction, in.form(c, v.Item.Text)
	if err := p.experts(ctx, &v); err != nil {
		return err
	}
	if err := p.check(c, &v); err != nil {
		return err
	}
	return render.Fragment(c, nil, reviews.CheckView(v))
}
