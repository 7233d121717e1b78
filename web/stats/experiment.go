package stats

import (
	"context"
	"math"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"preceptor/internal/feedback/experiment"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/fault"
	"preceptor/internal/stats"
	"preceptor/views/experiments"
	"preceptor/views/ui"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// ExperimentList lists the experiments.
func (p *Pages) ExperimentList(c echo.Context) error {
	list, err := p.Experiments.List(c.Request().Context())
	if err != nil {
		return err
	}
	return render.Page(c, nil,
		experiments.ListPage(p.Frame(c, "Experiments").Broad(), experiments.List{Items: list, Now: p.Now()}))
}

// ExperimentShow is one experiment.
func (p *Pages) ExperimentShow(c echo.Context, in struct {
	Format string `form:"format"`
}) error {
	return p.experimentPage(c, experiments.Show{}, in.Format, nil)
}

func (p *Pages) experimentPage(c echo.Context, v experiments.Show, format string, wrong error) error {
	e, err := p.Experiments.Get(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	v.Experiment, v.Now = *e, p.Now()
	v.Error, v.Errors = form.Said(wrong)
	if e.State != experiment.Stopped && e.Metric == experiment.Approved {
		if v.Idle, err = p.unreviewed(c.Request().Context(), e.AgentName); err != nil {
			return err
		}
	}
	if v.Path, err = p.Experiments.Path(c.Request().Context(), e.ID); err != nil {
		return err
	}
	if format == "csv" {
		name, notes := p.asOf("Experiment", "experiment")
		return p.figures(c, name, notes, experiments.Figures(v.Path))
	}
	f := p.Frame(c, e.Name).At(experiments.Home).Broad().Follow("experiments")
	return render.Page(c, wrong, experiments.ShowPage(f, v))
}

func planner(c echo.Context) experiment.Person {
	a := session.Me(c)
	return experiment.Person{ID: a.ID, Name: a.Name}
}

// ExperimentStart has a planned experiment run.
func (p *Pages) ExperimentStart(c echo.Context) error {
	err := p.Experiments.Start(c.Request().Context(), c.Param("id"), planner(c))
	return p.experimentDone(c, err, "", "Experiment started. Users are now divided between the arms.")
}

// ExperimentStop ends one, with the reason.
func (p *Pages) ExperimentStop(c echo.Context, in struct {
	Note string `form:"note"`
}) error {
	err := p.Experiments.Stop(c.Request().Context(), c.Param("id"), in.Note, planner(c))
	return p.experimentDone(c, err, in.Note, "Experiment stopped. All users get answers as they did before.")
}

func (p *Pages) experimentDone(c echo.Context, err error, note, line string) error {
	if err != nil {
		return p.experimentPage(c, experiments.Show{Note: note}, "", err)
	}
	return render.Done(c, experiments.Home+"/"+c.Param("id"), line)
}

// The share of drafts that were approved unchanged is offered as the baseline when it is known from so many decisions
// of so many days.
const (
	baselineFrom = 100
	baselineDays = 90
)

// ExperimentNew is the form for a plan, with what the desk did lately as the baseline.
func (p *Pages) ExperimentNew(c echo.Context) error {
	aim := experiment.DefaultAim
	lately, err := p.Stats.Review(c.Request().Context(),
		stats.Filter{Range: stats.Days(p.Now(), baselineDays, p.zone()), Plain: true})
	if err != nil {
		return err
	}
	if lately.Approved.N >= baselineFrom {
		aim.Baseline = math.Round(lately.Approved.Value*100) / 100
	}
	text := func(share float64) string { return strconv.FormatFloat(share*100, 'f', -1, 64) }
	v := experiments.New{Purpose: experiment.Memory, Metric: experiment.Approved, Baseline: text(aim.Baseline),
		Effect: text(aim.Effect), Alpha: text(aim.Alpha),
		Power: text(aim.Power), Split: text(aim.Split)}
	if plan, err := experiment.NewPlan(aim); err == nil {
		v.Plan = &plan
	}
	return p.newExperimentPage(c, v, nil)
}

func (p *Pages) newExperimentPage(c echo.Context, v experiments.New, wrong error) (err error) {
	ctx := c.Request().Context()
	v.Error, v.Errors = form.Said(wrong)
	if v.Agents, err = p.AgentsInUse(ctx, "every agent"); err != nil {
		return err
	}
	if v.Rules, err = p.triable(ctx); err != nil {
		return err
	}
	return render.Page(c, wrong,
		experiments.NewPage(p.Frame(c, "Plan an experiment").At(experiments.Home), v))
}

// unreviewed reports whether nobody decided on a draft of the agent lately; "" is every agent.
func (p *Pages) unreviewed(ctx context.Context, agent string) (bool, error) {
	lately, err := p.Stats.Review(ctx, stats.Filter{Range: stats.Days(p.Now(), baselineDays, p.zone()), Agent: agent,
		Plain: true})
	return lately.Decisions.Value == 0, err
}

// triable are the rules that an experiment may leave out, for a list to choose from.
func (p *Pages) triable(ctx context.Context) ([]ui.Option, error) {
	rules, _, err := p.Knowledge.Rules(ctx, knowledge.Filter{Status: knowledge.Active, Held: true, Limit: 500})
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
func (p *Pages) ExperimentAdd(c echo.Context, v experiments.New) error {
	ctx := c.Request().Context()
	aim, err := aimTyped(v)
	if err == nil {
		var plan experiment.Plan
		if plan, err = experiment.NewPlan(aim); err == nil {
			v.Plan = &plan
		}
	}
	if err == nil && v.Only {
		return p.newExperimentPage(c, v, nil)
	}
	var e *experiment.Experiment
	if err == nil {
		in := experiment.Input{Name: v.Name, Purpose: v.Purpose, AgentID: v.Agent, RuleID: v.Rule,
			Treatment: v.Treatment, Control: v.Control, Metric: v.Metric}
		if in.AgentName, err = p.agentName(ctx, v.Agent); err == nil {
			e, err = p.Experiments.Create(ctx, in, aim, planner(c))
		}
	}
	if err != nil {
		return p.newExperimentPage(c, v, err)
	}
	return c.Redirect(http.StatusSeeOther, experiments.Home+"/"+e.ID)
}

// agentName finds an agent of ours by its id; "" is every agent.
func (p *Pages) agentName(ctx context.Context, id string) (string, error) {
	names, _, err := p.AgentNames(ctx)
	if id == "" || err != nil {
		return "", err
	}
	if names[id] == "" {
		return "", fault.Wrong("This experiment can't be planned yet.", "agent", "Choose one from the list.")
	}
	return names[id], nil
}

// aimTyped reads the percentages of the form.
func aimTyped(v experiments.New) (experiment.Aim, error) {
	var r form.Reading
	share := func(name, typed string) float64 {
		return r.Percent(name, typed, "Enter a number, for example 75 or 7.5.") / 100
	}
	a := experiment.Aim{Baseline: share("baseline", v.Baseline), Effect: share("effect", v.Effect),
		Alpha: share("alpha", v.Alpha), Power: share("power", v.Power), Split: share("split", v.Split)}
	return a, r.Err("A number isn't valid.")
}
