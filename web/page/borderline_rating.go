package page

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"preceptor/internal/compliance/borderline"
	"preceptor/internal/fault"
	views "preceptor/views/compliance"
	"preceptor/web/render"
	"preceptor/web/session"
)

// RatingShow is one text that went out, to be rated.
func (p *Pages) RatingShow(c echo.Context) error { return p.showRating(c, http.StatusOK, nil) }

func (p *Pages) showRating(c echo.Context, status int, wrong error) (err error) {
	ctx := c.Request().Context()
	v := views.Rating{Stars: c.FormValue("rating"), Note: c.FormValue("note"), Now: p.Now()}
	if v.Rating, err = p.Borderline.Rating(ctx, c.Param("id"), expert(c)); err != nil {
		return err
	}
	if v.In, err = p.Interactions.Get(ctx, v.Rating.InteractionID); err != nil {
		return err
	}
	if wrong != nil {
		v.Message, v.Errors = fault.Message(wrong), fieldErrors(wrong)
	} else if v.Rating.Rated && v.Rating.By.ID == expert(c).ID {
		v.Stars, v.Note = strconv.Itoa(v.Rating.Stars), v.Rating.Note
	}
	f := p.frame(c, "Quality rating")
	f.Path, f.Wide = "/compliance", true
	return render.Page(c, status, views.RatingPage(f, v))
}

// RatingGive stores a rating and goes back to the list.
func (p *Pages) RatingGive(c echo.Context) error {
	stars, _ := strconv.Atoi(c.FormValue("rating")) // what is no number is none of 1 to 5
	err := p.Borderline.Rate(c.Request().Context(), borderline.RateInput{ID: c.Param("id"), By: expert(c), Stars: stars, Note: c.FormValue("note")})
	if fault.Is(err, fault.Invalid) {
		return p.showRating(c, http.StatusUnprocessableEntity, err)
	}
	if err != nil {
		return err
	}
	if err := session.Flash(c, "Rated."); err != nil {
		return err
	}
	return render.Redirect(c, "/compliance?list="+views.TabRatings)
}
