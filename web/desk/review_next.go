package desk

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/internal/review"
	"preceptor/views/ui"
	"preceptor/web/session"
)

// ReviewNext takes the first case that is free and opens it.
func (p *Pages) ReviewNext(c echo.Context, in struct {
	Skipped bool `form:"skipped"`
}) error {
	ctx, f := c.Request().Context(), filter(c)
	f.WithSkipped = in.Skipped
	id, ok, err := p.Reviews.ClaimNext(ctx, me(c), f)
	if err != nil {
		return err
	}
	f.State = review.Needs
	if ok {
		return c.Redirect(http.StatusSeeOther, "/reviews/"+id+filterQuery(f))
	}
	n, err := p.Reviews.Counts(ctx, f.Viewer, f.AllPlanted)
	if err != nil {
		return err
	}
	if err := session.Flash(c, whyNothing(n, f)); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/reviews"+filterQuery(f))
}

// whyNothing says truthfully why no case was handed out.
func whyNothing(n review.Counts, f review.Filter) string {
	switch {
	case n.Needs > 0 && f.Narrowed():
		return "Nothing that matches the filter is free for you: it is with others, assigned to them, or you " +
			"skipped it."
	case n.Skipped > 0 && n.Skipped >= n.Needs:
		return "You skipped what is left. Reset your skips to get it back."
	case n.Needs > 0:
		return "Nothing is free for you right now: the rest is assigned to others, or you skipped it. You can still " +
			"open one from the list to take it."
	case n.Others > 0:
		return ui.Count(n.Others, "review is", "reviews are") + " waiting, all being reviewed by others."
	case n.Signed > 0:
		return ui.Count(n.Signed, "review is", "reviews are") + " waiting for a second supervisor, not you."
	}
	return "Nothing is waiting."
}
