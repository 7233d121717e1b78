package home

import (
	"cmp"
	"context"
	"slices"

	"github.com/labstack/echo/v4"

	"preceptor/internal/approval"
	"preceptor/internal/audit"
	"preceptor/internal/platform/fault"
	"preceptor/views/accounts"
	"preceptor/views/approvals"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// ApprovalList is what waits for a second person.
func (p *Pages) ApprovalList(c echo.Context) error { return p.approvalsPage(c, "", nil) }

// ApprovalShow leads to where all of a change is shown.
func (p *Pages) ApprovalShow(c echo.Context) error {
	w, err := p.Approvals.Of(c.Request().Context(), c.Param("id"), "")
	if err != nil {
		return err
	}
	return render.Redirect(c, cmp.Or(w.Href, "/approvals"))
}

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
	return render.Page(c, wrong,
		approvals.Page(p.Frame(c, "Waiting for a second person").Follow("approvals"), v))
}

// ApprovalAnswer puts a change into force, ends somebody else's, or takes one's own back.
func (p *Pages) ApprovalAnswer(c echo.Context, in struct {
	Why string `form:"refusal"`
}) error {
	act, line := p.Approvals.Agree, "Agreed. It is in force now."
	switch c.Param("answer") {
	case "refuse":
		line, act = "Refused. Nothing changes.",
			func(ctx context.Context, id string, by audit.Actor) (approval.Change, error) {
				return p.Approvals.Refuse(ctx, id, in.Why, by)
			}
	case "withdraw":
		act, line = p.Approvals.Withdraw, "Withdrawn. Nothing changes."
	case "agree":
	default:
		return fault.New(fault.NotFound, "A change is agreed to, refused or withdrawn.")
	}
	change, err := act(c.Request().Context(), c.Param("id"), session.Actor(c))
	if err != nil {
		return p.approvalsPage(c, in.Why, err)
	}
	w, err := p.Approvals.Of(c.Request().Context(), change.ID, "")
	if err != nil {
		return err
	}
	return render.Done(c, cmp.Or(w.Href, "/approvals"), line)
}
