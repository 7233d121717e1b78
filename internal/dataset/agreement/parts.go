package agreement

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
)

// MaxLabelTables is how many labels PerLabel takes apart. A scale with more is one of numbers.
const MaxLabelTables = 50

// MaxPairIntervals is for how many pairs intervals are drawn; with more of them, or of rows that are all different,
// PerPair gives the points alone.
const MaxPairIntervals = 300

// LabelResult is the agreement on one label against all others together.
type LabelResult struct {
	Label   string   `json:"label"`
	Items   int      `json:"items"`  // on which somebody gave it
	Labels  int      `json:"labels"` // how often it was given
	Results []Result `json:"results"`
}

// PerLabel gives the agreement on whether each label applies, in the order of the scale. It is Invalid for a scale of
// more than MaxLabelTables.
func PerLabel(t *Table, o Options) ([]LabelResult, error) {
	if n := len(t.Scale.Labels); n > MaxLabelTables {
		return nil, fault.New(fault.Invalid,
			"There are %d different labels; agreement per label is shown for %d at most.", n, MaxLabelTables)
	}
	out := make([]LabelResult, len(t.Scale.Labels))
	one := &Table{Raters: t.Raters, Scale: Scale{Labels: []string{"other", ""}, Ordered: true},
		cells: make([]int32, len(t.cells))}
	for k, label := range t.Scale.Labels {
		one.Scale.Labels[1] = label
		one.Scale.word = label
		out[k].Label = label
		last := -1
		for i, c := range t.cells {
			switch c {
			case missing:
				one.cells[i] = missing
			case int32(k):
				one.cells[i] = 1
				out[k].Labels++
				if item := i / len(t.Raters); item != last {
					last = item
					out[k].Items++
				}
			default:
				one.cells[i] = 0
			}
		}
		out[k].Results = newCounter(one).results(o)
	}
	return out, nil
}

// PairResult is the agreement of two raters over the items both labelled.
type PairResult struct {
	A       string   `json:"a"`
	B       string   `json:"b"`
	First   int      `json:"-"` // their places in Table.Raters
	Second  int      `json:"-"`
	Items   int      `json:"items"`
	Results []Result `json:"results"`
}

// pairing counts what two raters said of the items both labelled.
type pairing struct {
	a, b  int
	cells map[[2]int32]int
	order [][2]int32 // as they first came, so that a seed draws the same
}

// PerPair gives the agreement of each two raters who labelled an item in common, in the order of the columns.
func PerPair(t *Table, o Options) []PairResult {
	pairs := pairings(t)
	work := 0
	for _, p := range pairs {
		work += len(p.order) * affordable(o.rounds(), len(p.order))
	}
	if len(pairs) > MaxPairIntervals || work > maxPairs {
		o.Rounds = -1
	}
	return lists.Map(pairs, func(p *pairing) PairResult { return p.result(t, o) })
}

// pairings counts all pairs in one walk over the items, so that the many pairs of a large group who never met cost
// nothing.
func pairings(t *Table) []*pairing {
	n := len(t.Raters)
	byPair := make(map[int]*pairing)
	present := make([]int, 0, n)
	for i := range t.Items() {
		row := t.row(i)
		present = present[:0]
		for rater, c := range row {
			if c != missing {
				present = append(present, rater)
			}
		}
		for x, a := range present {
			for _, b := range present[x+1:] {
				p := byPair[a*n+b]
				if p == nil {
					p = &pairing{a: a, b: b, cells: map[[2]int32]int{}}
					byPair[a*n+b] = p
				}
				p.add(row[a], row[b])
			}
		}
	}
	return lists.Map(slices.Sorted(maps.Keys(byPair)), func(key int) *pairing { return byPair[key] })
}

func (p *pairing) add(a, b int32) {
	cell := [2]int32{a, b}
	if p.cells[cell]++; p.cells[cell] == 1 {
		p.order = append(p.order, cell)
	}
}

func (p *pairing) result(t *Table, o Options) PairResult {
	y := &counter{scale: t.Scale, two: true, raters: 2}
	items := 0
	for _, cell := range p.order {
		at := y.add(cell[:])
		y.count[at] = p.cells[cell]
		items += p.cells[cell]
	}
	y.prepare()
	return PairResult{A: t.Raters[p.a], B: t.Raters[p.b], First: p.a, Second: p.b, Items: items, Results: y.results(o)}
}

// Window is a stretch of time, From included and To not.
type Window struct {
	Name     string
	From, To time.Time
}

// WindowResult is the agreement over the items of one window.
type WindowResult struct {
	Window  Window
	Items   int // in the window, with or without labels
	Results []Result
}

// OverTime gives the agreement over the items whose time lies in each window; at is the time of each item of t. Windows
// may overlap. The scale is the whole table's, so that windows can be compared.
func OverTime(t *Table, at []time.Time, windows []Window, o Options) ([]WindowResult, error) {
	if len(at) != t.Items() {
		return nil, fmt.Errorf("agreement: %d times for %d items", len(at), t.Items())
	}
	out := make([]WindowResult, len(windows))
	for i, w := range windows {
		part := &Table{Raters: t.Raters, Scale: t.Scale}
		for item, when := range at {
			if !when.Before(w.From) && when.Before(w.To) {
				part.cells = append(part.cells, t.row(item)...)
			}
		}
		out[i] = WindowResult{Window: w, Items: part.Items(), Results: newCounter(part).results(o)}
	}
	return out, nil
}
