package datasets

import (
	"github.com/labstack/echo/v4"

	"preceptor/views/datasets"
	"preceptor/web/render"
)

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
