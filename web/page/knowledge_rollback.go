package page

import (
	"context"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"preceptor/internal/fault"
	"preceptor/internal/knowledge"
	base "preceptor/views/knowledge"
	"preceptor/views/statement"
	"preceptor/web/render"
)

// RuleEditForm is the form by which a rule is changed, filled with the rule.
func (p *Pages) RuleEditForm(c echo.Context) error {
	r, err := p.Knowledge.Rule(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	e, err := p.ruleEditor(c, r)
	if err != nil {
		return err
	}
	return p.showRuleEdit(c, http.StatusOK, base.RuleEdit{Rule: r, Typed: knowledge.EditOf(r), Teach: &e})
}

func (p *Pages) showRuleEdit(c echo.Context, status int, v base.RuleEdit) error {
	v.Now = p.Now()
	f := p.frame(c, "Edit "+v.Rule.Label())
	f.Path = "/knowledge/rules/" + v.Rule.ID
	return render.Page(c, status, base.RuleEditPage(f, v))
}

// RuleEdit changes a rule.
func (p *Pages) RuleEdit(c echo.Context) error {
	ctx, id := c.Request().Context(), c.Param("id")
	version, _ := strconv.Atoi(c.FormValue("version")) // a wrong one is a version that nobody saw
	typed := ruleTyped(c)
	r, err := p.Knowledge.Rule(ctx, id)
	if err != nil {
		return err
	}
	e, err := p.ruleEditor(c, r)
	if err != nil {
		return err
	}
	var made knowledge.Rule
	if err = p.stateRule(ctx, &e, r, &typed); err == nil {
		made, err = p.Knowledge.EditRule(context.WithoutCancel(ctx), id, typed, version, keeper(c))
	}
	if err == nil {
		line := "Version " + strconv.Itoa(made.Version) + " is saved. The next draft follows it."
		if !made.Holds(p.Now()) {
			line = "Version " + strconv.Itoa(made.Version) + " is saved. It holds on its dates."
		}
		return p.done(c, "/knowledge/rules/"+id, line)
	}
	if !fault.Is(err, fault.Invalid) && !fault.Is(err, fault.Conflict) {
		return err
	}
	now, rerr := p.Knowledge.Rule(ctx, id)
	if rerr != nil {
		return rerr
	}
	v := base.RuleEdit{Rule: now, Typed: typed, Errors: fieldErrors(err), Message: fault.Message(err), Changed: now.Version != version, Teach: &e}
	if !e.Wrong() {
		e.Refused(v.Errors)
	}
	return p.showRuleEdit(c, fault.KindOf(err).Status(), v)
}

// stateRule puts what the form states into an edit. A rule from before statements that is left as an instruction for nobody in
// particular keeps its sentence, so that its dates can be changed.
func (p *Pages) stateRule(ctx context.Context, e *statement.Editor, r *knowledge.Rule, typed *knowledge.RuleEdit) error {
	st, err := theRule(e.Form)
	if err != nil {
		return err
	}
	if old := standing(r); r.Statement.Empty() && len(st.When) == 0 && st.Do.Text == old.Do.Text {
		return nil
	}
	if err := p.mendRule(ctx, &e.Form, r, e.Pack); err != nil {
		return err
	}
	typed.Statement = *st
	return nil
}

// RuleGoBack puts a rule back to one of its versions.
func (p *Pages) RuleGoBack(c echo.Context) error {
	ctx, id := c.Request().Context(), c.Param("id")
	version, _ := strconv.Atoi(c.FormValue("version")) // a wrong one is a version that nobody saw
	to, _ := strconv.Atoi(c.FormValue("to"))           // a wrong one is not there
	made, err := p.Knowledge.RollBackRule(context.WithoutCancel(ctx), id, to, c.FormValue("reason"), version, keeper(c))
	if fault.Is(err, fault.Invalid) || fault.Is(err, fault.Conflict) {
		return p.rulePage(c, fault.KindOf(err).Status(), func(v *base.Rule) {
			v.RollbackTo, v.RollbackReason, v.RollbackMessage = to, c.FormValue("reason"), fault.Message(err)
			v.Errors = map[string]string{"rollback": fieldErrors(err)["reason"]}
		})
	}
	if err != nil {
		return err
	}
	line := "The rule says again what it said at version " + strconv.Itoa(to) + "."
	if made.Status == knowledge.Quarantined {
		line += " It is in quarantine: look at it before it comes back into use."
	}
	return p.done(c, "/knowledge/rules/"+id, line)
}
