package datasets

import (
	"context"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/dataset"
	"preceptor/views/datasets"
	"preceptor/views/ui"
	"preceptor/web/form"
	"preceptor/web/render"
)

// gatherDefault is how the form stands at first.
var gatherDefault = datasets.Gather{Source: dataset.FromReview, Days: "90", Most: "200"}

// mostGatherDays is some ten years.
const mostGatherDays = 3650

// DatasetGather brings items in from the desk or from borderline rulings.
func (p *Pages) DatasetGather(c echo.Context, typed datasets.Gather) error {
	var r form.Reading
	g := dataset.Gathering{Source: typed.Source, Final: typed.Final}
	g.Most, _ = strconv.Atoi(typed.Most) // what is no number is none that can be brought in, which the domain says
	days := r.Whole("days", typed.Days, 1, mostGatherDays, "Write a number of days, at least 1.")
	err := r.Err("The days can't be read.")
	var out dataset.Gathered
	if err == nil {
		g.Since = p.Now().Add(-time.Duration(days) * 24 * time.Hour)
		out, err = p.Datasets.Gather(context.WithoutCancel(c.Request().Context()), c.Param("id"), g, labeller(c))
	}
	if err != nil {
		return p.filesPage(c, datasets.Files{Gather: typed}, err)
	}
	return render.Done(c, "/datasets/"+c.Param("id")+"/files", gatheredLine(out))
}

// gatheredLine says what came in.
func gatheredLine(out dataset.Gathered) string {
	if out.Found == 0 {
		return "Nothing was found for these days, so nothing was imported."
	}
	line := ui.Count(out.Added, "item imported.", "items imported.")
	if out.Duplicates > 0 {
		line += " " + ui.Count(out.Duplicates, "was", "were") + " already here."
	}
	if out.Broken > 0 {
		line += " " + ui.Thousands(out.Broken) + " could not be imported: " + out.Why + "."
	}
	return line
}
