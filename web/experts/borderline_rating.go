package experts

import (
	"strconv"

	"github.com/labstack/echo/v4"

	"preceptor/internal/compliance/borderline"
	"preceptor/internal/platform/fault"
	views "preceptor/views/compliance"
	"preceptor/web/form"
	"preceptor/web/render"
)

// RatingShow is one text that went out, to be rated.
func (p *Pages) RatingShow(c echo.Context) error { return p.showRating(c, views.Rating{}, nil) }

func (p *Pages) showRating(c echo.Context, v views.Rating, wrong error) (err error) {
	ctx := c.Request().Context()
	v.Now = p.Now()
	if v.Rating, err = p.Borderline.Rating(ctx, c.Param("id"), expert(c)); err != nil {
		return err
	}
	if v.In, err = p.Interactions.Get(ctx, v.Rating.InteractionID); err != nil {
		return err
	}
	v.Message, v.Errors = form.Said(wrong)
	if wrong == nil && v.Rating.Rated && v.Rating.By.ID == expert(c).ID {
		v.Stars, v.Note = strconv.Itoa(v.Rating.Stars), v.Rating.Note
	}
	return render.Page(c, wrong,
		views.RatingPage(p.Frame(c, "Quality rating").At("/compliance").Broad(), v))
}

// RatingGive stores a rating and goes back to the list.
func (p *Pages) RatingGive(c echo.Context, v views.Rating) error {
	stars, _ := strconv.Atoi(v.Stars) // what is no number is none of 1 to 5, which the domain says
	err := p.Borderline.Rate(c.Request().Context(),
		borderline.RateInput{ID: c.Param("id"), By: expert(c), Stars: stars, Note: v.Note})
	if fault.Is(err, fault.Invalid) {
		return p.showRating(c, v, err)
	}
	if err != nil {
		return err
	}
	return render.Done(c, "/compliance?list="+views.TabRatings, "Rated.")
}
