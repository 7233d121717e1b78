package teach

import (
	"github.com/labstack/echo/v4"

	domain "preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/views/statement"
	"preceptor/web/form"
)

// Pick does what a button beside a question of the preview asks for: the rule is for questions like it, too, or isn't,
// or that is taken back. The question comes without what belongs to its customer, and counts once the form is sent.
func (t *Teacher) Pick(c echo.Context, f *statement.Form, agentID, packName string) error {
	fields, err := form.Values(c)
	if err != nil {
		return err
	}
	if of := fields.Get("unpick"); of != "" {
		*f = f.Unpick(of)
	}
	id := fields.Get("pick")
	if id == "" {
		return nil
	}
	in, err := t.d.Interactions.Get(c.Request().Context(), id)
	if err != nil {
		return err
	}
	s := SituationOf(in)
	if s.Question == "" || !in.ErasedAt.IsZero() || agentID != "" && in.AgentID != agentID ||
		agentID == "" && domain.Of(s.Pack).Name != domain.Of(packName).Name {
		return fault.New(fault.NotFound, "This question is no longer there. Update the preview.")
	}
	*f = f.Pick(id, hidden(s, in.Telltale()), fields.Get("too") != "")
	return nil
}
