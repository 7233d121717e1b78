package knowledge

import (
	"context"

	"github.com/labstack/echo/v4"

	"preceptor/internal/knowledge"
	"preceptor/internal/platform/fault"
	base "preceptor/views/knowledge"
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
	if !form.Again(wrong) {
		return wrong
	}
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
	return render.Done(c, "/knowledge/history", "Rolled back: "+ui.Count(r.Changed, "item", "items")+
		" changed. The state from before is saved.")
}
