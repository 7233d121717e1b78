package evaluate

import (
	"context"
	"fmt"
	"slices"

	"preceptor/internal/compliance/measure"
	"preceptor/internal/dataset"
	"preceptor/internal/dataset/agreement"
	"preceptor/internal/platform/lists"
)

// leastShared is how many items of a run must have been labelled by people for agreement to be worth a figure.
const leastShared = 10

// beside sets the panel and each judge beside the experts whose first labels the set has; nil where fewer than two
// people labelled what was asked about.
func (s *Store) beside(ctx context.Context, r Run, answered []Answered) ([]measure.Beside, error) {
	if s.sets == nil || r.DatasetID == "" {
		return nil, nil
	}
	ratings, err := s.sets.Ratings(ctx, dataset.RatingQuery{DatasetID: r.DatasetID, PeopleOnly: true})
	if err != nil {
		return nil, fmt.Errorf("evaluate: read the experts' labels: %w", err)
	}
	at := map[string]int{}
	for i, item := range ratings.Items {
		at[item] = i
	}
	shared := 0
	for _, a := range answered {
		if _, ok := at[a.ID]; ok {
			shared++
		}
	}
	if len(ratings.Raters) < 2 || shared < leastShared {
		return nil, nil
	}
	names := lists.Map(ratings.Raters, func(p dataset.Person) string { return p.Name })
	whos := []string{WholePanel, Checks}
	for _, m := range r.Members {
		whos = append(whos, judgePrefix+m.Name)
	}
	var out []measure.Beside
	for _, who := range whos {
		var rows [][]string
		said := 0
		for _, a := range answered {
			i, ok := at[a.ID]
			if !ok {
				continue
			}
			label := labelBy(a, who)
			if label != "" {
				said++
			}
			rows = append(rows, append(slices.Clone(ratings.Cells[i]), label))
		}
		if said == 0 {
			continue
		}
		table, err := agreement.Build(append(slices.Clone(names), who), rows, ratings.Order...)
		if err != nil {
			return nil, err
		}
		out = append(out, measure.BesideExperts(table, len(names),
			agreement.Options{Measures: []agreement.Measure{agreement.Percent, agreement.Cohen, agreement.AlphaNominal},
				Seed: 1}))
	}
	return out, nil
}

func labelBy(a Answered, who string) string {
	for _, s := range a.Said {
		if s.Who == who {
			return s.Label
		}
	}
	return ""
}
