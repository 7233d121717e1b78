package knowledge

import (
	"context"

	"github.com/labstack/echo/v4"

	"preceptor/internal/signal"
	views "preceptor/views/signals"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// SessionList is agents' sessions, newest first.
func (p *Pages) SessionList(c echo.Context, f signal.Filter) error {
	ctx := c.Request().Context()
	agents, err := p.AgentOptions(ctx)
	if err != nil {
		return err
	}
	v := views.Sessions{Agents: agents,
		Filter: signal.Filter{AgentID: form.OneOf(f.AgentID, valuesOf(agents)), Cursor: f.Cursor}, Now: p.Now()}
	if v.List, v.Open, v.Next, err = p.Signals.Sessions(ctx, v.Filter); err != nil {
		return err
	}
	return render.Page(c, nil, views.SessionsPage(p.Frame(c, "Sessions").Broad().Follow(signal.Topic), v))
}

// SessionShow is a session with what is proposed.
func (p *Pages) SessionShow(c echo.Context) error { return p.showSession(c, views.Summary{}, nil) }

func (p *Pages) showSession(c echo.Context, v views.Summary, wrong error) (err error) {
	v.MayDecide, v.Now = session.Settles(c), p.Now()
	v.Message, v.Errors = form.Said(wrong)
	if v.Summary, err = p.Signals.Summary(c.Request().Context(), c.Param("id"), ""); err != nil {
		return err
	}
	if v.MayDecide {
		if v.Beside, err = p.Signals.Beside(c.Request().Context(), v.AgentID, v.Proposals()); err != nil {
			return err
		}
	}
	return render.Page(c, wrong, views.SummaryPage(p.Frame(c, "Session").Follow(signal.Topic), v))
}

// ProposalDecide approves a proposal, as it stands or as the person worded it, or rejects it.
func (p *Pages) ProposalDecide(c echo.Context, in struct {
	Act         string `form:"act"`
	signal.Edit `form:"edit"`
}) (err error) {
	ctx, id := context.WithoutCancel(c.Request().Context()), c.Param("proposal")
	said := "Rejected. It is not proposed again in these words for half a year."
	if in.Act == "reject" {
		err = p.Signals.Reject(ctx, id, keeper(c))
	} else {
		said = "Approved. It becomes a rule once the steps of its lesson are done."
		_, err = p.Signals.Approve(ctx, id, in.Edit, keeper(c))
	}
	switch {
	case err == nil:
		return render.Done(c, "/learning/sessions/"+c.Param("id"), said)
	case !form.Again(err):
		return err
	}
	return p.showSession(c, views.Summary{At: id, Edit: in.Edit}, err)
}
