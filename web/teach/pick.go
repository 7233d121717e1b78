package teach

import (
	"context"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/knowledge"
	domain "preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/internal/rule"
	"preceptor/views/statement"
	"preceptor/web/form"
	"preceptor/web/session"
)

// Pick does what a button beside a question of the preview asks for: the rule is for questions like it, too, or isn't,
// or that is taken back. What people pick is kept as a label. The question comes without what belongs to its customer.
func (t *Teacher) Pick(c echo.Context, f *statement.Form, base, agentID, packName string) error {
	fields, err := form.Values(c)
	if err != nil {
		return err
	}
	ctx, about := context.WithoutCancel(c.Request().Context()), strings.TrimPrefix(base, "/")
	if question := fields.Get("unpick"); question != "" {
		*f = f.Unpick(question)
		return t.d.Knowledge.Unlabel(ctx, about, question)
	}
	id := fields.Get("pick")
	if id == "" {
		return nil
	}
	in, err := t.d.Interactions.Get(ctx, id)
	if err != nil {
		return err
	}
	s := SituationOf(in)
	if s.Question == "" || agentID != "" && in.AgentID != agentID ||
		agentID == "" && domain.Of(s.Pack).Name != domain.Of(packName).Name {
		return fault.New(fault.NotFound, "This question is no longer there. Update the preview.")
	}
	l := knowledge.FitLabel{About: about, InteractionID: id, Question: hidden(s, in.Telltale()),
		Applies: fields.Get("too") != "", By: session.Me(c).ID}
	list := f.Statements()
	if n, err := strconv.Atoi(fields.Get("of")); err == nil && n >= 0 && n < len(list) {
		l.Rule = rule.Sentence(list[n], domain.Of(s.Pack))
	}
	*f = f.Pick(l.Question, l.Applies)
	return t.d.Knowledge.Label(ctx, l)
}
