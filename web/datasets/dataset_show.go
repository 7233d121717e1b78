package datasets

import (
	"context"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/dataset"
	"preceptor/views/datasets"
	"preceptor/views/layout"
	"preceptor/views/ui"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// labeller is the signed-in person as datasets know them.
func labeller(c echo.Context) dataset.Person {
	a := session.Me(c)
	return dataset.Person{ID: a.ID, Name: a.Name}
}

// DatasetList lists the gold sets, with where I stand in each.
func (p *Pages) DatasetList(c echo.Context) error {
	ctx := c.Request().Context()
	a := session.Me(c)
	sets, err := p.Datasets.List(ctx)
	if err != nil {
		return err
	}
	v := datasets.List{Keeper: session.Leads(c), Expert: a.Has(account.Expert)}
	for _, d := range sets {
		progress, err := p.Datasets.Progress(ctx, d.ID, labeller(c))
		if err != nil {
			return err
		}
		v.Rows = append(v.Rows, datasets.Row{Dataset: d, Progress: progress})
	}
	return render.Page(c, nil, datasets.ListPage(p.datasetFrame(c, "Datasets"), v))
}

// datasetFrame is the page around a page of datasets: wide, and told of changes.
func (p *Pages) datasetFrame(c echo.Context, title string) layout.Frame {
	return p.Frame(c, title).Broad().Follow("datasets")
}

// datasetHead reads the set of the address and what of it the viewer may see.
func (p *Pages) datasetHead(c echo.Context, tab string) (h datasets.Head, err error) {
	a := session.Me(c)
	h = datasets.Head{Tab: tab, Keeper: session.Leads(c), Expert: a.Has(account.Expert), Admin: a.Has(account.Admin),
		Now: p.Now()}
	ctx := c.Request().Context()
	if h.Set, err = p.Datasets.Get(ctx, c.Param("id")); err != nil || !h.Expert {
		return h, err
	}
	f, err := p.Datasets.Progress(ctx, h.Set.ID, labeller(c))
	h.ToLabel = f.Left > 0
	return h, err
}

// DatasetShow is the overview of a set: how far it is, and for those who keep it who labels how.
func (p *Pages) DatasetShow(c echo.Context) error {
	h, err := p.datasetHead(c, "")
	if err != nil {
		return err
	}
	ctx, who := c.Request().Context(), labeller(c)
	v := datasets.Show{Head: h}
	if v.Progress, err = p.Datasets.Progress(ctx, h.Set.ID, who); err != nil {
		return err
	}
	v.Fetch = v.All.Complete > 0
	if v.Stuck, err = p.Datasets.Stuck(ctx, h.Set.ID); err != nil {
		return err
	}
	if h.Keeper {
		if v.Figures, err = p.Datasets.Figures(ctx, h.Set.ID, who); err != nil {
			return err
		}
	}
	if h.Expert {
		if v.Own, err = p.Datasets.OwnFigure(ctx, h.Set.ID, who); err != nil {
			return err
		}
		if v.Invited, err = p.invitedTo(c, h); err != nil {
			return err
		}
	}
	return render.Page(c, nil, datasets.ShowPage(p.datasetFrame(c, h.Set.Name), v))
}

// invitedTo reports whether the viewer may label in a set, as far as invitations go.
func (p *Pages) invitedTo(c echo.Context, h datasets.Head) (bool, error) {
	if !h.Set.Invited {
		return true, nil
	}
	members, err := p.Datasets.Members(c.Request().Context(), h.Set.ID)
	for _, m := range members {
		if m.ID == labeller(c).ID {
			return m.Invited, err
		}
	}
	return false, err
}

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
	line := "Nothing was found for these days, so nothing was imported."
	if out.Found > 0 {
		line = ui.Count(out.Added, "item imported.", "items imported.")
	}
	if out.Duplicates > 0 {
		line += " " + ui.Count(out.Duplicates, "was", "were") + " already here."
	}
	if out.Broken > 0 {
		line += " " + ui.Thousands(out.Broken) + " could not be imported: " + out.Why + "."
	}
	if out.Others > 0 {
		line += " " + ui.Count(out.Others, "text of another pack was", "texts of other packs were") + " left out."
	}
	return line
}
