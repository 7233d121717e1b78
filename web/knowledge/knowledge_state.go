package knowledge

import (
	"context"
	"strconv"

	"github.com/labstack/echo/v4"

	"preceptor/internal/knowledge"
	"preceptor/internal/platform/fault"
	base "preceptor/views/knowledge"
	"preceptor/views/statement"
	"preceptor/views/ui"
	"preceptor/web/form"
	"preceptor/web/frame"
	"preceptor/web/render"
	"preceptor/web/session"
)

const (
	statesPerPage = 50
	rollbacksSeen = 20 // the newest, on the first page
)

// keeper is the signed-in person as knowledge knows them.
func keeper(c echo.Context) knowledge.Person {
	a := session.Me(c)
	return knowledge.Person{ID: a.ID, Name: a.Name, Roles: frame.RoleNames(a)}
}

// StateList is the states of the whole base.
func (p *Pages) StateList(c echo.Context, v base.History) error { return p.showStates(c, v, nil) }

func (p *Pages) showStates(c echo.Context, v base.History, wrong error) (err error) {
	ctx := c.Request().Context()
	v.MayChange, v.Now, v.Errors = session.Settles(c), p.Now(), form.Errors(wrong)
	if v.States, v.Next, err = p.Knowledge.States(ctx, v.Cursor, statesPerPage); err != nil {
		return err
	}
	if v.Cursor == "" {
		if v.Rollbacks, err = p.Knowledge.Rollbacks(ctx, rollbacksSeen); err != nil {
			return err
		}
	}
	return render.Page(c, wrong,
		base.HistoryPage(p.Frame(c, "Knowledge history").At("/knowledge/history").Broad().Follow("knowledge"), v))
}

// StateSave keeps the base as it is now, under a name.
func (p *Pages) StateSave(c echo.Context, v base.History) error {
	s, err := p.Knowledge.SaveState(context.WithoutCancel(c.Request().Context()), v.Name, keeper(c))
	if fault.Is(err, fault.Invalid) {
		return p.showStates(c, v, err)
	}
	if err != nil {
		return err
	}
	return render.Done(c, "/knowledge/history", "State “"+s.Name+"” saved.")
}

// StateShow is what going back to a state would do.
func (p *Pages) StateShow(c echo.Context) error { return p.showState(c, base.GoingBack{}, nil) }

func (p *Pages) showState(c echo.Context, v base.GoingBack, wrong error) (err error) {
	v.MayChange, v.Now = session.Settles(c), p.Now()
	v.Message, v.Errors = form.Said(wrong)
	if v.Preview, err = p.Knowledge.PreviewRollback(c.Request().Context(), c.Param("id")); err != nil {
		return err
	}
	return render.Page(c, wrong,
		base.GoingBackPage(p.Frame(c, v.State.Name).At("/knowledge/history").Broad().Follow(), v))
}

// StateGoBack puts the whole base back.
func (p *Pages) StateGoBack(c echo.Context, v base.GoingBack) error {
	seen := int64(-1) // which nobody saw
	if v.Seen != nil {
		seen = *v.Seen
	}
	r, err := p.Knowledge.Rollback(context.WithoutCancel(c.Request().Context()), c.Param("id"), v.Reason, seen,
		keeper(c))
	if err != nil {
		return p.showState(c, v, err)
	}
	return render.Done(c, "/knowledge/history", "Rolled back: "+ui.Count(r.Changed, "item")+
		" changed. The state from before is saved.")
}

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
	return p.showRuleEdit(c, base.RuleEdit{Rule: r, Typed: knowledge.EditOf(r), Teach: &e}, nil)
}

func (p *Pages) showRuleEdit(c echo.Context, v base.RuleEdit, wrong error) error {
	return render.Page(c, wrong,
		base.RuleEditPage(p.Frame(c, "Edit "+v.Rule.Label()).At("/knowledge/rules/"+v.Rule.ID), v))
}

// RuleEdit changes a rule.
func (p *Pages) RuleEdit(c echo.Context, in ruleEdit) error {
	ctx, id := c.Request().Context(), c.Param("id")
	typed := in.edit()
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
		made, err = p.Knowledge.EditRule(context.WithoutCancel(ctx), id, typed, in.Version, keeper(c))
	}
	if err == nil {
		line := "Version " + strconv.Itoa(made.Version) + " is saved. The next draft follows it."
		if !made.Holds(p.Now()) {
			line = "Version " + strconv.Itoa(made.Version) + " is saved. It applies on its dates."
		}
		return render.Done(c, "/knowledge/rules/"+id, line)
	}
	if !form.Again(err) {
		return err
	}
	now, rerr := p.Knowledge.Rule(ctx, id)
	if rerr != nil {
		return rerr
	}
	v := base.RuleEdit{Rule: now, Typed: typed, Errors: form.Errors(err), Message: fault.Message(err),
		Changed: now.Version != in.Version, Teach: &e}
	if !e.Wrong() {
		e.Refused(v.Errors)
	}
	return p.showRuleEdit(c, v, err)
}

// stateRule puts what the form states into an edit. A rule from before statements that is left as an instruction for
// nobody in particular keeps its sentence, so that its dates can be changed.
func (p *Pages) stateRule(ctx context.Context, e *statement.Editor, r *knowledge.Rule,
	typed *knowledge.RuleEdit) error {
	st, err := theRule(e.Form)
	if err != nil {
		return err
	}
	if old := standing(r); r.Statement.Empty() && len(st.When) == 0 && st.Do.Text == old.Do.Text {
		return nil
	}
	if err := p.mendRule(ctx, &e.Form, r, e.Pack, knowledge.Instead{}); err != nil {
		return err
	}
	typed.Statement = *st
	return nil
}

// RuleGoBack puts a rule back to one of its versions.
func (p *Pages) RuleGoBack(c echo.Context, in ruleForm) error {
	ctx, id := c.Request().Context(), c.Param("id")
	made, err := p.Knowledge.RollBackRule(context.WithoutCancel(ctx), id, in.To, in.Reason, in.Version, keeper(c))
	if !form.Again(err) {
		return err
	}
	if err != nil {
		return p.rulePage(c, form.Status(err), func(v *base.Rule) {
			v.RollbackTo, v.RollbackReason, v.RollbackMessage = in.To, in.Reason, fault.Message(err)
			v.Errors = map[string]string{"rollback": form.Errors(err)["reason"]}
		})
	}
	line := "The rule is back to the text of version " + strconv.Itoa(in.To) + "."
	if made.Status == knowledge.Quarantined {
		line += " It is in quarantine: review it before it comes back into use."
	}
	return render.Done(c, "/knowledge/rules/"+id, line)
}
