package page

import (
	"context"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"preceptor/internal/audit"
	"preceptor/internal/compliance/evaluate"
	"preceptor/internal/compliance/measure"
	"preceptor/internal/decimal"
	"preceptor/internal/fault"
	"preceptor/views/accounts"
	"preceptor/views/judges"
	"preceptor/web/render"
)

// JudgeThresholds lists versions.
func (p *Pages) JudgeThresholds(c echo.Context) error {
	before, err := number(c.QueryParam("before"))
	if err != nil {
		return err
	}
	list, more, err := p.Judges.Thresholds(c.Request().Context(), int(before), judgesPerPage)
	if err != nil {
		return err
	}
	v := judges.Thresholds{List: list}
	const here = "/compliance/judges/thresholds"
	if before > 0 {
		v.Pages.First = here
	}
	if more {
		v.Pages.Next = here + "?before=" + strconv.Itoa(list[len(list)-1].Version)
	}
	f := p.frame(c, "Thresholds of the panel")
	f.Wide = true
	return render.Page(c, http.StatusOK, judges.ThresholdsPage(f, v))
}

// JudgeThresholdPropose keeps what a run's page previewed.
func (p *Pages) JudgeThresholdPropose(c echo.Context) error {
	alpha, ok := decimal.Data(c.FormValue("alpha"))
	if !ok {
		return p.judgeRunPage(c, http.StatusUnprocessableEntity, fault.New(fault.Invalid, "Choose one of the risks in the table."))
	}
	t, err := p.Judges.Propose(c.Request().Context(), c.Param("id"), measure.Aim{Alpha: alpha, Delta: evaluate.DefaultAim.Delta}, "", actor(c))
	switch k := fault.KindOf(err); {
	case err == nil:
		return p.done(c, "/compliance/judges/thresholds/"+t.ID, "It is proposed. Nothing routes by it before somebody switches it on.")
	case k == fault.Invalid:
		return p.judgeRunPage(c, k.Status(), err)
	}
	return err
}

// JudgeThreshold shows one version.
func (p *Pages) JudgeThreshold(c echo.Context) error {
	return p.judgeThresholdPage(c, http.StatusOK, nil)
}

func (p *Pages) judgeThresholdPage(c echo.Context, status int, wrong error) error {
	ctx := c.Request().Context()
	t, err := p.Judges.Threshold(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	v := judges.ThresholdView{Threshold: t, May: mayJudge(c), Me: actor(c).ID, Same: t.PanelID == evaluate.PanelID(p.Validator.Panel()), Why: c.FormValue("why"), Errors: accounts.ErrorsOf(wrong)}
	if v.Run, err = p.Judges.Get(ctx, t.RunID); err != nil {
		return err
	}
	if v.Importers, err = p.Judges.Origin(ctx, t); err != nil {
		return err
	}
	v.ByAsker = t.ByAsker(v.Importers)
	if wrong != nil && len(fault.Fields(wrong)) == 0 {
		v.Error = fault.Message(wrong)
	}
	return render.Page(c, status, judges.ThresholdPage(p.frame(c, "Threshold "+strconv.Itoa(t.Version)), v))
}

// JudgeThresholdOn asks to put a proposal into force.
func (p *Pages) JudgeThresholdOn(c echo.Context) error {
	return p.thresholdAct(c, p.Judges.AskOn, "Asked. It routes nothing before another expert or administrator agrees; they have a notice.")
}

// JudgeThresholdAgree puts into force what somebody else asked for.
func (p *Pages) JudgeThresholdAgree(c echo.Context) error {
	return p.thresholdAct(c, func(ctx context.Context, id, _ string, by audit.Actor) error {
		return p.Judges.AgreeOn(ctx, id, by)
	}, "It routes from the next verdict on.")
}

// JudgeThresholdWithdraw takes back what one asked for.
func (p *Pages) JudgeThresholdWithdraw(c echo.Context) error {
	return p.thresholdAct(c, func(ctx context.Context, id, _ string, by audit.Actor) error {
		return p.Judges.WithdrawOn(ctx, id, by)
	}, "Withdrawn. The proposal stays.")
}

// JudgeThresholdOff goes back to the bands.
func (p *Pages) JudgeThresholdOff(c echo.Context) error {
	return p.thresholdAct(c, p.Judges.SwitchOff, "It is switched off. The bands of confidence route again.")
}

// JudgeThresholdRefuse ends a proposal.
func (p *Pages) JudgeThresholdRefuse(c echo.Context) error {
	return p.thresholdAct(c, p.Judges.Refuse, "It is refused. What routed goes on.")
}

func (p *Pages) thresholdAct(c echo.Context, act func(ctx context.Context, id, why string, by audit.Actor) error, line string) error {
	err := act(c.Request().Context(), c.Param("id"), c.FormValue("why"), actor(c))
	switch k := fault.KindOf(err); {
	case err == nil:
		return p.done(c, "/compliance/judges/thresholds/"+c.Param("id"), line)
	case k == fault.Invalid || k == fault.Conflict || k == fault.Denied:
		return p.judgeThresholdPage(c, k.Status(), err)
	}
	return err
}
