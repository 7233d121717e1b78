package desk

import (
	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/review/escalation"
	"preceptor/views/reviews"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// EscalatedList is the queue of customers whom a person answers.
func (p *Pages) EscalatedList(c echo.Context, in struct {
	Cursor string `form:"cursor"`
}) (err error) {
	ctx, a := c.Request().Context(), session.Me(c)
	v := reviews.Escalated{Viewer: a.ID, Outside: !a.Has(account.Supervisor), Cursor: in.Cursor, Now: p.Now()}
	if v.Open, v.Next, err = p.Escalations.Open(ctx, in.Cursor); err != nil {
		return err
	}
	if in.Cursor == "" {
		if v.Closed, err = p.Escalations.Closed(ctx); err != nil {
			return err
		}
	}
	return render.Page(c, nil,
		reviews.EscalatedPage(p.Frame(c, "Escalated").At("/reviews").Broad().Follow(), v))
}

type escalatedForm struct {
	Seen    string `form:"seen"`
	Outcome string `form:"outcome"`
	Note    string `form:"note"`
}

// EscalatedTake makes an escalated customer mine, EscalatedRelease nobody's, and EscalatedClose says how it ended.
func (p *Pages) EscalatedTake(c echo.Context, in escalatedForm) error {
	return p.escalate(c, in, escalation.Move{Seen: in.Seen, Event: escalation.Taken},
		"You have it. Say here how it ended.")
}

func (p *Pages) EscalatedRelease(c echo.Context, in escalatedForm) error {
	return p.escalate(c, in, escalation.Move{Seen: me(c).ID, Event: escalation.Released},
		"Released. Others can take it.")
}

func (p *Pages) EscalatedClose(c echo.Context, in escalatedForm) error {
	return p.escalate(c, in,
		escalation.Move{Seen: me(c).ID, Event: escalation.Closed, Outcome: in.Outcome, Note: in.Note},
		"Closed. The agent is told by webhook, or learns it when it next asks.")
}

// escalate makes a move, or shows the review with what was typed and why it can't be made.
func (p *Pages) escalate(c echo.Context, in escalatedForm, m escalation.Move, said string) error {
	m.By = me(c)
	err := p.Escalations.Move(c.Request().Context(), c.Param("id"), m)
	if err == nil {
		return render.Done(c, "/reviews/"+c.Param("id")+"#escalation", said)
	}
	if !form.Again(err) {
		return err
	}
	v, cause := p.caseView(c, c.Param("id"), "")
	if cause != nil {
		return cause
	}
	v.Ending = reviews.Ending{Outcome: in.Outcome, Note: in.Note}
	v.Ending.Message, v.Ending.Errors = form.Said(err)
	return p.showCase(c, form.Status(err), v)
}
