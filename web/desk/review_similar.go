package desk

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/views/reviews"
	"preceptor/web/render"
)

// similarShown is how many earlier decisions stand beside a case.
const similarShown = 3

// ReviewSimilar is what was decided about cases like this one: the part alone, or without a script the page with it.
func (p *Pages) ReviewSimilar(c echo.Context) error {
	list, err := p.Reviews.Similar(c.Request().Context(), c.Param("id"), similarShown)
	if err != nil {
		return err
	}
	similar := &reviews.SimilarView{Items: list}
	if render.IsHTMX(c) {
		return render.Fragment(c, nil, reviews.SimilarPart(reviews.Case{Similar: similar, Now: p.Now()}))
	}
	v, err := p.caseView(c, c.Param("id"), "")
	if err != nil {
		return err
	}
	v.Similar = similar
	return p.showCase(c, http.StatusOK, v)
}
