package knowledge

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/internal/knowledge"
	lessons "preceptor/views/learning"
	"preceptor/web/hidden"
	"preceptor/web/render"
	"preceptor/web/session"
)

// usesShown is how many drafts a rule's or case's page lists.
const usesShown = 20

// LearningShow is one lesson.
func (p *Pages) LearningShow(c echo.Context) error {
	v, err := p.lessonView(c)
	if err != nil {
		return err
	}
	return p.showLesson(c, http.StatusOK, v)
}

func (p *Pages) lessonView(c echo.Context) (v lessons.Lesson, err error) {
	v = lessons.Lesson{Now: p.Now(), MayAccept: session.Settles(c)}
	if v.Lesson, err = p.Learning.Get(c.Request().Context(), c.Param("id")); err != nil {
		return v, err
	}
	v.MayAskAgain = v.MayAccept && v.Lesson.MayReflectAgain() && p.Learning.HasModel()
	v.Case = hidden.CaseHref(c, v.Lesson.InteractionID)
	if err := p.teachLesson(c, &v); err != nil {
		return v, err
	}
	if v.Lesson.RuleID == "" {
		return v, nil
	}
	rule, err := p.Knowledge.Rule(c.Request().Context(), v.Lesson.RuleID)
	if err != nil {
		return v, err
	}
	v.Rule = &lessons.Rule{Status: rule.Status, Version: rule.Version,
		Failing: rule.Status == knowledge.Active && p.Learning.Failing(*v.Lesson)}
	if v.Beside, err = p.besideLesson(c.Request().Context(), v.Lesson.RuleID); err != nil {
		return v, err
	}
	v.Uses, v.UsesMore, err = p.usesOf(c, v.Lesson.RuleID)
	return v, err
}

func (p *Pages) showLesson(c echo.Context, status int, v lessons.Lesson) error {
	title := v.Lesson.Title
	if title == "" {
		title = "A lesson"
	}
	return render.Status(c, status,
		lessons.LessonPage(p.Frame(c, title).At("/learning/"+v.Lesson.ID).Broad().Follow("knowledge"), v))
}

// usesOf lists the drafts that were shown a rule or case.
func (p *Pages) usesOf(c echo.Context, id string) (out []lessons.Use, more bool, err error) {
	list, err := p.Knowledge.UsesOf(c.Request().Context(), id, usesShown+1)
	if err != nil {
		return nil, false, err
	}
	if len(list) > usesShown {
		list, more = list[:usesShown], true
	}
	for _, u := range list {
		out = append(out, lessons.Use{InteractionID: u.InteractionID, Version: u.Version, Cited: u.Cited, At: u.At,
			Href: hidden.CaseHref(c, u.InteractionID)})
	}
	return out, more, nil
}
