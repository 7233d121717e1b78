package page

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/fault"
	"preceptor/internal/review"
	"preceptor/views/reviews"
	"preceptor/views/ui"
	"preceptor/web/render"
)

// decide is what approve, revise, reject and return share: the decision, or the case again with everything that was typed.
func (p *Pages) decide(c echo.Context, kind string) error { return p.decideIn(c, kind, modeOf[kind]) }

// decideIn is decide with the form that shows again what was typed.
func (p *Pages) decideIn(c echo.Context, kind, mode string) error {
	if err := sameAuthor(c); err != nil {
		return err
	}
	teach := statementOf(c)
	wrong := p.mendCase(c, &teach)
	in := decided(c, kind, teach)
	in.Version, _ = strconv.Atoi(c.FormValue("version"))       // a wrong one is a version that nobody saw
	in.SecondsOnCase, _ = strconv.Atoi(c.FormValue("seconds")) // 0: the domain counts from the claim
	if mode == reviews.ModeOverrule && len(in.Overrule) == 0 {
		in.Overrule = []review.Overruling{{}} // what is missing is said at its field
	}
	if wrong != nil && kind != review.Approve {
		return p.again(c, in.ID, mode, alsoReason(in, wrong))
	}
	_, err := p.Reviews.Decide(context.WithoutCancel(c.Request().Context()), in)
	if err != nil {
		return p.again(c, in.ID, mode, err)
	}
	return p.next(c)
}

// sameAuthor refuses a form that somebody else opened at this browser: what they typed and saw is nobody else's to sign.
func sameAuthor(c echo.Context) error {
	if as := c.FormValue("as"); as != "" && as != me(c).ID {
		return fault.New(fault.Denied, "Somebody else has signed in at this browser since. Nothing was saved or decided.")
	}
	return nil
}

// afterwards notes what failed after something was done for good: an error page would say that it was not.
func (p *Pages) afterwards(what string, err error) {
	if err != nil {
		p.Log.Warn("after a decision: "+what, "error", err.Error())
	}
}

// modeOf is the form in which a kind of decision is typed.
var modeOf = map[string]string{review.Approve: "", review.Revise: reviews.ModeRevise, review.Reject: reviews.ModeReject, review.Return: reviews.ModeReturn}

// again shows the case after something that wasn't done, with all that was typed, which is saved too: the browser may be
// closed now. Faults that are not about the form go to the edge.
func (p *Pages) again(c echo.Context, id, mode string, cause error) error {
	if !fault.Is(cause, fault.Invalid) && !fault.Is(cause, fault.Conflict) {
		return cause
	}
	if mode != "" {
		if _, err := p.Reviews.SaveDraft(c.Request().Context(), me(c), draftOf(c, id, mode)); err != nil {
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
	v.Form = typed(c, v.Item.Text)
	p.stated(c, &v)
	_ = p.mendOf(&v.Form.Teach, v.In) // it notes beside the rows what is wrong
	v.Form.Teach.Focus = v.Form.Teach.FirstWrong()
	v.Form.Errors, v.Form.Message, v.Note = fieldErrors(cause), fault.Message(cause), c.FormValue("note")
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

// typed is what came with a form; a form without a text means the one under review.
func typed(c echo.Context, text string) reviews.Form {
	f := reviews.Form{Text: strings.ReplaceAll(c.FormValue("text"), "\r\n", "\n"), Reason: c.FormValue("reason"), ReasonCode: c.FormValue("reason_code"), Teach: statementOf(c)}
	if f.Text == "" && c.Request().PostForm["text"] == nil {
		f.Text = text
	}
	f.Seconds, _ = strconv.Atoi(c.FormValue("seconds"))
	f.Misled = c.Request().PostForm["misled"]
	f.Overrule, f.OverruleReason = c.Request().PostForm["overrule"], c.FormValue("overrule_reason")
	return f
}

// check adds to v what the check says of its text, and the difference from the text under review.
func (p *Pages) check(c echo.Context, v *reviews.Case) error {
	a, err := p.Reviews.Check(c.Request().Context(), v.Item.ID, v.Form.Text)
	if err != nil {
		return err
	}
	text := strings.ReplaceAll(v.Item.Text, "\r\n", "\n")
	v.Check = &reviews.Check{Assessment: a, Changes: ui.WordDiff(text, v.Form.Text), Unchanged: text == v.Form.Text}
	return nil
}

// next goes on after a decision: to the next case that is free, or to the queue when there is none. A browser that has
// loaded that very text of that very case ahead gets what changed since, and no second page.
func (p *Pages) next(c echo.Context) error {
	f := filter(c)
	f.Except = c.Param("id")
	id, ok, err := p.Reviews.ClaimNext(c.Request().Context(), me(c), f)
	p.afterwards("take the next case", err)
	if err != nil || !ok {
		return c.Redirect(http.StatusSeeOther, "/reviews"+filterQuery(f))
	}
	to := "/reviews/" + id + filterQuery(f)
	if ahead := c.Request().Header.Get(aheadHeader); strings.HasPrefix(ahead, id+".") {
		v := reviews.Case{Viewer: f.Viewer, Filter: filterQuery(f), Now: p.Now()}
		if v.Item, err = p.Reviews.Get(c.Request().Context(), id); err == nil && reviews.AheadKey(v.Item.Row) == ahead {
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

// moved answers with the parts of a page loaded ahead that are not as they were: who holds the case, where it stands, my
// last decisions.
func (p *Pages) moved(c echo.Context, v reviews.Case, f review.Filter, to string) error {
	if err := p.placed(c, &v, f); err != nil {
		p.afterwards("place the next case", err)
		return c.Redirect(http.StatusSeeOther, to)
	}
	c.Response().Header().Set(aheadHeader, reviews.AheadKey(v.Item.Row))
	c.Response().Header().Set("HX-Push-Url", to)
	return render.Fragment(c, http.StatusOK, reviews.CaseNav(v), reviews.ClaimView(v), reviews.RailView(v.Rail))
}

// fieldErrors is what is wrong with a form, by field; several faults of one field are joined.
func fieldErrors(err error) map[string]string {
	out := map[string]string{}
	for _, f := range fault.Fields(err) {
		if out[f.Name] != "" {
			out[f.Name] += " "
		}
		out[f.Name] += f.Msg
	}
	return out
}
