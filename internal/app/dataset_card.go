package app

import (
	"context"
	"fmt"
	"strings"

	"preceptor/internal/dataset"
	"preceptor/internal/dataset/agreement"
	"preceptor/internal/platform/lists"
)

// cardMeasures are the measures of agreement on a data card.
var cardMeasures = []agreement.Measure{agreement.Percent, agreement.Cohen, agreement.Fleiss, agreement.AlphaNominal,
	agreement.AlphaOrdinal, agreement.AC1, agreement.AC2Quadratic}

// agreementForCard is how far the labellers of a set agree on its label, for the data card of a version; "" when no
// item has two labels.
func (a *App) agreementForCard(ctx context.Context, datasetID string) (string, error) {
	r, err := a.Datasets.Ratings(ctx, dataset.RatingQuery{DatasetID: datasetID})
	if err != nil || len(r.Raters) < 2 {
		return "", err
	}
	names := lists.Map(r.Raters, func(p dataset.Person) string { return p.Name })
	table, err := agreement.Build(names, r.Cells, r.Order...)
	if err != nil {
		return "", fmt.Errorf("app: agreement for a card: %w", err)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "On first labels, before anything was ruled, with bootstrap intervals of 95 per cent.\n\n| "+
		"measure | value | interval | items |\n|---|---|---|---|\n")
	for _, m := range agreement.Over(table, agreement.Options{Measures: cardMeasures, Seed: 1}) {
		value, interval := "n/a: "+m.Undefined, ""
		if m.Defined() {
			value = fmt.Sprintf("%.3f", m.Value)
		}
		if i := m.Interval; i != nil && i.Missing == "" && m.Defined() {
			interval = fmt.Sprintf("%.3f to %.3f", i.Low, i.High)
		}
		fmt.Fprintf(&text, "| %s | %s | %s | %d |\n", m.Measure.Title(), value, interval, m.Items)
	}
	return strings.TrimSpace(text.String()), nil
}
