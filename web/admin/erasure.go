package admin

import (
	"github.com/labstack/echo/v4"

	"preceptor/internal/erase"
	"preceptor/internal/platform/fault"
	"preceptor/views/accounts"
	"preceptor/views/admin"
	"preceptor/views/ui"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// erasuresShown is how many erasures and holds the page lists.
const erasuresShown = 100

// ErasureForm looks for a customer's texts, and lists past erasures and legal holds.
func (p *Pages) ErasureForm(c echo.Context) error {
	return p.erasurePage(c, admin.ErasureView{}, nil)
}

// erasurePage shows the page with what was typed and what was wrong. Its forms are posted, so that no address holds
// whom it is about.
func (p *Pages) erasurePage(c echo.Context, v admin.ErasureView, wrong error) (err error) {
	ctx := c.Request().Context()
	v.Side, v.Errors = p.side(c), accounts.ErrorsOf(wrong)
	if wrong != nil && v.Preview == nil && v.Errors["subject"] == "" && v.Errors["reason"] == "" &&
		v.Errors["until"] == "" {
		v.Errors[""] = fault.Message(wrong)
	}
	if v.Past, err = p.Erase.List(ctx, "", erasuresShown); err != nil {
		return err
	}
	if v.Holds, err = p.Erase.Holds(ctx, erasuresShown); err != nil {
		return err
	}
	return render.Page(c, wrong, admin.Erasure(p.Frame(c, "Erasure and legal holds"), v), fault.NotFound)
}

// ErasurePreview says what an erasure would take away.
func (p *Pages) ErasurePreview(c echo.Context, v admin.ErasureView) error {
	return p.erasurePreview(c, v, nil)
}

func (p *Pages) erasurePreview(c echo.Context, v admin.ErasureView, wrong error) error {
	preview, err := p.Erase.Preview(c.Request().Context(), v.How, v.Subject)
	if err != nil {
		return p.erasurePage(c, v, err)
	}
	v.Preview = &preview
	return p.erasurePage(c, v, wrong)
}

// ErasureMake erases for good.
func (p *Pages) ErasureMake(c echo.Context, v admin.ErasureView) error {
	rec, err := p.Erase.Erase(c.Request().Context(),
		erase.Request{How: v.How, Subject: v.Subject, Why: v.Why, By: session.Actor(c)})
	if fault.Is(err, fault.Invalid) && v.Subject != "" {
		return p.erasurePreview(c, v, err)
	}
	if err != nil {
		return p.erasurePage(c, v, err)
	}
	line := ui.Count(rec.Texts(), "text is", "texts are") + " erased."
	if rec.State == erase.Running {
		line += " The rest follows in a minute, once a held decision is sent."
	}
	return render.Done(c, "/admin/erasure", line)
}

// HoldSet puts a customer or a piece of guidance under a legal hold.
func (p *Pages) HoldSet(c echo.Context, v admin.ErasureView) error {
	var r form.Reading
	until := r.Day("until", v.HoldUntil)
	if !until.IsZero() {
		until = until.AddDate(0, 0, 1) // the day itself counts
	}
	var h *erase.Hold
	err := r.Err("Enter a valid date.")
	if err == nil {
		h, err = p.Erase.SetHold(c.Request().Context(),
			erase.HoldInput{How: v.How, Subject: v.Subject, Reason: v.HoldWhy, Until: until, By: session.Actor(c)})
	}
	if err != nil {
		return p.erasurePage(c, v, err)
	}
	covers, err := p.Erase.Preview(c.Request().Context(), v.How, v.Subject)
	if err != nil {
		return err
	}
	return render.Done(c, "/admin/erasure", "Legal hold set. "+admin.Covers(covers, h.ID))
}

// HoldRelease ends a legal hold.
func (p *Pages) HoldRelease(c echo.Context, v admin.ErasureView) error {
	if err := p.Erase.ReleaseHold(c.Request().Context(), c.Param("id"), v.Why, session.Actor(c)); err != nil {
		return p.erasurePage(c, admin.ErasureView{}, err)
	}
	return render.Done(c, "/admin/erasure", "Legal hold released.")
}
