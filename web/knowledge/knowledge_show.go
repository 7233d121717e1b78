package knowledge

import (
	"cmp"
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/platform/fault"
	base "preceptor/views/knowledge"
	"preceptor/web/form"
	"preceptor/web/hidden"
	"preceptor/web/render"
	"preceptor/web/session"
)

// RuleShow is one rule with its life.
func (p *Pages) RuleShow(c echo.Context) error { return p.showRule(c, http.StatusOK, "", nil) }

// showRule shows the rule, with what was typed into its form and what was wrong with it.
func (p *Pages) showRule(c echo.Context, status int, reason string, wrong map[string]string) error {
	return p.rulePage(c, status, func(v *base.Rule) { v.Reason, v.Errors = reason, wrong })
}

// rulePage shows the rule, with what typed puts into its forms.
func (p *Pages) rulePage(c echo.Context, status int, typed func(v *base.Rule)) error {
	ctx, id := c.Request().Context(), c.Param("id")
	v := base.Rule{Now: p.Now(), MaySettle: session.Settles(c)}
	typed(&v)
	var err error
	if v.Rule, err = p.Knowledge.Rule(ctx, id); err != nil {
		return err
	}
	v.MayAsk = session.Leads(c) && v.Rule.Status == knowledge.Active
	if v.Teach == nil && v.MaySettle && v.Rule.Status == knowledge.Candidate {
		e, err := p.ruleEditor(c, v.Rule)
		if err != nil {
			return err
		}
		v.Teach = &e
	}
	beside, err := p.Knowledge.RulesInForce(ctx, v.Rule.AgentID)
	if err != nil {
		return err
	}
	for _, o := range beside {
		if v.Rule.Status == knowledge.Active && (v.Rule.Excepts(&o) || o.Excepts(v.Rule)) {
			v.Exceptions = append(v.Exceptions, o)
		}
	}
	if v.Teach != nil {
		edited, _ := theRule(v.Teach.Form) // what can't be read is refused when it is sent
		l := learning.Lesson{RuleID: id, AgentID: v.Rule.AgentID, Pack: v.Teach.Pack.Name, Domain: v.Rule.Domain,
			Statement: v.Rule.Statement}
		if v.Against, err = p.against(c, &l, edited, v.Against.In); err != nil {
			return err
		}
	}
	if v.Versions, err = p.Knowledge.RuleVersions(ctx, id); err != nil {
		return err
	}
	names, err := p.Names(ctx)
	if err != nil {
		return err
	}
	v.Versions = base.Named(v.Versions, names)
	v.AcceptedBy, v.Held = acceptedBy(v.Versions), knowledge.LastInForce(v.Versions, v.Now)
	if v.Held != nil && v.Held.Version != v.Rule.Version {
		if v.InUse, err = p.Knowledge.RuleAt(ctx, id, v.Held.Version); err != nil {
			return err
		}
	}
	if v.Lessons, err = p.Learning.ForRule(ctx, id); err != nil {
		return err
	}
	if v.Lessons, err = p.withTrials(ctx, v.Lessons); err != nil {
		return err
	}
	life, err := p.lifeOf(c, id)
	if err != nil {
		return err
	}
	v.Shown, v.ShownBefore, v.Used = life.shown, life.before, life.used
	if v.Evidence, err = p.evidence(ctx, cmp.Or(v.InUse, v.Rule)); err != nil {
		return err
	}
	if v.Credit, err = p.Credit.Standing(ctx, id); err != nil {
		return err
	}
	votes, err := p.Stats.RuleVotes(ctx, id)
	if err != nil {
		return err
	}
	if len(votes) > 0 {
		v.Votes = &votes[0]
	}
	if v.Conflicts, v.Comparing, err = p.conflictsOf(ctx, id); err != nil {
		return err
	}
	return render.Status(c, status, base.RulePage(p.Frame(c, "Rule "+v.Rule.Label()).Broad().Follow(), v))
}

// evidenceShown is how many cases for and against a rule its page lists, of each.
const evidenceShown = 10

// evidence are the cases that speak for and against a rule; one that is gone is left out.
func (p *Pages) evidence(ctx context.Context, r *knowledge.Rule) (out []base.Evidence, err error) {
	for i, ids := range [][]string{r.Supporting, r.Counter} {
		for _, id := range ids[:min(len(ids), evidenceShown)] {
			k, err := p.Knowledge.Case(ctx, id)
			if fault.Is(err, fault.NotFound) {
				continue
			}
			if err != nil {
				return nil, err
			}
			out = append(out, base.Evidence{CaseID: id, Number: k.Number, Title: k.Title, Against: i == 1,
				Made: i == 0 && r.Made(id)})
		}
	}
	return out, nil
}

// CaseShow is one case with its sources.
func (p *Pages) CaseShow(c echo.Context) error { return p.showCase(c, "", nil) }

// showCase shows the case, with the reason that was typed and what was wrong with it.
func (p *Pages) showCase(c echo.Context, reason string, wrong error) (err error) {
	if !form.Again(wrong) {
		return wrong
	}
	ctx, id := c.Request().Context(), c.Param("id")
	v := base.Case{Now: p.Now(), MaySettle: session.Settles(c), Reason: reason}
	v.Message, v.Errors = form.Said(wrong)
	if v.Case, err = p.Knowledge.Case(ctx, id); err != nil {
		return err
	}
	v.MayEdit = v.MaySettle && v.Case.Status == knowledge.Active && (v.Case.Written() || v.Case.Rewritable())
	if err := p.fillCase(c, &v); err != nil {
		return err
	}
	if v.Conflicts, err = p.Conflicts.Of(ctx, id); err != nil {
		return err
	}
	return render.Page(c, wrong, base.CasePage(p.Frame(c, v.Case.Label()).Broad().Follow(), v))
}

func (p *Pages) fillCase(c echo.Context, v *base.Case) error {
	ctx, id := c.Request().Context(), v.Case.ID
	var err error
	if v.Versions, err = p.Knowledge.CaseVersions(ctx, id); err != nil {
		return err
	}
	names, err := p.Names(ctx)
	if err != nil {
		return err
	}
	v.Versions = base.Named(v.Versions, names)
	if v.Duplicates, err = p.Knowledge.Duplicates(ctx, id); err != nil {
		return err
	}
	life, err := p.lifeOf(c, id)
	if err != nil {
		return err
	}
	v.Shown, v.ShownBefore, v.Used = life.shown, life.before, life.used
	if v.Lessons, err = p.lessonsOfCase(ctx, v.Case); err != nil {
		return err
	}
	if v.Withdrawn, err = p.withdrawnOf(ctx, v.Case); err != nil {
		return err
	}
	citing, err := p.Knowledge.RulesCiting(ctx, id, evidenceShown)
	if err != nil {
		return err
	}
	for _, r := range citing {
		v.Rules = append(v.Rules, base.Evidence{RuleID: r.Rule.ID, Number: r.Rule.Number, Title: r.Rule.Title,
			Against: r.Against, Made: !r.Against && r.Rule.Made(id)})
	}
	v.Credit, err = p.Credit.Standing(ctx, id)
	return err
}

// lessonsOfCase are the lessons by which a decision became the case.
func (p *Pages) lessonsOfCase(ctx context.Context, k *knowledge.Case) (out []learning.Lesson, err error) {
	if k.Source != knowledge.FromReview || k.Origin == "" {
		return nil, nil
	}
	d, err := p.Reviews.Decision(ctx, k.Origin)
	if fault.Is(err, fault.NotFound) {
		return nil, nil // made elsewhere: it came with an import
	}
	if err != nil {
		return nil, err
	}
	list, err := p.Learning.ForInteraction(ctx, d.InteractionID)
	for _, l := range list {
		if l.CaseID == k.ID {
			out = append(out, l)
		}
	}
	return out, err
}

// withdrawnOf is the lesson with which a case left use; nil for none.
func (p *Pages) withdrawnOf(ctx context.Context, k *knowledge.Case) (*learning.Lesson, error) {
	list, err := p.lessonsOfCase(ctx, k)
	for i, l := range list {
		if k.Status != knowledge.Active && l.CaseState == learning.CaseWithdrawn {
			return &list[i], err
		}
	}
	return nil, err
}

// RecallShow is the prompt of a past draft. Its items are for everybody who learns; what the customer said
// in it is for those alone who may read the case, and seeded checks are hidden as their cases are.
func (p *Pages) RecallShow(c echo.Context) error {
	ctx, id := c.Request().Context(), c.Param("id")
	if err := p.MayRead(c, id); err != nil {
		return err
	}
	if _, err := p.Interactions.Get(ctx, id); err != nil {
		return err
	}
	a := session.Me(c)
	v := base.Recall{Case: hidden.CaseHref(c, id), MayOpen: a.Has(account.Supervisor),
		Evidence: a.Has(account.Supervisor) || session.Leads(c), Now: p.Now()}
	var err error
	if v.Prompt, err = p.Knowledge.Prompt(ctx, id); err != nil {
		return err
	}
	return render.Page(c, nil, base.RecallPage(p.Frame(c, "Original prompt").Broad().Follow(), v))
}
