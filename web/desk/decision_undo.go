package desk

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/internal/platform/fault"
	"preceptor/internal/review"
	"preceptor/views/reviews"
	"preceptor/web/render"
	"preceptor/web/session"
	"preceptor/web/teach"
)

// DecisionUndo takes back a decision: mine while it is held or waits for a second signature, somebody else's while it
// is held, with a reason. The case is open again, and what I had typed for my decision stands in its form.
func (p *Pages) DecisionUndo(c echo.Context, in deskForm) error {
	if err := session.SameAuthor(c, in.As); err != nil {
		return err
	}
	ctx, by := c.Request().Context(), me(c)
	d, err := p.Reviews.Decision(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	own := d.By.ID == by.ID
	undone, err := p.Reviews.Undo(ctx, d.ID, by, in.Reason)
	if err != nil {
		if in.Mode == reviews.ModeStop {
			return p.again(c, in, d.InteractionID, in.Mode, err)
		}
		if fault.Is(err, fault.Conflict) { // often only just too late: there one can recall it
			return render.NotDone(c, "/reviews/"+d.InteractionID+filterQuery(filter(c)), err)
		}
		return err
	}
	p.afterwards("forget what was typed", p.forget(c, d.InteractionID, in.Version, reviews.ModeStop))
	line := "Undone. Nothing was sent. You're reviewing it again."
	if item, err := p.Reviews.Get(ctx, d.InteractionID); err == nil && item.Claim.HeldByOther(by.ID, p.Now()) {
		line = "Undone. Nothing was sent. " + item.Claim.By.Name + " is reviewing it."
	}
	if !own {
		line = "Stopped. Nothing was sent; the review is open again."
	}
	switch d.Second.ID {
	case "":
	case by.ID:
		line = "Undone. It still has " + d.By.Name + "'s approval and needs a second one."
	default:
		line = "Nothing was sent. Both approvals are withdrawn, so the review needs two again."
	}
	p.afterwards("say that it is taken back", session.Flash(c, line))
	mode := ""
	if own {
		if mode, err = p.typeAgain(c, undone); err != nil {
			p.afterwards("give back what was typed", err)
			return c.Redirect(http.StatusSeeOther, "/reviews")
		}
	}
	return c.Redirect(http.StatusSeeOther, modeHref(c, d.InteractionID, mode))
}

// typeAgain puts what somebody had typed for a decision that they took back into its form, which it names: what they
// want is mostly to change it a little.
func (p *Pages) typeAgain(c echo.Context, d *review.Decision) (mode string, err error) {
	mode = modeOf[d.Did()]
	if mode == "" && len(d.Overrulings) > 0 {
		mode = reviews.ModeOverrule
	}
	if mode == "" {
		return "", nil
	}
	item, err := p.Reviews.Get(c.Request().Context(), d.InteractionID)
	if err != nil {
		return "", err
	}
	draft := review.Draft{CaseID: d.InteractionID, Version: item.Version, Mode: mode, Reason: d.Reason,
		ReasonCode: d.ReasonCode, Feedback: d.Feedback, Stated: teach.StatedBy(d.Statements, d.OnlyCustomer),
		Overrule: d.Overrulings}
	if mode == reviews.ModeRevise {
		draft.Text = d.Text
	}
	_, err = p.Reviews.SaveDraft(c.Request().Context(), me(c), draft)
	return mode, err
}

// forget drops what was typed in a form that was sent.
func (p *Pages) forget(c echo.Context, id string, version int, mode string) error {
	return p.Reviews.DropDraft(c.Request().Context(), id, me(c), version, mode)
}
