package knowledge

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/advisor"
	"preceptor/internal/knowledge"
	domain "preceptor/internal/pack"
	"preceptor/internal/rule"
	base "preceptor/views/knowledge"
	"preceptor/views/statement"
	"preceptor/web/render"
	"preceptor/web/session"
	"preceptor/web/teach"
)

// RuleTeach answers with what a rule is to say: another kind of act.
func (p *Pages) RuleTeach(c echo.Context, in ruleEdit) error { return p.rulePart(c, in, false) }

// RulePreview answers with what it would change.
func (p *Pages) RulePreview(c echo.Context, in ruleEdit) error { return p.rulePart(c, in, true) }

func (p *Pages) rulePart(c echo.Context, in ruleEdit, preview bool) error {
	ctx := c.Request().Context()
	r, err := p.Knowledge.Rule(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	e, err := p.ruleEditor(c, r)
	if err != nil {
		return err
	}
	if !preview {
		if err := p.Pick(c, &e.Form, r.AgentID, e.Pack.Name); err != nil {
			return err
		}
	}
	if preview || !render.IsHTMX(c) {
		if e.Preview, err = p.ruleEffects(c, e.Form, r, e.Pack); err != nil {
			return err
		}
	}
	switch {
	case !render.IsHTMX(c) && r.Status == knowledge.Candidate:
		return p.rulePage(c, http.StatusOK, func(v *base.Rule) { v.Teach, v.Reason = &e, in.Why })
	case !render.IsHTMX(c):
		return p.showRuleEdit(c, base.RuleEdit{Rule: r, Typed: in.edit(), Teach: &e}, nil)
	case preview:
		return teach.Preview(c, e)
	}
	return render.Fragment(c, nil, statement.RowsFragment(e))
}

func (p *Pages) ruleEffects(c echo.Context, f statement.Form, r *knowledge.Rule,
	of *domain.Pack) (*statement.Preview, error) {
	return p.effects(c, f, advisor.PreviewFor{AgentID: r.AgentID, RuleID: r.ID,
		Situation: domain.Situation{Pack: of.Name}}, domain.Situation{Pack: of.Name}, nil)
}

// ruleEditor is the editor of a rule: as it was typed, or as it stands. A rule from before statements stands as an
// instruction.
func (p *Pages) ruleEditor(c echo.Context, r *knowledge.Rule) (statement.Editor, error) {
	of, err := p.PackOf(c.Request().Context(), r.AgentID)
	if err != nil {
		return statement.Editor{}, err
	}
	e := statement.Editor{Base: "/knowledge/rules/" + r.ID, Pack: of, One: true, Legend: "The rule",
		Fields: statement.FieldsOf(of, domain.Situation{})}
	if e.Form = teach.Of(c); len(e.Form.When) == 0 {
		e.Form = statement.Of(standing(r), teach.TopicChips(of))
	}
	teach.InValues(&e.Form, of)
	return e, nil
}

// standing is what a rule states.
func standing(r *knowledge.Rule) rule.Statement {
	if r.Statement.Empty() {
		return rule.Statement{Do: rule.Act{Kind: rule.Other, Text: r.Principle}}
	}
	return r.Statement
}

// mendRule is mend beside a rule that nobody's case stands beside.
func (p *Pages) mendRule(ctx context.Context, f *statement.Form, r *knowledge.Rule, of *domain.Pack,
	in knowledge.Instead) error {
	teach.InValues(f, of)
	return teach.Mend(f, domain.Situation{Pack: of.Name}, nil, func(st rule.Statement) error {
		_, err := p.Knowledge.VetInstead(ctx,
			knowledge.Vetting{RuleID: r.ID, AgentID: r.AgentID, Pack: of.Name, Domain: r.Domain, Statement: st}, in)
		return err
	})
}

// ruleEdit is what stands beside the statement in the forms of a rule.
type ruleEdit struct {
	Version   int    `form:"version"`
	Domain    string `form:"domain"`
	ReviewBy  string `form:"review_by"`
	ValidFrom string `form:"valid_from"`
	ValidTo   string `form:"valid_to"`
	Reason    string `form:"reason"`
	Why       string `form:"why"`
}

func (in ruleEdit) edit() knowledge.RuleEdit {
	return knowledge.RuleEdit{Domain: in.Domain, ReviewBy: in.ReviewBy, ValidFrom: in.ValidFrom, ValidTo: in.ValidTo,
		Reason: in.Reason}
}

// effects are those of stated rules; the reviews behind them are links for those who may open them.
func (p *Pages) effects(c echo.Context, f statement.Form, in advisor.PreviewFor, s domain.Situation,
	known []string) (*statement.Preview, error) {
	v, err := p.Effects(c.Request().Context(), f, in, s, known)
	if err == nil && !session.Me(c).Has(account.Supervisor) {
		v.Unlink()
	}
	return v, err
}
