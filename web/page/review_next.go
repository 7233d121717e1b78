package page

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/web/session"
)

// ReviewNext takes the first case that is free and opens it.
func (p *Pages) ReviewNext(c echo.Context) error {
	f := filter(c)
	f.AgentID, f.Task = c.FormValue("agent"), c.FormValue("task")
	f.WithSkipped = c.FormValue("skipped") == "yes"
	id, ok, err := p.Reviews.ClaimNext(c.Request().Context(), me(c), f)
	if err != nil {
		return err
	}
	if ok {
		return c.Redirect(http.StatusSeeOther, "/reviews/"+id+filterQuery(f))
	}
	if err := session.Flash(c, "Nothing is free just now: what still waits is with others, or you skipped it."); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/reviews"+filterQuery(f))
}
