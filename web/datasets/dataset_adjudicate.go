package datasets

import (
	"context"
	"strconv"

	"github.com/labstack/echo/v4"

	"preceptor/internal/dataset"
	"preceptor/internal/platform/fault"
	"preceptor/views/datasets"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// DatasetWaiting lists what waits for a ruling of mine.
func (p *Pages) DatasetWaiting(c echo.Context, in struct {
	State  string `form:"state"`
	Cursor string `form:"cursor"`
}) error {
	h, err := p.datasetHead(c, "adjudicate")
	if err != nil {
		return err
	}
	v := datasets.Waiting{Head: h, State: in.State, Cursor: in.Cursor}
	if v.State != dataset.ItemLabelled && v.State != dataset.ItemAdjudicated {
		v.State = dataset.ItemDisputed
	}
	if v.Page, err = p.Datasets.Waiting(c.Request().Context(), h.Set.ID, v.State, labeller(c), v.Cursor,
		0); err != nil {
		return err
	}
	if v.Stuck, err = p.Datasets.Stuck(c.Request().Context(), h.Set.ID); err != nil {
		return err
	}
	return render.Page(c, nil, datasets.WaitingPage(p.datasetFrame(c, h.Set.Name), v))
}

// DatasetSides opens an item for a ruling, with all answers side by side.
func (p *Pages) DatasetSides(c echo.Context, in struct {
	Like string `form:"like"`
}) error {
	v, err := p.rulingView(c)
	if err != nil {
		return err
	}
	for _, l := range v.Labels {
		if l.ID == in.Like {
			v.Answer = datasets.AnswerOf(l.Answer, v.Item.Guidance)
			v.Answer.Rationale, v.Answer.Notes, v.Answer.Confidence = "", "", ""
		}
	}
	return p.rulingPage(c, v, nil)
}

func (p *Pages) rulingView(c echo.Context) (v datasets.Ruling, err error) {
	ctx := context.WithoutCancel(c.Request().Context())
	if v.Head, err = p.datasetHead(c, "adjudicate"); err != nil {
		return v, err
	}
	sides, err := p.Datasets.Sides(ctx, c.Param("item"), labeller(c))
	if err != nil {
		return v, err
	}
	if sides.Item.DatasetID != v.Set.ID {
		return v, fault.New(fault.NotFound, "There is no such item in this dataset.")
	}
	v.Sides, v.Me = *sides, labeller(c).ID
	v.Next, err = p.nextWaiting(ctx, v.Set.ID, v.Item.ID, labeller(c))
	return v, err
}

// nextWaiting is the item that waits for a ruling, but for one.
func (p *Pages) nextWaiting(ctx context.Context, datasetID, except string, who dataset.Person) (string, error) {
	for _, state := range []string{dataset.ItemDisputed, dataset.ItemLabelled} {
		page, err := p.Datasets.Waiting(ctx, datasetID, state, who, "", 2)
		if err != nil {
			return "", err
		}
		for _, it := range page.Items {
			if it.ID != except {
				return it.ID, nil
			}
		}
	}
	return "", nil
}

func (p *Pages) rulingPage(c echo.Context, v datasets.Ruling, wrong error) error {
	if !form.Again(wrong) {
		return wrong
	}
	v.Error, v.Errors = form.Said(wrong)
	v.Answer.Message, v.Answer.Errors = v.Error, v.Errors
	return render.Page(c, wrong,
		datasets.RulingPage(p.Frame(c, "Item "+strconv.Itoa(v.Item.N)+" of "+v.Set.Name).Broad(), v))
}

// DatasetRule takes a ruling and goes on to what waits next.
func (p *Pages) DatasetRule(c echo.Context, in labelForm) error {
	if err := session.SameAuthor(c, in.As); err != nil {
		return err
	}
	v, err := p.rulingView(c)
	if err != nil {
		return err
	}
	answer, typed, err := in.read(v.Settings, v.Item.Guidance)
	v.Answer = typed
	if err == nil && in.Drop != "" {
		return p.rulingPage(c, v, nil)
	}
	if err == nil {
		_, err = p.Datasets.Adjudicate(context.WithoutCancel(c.Request().Context()),
			dataset.RulingInput{ItemID: v.Item.ID, By: labeller(c), Answer: answer, Version: in.Version})
	}
	if err != nil {
		return p.rulingPage(c, v, err)
	}
	to := "/datasets/" + v.Set.ID + "/adjudicate"
	if v.Next != "" {
		to += "/" + v.Next
	}
	return render.Done(c, to, "Ruling saved. It is now the item's final label.")
}

// DatasetUnrule takes a ruling of mine back.
func (p *Pages) DatasetUnrule(c echo.Context, in struct {
	As     string `form:"as"`
	Ruling string `form:"ruling"`
	Why    string `form:"why"`
}) error {
	if err := session.SameAuthor(c, in.As); err != nil {
		return err
	}
	err := p.Datasets.UndoRuling(context.WithoutCancel(c.Request().Context()), in.Ruling, labeller(c), in.Why)
	if fault.Is(err, fault.Invalid) {
		v, verr := p.rulingView(c)
		if verr != nil {
			return verr
		}
		v.UndoID, v.Why = in.Ruling, in.Why
		return p.rulingPage(c, v, err)
	}
	if err != nil {
		return err
	}
	return render.Done(c, "/datasets/"+c.Param("id")+"/adjudicate/"+c.Param("item"),
		"Ruling withdrawn. The item is waiting for a new one.")
}
