package desk

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/advisor"
	"preceptor/internal/interaction"
	domain "preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	words "preceptor/internal/platform/text/compare"
	"preceptor/internal/review"
	"preceptor/internal/rule"
	"preceptor/views/reviews"
	"preceptor/views/statement"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
	"preceptor/web/teach"
)

// teaching are the forms of a case in which one states what should change.
var teaching = []string{reviews.ModeRevise, reviews.ModeReject, reviews.ModeReturn}

// ReviewTeach answers with what is stated, once more compared with the text, or with a row more: as a fragment, or as
// the whole page where there is no script.
func (p *Pages) ReviewTeach(c echo.Context, in deskForm) error {
	if err := session.SameAuthor(c, in.As); err != nil {
		return err
	}
	mode := form.OneOf(in.Mode, teaching)
	if render.IsHTMX(c) {
		v, err := p.teachView(c, in, mode)
		if err != nil {
			return err
		}
		if err := p.pick(c, &v); err != nil {
			return err
		}
		return render.Fragment(c, nil, statement.RowsFragment(v.Teach()))
	}
	v, err := p.caseView(c, c.Param("id"), mode)
	if err != nil {
		return err
	}
	v.Form = in.form(c, v.Item.Text)
	v.Typed = nil
	if err := p.stated(c, &v); err != nil {
		return err
	}
	if err := p.pick(c, &v); err != nil {
		return err
	}
	if v.Mode == reviews.ModeRevise {
		if err := p.check(c, &v); err != nil {
			return err
		}
	}
	if err := p.preview(c.Request().Context(), &v); err != nil {
		return err
	}
	return p.showCase(c, http.StatusOK, v)
}

// ReviewPreview answers with what the rules that are being stated would change, and the words in them that belong to
// this customer.
func (p *Pages) ReviewPreview(c echo.Context, in deskForm) error {
	if err := session.SameAuthor(c, in.As); err != nil {
		return err
	}
	if !render.IsHTMX(c) {
		return p.ReviewTeach(c, in)
	}
	v, err := p.teachView(c, in, form.OneOf(in.Mode, teaching))
	if err != nil {
		return err
	}
	if err := p.preview(c.Request().Context(), &v); err != nil {
		return err
	}
	return teach.Preview(c, v.Teach())
}

// teachView reads no more than the component needs: it runs at every pause of the typing.
func (p *Pages) teachView(c echo.Context, in deskForm, mode string) (v reviews.Case, err error) {
	v = reviews.Case{Mode: mode, Viewer: me(c).ID}
	if v.Item, err = p.Reviews.Get(c.Request().Context(), c.Param("id")); err != nil {
		return v, err
	}
	v.In = v.Item.Interaction
	v.Form = in.form(c, v.Item.Text)
	return v, p.stated(c, &v)
}

func (p *Pages) pick(c echo.Context, v *reviews.Case) error {
	return p.Pick(c, &v.Form.Teach, v.In.AgentID, "")
}

// stated makes the component ready to be shown: the difference of the texts is in it, a row that was asked for, and the
// marks.
func (p *Pages) stated(c echo.Context, v *reviews.Case) error {
	s, known := teach.SituationOf(v.In), v.In.Telltale()
	if v.Mode == reviews.ModeRevise {
		own, private, err := p.written(c, v.Form.Text, v.In)
		if err != nil {
			return err
		}
		name := me(c).Name
		switch known = private; {
		case strings.TrimSpace(teach.Unix(v.In.Guidance)) == strings.TrimSpace(teach.Unix(v.Form.Text)):
			v.Lent = "Nothing stated: nothing has changed yet"
		case words.Plain(own, v.In.Guidance) == words.Same:
			v.Lent = "Nothing stated; saved replies make no rule"
		}
		v.Form.Teach = teach.Compared(v.Form.Teach, s, known, slices.DeleteFunc(teach.Suggested(v.In.Guidance, own),
			func(a rule.Act) bool { // who reviews is not what the draft lacked
				return name != "" && strings.Contains(strings.Join(a.Texts(), "\n"), name)
			}))
	}
	teach.InValues(&v.Form.Teach, domain.Of(s.Pack))
	v.Form.Teach = v.Form.Teach.Add(teach.Added(c))
	teach.Note(&v.Form.Teach, s, known)
	return nil
}

// openTeach is the component as a case opens it: what was typed before, or the pills alone.
func (p *Pages) openTeach(c echo.Context, v *reviews.Case) error {
	if !slices.Contains(teaching, v.Mode) {
		return nil
	}
	s := teach.SituationOf(v.In)
	if len(v.Form.Teach.When) == 0 {
		kept := v.Form.Teach
		v.Form.Teach = statement.New(p.Chips(c.Request().Context(), v.In.AgentID, s, v.In.Telltale()))
		v.Form.Teach.Rows, v.Form.Teach.Because, v.Form.Teach.Only = kept.Rows, kept.Because, kept.Only
	}
	if f := v.Form.Feedback; f != "" && len(v.Form.Teach.Rows) == 0 { // typed before there were statements
		v.Form.Teach.Rows = []statement.Row{{On: true, Act: rule.Act{Kind: rule.Other, Text: f}}}
	}
	return p.stated(c, v)
}

// alsoReason names a missing reason beside what else has to be mended.
func alsoReason(in review.Input, err error) error {
	if in.Kind == review.Reject || strings.TrimSpace(in.Reason) != "" {
		return err
	}
	return fault.WithFields(fault.Message(err),
		append(fault.Fields(err), fault.Field{Name: "reason", Msg: "Say what was wrong, in a sentence."})...)
}

// mendCase is nil when the text of a revision is filled in, which is said first, and what is stated beside a decision
// may be sent as it is. That somebody else was first is for the decision to say.
func (p *Pages) mendCase(c echo.Context, f *statement.Form, in review.Input) error {
	if in.Kind != review.Revise && len(f.Statements()) == 0 {
		return nil
	}
	item, err := p.Reviews.Get(c.Request().Context(), in.ID)
	if err != nil {
		return err
	}
	if item.State != "waiting" || in.Version != item.Version {
		return nil
	}
	teach.InValues(f, domain.Of(teach.SituationOf(item.Interaction).Pack))
	wrong := p.mendOf(c, f, in.Text, item.Interaction)
	if open := in.Filled(item.Text); open != nil {
		return fault.WithFields(fault.Message(open), append(fault.Fields(open), fault.Fields(wrong)...)...)
	}
	return wrong
}

// mendOf is teach.Mend beside a case. What the base's gate says is for the expert who accepts it: the preview shows it,
// and it holds up no answer to a customer.
func (p *Pages) mendOf(c echo.Context, f *statement.Form, text string, in *interaction.Interaction) error {
	_, known, err := p.written(c, text, in)
	if err != nil {
		return err
	}
	return teach.Mend(f, teach.SituationOf(in), known, func(rule.Statement) error { return nil })
}

// preview adds what the rules that are being stated would change.
func (p *Pages) preview(ctx context.Context, v *reviews.Case) (err error) {
	v.Preview, err = p.Effects(ctx, v.Form.Teach, advisor.PreviewFor{InteractionID: v.Item.ID, AgentID: v.In.AgentID},
		teach.SituationOf(v.In), v.In.Telltale())
	return err
}
