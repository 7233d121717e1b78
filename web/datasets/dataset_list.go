package datasets

import (
	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/dataset"
	"preceptor/views/datasets"
	"preceptor/views/layout"
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
	v := datasets.List{Keeper: session.Leads(c), Expert: a.Has(account.Expert), Now: p.Now()}
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
