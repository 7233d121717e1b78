package page

import (
	"context"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/fault"
	"preceptor/internal/knowledge"
	base "preceptor/views/knowledge"
	"preceptor/views/ui"
	"preceptor/web/render"
	"preceptor/web/session"
)

const (
	statesPerPage = 50
	rollbacksSeen = 20 // the newest, on the first page
)

// keeper is the signed-in person as knowledge knows them.
func keeper(c echo.Context) knowledge.Person {
	a, _ := session.Current(c)
	return knowledge.Person{ID: a.ID, Name: a.Name, Roles: roleNames(a)}
}

func mayKeep(c echo.Context) bool {
	a, _ := session.Current(c)
	return a.Has(account.Expert) || a.Has(account.Admin)
}

// StateList is the states of the whole base.
func (p *Pages) StateList(c echo.Context) error { return p.showStates(c, http.StatusOK, nil) }

func (p *Pages) showStates(c echo.Context, status int, wrong error) error {
	ctx := c.Request().Context()
	v := base.History{Cursor: c.QueryParam("cursor"), MayChange: mayKeep(c), Counts: p.knowledgeTabs(ctx), Now: p.Now(), Name: c.FormValue("name"), Errors: fieldErrors(wrong)}
	var err error
	if v.States, v.Next, err = p.Knowledge.States(ctx, v.Cursor, statesPerPage); err != nil {
		return err
	}
	if v.Cursor == "" {
		if v.Rollbacks, err = p.Knowledge.Rollbacks(ctx, rollbacksSeen); err != nil {
			return err
		}
	}
	f := p.frame(c, "History of the knowledge")
	f.Path, f.Wide, f.Topics = "/knowledge/history", true, topicsOf("knowledge")
	return render.Page(c, status, base.HistoryPage(f, v))
}

// StateSave keeps the base as it is now, under a name.
func (p *Pages) StateSave(c echo.Context) error {
	s, err := p.Knowledge.SaveState(context.WithoutCancel(c.Request().Context()), c.FormValue("name"), keeper(c))
	if fault.Is(err, fault.Invalid) {
		return p.showStates(c, http.StatusUnprocessableEntity, err)
	}
	if err != nil {
		return err
	}
	return p.done(c, "/knowledge/history", "The state “"+s.Name+"” is kept.")
}

// StateShow is what going back to a state would do.
func (p *Pages) StateShow(c echo.Context) error { return p.showState(c, nil) }

func (p *Pages) showState(c echo.Context, wrong error) error {
	v := base.GoingBack{MayChange: mayKeep(c), Now: p.Now(), Reason: c.FormValue("reason"), Errors: fieldErrors(wrong)}
	status := http.StatusOK
	if wrong != nil {
		status, v.Message = fault.KindOf(wrong).Status(), fault.Message(wrong)
	}
	var err error
	if v.Preview, err = p.Knowledge.PreviewRollback(c.Request().Context(), c.Param("id")); err != nil {
		return err
	}
	f := p.frame(c, v.State.Name)
	f.Path, f.Wide, f.Topics = "/knowledge/history", true, topicsOf()
	return render.Page(c, status, base.GoingBackPage(f, v))
}

// StateGoBack puts the whole base back.
func (p *Pages) StateGoBack(c echo.Context) error {
	seen, err := strconv.ParseInt(c.FormValue("seen"), 10, 64)
	if err != nil {
		seen = -1 // which nobody saw
	}
	r, err := p.Knowledge.Rollback(context.WithoutCancel(c.Request().Context()), c.Param("id"), c.FormValue("reason"), seen, keeper(c))
	if fault.Is(err, fault.Invalid) || fault.Is(err, fault.Conflict) {
		return p.showState(c, err)
	}
	if err != nil {
		return err
	}
	return p.done(c, "/knowledge/history", "The knowledge is as it was: "+ui.Count(r.Changed, "item", "items")+" changed. The state from before is kept.")
}
