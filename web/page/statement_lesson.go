package page

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/internal/advisor"
	"preceptor/internal/fault"
	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	domain "preceptor/internal/pack"
	"preceptor/internal/rule"
	lessons "preceptor/views/learning"
	"preceptor/views/statement"
	"preceptor/web/render"
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
	f := statementOf(c)
	if err := p.mendLesson(ctx, &f, l); err != nil {
		return p.lessonAgain(c, in.Lesson, err)
	}
	if err := p.Learning.State(ctx, id, f.Statements(), in.Version, keeper(c)); err != nil {
		return p.lessonAgain(c, in.Lesson, err)
	}
	back := "/learning/" + id
	if in.Back != "" {
		back = in.Back
	}
	return render.Done(c, back, "Stated. It is being tried on earlier reviews.")
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
			if v.Teach.Preview, err = p.lessonEffects(ctx, v.Teach.Form, v.Lesson); err != nil {
				return err
			}
		}
		return p.showLesson(c, http.StatusOK, v)
	}
	l, err := p.Learning.Get(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	e := p.lessonEditor(c, l)
	if !preview {
		return render.Fragment(c, http.StatusOK, statement.RowsView(e, true))
	}
	if e.Preview, err = p.lessonEffects(ctx, e.Form, l); err != nil {
		return err
	}
	return previewFragment(c, e)
}

func (p *Pages) lessonEffects(ctx context.Context, f statement.Form, l *learning.Lesson) (*statement.Preview, error) {
	return p.effects(ctx, f, advisor.PreviewFor{InteractionID: l.InteractionID, AgentID: l.AgentID, RuleID: l.RuleID, Situation: whose(l)}, whose(l), nil)
}

// whose is the customer that a lesson comes from.
func whose(l *learning.Lesson) (s domain.Situation) {
	if l.Source != nil {
		s = l.Source.Situation
		s.Question = l.Source.Question
	}
	s.Pack = l.Pack
	return s
}

// lessonEditor is the editor of a lesson: as it was typed, or as the lesson states it.
func (p *Pages) lessonEditor(c echo.Context, l *learning.Lesson) statement.Editor {
	s := whose(l)
	e := statement.Editor{Base: "/learning/" + l.ID, Pack: domain.Of(s.Pack), Guessed: l.Guessed}
	e.Fields = statement.FieldsOf(e.Pack, s)
	if e.One = l.Stage == learning.StageAccept; e.One {
		e.Legend = "The rule"
	}
	e.Form = statementOf(c)
	if typed := len(e.Form.When) > 0; !typed {
		e.Form = lessonForm(l, p.chips(c.Request().Context(), l.AgentID, s))
	}
	inValues(&e.Form, e.Pack)
	e.Form = e.Form.Add(added(c))
	note(&e.Form, s, nil)
	return e
}

// lessonForm is what a lesson states; where it states nothing yet, what its texts suggest.
func lessonForm(l *learning.Lesson, chips []rule.Chip) statement.Form {
	if !l.Statement.Empty() {
		return statement.Of(l.Statement, chips)
	}
	f := statement.New(chips)
	if l.Source != nil && l.Source.HumanText != "" {
		f = f.Compared(suggested(l.Source.AgentText, l.Source.HumanText))
	}
	return f
}

// mendLesson is mend beside a lesson.
func (p *Pages) mendLesson(ctx context.Context, f *statement.Form, l *learning.Lesson) error {
	s := whose(l)
	inValues(f, domain.Of(s.Pack))
	return mend(f, s, nil, func(st rule.Statement) error {
		_, err := p.Knowledge.Vet(ctx, knowledge.Vetting{RuleID: l.RuleID, AgentID: l.AgentID, Pack: s.Pack, Domain: l.Domain, Statement: st})
		return err
	})
}

// teachLesson adds the editor to a lesson's page where the viewer may use it.
func (p *Pages) teachLesson(c echo.Context, v *lessons.Lesson) error {
	l := v.Lesson
	if !v.MayAccept || l.State != learning.Waiting && !(l.Source != nil && l.MayBeStated()) || l.Stage != learning.StageAccept && l.State == learning.Waiting {
		return nil
	}
	e := p.lessonEditor(c, l)
	if c.Request().Method == http.MethodPost {
		if err := p.mendLesson(c.Request().Context(), &e.Form, l); err != nil && !fault.Is(err, fault.Invalid) {
			return err
		}
	}
	v.Teach = &e
	return nil
}
