// Package teach is what the desk, the experts and the knowledge base share of stating rules: the form in which somebody
// says what should change, what it needs before it can be sent, and what it would change.
//
// A form's names are numbered (teach.3.kind), so it is read field by field. What is wrong with a row stands beside the
// row.
package teach

import (
	"context"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	domain "preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/internal/rule"
	"preceptor/views/statement"
	"preceptor/web/form"
	"preceptor/web/parts"
	"preceptor/web/render"
)

// Teacher reads, mends and previews statements.
type Teacher struct{ d *parts.Parts }

// New gives a teacher.
func New(p *parts.Parts) *Teacher { return &Teacher{p} }

// Preview is the preview with the notes beside the rows.
func Preview(c echo.Context, v statement.Editor) error {
	return render.Fragment(c, nil, statement.PreviewFragment(v))
}

// othersSeen is how many of an agent's last customers tell what is unusual about one.
const othersSeen = 100

// Chips are the conditions that a customer offers, beside the agent's other customers. The question is offered without
// what belongs to this customer: it would hold up what one didn't write. known are their names beyond the situation.
func (t *Teacher) Chips(ctx context.Context, agentID string, s domain.Situation, known []string) []rule.Chip {
	last, err := t.d.Interactions.List(ctx, interaction.Filter{AgentID: agentID, Limit: othersSeen})
	if err != nil {
		t.d.Log.Warn("an agent's other customers are not known", "error", err.Error())
	}
	var others []domain.Situation
	for i := range last.Items {
		if o := SituationOf(&last.Items[i]); o.Question != s.Question {
			others = append(others, o)
		}
	}
	chips := rule.Chips(domain.Of(s.Pack), s, others...)
	for _, c := range chips {
		if c.Condition.Kind == rule.Like {
			c.Condition.Values[0] = hidden(s, known)
		}
	}
	return chips
}

// hidden is a customer's question without what belongs to this customer.
func hidden(s domain.Situation, known []string) string {
	question := line(s.Question)
	for _, own := range particulars(question, s, known) {
		question = strings.ReplaceAll(question, own, "…")
	}
	return strings.ReplaceAll(question, "… …", "…")
}

// Of is what a form states.
func Of(c echo.Context) statement.Form {
	fields, err := form.Values(c)
	if err != nil {
		return statement.Form{} // a form that can't be read states nothing; its other fields say what is wrong
	}
	return Read(fields)
}

// Added is the kind of row that a button of the form asks for.
func Added(c echo.Context) string {
	fields, _ := form.Values(c) // one that can't be read asks for none
	return fields.Get("add")
}

func SituationOf(in *interaction.Interaction) domain.Situation { return in.Consultation.Situation() }

func Unix(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// TopicChips are a pack's topics, to choose from.
func TopicChips(p *domain.Pack) (out []rule.Chip) {
	for _, t := range p.Topics {
		out = append(out, rule.Chip{Condition: rule.Condition{Kind: rule.Topic, Values: []string{t.Name}}})
	}
	return out
}

// PackOf is the pack of an agent. A shared rule has that of the desk's agents, pension where there are several.
func (t *Teacher) PackOf(ctx context.Context, agentID string) (*domain.Pack, error) {
	if agentID != "" {
		a, err := t.d.Accounts.Agent(ctx, agentID)
		return domain.Of(a.Pack), err
	}
	name, err := t.d.Accounts.PackFor(ctx, "", "")
	if fault.Is(err, fault.Invalid) {
		return domain.Of(domain.Pension), nil
	}
	return domain.Of(name), err
}

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
	e := statement.Editor{Base: "/learning/" + l.ID, Pack: domain.Of(s.Pack)}
	if l.Guessed {
		e.Guessed = statement.Guess(l.Origin)
	}
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
		f = Compared(f, Whose(l), nil, Suggested(l.Source.AgentText, l.Source.Written()))
	}
	return f
}

// MendLesson is mend beside a lesson.
func (t *Teacher) MendLesson(ctx context.Context, f *statement.Form, l *learning.Lesson,
	in knowledge.Instead) error {
	s := Whose(l)
	InValues(f, domain.Of(s.Pack))
	return Mend(f, s, nil, func(st rule.Statement) error {
		_, err := t.d.Knowledge.VetInstead(ctx,
			knowledge.Vetting{RuleID: l.RuleID, AgentID: l.AgentID, Pack: s.Pack, Domain: l.Domain, Statement: st}, in)
		return err
	})
}
