package datasets

import (
	"fmt"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/dataset"
	"preceptor/internal/dataset/agreement"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
	"preceptor/views/datasets"
	"preceptor/views/ui"
	"preceptor/web/render"
)

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
