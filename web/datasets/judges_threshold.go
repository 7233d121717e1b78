package datasets

import (
	"github.com/labstack/echo/v4"

	"preceptor/internal/compliance/evaluate"
	"preceptor/internal/compliance/measure"
	"preceptor/internal/platform/decimal"
	"preceptor/internal/platform/fault"
	"preceptor/views/accounts"
	"preceptor/views/judges"
	"preceptor/web/render"
	"preceptor/web/session"
)

// JudgeThresholds lists versions.
func (p *Pages) JudgeThresholds(c echo.Context, in pageBefore) error {
	list, more, err := p.Judges.Thresholds(c.Request().Context(), in.Before, judgesPerPage)
	if err != nil {
		return err
	}
	v := judges.Thresholds{List: list}
	if len(list) > 0 {
		v.Pages.First, v.Pages.Next = in.pages("/compliance/judges/thresholds", more, list[len(list)-1].Version)
	}
	return render.Page(c, nil, judges.ThresholdsPage(p.Frame(c, "Thresholds of the panel").Broad(), v))
}

// JudgeThresholdPropose keeps what a run's page previewed.
func (p *Pages) JudgeThresholdPropose(c echo.Context, in struct {
	Alpha string `form:"alpha"`
}) error {
	alpha, ok := decimal.Data(in.Alpha)
	if !ok {
		return p.judgeRunPage(c, fault.New(fault.Invalid, "Choose one of the risks in the table."))
	}
	t, err := p.Judges.Propose(c.Request().Context(), c.Param("id"),
		measure.Aim{Alpha: alpha, Delta: evaluate.DefaultAim.Delta}, "", session.Actor(c))
	if err != nil {
		return p.judgeRunPage(c, err)
	}
	return render.Done(c, "/compliance/judges/thresholds/"+t.ID, "Proposed. It has no effect until it is switched on.")
}

// JudgeThreshold shows one version.
func (p *Pages) JudgeThreshold(c echo.Context) error { return p.judgeThresholdPage(c, "", nil) }

func (p *Pages) judgeThresholdPage(c echo.Context, why string, wrong error) error {
	ctx := c.Request().Context()
	t, err := p.Judges.Threshold(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	v := judges.ThresholdView{Threshold: t, May: session.Settles(c), Same: p.Judges.Same(t), Why: why,
		Errors: accounts.ErrorsOf(wrong)}
	if t.Kind == evaluate.ForJudge {
		_, v.Routes = p.Judges.Standing()
	} else if v.Run, err = p.Judges.Get(ctx, t.RunID); err != nil {
		return err
	}
	if v.Importers, err = p.Judges.Origin(ctx, t); err != nil {
		return err
	}
	v.ByAsker = t.ByAsker(v.Importers)
	if t.Waits() {
		if v.Waiting, err = p.Approvals.Of(ctx, t.Asked.ID, session.Actor(c).ID); err != nil {
			return err
		}
	}
	if wrong != nil && len(fault.Fields(wrong)) == 0 {
		v.Error = fault.Message(wrong)
	}
	return render.Page(c, wrong, judges.ThresholdPage(p.Frame(c, judges.TitleOf(t)), v), fault.Denied)
}

// why is what was typed into a form that settles a threshold.
type why struct {
	Why string `form:"why"`
}

// JudgeThresholdOn asks to put a proposal into force.
func (p *Pages) JudgeThresholdOn(c echo.Context, in why) error {
	err := p.Judges.AskOn(c.Request().Context(), c.Param("id"), in.Why, session.Actor(c))
	return p.thresholdDone(c, in, err,
		"Requested. It has no effect until another expert or administrator agrees. They have been notified.")
}

// JudgeThresholdOff goes back to the bands.
func (p *Pages) JudgeThresholdOff(c echo.Context, in why) error {
	err := p.Judges.SwitchOff(c.Request().Context(), c.Param("id"), in.Why, session.Actor(c))
	return p.thresholdDone(c, in, err, "Switched off. What applied before applies again from the next verdict.")
}

// JudgeThresholdRefuse ends a proposal.
func (p *Pages) JudgeThresholdRefuse(c echo.Context, in why) error {
	err := p.Judges.Refuse(c.Request().Context(), c.Param("id"), in.Why, session.Actor(c))
	return p.thresholdDone(c, in, err, "Refused. Nothing changes.")
}

// thresholdDone goes back to the threshold, or shows it with what was typed and what was wrong.
func (p *Pages) thresholdDone(c echo.Context, in why, err error, line string) error {
	if err != nil {
		return p.judgeThresholdPage(c, in.Why, err)
	}
	return render.Done(c, "/compliance/judges/thresholds/"+c.Param("id"), line)
}
