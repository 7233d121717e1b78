package knowledge

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/internal/advisor"
	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/platform/fault"
	lessons "preceptor/views/learning"
	"preceptor/views/statement"
	"preceptor/web/render"
	"preceptor/web/teach"
)

// LearningState says what a lesson teaches.
func (p *Pages) LearningState(c echo.Context, in struct {
	lessons.Lesson `form:"lesson"`
	Back           string `form:"back"`
}) error {
	ctx, id := context.WithoutCancel(c.Request().Context()), c.Param("id")
	l, err := p.Learning.Get(ctx, id)
	if err != nil {
		return err
	}
	f := teach.Of(c)
	if err := p.MendLesson(ctx, &f, l, knowledge.Instead{}); err != nil {
		return p.lessonAgain(c, in.Lesson, err)
	}
	if err := p.Learning.State(ctx, id, f.Statements(), in.Version, keeper(c)); err != nil {
		return p.lessonAgain(c, in.Lesson, err)
	}
	back := "/learning/" + id
	if in.Back != "" {
		back = in.Back
	}
	return render.Done(c, back, "Saved. It is being tried on earlier reviews.")
}

// LearningTeach answers with what is stated of a lesson: a row more, or another kind.
func (p *Pages) LearningTeach(c echo.Context) error { return p.lessonPart(c, false) }

// LearningPreview answers with what it would change.
func (p *Pages) LearningPreview(c echo.Context) error { return p.lessonPart(c, true) }

func (p *Pages) lessonPart(c echo.Context, preview bool) error {
	ctx := c.Request().Context()
	if !render.IsHTMX(c) {
		v, err := p.lessonView(c)
		if err != nil {
			return err
		}
		if v.Teach != nil {
			if err := p.Pick(c, &v.Teach.Form, v.Lesson.AgentID, v.Lesson.Pack); err != nil {
				return err
			}
			if v.Teach.Preview, err = p.lessonEffects(c, v.Teach.Form, v.Lesson); err != nil {
				return err
			}
		}
		return p.showLesson(c, http.StatusOK, v)
	}
	l, err := p.Learning.Get(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	e := p.LessonEditor(c, l)
	if !preview {
		if err := p.Pick(c, &e.Form, l.AgentID, l.Pack); err != nil {
			return err
		}
		return render.Fragment(c, nil, statement.RowsFragment(e))
	}
	if e.Preview, err = p.lessonEffects(c, e.Form, l); err != nil {
		return err
	}
	return teach.Preview(c, e)
}

func (p *Pages) lessonEffects(c echo.Context, f statement.Form, l *learning.Lesson) (*statement.Preview, error) {
	return p.effects(c, f, advisor.PreviewFor{InteractionID: l.InteractionID, AgentID: l.AgentID, RuleID: l.RuleID,
		Situation: teach.Whose(l)}, teach.Whose(l), nil)
}

// teachLesson adds the editor to a lesson's page where the viewer may use it.
func (p *Pages) teachLesson(c echo.Context, v *lessons.Lesson) error {
	l := v.Lesson
	if !v.MayAccept || l.State != learning.Waiting && !(l.Source != nil && l.MayBeStated()) ||
		l.Stage != learning.StageAccept && l.State == learning.Waiting {
		return nil
	}
	e := p.LessonEditor(c, l)
	if c.Request().Method == http.MethodPost {
		err := p.MendLesson(c.Request().Context(), &e.Form, l, knowledge.Instead{})
		if err != nil && !fault.Is(err, fault.Invalid) {
			return err
		}
	}
	v.Teach = &e
	return nil
}
