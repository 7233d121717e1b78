package page

import (
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/erase"
	"preceptor/internal/fault"
	"preceptor/views/accounts"
	"preceptor/views/admin"
	"preceptor/views/ui"
	"preceptor/web/render"
)

// erasuresShown is how many erasures and holds the page lists.
const erasuresShown = 100

// ErasureForm looks for a customer's texts, and lists past erasures and legal holds.
func (p *Pages) ErasureForm(c echo.Context) error {
	return p.erasurePage(c, http.StatusOK, admin.ErasureView{})
}

func (p *Pages) erasurePage(c echo.Context, status int, v admin.ErasureView) (err error) {
	ctx := c.Request().Context()
	v.Side = p.side(c)
	if v.Past, err = p.Erase.List(ctx, "", erasuresShown); err != nil {
		return err
	}
	if v.Holds, err = p.Erase.Holds(ctx, erasuresShown); err != nil {
		return err
	}
	return render.Page(c, status, admin.Erasure(p.frame(c, "Erasure and legal holds"), v))
}

// erasureTyped is what the forms of the page carry. It is posted, so that no address holds whom it is about.
func erasureTyped(c echo.Context) admin.ErasureView {
	text := func(name string) string { return strings.TrimSpace(c.FormValue(name)) }
	return admin.ErasureView{How: text("how"), Subject: text("subject"), Why: text("why"), HoldWhy: text("reason"), HoldUntil: text("until"), Errors: accounts.Errors{}}
}

// ErasurePreview says what an erasure would take away.
func (p *Pages) ErasurePreview(c echo.Context) error {
	return p.erasurePreview(c, erasureTyped(c), http.StatusOK)
}

func (p *Pages) erasurePreview(c echo.Context, v admin.ErasureView, status int) error {
	preview, err := p.Erase.Preview(c.Request().Context(), v.How, v.Subject)
	if err != nil {
		return p.erasureFailed(c, v, err)
	}
	v.Preview = &preview
	return p.erasurePage(c, status, v)
}

// ErasureMake erases for good.
func (p *Pages) ErasureMake(c echo.Context) error {
	v := erasureTyped(c)
	rec, err := p.Erase.Erase(c.Request().Context(), erase.Request{How: v.How, Subject: v.Subject, Why: v.Why, By: actor(c)})
	if fault.KindOf(err) == fault.Invalid && v.Subject != "" {
		v.Errors = accounts.ErrorsOf(err)
		return p.erasurePreview(c, v, fault.Invalid.Status())
	}
	if err != nil {
		return p.erasureFailed(c, v, err)
	}
	line := ui.Count(rec.Texts(), "text is", "texts are") + " erased."
	if rec.State == erase.Running {
		line += " The rest follows in a minute: a decision on it is held."
	}
	return p.done(c, "/admin/erasure", line)
}

// HoldSet puts a customer or a piece of guidance under a legal hold.
func (p *Pages) HoldSet(c echo.Context) error {
	v := erasureTyped(c)
	var until time.Time
	if v.HoldUntil != "" {
		day, err := time.Parse(time.DateOnly, v.HoldUntil)
		if err != nil {
			return p.erasureFailed(c, v, fault.WithFields("The day can't be read.", fault.Field{Name: "until", Msg: "Give a day as 2026-11-02."}))
		}
		until = day.AddDate(0, 0, 1) // the day itself counts
	}
	if _, err := p.Erase.SetHold(c.Request().Context(), erase.HoldInput{How: v.How, Subject: v.Subject, Reason: v.HoldWhy, Until: until, By: actor(c)}); err != nil {
		return p.erasureFailed(c, v, err)
	}
	return p.done(c, "/admin/erasure", "The hold is set.")
}

// HoldRelease ends a legal hold.
func (p *Pages) HoldRelease(c echo.Context) error {
	if err := p.Erase.ReleaseHold(c.Request().Context(), c.Param("id"), c.FormValue("why"), actor(c)); err != nil {
		return p.erasureFailed(c, admin.ErasureView{}, err)
	}
	return p.done(c, "/admin/erasure", "The hold is released.")
}

// erasureFailed shows the page with what was typed and what was wrong.
func (p *Pages) erasureFailed(c echo.Context, v admin.ErasureView, err error) error {
	switch kind := fault.KindOf(err); kind {
	case fault.Invalid, fault.Conflict, fault.NotFound:
		v.Errors = accounts.ErrorsOf(err)
		if v.Errors["subject"] == "" && v.Errors["reason"] == "" && v.Errors["until"] == "" {
			v.Errors[""] = fault.Message(err)
		}
		return p.erasurePage(c, kind.Status(), v)
	}
	return err
}
