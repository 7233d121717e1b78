package stats

import (
	"github.com/labstack/echo/v4"

	"preceptor/internal/feedback/experiment"
	"preceptor/views/experiments"
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
	if !form.Again(wrong) {
		return wrong
	}
	e, err := p.Experiments.Get(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	v.Experiment, v.Now = *e, p.Now()
	v.Error, v.Errors = form.Said(wrong)
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
