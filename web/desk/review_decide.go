package desk

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/interaction"
	"preceptor/internal/knowledge/credit"
	"preceptor/internal/platform/fault"
	"preceptor/internal/review"
	"preceptor/views/reviews"
	"preceptor/views/statement"
	"preceptor/views/ui"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
	"preceptor/web/teach"
)

// ReviewApprove lets the draft go out as it was shown.
func (p *Pages) ReviewApprove(c echo.Context, in deskForm) error {
	return p.decide(c, in, review.Approve)
}

// ReviewOverrule lets the draft go out against the checks that block it, once a second supervisor agrees.
func (p *Pages) ReviewOverrule(c echo.Context, in deskForm) error {
	return p.decideIn(c, in, review.Approve, reviews.ModeOverrule)
}

// ReviewRevise lets the person's own text go out.
func (p *Pages) ReviewRevise(c echo.Context, in deskForm) error {
	return p.decide(c, in, review.Revise)
}

// ReviewReject keeps the draft from the customer, with a reason.
func (p *Pages) ReviewReject(c echo.Context, in deskForm) error {
	return p.decide(c, in, review.Reject)
}

// ReviewReturn sends the draft back to its agent with a note.
func (p *Pages) ReviewReturn(c echo.Context, in deskForm) error {
	return p.decide(c, in, review.Return)
}

// ReviewSkip leaves a case to others, with a reason, and goes on.
func (p *Pages) ReviewSkip(c echo.Context, in deskForm) error {
	if err := session.SameAuthor(c, in.As); err != nil {
		return err
	}
	f, err := p.leaving(c, c.Param("id"))
	if err != nil {
		return err
	}
	if err := p.Reviews.Skip(c.Request().Context(), c.Param("id"), me(c), in.Version, in.Reason); err != nil {
		return p.again(c, in, c.Param("id"), reviews.ModeSkip, err)
	}
	return p.next(c, f)
}

// decide is what approve, revise, reject and return share: the decision, or the case again with everything that was
// typed.
func (p *Pages) decide(c echo.Context, in deskForm, kind string) error {
	return p.decideIn(c, in, kind, modeOf[kind])
}

// decideIn is decide with the form that shows again what was typed.
func (p *Pages) decideIn(c echo.Context, typed deskForm, kind, mode string) error {
	if err := session.SameAuthor(c, typed.As); err != nil {
		return err
	}
	stated := teach.Of(c)
	in := typed.decided(c, kind, stated)
	if kind == review.Revise {
		if err := p.actionsTyped(c, &in); err != nil {
			return err
		}
	}
	if mode == reviews.ModeOverrule && len(in.Overrule) == 0 {
		in.Overrule = []review.Overruling{{}} // what is missing is said at its field
	}
	if kind != review.Approve {
		if wrong := p.mendCase(c, &stated, in); wrong != nil {
			return p.again(c, typed, in.ID, mode, alsoReason(in, wrong))
		}
	}
	f, err := p.leaving(c, in.ID)
	if err != nil {
		return err
	}
	if _, err := p.Reviews.Decide(context.WithoutCancel(c.Request().Context()), in); err != nil {
		return p.again(c, typed, in.ID, mode, err)
	}
	return p.next(c, f)
}

// deskForm is what the forms of a case send.
type deskForm struct {
	As             string         `form:"as"` // who opened it
	Mode           string         `form:"mode"`
	Tab            string         `form:"tab"`  // the window in which something is typed
	Seen           int64          `form:"seen"` // when what it began with was saved
	Open           string         `form:"open"` // the form to go back to
	Version        int            `form:"version"`
	Seconds        int            `form:"seconds"` // on the case; 0: the domain counts from the claim
	TextHash       string         `form:"text_hash"`
	Turn           int            `form:"turn"`
	Moved          string         `form:"moved"`
	Text           *form.Verbatim `form:"text"` // nil: the one under review
	Reason         string         `form:"reason"`
	ReasonCode     string         `form:"reason_code"`
	Note           string         `form:"note"`
	To             string         `form:"to"`
	Standing       string         `form:"standing"` // of the case as the page shows it
	Asked          []string       `form:"asked"`
	Misled         []string       `form:"misled"`
	Overrule       []string       `form:"overrule"`
	OverruleReason string         `form:"overrule_reason"`
	Put            string         `form:"put"`   // the flag whose approved wording is put in
	Reply          string         `form:"reply"` // the saved reply that is
}

func (in deskForm) text() string {
	if in.Text == nil {
		return ""
	}
	return string(*in.Text)
}

// form is what was typed, to be shown again; without a text the one under review is meant.
func (in deskForm) form(c echo.Context, text string) reviews.Form {
	if in.Text != nil {
		text = teach.Unix(in.text())
	}
	return reviews.Form{Text: text, Reason: in.Reason, To: in.To, ReasonCode: in.ReasonCode, Teach: teach.Of(c),
		Seconds: in.Seconds, Misled: in.Misled,
		Overrule: in.Overrule, OverruleReason: in.OverruleReason, Arguments: argumentsTyped(c)}
}

// argumentsTyped are the fields of actions that a form sent.
func argumentsTyped(c echo.Context) map[string][]string {
	fields, err := form.Values(c)
	if err != nil {
		return nil
	}
	maps.DeleteFunc(fields, func(name string, _ []string) bool { return !strings.HasPrefix(name, "action.") })
	return fields
}

// actionsTyped adds to a revision the arguments of actions as they were typed.
func (p *Pages) actionsTyped(c echo.Context, in *review.Input) error {
	typed := argumentsTyped(c)
	if len(typed) == 0 {
		return nil
	}
	item, err := p.Reviews.Get(c.Request().Context(), in.ID)
	if err != nil {
		return err
	}
	under := review.ActionsUnder(item.Base, item.Interaction)
	in.Arguments, in.Refused = argumentsOf(under, typed), reviews.Refusals(under, typed)
	return nil
}

func argumentsOf(acts interaction.Actions, typed map[string][]string) (out []json.RawMessage) {
	for i, a := range acts {
		out = append(out, reviews.Typed(i, a, typed))
	}
	return out
}

// decided is what a form asks for.
func (in deskForm) decided(c echo.Context, kind string, f statement.Form) review.Input {
	out := review.Input{ID: c.Param("id"), By: me(c), Kind: kind, Version: in.Version, SecondsOnCase: in.Seconds,
		TextHash: in.TextHash, Turn: in.Turn, Moved: in.Moved, Text: in.text(),
		Reason: in.Reason, ReasonCode: in.ReasonCode, Overrule: in.form(c, "").Overrulings()}
	if kind != review.Approve {
		out.Misled, out.Statements, out.OnlyCustomer = credit.Answer{Asked: in.Asked, Ticked: in.Misled}.String(),
			f.Statements(), f.Only
	}
	return out
}

// afterwards notes what failed after something was done for good: an error page would say that it was not.
func (p *Pages) afterwards(what string, err error) {
	if err != nil {
		p.Log.Warn("after a decision: "+what, "error", err.Error())
	}
}

// modeOf is the form in which a kind of decision is typed.
var modeOf = map[string]string{review.Approve: "", review.Revise: reviews.ModeRevise, review.Reject: reviews.ModeReject,
	review.Return: reviews.ModeReturn}

// again shows the case after something that wasn't done, with all that was typed, which is saved too: the browser may
// be closed now. Faults that are not about the form go to the edge.
func (p *Pages) again(c echo.Context, in deskForm, id, mode string, cause error) error {
	if !form.Again(cause) {
		return cause
	}
	if slices.Contains(review.DraftModes, mode) {
		d, err := p.draft(c, in, id, mode)
		if err == nil {
			_, err = p.Reviews.SaveDraft(c.Request().Context(), me(c), d)
		}
		if err != nil {
			p.Log.Info("what was typed is not saved", "error", err.Error()) // it stands on the page all the same
		}
	}
	v, err := p.caseView(c, id, mode)
	if err != nil {
		return err
	}
	if v.Typed = nil; mode == reviews.ModeOverrule && !v.Settles(mode) {
		v.Mode = "" // there is nothing to overrule any more
	}
	v.Form = in.form(c, v.Item.Text)
	if err := p.stated(c, &v); err != nil {
		return err
	}
	_ = p.mendOf(c, &v.Form.Teach, v.Form.Text, v.In) // it notes beside the rows what is wrong
	v.Form.Teach.Focus = v.Form.Teach.FirstWrong()
	v.Form.Errors, v.Form.Message, v.Note = form.Errors(cause), fault.Message(cause), in.Note
	if fault.Is(cause, fault.Conflict) {
		v.Conflict, v.Form.Message = fault.Message(cause), ""
	}
	if mode == reviews.ModeRevise && v.Settles(mode) {
		if err := p.check(c, &v); err != nil {
			return err
		}
	}
	return p.showCase(c, fault.KindOf(cause).Status(), v)
}

// check adds to v what the check says of its text, and the difference from the text under review.
func (p *Pages) check(c echo.Context, v *reviews.Case) error {
	ctx, out := c.Request().Context(), reviews.Check{From: review.ActionsUnder(v.Item.Base, v.In)}
	if out.To = out.From; len(v.Form.Arguments) > 0 {
		typed, err := review.ActionsTyped(out.From, argumentsOf(out.From, v.Form.Arguments),
			reviews.Refusals(out.From, v.Form.Arguments))
		if err != nil {
			out.Wrong = fault.Message(err)
		} else if out.To = typed; v.In.NoText { // the text says what the actions do
			v.Form.Text = typed.Text()
		}
	}
	a, err := p.Reviews.CheckWith(ctx, v.Item.ID, v.Form.Text, out.To)
	if err != nil {
		return err
	}
	if v.Wording, err = p.Reviews.Wordings(ctx, v.Item.ID, v.Form.Text, a.Flags); err != nil {
		return err
	}
	if _, err = p.told(ctx, v, v.Form.Text); err != nil {
		return err
	}
	if strings.TrimSpace(v.Form.Text) == "" {
		a = review.Assessment{} // nothing to check isn't clean
	}
	text := strings.ReplaceAll(v.Item.Text, "\r\n", "\n")
	out.Assessment, out.Changes, out.Unchanged = a, ui.WordDiff(text, v.Form.Text), text == v.Form.Text
	v.Check = &out
	return nil
}

// leaving is the list that is gone on in, behind where the review on the screen is now.
func (p *Pages) leaving(c echo.Context, id string) (f review.Filter, err error) {
	f = filter(c)
	f.Behind, err = p.Reviews.Place(c.Request().Context(), me(c), id, f)
	return f, err
}

// next goes on after a decision: to the next case of leaving that is free, or to the queue when there is none. A
// browser that has loaded that very text of that very case ahead gets what changed since, and no second page, where the
// case has no conversation, of which more may have changed.
func (p *Pages) next(c echo.Context, f review.Filter) error {
	id, ok, err := p.Reviews.ClaimNext(c.Request().Context(), me(c), f)
	p.afterwards("take the next case", err)
	if err != nil || !ok {
		return c.Redirect(http.StatusSeeOther, "/reviews"+filterQuery(f))
	}
	to := "/reviews/" + id + filterQuery(f)
	if ahead := c.Request().Header.Get(aheadHeader); strings.HasPrefix(ahead, id+".") {
		v := reviews.Case{Viewer: f.Viewer, Filter: filterQuery(f), Now: p.Now()}
		if v.Item, err = p.Reviews.Get(c.Request().Context(), id); err == nil {
			v.Thread, err = p.Reviews.Thread(c.Request().Context(), &v.Item.Row)
		}
		if err == nil && reviews.AheadKey(v.Item.Row) == ahead && len(v.Thread) == 0 {
			return p.moved(c, v, f, to)
		}
		p.afterwards("open the next case", err)
	}
	if c.Request().Header.Get("HX-Boosted") == "true" {
		return p.opened(c, id, to)
	}
	return c.Redirect(http.StatusSeeOther, to)
}

// opened answers with the next case itself: htmx takes its address from a header, and a second request is a wait.
func (p *Pages) opened(c echo.Context, id, to string) error {
	v, err := p.caseView(c, id, "")
	if err != nil {
		p.afterwards("show the next case", err)
		return c.Redirect(http.StatusSeeOther, to)
	}
	c.Response().Header().Set("HX-Push-Url", to)
	return p.showCase(c, http.StatusOK, v)
}

// moved answers with the parts of a page loaded ahead that are not as they were: who holds the case, where it stands,
// my last decisions.
func (p *Pages) moved(c echo.Context, v reviews.Case, f review.Filter, to string) error {
	if err := p.placed(c, &v, f); err != nil {
		p.afterwards("place the next case", err)
		return c.Redirect(http.StatusSeeOther, to)
	}
	c.Response().Header().Set(aheadHeader, reviews.AheadKey(v.Item.Row))
	c.Response().Header().Set("HX-Push-Url", to)
	return render.Fragment(c, nil, reviews.CaseNav(v), reviews.ClaimView(v), reviews.RailView(v.Rail))
}
