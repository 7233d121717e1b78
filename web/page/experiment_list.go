package page

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"preceptor/internal/fault"
	"preceptor/internal/feedback/experiment"
	"preceptor/views/experiments"
	"preceptor/web/render"
	"preceptor/web/session"
)

// ExperimentList lists the experiments.
func (p *Pages) ExperimentList(c echo.Context) error {
	list, err := p.Experiments.List(c.Request().Context())
	if err != nil {
		return err
	}
	f := p.frame(c, "Experiments")
	f.Wide = true
	return render.Page(c, http.StatusOK, experiments.ListPage(f, experiments.List{Items: list, Now: p.Now()}))
}

// ExperimentShow is one experiment.
func (p *Pages) ExperimentShow(c echo.Context) error {
	return p.experimentPage(c, http.StatusOK, experiments.Show{}, nil)
}

func (p *Pages) experimentPage(c echo.Context, status int, v experiments.Show, wrong error) error {
	e, err := p.Experiments.Get(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	v.Experiment, v.Now = *e, p.Now()
	if wrong != nil {
		v.Error, v.Errors = fault.Message(wrong), fieldErrors(wrong)
	}
	if v.Path, err = p.Experiments.Path(c.Request().Context(), e.ID); err != nil {
		return err
	}
	if c.Request().Method == http.MethodGet && c.QueryParam("format") == "csv" {
		return p.figures(c, "experiment", experiments.Figures(v.Path))
	}
	if c.Request().Method == http.MethodGet && c.QueryParam("format") == "png" {
		if len(v.Path) == 0 {
			return fault.New(fault.NotFound, "There is nothing to draw yet.")
		}
		return p.picture(c, "experiment", v.Picture())
	}
	f := p.frame(c, e.Name)
	f.Path, f.Wide, f.Topics = experiments.Home, true, "experiments"
	return render.Page(c, status, experiments.ShowPage(f, v))
}

func planner(c echo.Context) experiment.Person {
	a, _ := session.Current(c)
	return experiment.Person{ID: a.ID, Name: a.Name}
}

// ExperimentStart has a planned experiment run.
func (p *Pages) ExperimentStart(c echo.Context) error {
	err := p.Experiments.Start(c.Request().Context(), c.Param("id"), planner(c))
	return p.experimentDone(c, err, "", "It runs. People are divided from now on.")
}

// ExperimentStop ends one, with the reason.
func (p *Pages) ExperimentStop(c echo.Context) error {
	note := c.FormValue("note")
	err := p.Experiments.Stop(c.Request().Context(), c.Param("id"), note, planner(c))
	return p.experimentDone(c, err, note, "It is stopped. Everybody is answered as before it.")
}

func (p *Pages) experimentDone(c echo.Context, err error, note, line string) error {
	if fault.Is(err, fault.Invalid) || fault.Is(err, fault.Conflict) {
		return p.experimentPage(c, fault.KindOf(err).Status(), experiments.Show{Note: note}, err)
	}
	if err != nil {
		return err
	}
	if err := session.Flash(c, line); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, experiments.Home+"/"+c.Param("id"))
}
