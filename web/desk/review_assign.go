package desk

import (
	"errors"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/comment"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
	"preceptor/internal/review"
	"preceptor/views/reviews"
	"preceptor/web/render"
	"preceptor/web/session"
)

// ReviewAssignMany assigns what is ticked to a person, to a team, or to nobody.
func (p *Pages) ReviewAssignMany(c echo.Context, in reviews.Bulk) error {
	var ids []string
	for _, tick := range in.Ticks {
		id, _, _ := strings.Cut(tick, ":")
		ids = append(ids, id)
	}
	said, err := p.assign(c, ids, in.To, "")
	if err != nil {
		return p.queueAgain(c, in, err)
	}
	return p.backToQueue(c, filter(c), said)
}

// ReviewAssign assigns the one case that is on the screen, and goes on, unless it is now its reader's.
func (p *Pages) ReviewAssign(c echo.Context, in deskForm) error {
	if err := session.SameAuthor(c, in.As); err != nil {
		return err
	}
	f, err := p.leaving(c, c.Param("id"))
	if err != nil {
		return err
	}
	said, err := p.assign(c, []string{c.Param("id")}, in.To, strings.TrimSpace(in.Reason))
	if asked, ok := errors.AsType[*comment.UnclearError](err); ok {
		err = fault.Wrong("Not assigned yet.", "text", unclearNote(asked.Unclear[0]))
	}
	if err != nil {
		return p.again(c, in, c.Param("id"), reviews.ModeAssign, err)
	}
	if in.To == me(c).ID {
		return render.Done(c, "/reviews/"+c.Param("id")+filterQuery(filter(c)), said)
	}
	p.afterwards("say that it is assigned", session.Flash(c, said))
	return p.next(c, f)
}

// unclearNote is why a note can't be posted whose @ means nobody, or several: its form can't ask who is meant.
func unclearNote(u comment.Unclear) string {
	if len(u.Who) == 0 {
		return "Nobody who can see reviews is called “" + u.Word + "”. Correct the name, or leave out the @."
	}
	names := lists.Map(u.Who, func(p comment.Person) string { return p.Name })
	return "“@" + u.Word + "” can mean " + strings.Join(names, ", ") + ". Write the whole name."
}

func (p *Pages) assign(c echo.Context, ids []string, to, note string) (said string, err error) {
	a := session.Me(c)
	key := to
	if to == review.ToNobody {
		key = ""
	} else if to == "" {
		return "", fault.Wrong("Choose who to assign it to.", "to", "Choose who to assign it to.")
	}
	res, err := p.Reviews.Assign(c.Request().Context(),
		review.Assignment{IDs: ids, To: key, By: me(c), Note: note, Lead: session.Leads(c)})
	if err != nil {
		return "", err
	}
	var v reviews.Queue
	v.Outside = !a.Has(account.Supervisor)
	if err := p.peopleOptions(c, a, &v); err != nil {
		return "", err
	}
	return done(res, "assigned to "+label(v.To, to, "them"), "to")
}

// done is what an act on several cases did, or a fault about a field where it did nothing.
func done(res review.BulkResult, what, field string) (string, error) {
	if said := res.Sentence(what); len(res.Changed) == 0 && len(res.LeftOut) > 0 {
		return "", &fault.Error{Kind: fault.Conflict, Msg: said, Fields: []fault.Field{{Name: field, Msg: said}}}
	}
	return res.Sentence(what), nil
}

// assignable adds to a case to whom the viewer may assign it, and the target of its agent's policy.
func (p *Pages) assignable(c echo.Context, v *reviews.Case) error {
	t, err := p.Reviews.Targets(c.Request().Context())
	if err != nil {
		return err
	}
	v.Targets = t.Of(v.Item.AgentID)
	a := session.Me(c)
	var q reviews.Queue
	if err := p.peopleOptions(c, a, &q); err != nil {
		return err
	}
	v.To = q.To
	return nil
}
