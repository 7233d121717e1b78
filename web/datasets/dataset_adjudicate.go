package datasets

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/dataset"
	"preceptor/internal/dataset/agreement"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
	"preceptor/views/datasets"
	"preceptor/views/ui"
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

// What the page of agreement measures. The seed is fixed, so that the same labels give the same intervals.
const (
	agreementSeed   = 1
	agreementMonths = 12
	pairsShown      = 60
)

// parts are measured over each label, pair and month.
var parts = []agreement.Measure{agreement.Percent, agreement.AlphaNominal, agreement.AC1}

// pairParts are measured over each pair.
var pairParts = []agreement.Measure{agreement.Percent, agreement.Cohen, agreement.CohenLinear, agreement.AC1}

// DatasetAgreement shows how far the labellers of a set agree, on first labels.
func (p *Pages) DatasetAgreement(c echo.Context, in struct {
	Of string `form:"of"`
}) error {
	h, err := p.datasetHead(c, "agreement")
	if err != nil {
		return err
	}
	v := datasets.Agreement{Head: h, Of: dataset.OfLabel}
	switch of := in.Of; {
	case of == dataset.OfBoundary:
		v.Of = of
	case strings.HasPrefix(of, "code:"):
		v.Of, v.Code = dataset.OfCode, strings.TrimPrefix(of, "code:")
	}
	if err := p.measureAgreement(c, &v); err != nil {
		return err
	}
	return render.Page(c, nil, datasets.AgreementPage(p.datasetFrame(c, h.Set.Name), v))
}

func (p *Pages) measureAgreement(c echo.Context, v *datasets.Agreement) error {
	r, err := p.Datasets.Ratings(c.Request().Context(),
		dataset.RatingQuery{DatasetID: v.Set.ID, Of: v.Of, Code: v.Code})
	if err != nil {
		return err
	}
	t, err := agreement.Build(lists.Map(r.Raters, func(p dataset.Person) string { return p.Name }), r.Cells, r.Order...)
	if err != nil {
		v.Refused = fault.Message(err)
		return nil
	}
	f, err := p.Datasets.Progress(c.Request().Context(), v.Set.ID, dataset.Person{})
	v.Complete = f.All.Complete
	if err != nil || t.Items() == 0 {
		v.Refused = "No item has all its labels yet. Agreement is only measured on complete items, so it never " +
			"reveals a single answer."
		switch {
		case f.All.Settling == 0 && f.All.Complete > 0:
			v.Refused = "No complete item has labels from two people, so there is no agreement to measure. " +
				"Final labels that came with a file don't count."
		case f.All.Settling > 0:
			v.Refused = fmt.Sprintf("%s, and none is measured yet: an item counts %d minutes after its last label, "+
				"when it can't be undone any more.",
				ui.Count(f.All.Settling, "item is complete", "items are complete"), int(dataset.UndoFor.Minutes()))
		}
		return err
	}
	o := agreement.Options{Seed: agreementSeed, Measures: agreement.UpTo(agreement.LevelOrdinal)}
	v.Overall = agreement.Over(t, o)
	o.Measures = parts
	if v.PerLabel, err = agreement.PerLabel(t, o); err != nil && !fault.Is(err, fault.Invalid) {
		return err
	}
	if v.Months, err = agreement.OverTime(t, r.At, months(r.At, p.Now()), o); err != nil {
		return err
	}
	o.Measures = pairParts
	if v.PerPair = agreement.PerPair(t, o); len(v.PerPair) > pairsShown {
		v.PerPair = v.PerPair[:pairsShown]
	}
	return nil
}

// months are the calendar months in which items were labelled, newest first.
func months(labelled []time.Time, now time.Time) (list []agreement.Window) {
	from := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, now.Location())
	for range agreementMonths {
		w := agreement.Window{Name: from.Format("January 2006"), From: from, To: from.AddDate(0, 1, 0)}
		for _, at := range labelled {
			if !at.Before(w.From) && at.Before(w.To) {
				list = append(list, w)
				break
			}
		}
		from = from.AddDate(0, -1, 0)
	}
	return list
}
