package agreement

import (
	"fmt"
	"slices"
	"strings"

	"preceptor/internal/platform/fault"
)

// maxShownLabels bounds the list of labels in a report; a scale of numbers may have as many as items.
const maxShownLabels = 1000

// Report is all that can be said of a table.
type Report struct {
	Items    int           `json:"items"` // rows of the file
	Raters   []string      `json:"raters"`
	Labels   []string      `json:"labels"`
	Ordered  bool          `json:"ordered"`
	Seed     uint64        `json:"seed"`
	Rounds   int           `json:"rounds"`
	Measures []Result      `json:"measures"`
	PerLabel []LabelResult `json:"per_label"`
	PerPair  []PairResult  `json:"per_pair"`
	Notes    []string      `json:"notes"`
}

// Whole measures everything up to a level, with intervals from so many resamples; 0 is none.
func Whole(t *Table, upTo Level, seed uint64, rounds int) Report {
	o := Options{Measures: UpTo(upTo), Seed: seed, Rounds: rounds}
	if rounds == 0 {
		o.Rounds = -1
	}
	r := Report{Items: t.Items(), Raters: t.Raters, Labels: t.Scale.Labels, Ordered: t.Scale.Ordered, Seed: seed,
		Rounds:   rounds,
		Measures: Over(t, o), PerLabel: []LabelResult{}, PerPair: []PairResult{}, Notes: []string{}}
	note := func(format string, args ...any) { r.Notes = append(r.Notes, fmt.Sprintf(format, args...)) }
	if n := len(r.Labels); n > maxShownLabels {
		r.Labels = r.Labels[:maxShownLabels]
		note("There are %d different labels; the first %d are named.", n, maxShownLabels)
	}
	for i, l := range r.Labels {
		if j := slices.IndexFunc(r.Labels[:i], func(o string) bool { return strings.EqualFold(o, l) }); j >= 0 {
			note("%q and %q are counted as different labels. If they are the same, write them alike.", r.Labels[j], l)
		}
	}
	for _, name := range t.LikeIDs() {
		note("The column %q is different in every row. If it is not a rater, leave it out: --ignore %q.", name, name)
	}
	nominal := o
	nominal.Measures = UpTo(LevelNominal) // a label against the rest has no order
	if labels, err := PerLabel(t, nominal); err != nil {
		note("%s", fault.Message(err))
	} else {
		r.PerLabel = labels
	}
	r.PerPair = PerPair(t, o)
	// percent agreement has a value for every pair
	resampled := func(p PairResult) bool { return p.Results[0].Interval != nil }
	if rounds > 0 && len(r.PerPair) > 0 && !slices.ContainsFunc(r.PerPair, resampled) {
		note("No intervals are drawn for pairs: there are more than %d pairs, or too many different rows.",
			MaxPairIntervals)
	}
	return r
}
