package desk

import (
	"github.com/labstack/echo/v4"

	"preceptor/views/reviews"
	"preceptor/web/render"
)

// ReviewRecent is the rail alone.
func (p *Pages) ReviewRecent(c echo.Context) error {
	r, err := p.rail(c)
	if err != nil {
		return err
	}
	return render.Fragment(c, nil, reviews.RailView(r))
}
