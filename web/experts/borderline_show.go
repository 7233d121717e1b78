package experts

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/compliance/borderline"
	"preceptor/internal/learning"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	views "preceptor/views/compliance"
	"preceptor/web/form"
	"preceptor/web/render"
)

// similarRulings is how many earlier rulings stand beside a case.
const similarRulings = 4

// BorderlineShow is one case, as far as this person may see it now.
func (p *Pages) BorderlineShow(c echo.Context, in struct {
	Mode string `form:"mode"`
}) error {
	return p.showBorderline(c, views.Case{Mode: in.Mode}, nil)
}

// BorderlineBack answers a browser that loads the address of one of a case's forms again.
func (p *Pages) BorderlineBack(c echo.Context) error {
	return c.Redirect(http.StatusSeeOther, "/compliance/"+c.Param("id"))
}

// showBorderline draws a case with the forms that stand in v and what was wrong.
func (p *Pages) showBorderline(c echo.Context, v views.Case, wrong error) (err error) {
	if !form.Again(wrong, fault.Denied) {
		return wrong
	}
	v.Form.Message, v.Form.Errors = form.Said(wrong)
	ctx := c.Request().Context()
	v.Viewer, v.Now = viewer(c), p.Now()
	if v.Remark.Key == "" {
		v.Remark.Key = id.New()
	}
	if v.View, err = p.Borderline.Get(ctx, c.Param("id"), v.Viewer); err != nil {
		return err
	}
	if v.In, err = p.Interactions.Get(ctx, v.View.InteractionID); err != nil {
		return err
	}
	v.Rubric, v.Taxonomy = p.Borderline.Rubric(v.View.Pack), p.Borderline.Taxonomy(v.View.Pack)
	if v.Similar, err = p.Borderline.Similar(ctx, v.View.ID, v.Viewer, similarRulings); err != nil {
		return err
	}
	if v.View.Ruling != nil {
		if v.Lesson, err = p.ruledLesson(ctx, *v.View.Ruling); err != nil {
			return err
		}
		if v.Lesson != nil && v.Lesson.State == learning.Unstated && v.Viewer.Expert {
			e := p.LessonEditor(c, v.Lesson)
			v.Teach = &e
		}
	}
	if v.Mode == views.ModeChange && v.View.Blind != nil && wrong == nil {
		v.Form = views.FormOf(*v.View.Blind)
	}
	if wrong == nil && v.View.Draft != "" && (v.View.Blind == nil || v.Mode == views.ModeChange) {
		kept := views.Form{}
		if err := json.Unmarshal([]byte(v.View.Draft), &kept); err == nil {
			// written by this program; an older form is left alone
			v.Form = kept
		}
	}
	return render.Page(c, wrong,
		views.CasePage(p.Frame(c, "Borderline case").At("/compliance").Broad().Follow("borderline"), v))
}

// ruledLesson is what a ruling teaches: the one that waits for its sentence first. What an undone ruling on the text
// taught is none of it.
func (p *Pages) ruledLesson(ctx context.Context, r borderline.Ruling) (found *learning.Lesson, err error) {
	list, err := p.Learning.ForInteraction(ctx, r.InteractionID)
	for i := range list {
		l := &list[i]
		cause, _, _ := strings.Cut(l.CauseID, "#")
		if l.Origin == learning.Ruling && cause == r.ID && (found == nil || l.State == learning.Unstated) {
			found = l
		}
	}
	if err != nil || found == nil {
		return nil, err
	}
	return p.Learning.Get(ctx, found.ID)
}

// BorderlineClaim takes a place on a case; the page asks again while it is open. That somebody else has it is no error
// of the page: it says so when it is drawn next.
func (p *Pages) BorderlineClaim(c echo.Context) error {
	err := p.Borderline.Claim(c.Request().Context(), c.Param("id"), expert(c))
	if err != nil && !(render.IsHTMX(c) && fault.Is(err, fault.Conflict)) {
		return err
	}
	if !render.IsHTMX(c) { // taken up again from a list
		return c.Redirect(http.StatusSeeOther, "/compliance/"+c.Param("id"))
	}
	return c.NoContent(http.StatusNoContent)
}

// BorderlineUndo takes back what one did last on a case.
func (p *Pages) BorderlineUndo(c echo.Context) error {
	return p.settled(c, views.Form{}, "", p.Borderline.Undo(c.Request().Context(), c.Param("id"), expert(c)))
}

// BorderlineKeep makes the blind answer the last one.
func (p *Pages) BorderlineKeep(c echo.Context) error {
	said := clicked(c)
	_, err := p.Borderline.Keep(c.Request().Context(), c.Param("id"), expert(c), clicks(said)...)
	return p.settled(c, views.Form{Clicks: said}, "", err)
}

// settled goes back to the case, or shows it with what was typed and what was wrong.
func (p *Pages) settled(c echo.Context, typed views.Form, mode string, err error) error {
	if err != nil {
		return p.showBorderline(c, views.Case{Form: typed, Mode: mode}, err)
	}
	return render.Redirect(c, "/compliance/"+c.Param("id"))
}
