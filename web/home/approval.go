package home

import (
	"context"
	"slices"

	"github.com/labstack/echo/v4"

	"preceptor/internal/approval"
	"preceptor/internal/audit"
	"preceptor/internal/fault"
	"preceptor/views/accounts"
	"preceptor/views/approvals"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// ApprovalList is what waits for a second person.
func (p *Pages) ApprovalList(c echo.Context) error { return p.approvalsPage(c, "", nil) }

// ApprovalMoved leads from where one kind of change was answered to where all are.
func (p *Pages) ApprovalMoved(c echo.Context) error { return render.Redirect(c, "/approvals") }

func (p *Pages) approvalsPage(c echo.Context, typed string, wrong error) error {
	if !form.Again(wrong, fault.Denied) {
		return wrong
	}
	ctx := c.Request().Context()
	list, err := p.Approvals.Waiting(ctx, session.Me(c).ID)
	if err != nil {
		return err
	}
	v := approvals.List{Items: list, Now: p.Now(), Acted: c.Param("id"), Typed: typed, Errors: accounts.ErrorsOf(wrong)}
	if wrong != nil && !slices.ContainsFunc(list, func(w approval.Waiting) bool { return w.ID == v.Acted }) {
		return wrong // somebody was first, and it isn't on the page any more
	}
	if v.Agents, _, err = p.AgentNames(ctx); err != nil {
		return err
	}
	return render.Page(c, form.Status(wrong), approvals.Page(p.Frame(c, "Waiting for a second person"), v))
}

// ApprovalAgree puts a change into force.
func (p *Pages) ApprovalAgree(c echo.Context) error {
	return p.answer(c, "", p.Approvals.Agree, "Agreed. It is in force now.")
}

// ApprovalWithdraw takes one's own change back.
func (p *Pages) ApprovalWithdraw(c echo.Context) error {
	return p.answer(c, "", p.Approvals.Withdraw, "Withdrawn. Nothing changes.")
}

// ApprovalRefuse ends somebody else's change.
func (p *Pages) ApprovalRefuse(c echo.Context, in struct {
	Why string `form:"refusal"`
}) error {
	return p.answer(c, in.Why, func(ctx context.Context, id string, by audit.Actor) (approval.Change, error) {
		return p.Approvals.Refuse(ctx, id, in.Why, by)
	}, "Refused. Nothing changes.")
}

func (p *Pages) answer(c echo.Context, typed string, act func(context.Context, string, audit.Actor) (approval.Change, error), line string) error {
	change, err := act(c.Request().Context(), c.Param("id"), session.Actor(c))
	if err != nil {
		return p.approvalsPage(c, typed, err)
	}
	href, err := p.Approvals.Href(c.Request().Context(), change)
	if err != nil {
		return err
	}
	return render.Done(c, href, line)
}
