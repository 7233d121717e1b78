package page

import (
	"context"
	"strconv"

	"github.com/labstack/echo/v4"
)

// LearningRollBack takes back what a lesson made.
func (p *Pages) LearningRollBack(c echo.Context) error {
	version, _ := strconv.Atoi(c.FormValue("version")) // a wrong one is a version that nobody saw
	if err := p.Learning.RollBack(context.WithoutCancel(c.Request().Context()), c.Param("id"), c.FormValue("undo"), version, keeper(c)); err != nil {
		return p.lessonAgain(c, err)
	}
	return p.done(c, "/learning/"+c.Param("id"), "What this lesson made is out of use from the next draft on.")
}

// LearningBringBack undoes that.
func (p *Pages) LearningBringBack(c echo.Context) error {
	version, _ := strconv.Atoi(c.FormValue("version")) // a wrong one is a version that nobody saw
	if err := p.Learning.BringBack(context.WithoutCancel(c.Request().Context()), c.Param("id"), c.FormValue("undo"), version, keeper(c)); err != nil {
		return p.lessonAgain(c, err)
	}
	return p.done(c, "/learning/"+c.Param("id"), "What this lesson made is back as it was.")
}
