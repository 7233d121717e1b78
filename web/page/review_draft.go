package page

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/review"
	"preceptor/web/render"
	"preceptor/web/session"
)

// ReviewDraft saves what somebody has typed so far. The script asks for plain text and is told when it was saved; without
// one it is a button.
func (p *Pages) ReviewDraft(c echo.Context) error {
	if err := sameAuthor(c); err != nil {
		return err
	}
	d := draftOf(c, c.Param("id"), c.FormValue("mode"))
	at, err := p.Reviews.SaveDraft(c.Request().Context(), me(c), d)
	if err != nil {
		return err
	}
	if strings.HasPrefix(c.Request().Header.Get("Accept"), "text/plain") {
		return c.String(http.StatusOK, "Saved "+at.Local().Format("15:04"))
	}
	if err := session.Flash(c, "Saved. Nobody else sees it; it is here when you come back."); err != nil {
		return err
	}
	return render.Redirect(c, modeHref(c, d.CaseID, d.Mode))
}

// ReviewDraftDiscard forgets what somebody typed.
func (p *Pages) ReviewDraftDiscard(c echo.Context) error {
	if err := sameAuthor(c); err != nil {
		return err
	}
	version, _ := strconv.Atoi(c.FormValue("version")) // a wrong one has nothing to forget
	if err := p.Reviews.DropDraft(c.Request().Context(), c.Param("id"), me(c), version, c.FormValue("mode")); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, modeHref(c, c.Param("id"), c.FormValue("open")))
}

// draftOf is what came with a form, to be kept.
func draftOf(c echo.Context, id, mode string) review.Draft {
	d := review.Draft{CaseID: id, Mode: mode, Text: c.FormValue("text"), Reason: c.FormValue("reason"), ReasonCode: c.FormValue("reason_code"), Stated: keepStatement(statementOf(c)), Overrule: typed(c, "").Overrulings()}
	d.Version, _ = strconv.Atoi(c.FormValue("version")) // a wrong one is a version that nobody saw; it is kept as such
	return d
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
