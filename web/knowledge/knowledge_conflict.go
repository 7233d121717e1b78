package knowledge

import (
	"context"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"preceptor/internal/knowledge/conflict"
	"preceptor/internal/pack"
	"preceptor/internal/rule"
	base "preceptor/views/knowledge"
	"preceptor/views/statement"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
	"preceptor/web/teach"
)

// ConflictList is what a person should settle.
func (p *Pages) ConflictList(c echo.Context, f conflict.Filter) error {
	ctx := c.Request().Context()
	v := base.Conflicts{Kind: f.Kind, Closed: f.Closed, Cursor: f.Cursor, Now: p.Now()}
	var err error
	if v.List, v.Next, err = p.Conflicts.List(ctx, f); err != nil {
		return err
	}
	if v.Counts, err = p.Conflicts.Counts(ctx); err != nil {
		return err
	}
	return render.Page(c, nil, base.ConflictsPage(p.Frame(c, "Conflicts").Broad().Follow("knowledge"), v))
}

// ConflictShow is one conflict with both sides.
func (p *Pages) ConflictShow(c echo.Context) error {
	return p.showConflict(c, conflict.Answer{}, nil)
}

// showConflict shows the conflict with what was typed and what was wrong with it.
func (p *Pages) showConflict(c echo.Context, typed conflict.Answer, wrong error) error {
	ctx := c.Request().Context()
	k, err := p.Conflicts.Get(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	v := base.ConflictView{Conflict: k, Now: p.Now(), MaySettle: session.Settles(c), Answer: typed}
	v.Message, v.Errors = form.Said(wrong)
	if v.Left, err = p.conflictSide(ctx, k.Left); err != nil {
		return err
	}
	if k.RightID != "" {
		if v.Right, err = p.conflictSide(ctx, k.Right); err != nil {
			return err
		}
		if k.ItemKind == conflict.OfRules {
			v.Merged = rule.Sentence(conflict.Merged(*k), pack.Of(""))
		}
	}
	if v.Whom, err = p.narrowing(c, k); err != nil {
		return err
	}
	v.Whom.WrongWhen = v.Errors["when"]
	return render.Page(c, wrong, base.ConflictPage(p.Frame(c, base.ConflictTitle(*k)).Broad().Follow(), v))
}

// conflictSide is what speaks for and against one of two items.
func (p *Pages) conflictSide(ctx context.Context, it conflict.Item) (s *base.Side, err error) {
	s = &base.Side{Item: it}
	r := it.Rule
	if r == nil {
		s.Credit, err = p.Credit.Standing(ctx, it.Case.ID)
		return s, err
	}
	if s.Credit, err = p.Credit.Standing(ctx, r.ID); err != nil {
		return nil, err
	}
	if s.Lessons, err = p.Learning.ForRule(ctx, r.ID); err != nil {
		return nil, err
	}
	all, err := p.evidence(ctx, r)
	for _, e := range all {
		if e.Against {
			s.Counter = append(s.Counter, e)
		} else {
			s.Supporting = append(s.Supporting, e)
		}
	}
	return s, err
}

// ConflictSettle carries out a person's answer.
func (p *Pages) ConflictSettle(c echo.Context, in struct {
	Choice       string `form:"choice"`
	Note         string `form:"note"`
	Side         string `form:"side"`
	Version      int    `form:"version"`
	LeftVersion  int    `form:"left_version"`
	RightVersion int    `form:"right_version"`
}) error {
	k, err := p.Conflicts.Get(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	whom, err := p.narrowing(c, k)
	if err != nil {
		return err
	}
	answer := conflict.Answer{Choice: in.Choice, Note: in.Note, Side: in.Side, When: whom.Conditions(),
		Version: in.Version, LeftVersion: in.LeftVersion, RightVersion: in.RightVersion}
	if _, err := p.Conflicts.Settle(context.WithoutCancel(c.Request().Context()), c.Param("id"), answer,
		keeper(c)); err != nil {
		return p.showConflict(c, answer, err)
	}
	return render.Done(c, "/knowledge/conflicts", "Resolved. The changes are in the history of both.")
}

// narrowing are the conditions by which one of two rules can be narrowed, as they were chosen or to choose from.
func (p *Pages) narrowing(c echo.Context, k *conflict.Conflict) (e statement.Editor, err error) {
	if k.Left.Rule == nil {
		return e, nil
	}
	if e.Pack, err = p.PackOf(c.Request().Context(), k.Left.AgentID); err != nil {
		return e, err
	}
	e.Fields, e.Form = statement.FieldsOf(e.Pack, pack.Situation{}), teach.Of(c)
	if len(e.When) == 0 {
		e.When = statement.New(teach.TopicChips(e.Pack)).When[:len(e.Pack.Topics)] // everybody is no narrower
	}
	teach.InValues(&e.Form, e.Pack)
	return e, nil
}

// conflictsOf lists what an item is in conflict with, and whether it waits to be compared.
func (p *Pages) conflictsOf(ctx context.Context, itemID string) ([]conflict.Conflict, bool, error) {
	list, err := p.Conflicts.Of(ctx, itemID)
	if err != nil {
		return nil, false, err
	}
	waits, err := p.Conflicts.Pending(ctx, itemID)
	return list, waits, err
}

// besideLesson is what a lesson's rule is in conflict with, for whoever is to accept it; nil when it is in none.
func (p *Pages) besideLesson(ctx context.Context, ruleID string) (templ.Component, error) {
	list, waits, err := p.conflictsOf(ctx, ruleID)
	if err != nil || len(list) == 0 && !waits {
		return nil, err
	}
	return base.ItemConflicts(list, waits), nil
}
