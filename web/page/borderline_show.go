package page

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/internal/compliance/borderline"
	"preceptor/internal/fault"
	"preceptor/internal/id"
	"preceptor/internal/learning"
	views "preceptor/views/compliance"
	"preceptor/web/render"
)

// similarRulings is how many earlier rulings stand beside a case.
const similarRulings = 4

// BorderlineShow is one case, as far as this person may see it now.
func (p *Pages) BorderlineShow(c echo.Context) error {
	return p.showBorderline(c, http.StatusOK, views.Form{}, c.QueryParam("mode"))
}

// BorderlineBack answers a browser that loads the address of one of a case's forms again.
func (p *Pages) BorderlineBack(c echo.Context) error {
	return c.Redirect(http.StatusSeeOther, "/compliance/"+c.Param("id"))
}

func (p *Pages) showBorderline(c echo.Context, status int, form views.Form, mode string) error {
	return p.drawBorderline(c, status, views.Case{Form: form, Mode: mode})
}

// drawBorderline draws a case with the forms that stand in v.
func (p *Pages) drawBorderline(c echo.Context, status int, v views.Case) (err error) {
	ctx, form, mode := c.Request().Context(), v.Form, v.Mode
	v.Viewer, v.Rubric, v.Taxonomy, v.Now = viewer(c), p.Borderline.Rubric(), p.Borderline.Taxonomy(), p.Now()
	if v.Remark.Key == "" {
		v.Remark.Key = id.New()
	}
	if v.View, err = p.Borderline.Get(ctx, c.Param("id"), v.Viewer); err != nil {
		return err
	}
	if v.In, err = p.Interactions.Get(ctx, v.View.InteractionID); err != nil {
		return err
	}
	if v.Similar, err = p.Borderline.Similar(ctx, v.View.ID, v.Viewer, similarRulings); err != nil {
		return err
	}
	if v.View.Ruling != nil {
		if v.Lesson, err = p.ruledLesson(ctx, v.View.InteractionID); err != nil {
			return err
		}
		if v.Lesson != nil && v.Lesson.State == learning.Unstated && v.Viewer.Expert {
			e := p.lessonEditor(c, v.Lesson)
			v.Teach = &e
		}
	}
	if mode == views.ModeChange && v.View.Blind != nil && form.Message == "" {
		v.Form = views.FormOf(*v.View.Blind)
	}
	if form.Message == "" && v.View.Draft != "" && (v.View.Blind == nil || mode == views.ModeChange) {
		kept := views.Form{}
		if err := json.Unmarshal([]byte(v.View.Draft), &kept); err == nil { // written by this program; an older form is left alone
			v.Form = kept
		}
	}
	f := p.frame(c, "Borderline case")
	f.Path, f.Wide, f.Topics = "/compliance", true, topicsOf("borderline")
	return render.Page(c, status, views.CasePage(f, v))
}

// ruledLesson is what the ruling on a text teaches: the one that waits for its sentence first.
func (p *Pages) ruledLesson(ctx context.Context, interactionID string) (found *learning.Lesson, err error) {
	list, err := p.Learning.ForInteraction(ctx, interactionID)
	for i := range list {
		if l := &list[i]; l.Origin == learning.Ruling && (found == nil || l.State == learning.Unstated) {
			found = l
		}
	}
	if err != nil || found == nil {
		return nil, err
	}
	return p.Learning.Get(ctx, found.ID)
}

// borderlineAgain shows the case after an act that was refused, with what was typed.
func (p *Pages) borderlineAgain(c echo.Context, form views.Form, mode string, cause error) error {
	switch fault.KindOf(cause) {
	case fault.Invalid, fault.Conflict, fault.Denied:
	default:
		return cause
	}
	form.Message, form.Errors = fault.Message(cause), fieldErrors(cause)
	return p.showBorderline(c, fault.KindOf(cause).Status(), form, mode)
}

// BorderlineClaim takes a place on a case; the page asks again while it is open. That somebody else has it is no error of the
// page: it says so when it is drawn next.
func (p *Pages) BorderlineClaim(c echo.Context) error {
	err := p.Borderline.Claim(c.Request().Context(), c.Param("id"), expert(c))
	if err != nil && !fault.Is(err, fault.Conflict) {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// BorderlineUndo takes back what one did last on a case.
func (p *Pages) BorderlineUndo(c echo.Context) error {
	if err := p.Borderline.Undo(c.Request().Context(), c.Param("id"), expert(c)); err != nil {
		return p.borderlineAgain(c, views.Form{}, "", err)
	}
	return render.Redirect(c, "/compliance/"+c.Param("id"))
}

// BorderlineKeep makes the blind answer the last one.
func (p *Pages) BorderlineKeep(c echo.Context) error {
	r, err := p.Borderline.Keep(c.Request().Context(), c.Param("id"), expert(c))
	return p.settled(c, r, err, views.Form{}, "")
}

func (p *Pages) settled(c echo.Context, _ *borderline.Ruling, err error, form views.Form, mode string) error {
	if err != nil {
		return p.borderlineAgain(c, form, mode, err)
	}
	return render.Redirect(c, "/compliance/"+c.Param("id"))
}
