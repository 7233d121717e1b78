package desk

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/views/reviews"
)

// aheadHeader names the case, the version and the text of a page loaded ahead: in the answer that carries it, and in
// the decision after which it is to be shown.
const aheadHeader = "X-Case-Ahead"

// ReviewAhead is the page of the case that comes next, for a browser that loads it while its person reads another. It
// takes nothing. 204 says that the browser has it, or that there is none.
func (p *Pages) ReviewAhead(c echo.Context, in struct {
	After string `form:"after"`
}) error {
	f, err := p.leaving(c, in.After)
	if err != nil {
		return err
	}
	id, ok, err := p.Reviews.Ahead(c.Request().Context(), me(c), f)
	if err != nil {
		return err
	}
	if !ok {
		return c.NoContent(http.StatusNoContent)
	}
	v, err := p.caseView(c, id, "")
	if err != nil {
		return err
	}
	key := reviews.AheadKey(v.Item.Row)
	c.Response().Header().Set(aheadHeader, key)
	if c.Request().Header.Get(aheadHeader) == key {
		return c.NoContent(http.StatusNoContent)
	}
	return p.showCase(c, http.StatusOK, v)
}
