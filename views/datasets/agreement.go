package datasets

import (
	"fmt"
	"strconv"
	"strings"

	"preceptor/internal/dataset"
	"preceptor/internal/dataset/agreement"
	"preceptor/views/ui"
)

// Agreement is how far the labellers of a set agree.
type Agreement struct {
	Head
	Of       string // dataset.OfLabel, OfBoundary or OfCode
	Code     string
	Overall  []agreement.Result
	PerLabel []agreement.LabelResult
	PerPair  []agreement.PairResult
	Months   []agreement.WindowResult
	Complete int    // items that have their labels, as every page of the set counts them
	Refused  string // why nothing could be measured
}

// few says which of the complete items are measured, where that isn't all of them.
func (v Agreement) few() string {
	for _, r := range pickResults(v.Overall, agreement.Percent) {
		if r.Items != v.Complete {
			return ui.Count(r.Items, "is", "are") + " measured of " +
				ui.Count(v.Complete, "complete item") +
				": those with two labels or more, " + strconv.Itoa(int(dataset.UndoFor.Minutes())) +
				" minutes after the last; those that are adjudicated, at once."
		}
	}
	return ""
}

// headline are the measures that the overview shows.
var headline = []agreement.Measure{agreement.Percent, agreement.AlphaNominal, agreement.AC1}

func pickResults(list []agreement.Result, measures ...agreement.Measure) (out []agreement.Result) {
	for _, m := range measures {
		for _, r := range list {
			if r.Measure == m {
				out = append(out, r)
			}
		}
	}
	return out
}

// number is a coefficient as it is shown; a share of agreement as a percentage.
func number(m agreement.Measure, v float64) string {
	if m == agreement.Percent {
		return strconv.FormatFloat(v*100, 'f', 1, 64) + "%"
	}
	// a minus, which is as wide as a figure
	return strings.Replace(strconv.FormatFloat(v, 'f', 3, 64), "-", "\u2212", 1)
}

// value is a result: the number, or n/a.
func value(r agreement.Result) string {
	if !r.Defined() {
		return "n/a"
	}
	return number(r.Measure, r.Value)
}

// span95 is the interval of a result, or why there is none.
func span95(r agreement.Result) string {
	in := r.Interval
	switch {
	case !r.Defined():
		return r.Undefined
	case in == nil:
		return "no interval"
	case in.Missing != "":
		return "no interval: " + in.Missing
	}
	return fmt.Sprintf("%s to %s", number(r.Measure, in.Low), number(r.Measure, in.High))
}

// plain says in one sentence how far people agree.
func (v Agreement) plain() string {
	for _, r := range pickResults(v.Overall, agreement.Percent) {
		if r.Defined() {
			items := ui.Count(r.Items, "item")
			return "Two people who label the same item agree " + value(r) + " of the time (" + items + ")."
		}
	}
	return "No item has two labels yet."
}

func (v Agreement) ofOptions() []ui.Option {
	list := []ui.Option{{Value: "label", Label: "label"}}
	if len(v.Set.Boundaries) > 0 {
		list = append(list, ui.Option{Value: "boundary", Label: "boundary class"})
	}
	for _, c := range v.Set.Codes {
		list = append(list, ui.Option{Value: "code:" + c, Label: "naming " + Name(c)})
	}
	return list
}

func (v Agreement) chosen() string {
	if v.Of == "code" {
		return "code:" + v.Code
	}
	return v.Of
}
