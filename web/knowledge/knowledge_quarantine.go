package knowledge

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/credit"
	"preceptor/internal/platform/fault"
	base "preceptor/views/knowledge"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

const (
	heldMost  = 50 // rules in quarantine, and rules due, on one page
	dueWithin = 30 // days
)

// QuarantineList is what seems to do harm, and rules whose review is due.
func (p *Pages) QuarantineList(c echo.Context) error { return p.showQuarantine(c, ruleForm{}, nil) }

// ruleForm is what the forms send by which a rule or a case is settled.
type ruleForm struct {
	Version  int      `form:"version"`
	Reason   string   `form:"reason"`
	Why      string   `form:"why"`
	Doubt    string   `form:"doubt"`
	Keep     string   `form:"keep"`
	Do       string   `form:"do"`
	Back     string   `form:"back"`
	ReviewBy string   `form:"review_by"`
	To       int      `form:"to"`
	Retire   []string `form:"retire"`
	Except   []string `form:"except"`
}

func (in ruleForm) instead() knowledge.Instead {
	return knowledge.Instead{Retire: in.Retire, Except: in.Except}
}

// showQuarantine shows the list, with what was typed for one item and what was wrong with it.
func (p *Pages) showQuarantine(c echo.Context, in ruleForm, wrong error) error {
	if wrong != nil && !fault.Is(wrong, fault.Invalid) {
		return wrong
	}
	ctx := c.Request().Context()
	v := base.Quarantine{Now: p.Now(), MaySettle: session.Settles(c),
		TypedFor: c.Param("id"), Reason: in.Reason, Errors: form.Errors(wrong)}
	rules, _, err := p.Knowledge.Rules(ctx, knowledge.Filter{Status: knowledge.Quarantined, Limit: heldMost})
	if err != nil {
		return err
	}
	for _, r := range rules {
		h, err := p.held(c, r)
		if err != nil {
			return err
		}
		v.Rules = append(v.Rules, h)
	}
	doubtful, err := p.Knowledge.Doubtful(ctx, credit.DefaultPolicy.Line, heldMost)
	if err != nil {
		return err
	}
	for _, k := range doubtful {
		s, err := p.Credit.Standing(ctx, k.ID)
		if err != nil {
			return err
		}
		if s.Below(p.Credit.Policy) {
			v.Cases = append(v.Cases, base.DoubtfulCase{Case: k, Credit: s})
		}
	}
	if v.Due, err = p.Knowledge.Due(ctx, v.Now.AddDate(0, 0, dueWithin), heldMost); err != nil {
		return err
	}
	return render.Page(c, wrong, base.QuarantinePage(p.Frame(c, "Quarantine").Broad().Follow(), v), fault.Denied,
		fault.NotFound)
}

// held is a rule in quarantine with what there is to know about it.
func (p *Pages) held(c echo.Context, r knowledge.Rule) (h base.Held, err error) {
	ctx := c.Request().Context()
	h = base.Held{Rule: r, Since: r.UpdatedAt, Says: r.Principle}
	life, err := p.Knowledge.RuleVersions(ctx, r.ID)
	if err != nil {
		return h, err
	}
	if v := knowledge.LastInForce(life, p.Now()); v != nil {
		h.Says = v.Rule.Principle
	}
	switch r.By.Kind {
	case audit.Person:
		names, err := p.Names(ctx)
		if err != nil {
			return h, err
		}
		h.By = names[r.By.ID]
		if h.By == "" {
			h.By = "an expert"
		}
	default:
		h.By = map[string]string{"credit": "what became of its drafts", "learning": "cases that arrived since"}[r.By.ID]
		if h.By == "" {
			h.By = "the program"
		}
	}
	if h.Credit, err = p.Credit.Standing(ctx, r.ID); err != nil {
		return h, err
	}
	drafts, err := p.lifeOf(c, r.ID)
	if err != nil {
		return h, err
	}
	h.Shown = drafts.shown
	h.Fresh, err = p.Learning.Fresh(ctx, r.ID, h.Since)
	return h, err
}

// RuleQuarantine takes a rule out of use because an expert doubts it.
func (p *Pages) RuleQuarantine(c echo.Context, in ruleForm) error {
	err := p.Credit.Doubt(context.WithoutCancel(c.Request().Context()), c.Param("id"), in.Doubt, in.Version, keeper(c))
	if fault.Is(err, fault.Invalid) {
		return p.showRule(c, http.StatusUnprocessableEntity, "", map[string]string{"doubt": fault.Message(err)})
	}
	if err != nil {
		return err
	}
	return render.Done(c, "/knowledge/rules/"+c.Param("id"),
		"The rule is in quarantine. The advisor won't use it until an expert puts it back into use.")
}

// RuleStillRight gives a rule its next review-by date.
func (p *Pages) RuleStillRight(c echo.Context, in ruleForm) error {
	if _, err := p.Knowledge.StillRight(context.WithoutCancel(c.Request().Context()), c.Param("id"), in.ReviewBy,
		in.Reason, in.Version, keeper(c)); err != nil {
		return p.showQuarantine(c, in, err)
	}
	return render.Done(c, "/knowledge/quarantine", "Noted. The rule stays in use until its next review.")
}

// CaseRetire takes a case out of recall, or gives it to agents again.
func (p *Pages) CaseRetire(c echo.Context, in ruleForm) error {
	ctx, id, again := context.WithoutCancel(c.Request().Context()), c.Param("id"), in.Keep == "1"
	k, err := p.Knowledge.Case(ctx, id)
	if err != nil {
		return err
	}
	if again {
		switch l, err := p.withdrawnOf(ctx, k); {
		case err != nil:
			return err
		case l != nil:
			return fault.New(fault.Conflict, "%s left use with what it was learned from.", k.Label())
		}
	}
	err = p.Knowledge.RetireCase(ctx, id, in.Reason, in.Version, again, keeper(c))
	quarantine := in.Back == "quarantine"
	switch {
	case err != nil && quarantine:
		return p.showQuarantine(c, in, err)
	case err != nil:
		return p.showCase(c, in.Reason, err)
	case quarantine:
		return render.Done(c, "/knowledge/quarantine", "The case is retired. Its history is kept.")
	case again:
		return render.Done(c, "/knowledge/cases/"+id, k.Label()+" is given to agents again.")
	}
	return render.Done(c, "/knowledge/cases/"+id, k.Label()+" is retired. Its history is kept.")
}
