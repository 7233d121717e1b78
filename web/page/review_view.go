package page

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/fault"
	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/review"
	"preceptor/views/reviews"
	"preceptor/views/ui"
	"preceptor/web/render"
	"preceptor/web/session"
)

// railLength is how many of my decisions the rail shows.
const railLength = 10

// me is the signed-in person as the desk knows them.
func me(c echo.Context) review.Person {
	a, _ := session.Current(c)
	return review.Person{ID: a.ID, Name: a.Name}
}

// filter is the part of the queue that somebody works through, kept from page to page as the query "agent=…&task=…".
func filter(c echo.Context) review.Filter {
	q := c.QueryParams()
	if kept := c.FormValue("filter"); kept != "" {
		if parsed, err := url.ParseQuery(strings.TrimPrefix(kept, "?")); err == nil {
			q = parsed
		}
	}
	f := review.Filter{State: q.Get("state"), AgentID: q.Get("agent"), Task: q.Get("task"), Cursor: q.Get("cursor"), Viewer: me(c).ID}
	if f.State != review.Others && f.State != review.Done {
		f.State = review.Needs
	}
	return f
}

// filterQuery is a filter as the end of an address; empty when nothing is filtered.
func filterQuery(f review.Filter) string {
	q := url.Values{}
	for name, value := range map[string]string{"agent": f.AgentID, "task": f.Task, "state": f.State} {
		if value != "" && value != review.Needs {
			q.Set(name, value)
		}
	}
	if len(q) == 0 {
		return ""
	}
	return "?" + q.Encode()
}

// caseView gathers what the page of a case shows.
func (p *Pages) caseView(c echo.Context, mode string) (v reviews.Case, err error) {
	ctx, id, f := c.Request().Context(), c.Param("id"), filter(c)
	v = reviews.Case{Mode: mode, Viewer: f.Viewer, Filter: filterQuery(f), Now: p.Now(), Hold: p.Reviews.Policy().Hold}
	if v.Item, err = p.Reviews.Get(ctx, id); err != nil {
		return v, err
	}
	if v.In, err = p.Interactions.Get(ctx, id); err != nil {
		return v, err
	}
	v.Flags, v.Form.Text = v.Item.Assessment.Flags, v.In.Guidance
	if v.History, err = p.Interactions.History(ctx, id); err != nil {
		return v, err
	}
	if v.Knowledge, err = p.knownTo(ctx, id); err != nil {
		return v, err
	}
	n, err := p.Reviews.Neighbours(ctx, id, f)
	if err != nil {
		return v, err
	}
	v.Pos, v.Total, v.Prev, v.Next = n.Pos, n.Total, n.Prev, n.Next
	if v.Lesson, err = p.lessonOf(ctx, v.Item); err != nil {
		return v, err
	}
	v.Rail, err = p.rail(c)
	return v, err
}

// lessonOf is what is being learned from the decision that stands; nil when there is none.
func (p *Pages) lessonOf(ctx context.Context, item *review.Item) (*learning.Lesson, error) {
	if item.Decision == nil {
		return nil, nil
	}
	list, err := p.Learning.ForInteraction(ctx, item.ID)
	if err != nil {
		return nil, err
	}
	for i := range list {
		if list[i].DecisionID == item.Decision.ID {
			return &list[i], nil
		}
	}
	return nil, nil
}

// knownTo is what the advisor was shown for an interaction.
func (p *Pages) knownTo(ctx context.Context, id string) ([]reviews.Known, error) {
	used, err := p.Knowledge.Usage(ctx, id)
	if err != nil {
		return nil, err
	}
	out := make([]reviews.Known, len(used))
	for i, u := range used {
		out[i] = reviews.Known{Kind: u.Kind, Label: u.Label + " v" + strconv.Itoa(u.Version), Text: u.Text, Score: u.Score, Why: u.Why, Href: "/knowledge/cases/" + u.ID}
		if u.Kind == "rule" {
			out[i].Href = "/knowledge/rules/" + u.ID
		}
		switch {
		case u.Status != knowledge.Active:
			out[i].Stale = u.Status + " since"
		case u.Current > u.Version:
			out[i].Stale = "changed since"
		}
	}
	return out, nil
}

// rail is what I decided lately.
func (p *Pages) rail(c echo.Context) (reviews.Rail, error) {
	ctx := c.Request().Context()
	list, err := p.Reviews.Recent(ctx, me(c), railLength)
	if err != nil {
		return reviews.Rail{}, err
	}
	r := reviews.Rail{Now: p.Now(), Items: make([]reviews.RailItem, len(list))}
	for i, d := range list {
		r.Items[i].Decision = d
		lessons, err := p.Learning.ForInteraction(ctx, d.InteractionID)
		if err != nil {
			return r, err
		}
		for j := range lessons {
			if lessons[j].DecisionID == d.ID {
				r.Items[i].Lesson = &lessons[j]
			}
		}
	}
	return r, nil
}

// showCase draws a case; the frame follows what changes.
func (p *Pages) showCase(c echo.Context, status int, v reviews.Case) error {
	f := p.frame(c, caseTitle(v))
	f.Path, f.Wide, f.Topics = "/reviews/"+v.Item.ID, true, topicsOf()
	return render.Page(c, status, reviews.CasePage(f, v))
}

func caseTitle(v reviews.Case) string {
	if v.Item.Who == "" {
		return reviews.TaskLabel(v)
	}
	return reviews.TaskLabel(v) + ", " + v.Item.Who
}

// decide is what approve, revise and reject share: the decision, or the case again with everything that was typed.
func (p *Pages) decide(c echo.Context, kind string) error {
	in := review.Input{ID: c.Param("id"), By: me(c), Kind: kind, TextHash: c.FormValue("text_hash"), Text: c.FormValue("text"),
		Reason: c.FormValue("reason"), ReasonCode: c.FormValue("reason_code"), Feedback: c.FormValue("feedback")}
	in.Version, _ = strconv.Atoi(c.FormValue("version"))       // a wrong one is a version that nobody saw
	in.SecondsOnCase, _ = strconv.Atoi(c.FormValue("seconds")) // 0: the domain counts from the claim
	_, err := p.Reviews.Decide(context.WithoutCancel(c.Request().Context()), in)
	if err != nil {
		return p.decideAgain(c, kind, err)
	}
	return p.next(c)
}

// modeOf is the form in which a kind of decision is typed.
var modeOf = map[string]string{review.Approve: "", review.Revise: "revise", review.Reject: "reject", "skip": "skip"}

// decideAgain shows the case after a decision that wasn't taken. Faults that are not about the form go to the edge.
func (p *Pages) decideAgain(c echo.Context, kind string, cause error) error {
	if !fault.Is(cause, fault.Invalid) && !fault.Is(cause, fault.Conflict) {
		return cause
	}
	v, err := p.caseView(c, modeOf[kind])
	if err != nil {
		return err
	}
	v.Form = typed(c, v.In.Guidance)
	v.Form.Errors, v.Form.Message = fieldErrors(cause), fault.Message(cause)
	if fault.Is(cause, fault.Conflict) {
		v.Conflict, v.Form.Message = fault.Message(cause), ""
	}
	if kind == review.Revise {
		if err := p.check(c, &v); err != nil {
			return err
		}
	}
	return p.showCase(c, fault.KindOf(cause).Status(), v)
}

// typed is what came with a form; a form without a text means the draft.
func typed(c echo.Context, draft string) reviews.Form {
	f := reviews.Form{Text: strings.ReplaceAll(c.FormValue("text"), "\r\n", "\n"), Reason: c.FormValue("reason"), ReasonCode: c.FormValue("reason_code"), Feedback: c.FormValue("feedback")}
	if f.Text == "" && c.Request().PostForm["text"] == nil {
		f.Text = draft
	}
	f.Seconds, _ = strconv.Atoi(c.FormValue("seconds"))
	return f
}

// check adds to v what the check says of its text, and the difference from the draft.
func (p *Pages) check(c echo.Context, v *reviews.Case) error {
	a, err := p.Reviews.Check(c.Request().Context(), v.Item.ID, v.Form.Text)
	if err != nil {
		return err
	}
	draft := strings.ReplaceAll(v.In.Guidance, "\r\n", "\n")
	v.Check = &reviews.Check{Assessment: a, Changes: ui.WordDiff(draft, v.Form.Text), Unchanged: draft == v.Form.Text}
	return nil
}

// next goes on after a decision: to the next case that is free, or to the queue when there is none.
func (p *Pages) next(c echo.Context) error {
	f := filter(c)
	f.Except = c.Param("id")
	id, ok, err := p.Reviews.ClaimNext(c.Request().Context(), me(c), f)
	if err != nil {
		return err
	}
	if !ok {
		return c.Redirect(http.StatusSeeOther, "/reviews"+filterQuery(f))
	}
	return c.Redirect(http.StatusSeeOther, "/reviews/"+id+filterQuery(f))
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
