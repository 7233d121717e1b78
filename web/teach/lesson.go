package teach

import (
	"context"

	"github.com/labstack/echo/v4"

	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	domain "preceptor/internal/pack"
	"preceptor/internal/rule"
	"preceptor/views/statement"
)

// Whose is the customer that a lesson comes from.
func Whose(l *learning.Lesson) (s domain.Situation) {
	if l.Source != nil {
		s = l.Source.Situation
		s.Question = l.Source.Question
	}
	s.Pack = l.Pack
	return s
}

// LessonEditor is the editor of a lesson: as it was typed, or as the lesson states it.
func (t *Teacher) LessonEditor(c echo.Context, l *learning.Lesson) statement.Editor {
	s := Whose(l)
	e := statement.Editor{Base: "/learning/" + l.ID, Pack: domain.Of(s.Pack), Guessed: l.Guessed}
	e.Fields = statement.FieldsOf(e.Pack, s)
	if e.One = l.Stage == learning.StageAccept; e.One {
		e.Legend = "The rule"
	}
	e.Form = Of(c)
	if typed := len(e.Form.When) > 0; !typed {
		e.Form = lessonForm(l, t.Chips(c.Request().Context(), l.AgentID, s, nil))
	}
	InValues(&e.Form, e.Pack)
	e.Form = e.Form.Add(Added(c))
	Note(&e.Form, s, nil)
	return e
}

// lessonForm is what a lesson states; where it states nothing yet, what its texts suggest.
func lessonForm(l *learning.Lesson, chips []rule.Chip) statement.Form {
	if !l.Statement.Empty() {
		return statement.Of(l.Statement, chips)
	}
	f := statement.New(chips)
	if l.Source != nil && l.Source.HumanText != "" {
		f = Compared(f, Whose(l), nil, Suggested(l.Source.AgentText, l.Source.HumanText))
	}
	return f
}

// MendLesson is mend beside a lesson.
func (t *Teacher) MendLesson(ctx context.Context, f *statement.Form, l *learning.Lesson) error {
	s := Whose(l)
	InValues(f, domain.Of(s.Pack))
	return Mend(f, s, nil, func(st rule.Statement) error {
		_, err := t.d.Knowledge.Vet(ctx,
			knowledge.Vetting{RuleID: l.RuleID, AgentID: l.AgentID, Pack: s.Pack, Domain: l.Domain, Statement: st})
		return err
	})
}
