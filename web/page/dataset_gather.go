package page

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/dataset"
	"preceptor/internal/fault"
	"preceptor/views/datasets"
	"preceptor/views/ui"
)

// gatherDefault is how the form stands at first.
var gatherDefault = datasets.Gather{Source: dataset.FromReview, Days: "90", Most: "200"}

// mostGatherDays is some ten years.
const mostGatherDays = 3650

// DatasetGather brings items in from the desk or from borderline rulings.
func (p *Pages) DatasetGather(c echo.Context) error {
	typed := datasets.Gather{Source: c.FormValue("source"), Days: c.FormValue("days"), Most: c.FormValue("most"), Final: c.FormValue("final") != ""}
	g := dataset.Gathering{Source: typed.Source, Final: typed.Final}
	g.Most, _ = strconv.Atoi(strings.TrimSpace(typed.Most)) // what is no number is none that can be brought in
	days, err := strconv.Atoi(strings.TrimSpace(typed.Days))
	if err != nil || days < 1 || days > mostGatherDays {
		err = fault.WithFields("The days can't be read.", fault.Field{Name: "days", Msg: "Write a number of days, at least 1."})
	}
	var out dataset.Gathered
	if err == nil {
		g.Since = p.Now().Add(-time.Duration(days) * 24 * time.Hour)
		out, err = p.Datasets.Gather(context.WithoutCancel(c.Request().Context()), c.Param("id"), g, labeller(c))
	}
	if fault.Is(err, fault.Invalid) {
		return p.filesPage(c, http.StatusUnprocessableEntity, datasets.Files{Gather: typed}, err)
	}
	if err != nil {
		return err
	}
	return p.datasetDone(c, "/datasets/"+c.Param("id")+"/files", gatheredLine(out))
}

// gatheredLine says what came in.
func gatheredLine(out dataset.Gathered) string {
	if out.Found == 0 {
		return "Nothing of that kind is there for these days. Nothing was changed."
	}
	line := ui.Count(out.Added, "item came in.", "items came in.")
	if out.Duplicates > 0 {
		line += " " + ui.Count(out.Duplicates, "was", "were") + " here already."
	}
	if out.Broken > 0 {
		line += " " + ui.Thousands(out.Broken) + " could not be taken: " + out.Why + "."
	}
	return line
}
