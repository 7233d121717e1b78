package desk

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/platform/fault"
	"preceptor/internal/review"
	"preceptor/views/reviews"
	"preceptor/web/render"
	"preceptor/web/session"
	"preceptor/web/teach"
)

// ReviewDraft saves what somebody has typed so far. The script asks for plain text and is told when it was saved;
// without one it is a button.
func (p *Pages) ReviewDraft(c echo.Context, in deskForm) error {
	if err := session.SameAuthor(c, in.As); err != nil {
		return err
	}
	d, err := p.draft(c, in, c.Param("id"), in.Mode)
	if err != nil {
		return err
	}
	d.Tab, d.Seen = in.Tab, time.UnixMilli(in.Seen)
	at, err := p.Reviews.SaveDraft(c.Request().Context(), me(c), d)
	if errors.Is(err, review.ErrElsewhere) {
		return c.String(http.StatusPreconditionFailed, fault.Message(err))
	}
	if err != nil {
		return err
	}
	if strings.HasPrefix(c.Request().Header.Get("Accept"), "text/plain") {
		return c.String(http.StatusOK, "Saved "+at.Local().Format("15:04"))
	}
	return render.Done(c, modeHref(c, d.CaseID, d.Mode),
		"Saved. Only you can see it; it will be here when you come back.")
}

// ReviewDraftDiscard forgets what somebody typed.
func (p *Pages) ReviewDraftDiscard(c echo.Context, in deskForm) error {
	if err := session.SameAuthor(c, in.As); err != nil {
		return err
	}
	if err := p.Reviews.DropDraft(c.Request().Context(), c.Param("id"), me(c), in.Version, in.Mode); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, modeHref(c, c.Param("id"), in.Open))
}

// draft is what came with a form, to be kept.
func (p *Pages) draft(c echo.Context, in deskForm, id, mode string) (review.Draft, error) {
	d := review.Draft{CaseID: id, Version: in.Version, Mode: mode, Text: in.text(), Reason: in.Reason,
		ReasonCode: in.ReasonCode,
		Stated:     teach.Keep(teach.Of(c)), Overrule: in.form(c, "").Overrulings()}
	if typed := argumentsTyped(c); mode == review.Revise && len(typed) > 0 {
		item, err := p.Reviews.Get(c.Request().Context(), id)
		if err != nil {
			return d, err
		}
		d.Arguments = reviews.Changed(review.ActionsUnder(item.Base, item.Interaction), typed)
	}
	return d, nil
}

// modeHref is the address of a form of a case within the part of the queue that somebody works through.
func modeHref(c echo.Context, id, mode string) string {
	query := filterQuery(filter(c))
	if mode == "" {
		return "/reviews/" + id + query
	}
	if query == "" {
		return "/reviews/" + id + "?mode=" + mode
	}
	return "/reviews/" + id + query + "&mode=" + mode
}
