package page

import (
	"context"
	"strconv"

	"github.com/labstack/echo/v4"

	"preceptor/internal/audit"
	"preceptor/internal/compliance/checkbook"
	"preceptor/internal/fault"
	"preceptor/views/checks"
)

// CheckSwitch puts a check on or off, or asks for it where that takes two people.
func (p *Pages) CheckSwitch(c echo.Context) error {
	version, _ := strconv.Atoi(c.FormValue("version")) // a wrong one is a version that is not there
	book, _ := strconv.Atoi(c.FormValue("book"))
	in := checkbook.SwitchInput{CheckID: c.Param("id"), Version: version, On: c.FormValue("on") == "yes", Reason: c.FormValue("reason"), Book: book, By: actor(c)}
	line := "It is off. New drafts are checked without it from now on."
	if in.On {
		line = "It is on. New drafts are checked with it from now on."
	}
	return p.checkAct(c, version, func(ctx context.Context, _ string, _ audit.Actor) error {
		w, err := p.Checkbook.Switch(ctx, in)
		if w.State == checkbook.Asked {
			line = "It stays on until another expert or an administrator agrees."
		}
		return err
	}, &line)
}

// CheckAgree switches off what somebody else asked for.
func (p *Pages) CheckAgree(c echo.Context) error {
	line := "It is off. New drafts are checked without it from now on."
	return p.checkAct(c, 0, p.Checkbook.Agree, &line)
}

// CheckRefuse ends what somebody else asked for.
func (p *Pages) CheckRefuse(c echo.Context) error {
	line := "It is refused. The check stays on."
	return p.checkAct(c, 0, func(ctx context.Context, id string, by audit.Actor) error {
		return p.Checkbook.Refuse(ctx, id, c.FormValue("refusal"), by)
	}, &line)
}

// CheckWithdraw takes back what one asked for.
func (p *Pages) CheckWithdraw(c echo.Context) error {
	line := "It is withdrawn. The check stays on."
	return p.checkAct(c, 0, p.Checkbook.Withdraw, &line)
}

func (p *Pages) checkAct(c echo.Context, version int, act func(ctx context.Context, id string, by audit.Actor) error, line *string) error {
	err := act(c.Request().Context(), c.Param("id"), actor(c))
	switch k := fault.KindOf(err); {
	case err == nil:
		to := checks.Href(c.Param("id"))
		if version > 0 {
			to += "?version=" + strconv.Itoa(version)
		}
		return p.done(c, to, *line)
	case k == fault.Invalid || k == fault.Conflict || k == fault.Denied || k == fault.Limited:
		return p.checkPage(c, k.Status(), version, err)
	}
	return err
}
