package experts

import (
	"github.com/labstack/echo/v4"

	"preceptor/internal/compliance/checklist"
	"preceptor/web/render"
	"preceptor/web/session"
)

// CheckSwitch puts a check on or off, or asks for it where that takes two people.
func (p *Pages) CheckSwitch(c echo.Context, in checkInput) error {
	line := "Switched off. New drafts are no longer checked with it."
	if in.On {
		line = "Switched on. New drafts are now checked with it."
	}
	w, err := p.Checklist.Switch(c.Request().Context(),
		checklist.SwitchInput{CheckID: c.Param("id"), Version: in.Version, On: in.On, Reason: in.Reason, Book: in.Book,
			By: session.Actor(c)})
	if w.State == checklist.Asked {
		line = "It stays on until another expert or an administrator agrees."
	}
	return p.checkDone(c, in, err, line)
}

// checkDone goes back to the check, or shows it with what was typed and what was wrong.
func (p *Pages) checkDone(c echo.Context, in checkInput, err error, line string) error {
	if err != nil {
		return p.checkPage(c, in, err)
	}
	return render.Done(c, in.href(c), line)
}
