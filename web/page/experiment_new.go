package page

import (
	"context"
	"math"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"preceptor/internal/decimal"
	"preceptor/internal/fault"
	"preceptor/internal/feedback/experiment"
	"preceptor/internal/knowledge"
	"preceptor/views/experiments"
	"preceptor/views/ui"
	"preceptor/web/render"
)

// The share of drafts that were approved unchanged is offered as the baseline when it is known from so many decisions of so many days.
const (
	baselineFrom = 100
	baselineDays = 90
)

// ExperimentNew is the form for a plan, with what the desk did lately as the baseline.
func (p *Pages) ExperimentNew(c echo.Context) error {
	aim := experiment.DefaultAim
	o, err := p.Stats.Overview(c.Request().Context(), baselineDays)
	if err != nil {
		return err
	}
	if o.Approved.Whole >= baselineFrom {
		aim.Baseline = math.Round(o.Approved.Value()*100) / 100
	}
	text := func(share float64) string { return strconv.FormatFloat(share*100, 'f', -1, 64) }
	v := experiments.New{Purpose: experiment.Memory, Metric: experiment.Approved, Baseline: text(aim.Baseline), Effect: text(aim.Effect), Alpha: text(aim.Alpha),
		Power: text(aim.Power), Split: text(aim.Split)}
	if plan, err := experiment.NewPlan(aim); err == nil {
		v.Plan = &plan
	}
	return p.newExperimentPage(c, http.StatusOK, v, nil)
}

func (p *Pages) newExperimentPage(c echo.Context, status int, v experiments.New, wrong error) (err error) {
	ctx := c.Request().Context()
	if wrong != nil {
		v.Error, v.Errors = fault.Message(wrong), fieldErrors(wrong)
	}
	agents, err := p.Accounts.Agents(ctx)
	if err != nil {
		return err
	}
	v.Agents = []ui.Option{{Label: "every agent"}}
	for _, a := range agents {
		v.Agents = append(v.Agents, ui.Option{Value: a.ID, Label: a.Name})
	}
	if v.Rules, err = p.triable(ctx); err != nil {
		return err
	}
	f := p.frame(c, "Plan an experiment")
	f.Path = experiments.Home
	return render.Page(c, status, experiments.NewPage(f, v))
}

// triable are the rules that an experiment may leave out, for a list to choose from.
func (p *Pages) triable(ctx context.Context) ([]ui.Option, error) {
	rules, _, err := p.Knowledge.Rules(ctx, knowledge.Filter{Status: knowledge.Active, Limit: 500})
	if err != nil {
		return nil, err
	}
	list := []ui.Option{{Label: "none"}}
	for i := range rules {
		if r := &rules[i]; !knowledge.Protected(r.Domain) {
			list = append(list, ui.Option{Value: r.ID, Label: r.Label() + " " + r.Title})
		}
	}
	return list, nil
}

// ExperimentAdd plans an experiment, or only works out what it takes.
func (p *Pages) ExperimentAdd(c echo.Context) error {
	ctx := c.Request().Context()
	v := experiments.New{Name: c.FormValue("name"), Purpose: c.FormValue("purpose"), Agent: c.FormValue("agent"), Rule: c.FormValue("rule"),
		Treatment: c.FormValue("treatment"), Control: c.FormValue("control"), Metric: c.FormValue("metric"), Baseline: c.FormValue("baseline"),
		Effect: c.FormValue("effect"), Alpha: c.FormValue("alpha"), Power: c.FormValue("power"), Split: c.FormValue("split")}
	aim, err := aimTyped(v)
	if err == nil {
		var plan experiment.Plan
		if plan, err = experiment.NewPlan(aim); err == nil {
			v.Plan = &plan
		}
	}
	if err == nil && c.FormValue("only") != "" {
		return p.newExperimentPage(c, http.StatusOK, v, nil)
	}
	var e *experiment.Experiment
	if err == nil {
		in := experiment.Input{Name: v.Name, Purpose: v.Purpose, AgentID: v.Agent, RuleID: v.Rule, Treatment: v.Treatment, Control: v.Control, Metric: v.Metric}
		if in.AgentName, err = p.agentName(ctx, v.Agent); err == nil {
			e, err = p.Experiments.Create(ctx, in, aim, planner(c))
		}
	}
	if fault.Is(err, fault.Invalid) {
		return p.newExperimentPage(c, http.StatusUnprocessableEntity, v, err)
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, experiments.Home+"/"+e.ID)
}

// agentName finds an agent of ours by its id; "" is every agent.
func (p *Pages) agentName(ctx context.Context, id string) (string, error) {
	if id == "" {
		return "", nil
	}
	agents, err := p.Accounts.Agents(ctx)
	if err != nil {
		return "", err
	}
	for _, a := range agents {
		if a.ID == id {
			return a.Name, nil
		}
	}
	return "", fault.WithFields("This experiment can't be planned yet.", fault.Field{Name: "agent", Msg: "Choose one of the list."})
}

// aimTyped reads the percentages of the form.
func aimTyped(v experiments.New) (experiment.Aim, error) {
	var wrong []fault.Field
	share := func(name, typed string) float64 {
		n, err := decimal.Percent(typed)
		if err != nil {
			wrong = append(wrong, fault.Field{Name: name, Msg: decimal.Say(err, "Write a number, as 75 or 7.5.")})
		}
		return n / 100
	}
	a := experiment.Aim{Baseline: share("baseline", v.Baseline), Effect: share("effect", v.Effect), Alpha: share("alpha", v.Alpha), Power: share("power", v.Power), Split: share("split", v.Split)}
	if len(wrong) > 0 {
		return a, fault.WithFields("A number can't be read.", wrong...)
	}
	return a, nil
}
