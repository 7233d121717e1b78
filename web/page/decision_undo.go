package page

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/web/session"
)

// DecisionUndo takes back a decision that is still held; the case is open again, and mine.
func (p *Pages) DecisionUndo(c echo.Context) error {
	d, err := p.Reviews.Undo(c.Request().Context(), c.Param("id"), me(c), c.FormValue("reason"))
	if err != nil {
		return err
	}
	if err := session.Flash(c, "Taken back. Nothing went out; the case is open again and held by you."); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/reviews/"+d.InteractionID)
}
