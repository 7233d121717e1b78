package knowledge

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/person"
	"preceptor/internal/platform/fault"
	"preceptor/internal/review"
	"preceptor/internal/rule"
	base "preceptor/views/knowledge"
	lessons "preceptor/views/learning"
	"preceptor/web/form"
	"preceptor/web/hidden"
	"preceptor/web/render"
	"preceptor/web/session"
)

const (
	lifeUses    = 100 // drafts of an item's life that its page lists
	lifeLessons = 5   // lessons that are read with their trials
)

// itemLife is what the pages of rules and cases share.
type itemLife struct {
	shown  []base.Shown
	before int // more drafts before those
	used   int // lately
}

// lifeOf reads which drafts an item was shown to, and what became of them.
func (p *Pages) lifeOf(c echo.Context, itemID string) (l itemLife, err error) {
	ctx := c.Request().Context()
	list, err := p.Knowledge.UsesOf(ctx, itemID, lifeUses)
	if err != nil {
		return l, err
	}
	if len(list) == lifeUses {
		n, err := p.Knowledge.UsesCount(ctx, itemID)
		if err != nil {
			return l, err
		}
		l.before = n - lifeUses
	}
	if list, err = hidden.Without(p.Guard, c, list, func(u knowledge.ItemUse) string {
		return u.InteractionID
	}); err != nil {
		return l, err
	}
	ids := make([]string, len(list))
	for i, u := range list {
		ids[i] = u.InteractionID
	}
	results, err := p.Reviews.Results(ctx, ids)
	if err != nil {
		return l, err
	}
	for _, u := range list {
		s := base.Shown{Use: lessons.Use{InteractionID: u.InteractionID, Version: u.Version, Cited: u.Cited, At: u.At,
			Href: hidden.CaseHref(c, u.InteractionID)}}
		if f, ok := results[u.InteractionID]; ok {
			if s.Result = &f; f.Kind == review.Observed && s.Href != "" {
				s.Href = "/feedback/" + u.InteractionID
			}
		}
		l.shown = append(l.shown, s)
	}
	lately, err := p.Knowledge.UsesSince(ctx, []string{itemID}, p.Now().Add(-base.UsedDays*24*time.Hour))
	l.used = lately[itemID]
	return l, err
}

// withTrials reads the newest lessons whole.
func (p *Pages) withTrials(ctx context.Context, list []learning.Lesson) ([]learning.Lesson, error) {
	for i := max(0, len(list)-lifeLessons); i < len(list); i++ {
		l, err := p.Learning.Get(ctx, list[i].ID)
		if err != nil {
			return nil, err
		}
		list[i] = *l
	}
	return list, nil
}

// acceptedBy is the person whose version put the rule into use first; "" when no person did.
func acceptedBy(newestFirst []knowledge.Version) string {
	for i := len(newestFirst) - 1; i >= 0; i-- {
		if v := newestFirst[i]; v.Status == knowledge.Active && v.By.Kind == "person" {
			return v.By.Name
		}
	}
	return ""
}

// RuleSettle ends a rule's quarantine: back into use, or retired.
func (p *Pages) RuleSettle(c echo.Context, in ruleForm) error {
	if in.Keep != "1" && in.Keep != "0" {
		return fault.New(fault.Invalid, "Choose whether the rule comes back into use or is retired.")
	}
	back := "/knowledge/rules/" + c.Param("id")
	if in.Back == "quarantine" {
		back = "/knowledge/quarantine"
	}
	err := p.Credit.Settle(context.WithoutCancel(c.Request().Context()), c.Param("id"), in.Keep == "1", in.Reason,
		in.Version, keeper(c))
	switch {
	case fault.Is(err, fault.Invalid) && in.Back == "quarantine":
		return p.showQuarantine(c, in, err)
	case fault.Is(err, fault.Invalid):
		return p.showRule(c, http.StatusUnprocessableEntity, in.Reason, form.Errors(err))
	case err != nil:
		return err
	case in.Keep == "1":
		return render.Done(c, back, "The rule is in use again. Earlier evidence against it no longer counts.")
	}
	return render.Done(c, back, "The rule is retired. Its history is kept.")
}

// RuleAccept lets in a rule that has no lesson, or keeps it out, with a reason.
func (p *Pages) RuleAccept(c echo.Context, in ruleForm) error {
	ctx, id := context.WithoutCancel(c.Request().Context()), c.Param("id")
	r, err := p.Knowledge.Rule(ctx, id)
	if err != nil {
		return err
	}
	e, err := p.ruleEditor(c, r)
	if err != nil {
		return err
	}
	said := "The rule is not used. Your reason is kept in its history."
	if in.Do == "" && len(in.Retire)+len(in.Except) > 0 {
		in.Do = "accept"
	}
	switch in.Do {
	case "accept":
		said = "The rule is in use from the next draft."
		var st *rule.Statement
		if st, err = theRule(e.Form); err == nil {
			err = p.mendRule(ctx, &e.Form, r, e.Pack, in.instead())
		}
		if err == nil {
			_, err = p.Learning.AcceptRule(ctx, id, in.instead(), st, in.Why, in.Version, keeper(c))
		}
	case "reject":
		err = p.Learning.RejectRule(ctx, id, in.Why, in.Version, keeper(c))
	default:
		return fault.New(fault.Invalid, "Choose whether the rule is accepted or rejected.")
	}
	if !form.Again(err) {
		return err
	}
	if err != nil {
		return p.rulePage(c, form.Status(err), func(v *base.Rule) {
			v.Teach, v.Reason, v.Message, v.Errors = &e, in.Why, fault.Message(err), form.Errors(err)
			if !e.Wrong() {
				e.Refused(v.Errors)
			}
			v.Errors["why"] = v.Errors["reason"]
			delete(v.Errors, "reason")
			v.Against.In = in.instead()
		})
	}
	return render.Done(c, "/knowledge/rules/"+id, said)
}

// RuleAsk asks experts to review a rule that users dislike.
func (p *Pages) RuleAsk(c echo.Context) error {
	ctx := context.WithoutCancel(c.Request().Context())
	r, err := p.Knowledge.Rule(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	if r.Status != knowledge.Active {
		return fault.New(fault.Conflict, "%s is %s, so there is nothing to ask.", r.Label(),
			knowledge.StatusWords(r.Status))
	}
	me := session.Me(c)
	n, err := p.AskExperts(ctx, r, person.Person{ID: me.ID, Name: me.Name})
	if err != nil {
		return err
	}
	if n == 0 {
		return fault.New(fault.Conflict, "Nobody has the expert role. Ask an administrator to assign it.")
	}
	return render.Done(c, "/knowledge/rules/"+r.ID, "Every expert has been asked in their inbox to review "+r.Label()+
		".")
}
