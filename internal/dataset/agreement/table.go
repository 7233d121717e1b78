package agreement

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"preceptor/internal/platform/decimal"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
)

// Bounds of a table, so that no file can take all memory.
const (
	MaxRaters = 1000
	MaxCells  = 20_000_000 // items × raters; 4 bytes each
	MaxLabels = 200_000    // different ones
)

// missing is the code of a cell without a label.
const missing = -1

// Scale is the list of labels that could be given.
type Scale struct {
	Labels  []string
	Ordered bool      // the labels stand in their order, least first
	Numbers []float64 // of each label; nil unless all are numbers
	word    string    // a label that is no number
}

// Table is who said what of each item. A Builder makes one; it never changes.
type Table struct {
	Raters []string
	Scale  Scale
	cells  []int32 // items × raters, places on the scale or missing
}

// Items is how many rows the table has, with or without labels.
func (t *Table) Items() int {
	if len(t.Raters) == 0 {
		return 0
	}
	return len(t.cells) / len(t.Raters)
}

// Label is what a rater said of an item; not ok when nothing.
func (t *Table) Label(item, rater int) (label string, ok bool) {
	c := t.row(item)[rater]
	if c == missing {
		return "", false
	}
	return t.Scale.Labels[c], true
}

func (t *Table) row(item int) []int32 {
	n := len(t.Raters)
	return t.cells[item*n : (item+1)*n]
}

// LikeIDs names the columns that look like the items' ids and not like a rater: something in every row, never the same
// twice. Of numbers it can't be told, as measurements look like that too, unless they count the rows.
func (t *Table) LikeIDs() (names []string) {
	for rater, name := range t.Raters {
		if t.likeID(rater) {
			names = append(names, name)
		}
	}
	return names
}

// fewRows is how many rows tell nothing of a column.
const fewRows = 5

func (t *Table) likeID(rater int) bool {
	if t.Items() < fewRows || len(t.Raters) < 2 {
		return false
	}
	seen := make([]bool, len(t.Scale.Labels))
	counts := t.Scale.Numbers != nil
	for i := range t.Items() {
		c := t.row(i)[rater]
		if c == missing || seen[c] {
			return false
		}
		seen[c] = true
		if counts && i > 0 {
			counts = t.Scale.Numbers[c] == t.Scale.Numbers[t.row(i - 1)[rater]]+1
		}
	}
	return counts || t.Scale.Numbers == nil
}

// Without is the table but for one rater, on the same scale.
func (t *Table) Without(rater int) *Table {
	out := &Table{Raters: slices.Delete(slices.Clone(t.Raters), rater, rater+1), Scale: t.Scale}
	for i := range t.Items() {
		row := t.row(i)
		out.cells = append(append(out.cells, row[:rater]...), row[rater+1:]...)
	}
	return out
}

// Build is the table of raters, a column each, and rows of their labels; order is as for Builder.Table.
func Build(raters []string, rows [][]string, order ...string) (*Table, error) {
	b := NewBuilder(raters)
	for _, row := range rows {
		if err := b.Add(row...); err != nil {
			return nil, err
		}
	}
	return b.Table(order...)
}

// Builder collects items one at a time.
type Builder struct {
	raters []string
	codes  map[string]int32
	labels []string // as they came
	cells  []int32
}

// NewBuilder starts a table with these raters, a column each.
func NewBuilder(raters []string) *Builder {
	return &Builder{raters: slices.Clone(raters), codes: map[string]int32{}}
}

// Add appends an item with one label per rater, "" or blanks where there is none. The error is for a person and has
// kind Invalid; nothing is added then.
func (b *Builder) Add(labels ...string) error {
	switch {
	case len(labels) != len(b.raters):
		return fault.New(fault.Invalid, "There are %d labels for %d raters.", len(labels), len(b.raters))
	case len(b.raters) > MaxRaters:
		return fault.New(fault.Invalid, "There are %d raters; %d is the most.", len(b.raters), MaxRaters)
	case len(b.cells)+len(labels) > MaxCells:
		return fault.New(fault.Invalid, "The table is too large: items times raters may be %d at most.", MaxCells)
	}
	at := len(b.cells)
	for _, label := range labels {
		code, err := b.code(strings.TrimSpace(label))
		if err != nil {
			b.cells = b.cells[:at]
			return err
		}
		b.cells = append(b.cells, code)
	}
	return nil
}

func (b *Builder) code(label string) (int32, error) {
	if label == "" {
		return missing, nil
	}
	if code, ok := b.codes[label]; ok {
		return code, nil
	}
	if len(b.labels) == MaxLabels {
		return 0, fault.New(fault.Invalid, "There are more than %d different labels.", MaxLabels)
	}
	label = strings.Clone(label) // it may be a slice of a long line
	code := int32(len(b.labels))
	b.codes[label] = code
	b.labels = append(b.labels, label)
	return code, nil
}

// Table is what was added so far. order is the scale, least label first, with the labels nobody used too; without one
// the scale is what was used, ordered if all of it is numbers. Equal numbers are one label however they are written.
func (b *Builder) Table(order ...string) (*Table, error) {
	numbers, word := parseAll(b.labels, order)
	r := ruler{places: map[string]int32{}, numbers: numbers,
		scale: Scale{Ordered: len(order) > 0 || numbers != nil, word: word}}
	for _, label := range order {
		if label = strings.TrimSpace(label); label == "" {
			return nil, fault.New(fault.Invalid, "The order of the labels has an empty entry.")
		}
		r.add(label)
	}
	if len(r.scale.Labels) != len(order) {
		return nil, fault.New(fault.Invalid, "The order of the labels names one twice.")
	}
	for _, label := range sorted(b.labels, numbers) {
		if r.add(label) && len(order) > 0 {
			return nil, fault.New(fault.Invalid, "The label %q is not in the order of labels that was given.", label)
		}
	}
	recode := lists.Map(b.labels, func(label string) int32 { return r.places[keyOf(label, numbers)] })
	t := &Table{Raters: slices.Clone(b.raters), Scale: r.scale, cells: make([]int32, len(b.cells))}
	for i, c := range b.cells {
		if t.cells[i] = missing; c != missing {
			t.cells[i] = recode[c]
		}
	}
	return t, nil
}

// ruler puts labels on a scale, in the order they come.
type ruler struct {
	scale   Scale
	places  map[string]int32
	numbers map[string]float64 // nil unless all labels are numbers
}

// add reports whether the label is new.
func (r *ruler) add(label string) bool {
	key := keyOf(label, r.numbers)
	if _, ok := r.places[key]; ok {
		return false
	}
	r.places[key] = int32(len(r.scale.Labels))
	r.scale.Labels = append(r.scale.Labels, label)
	if r.numbers != nil {
		r.scale.Numbers = append(r.scale.Numbers, r.numbers[label])
	}
	return true
}

// keyOf is the same for labels that are the same number.
func keyOf(label string, numbers map[string]float64) string {
	if numbers == nil {
		return label
	}
	return strconv.FormatFloat(numbers[label], 'g', -1, 64)
}

func sorted(labels []string, numbers map[string]float64) []string {
	labels = slices.Clone(labels)
	slices.SortFunc(labels, func(a, b string) int {
		return cmp.Or(cmp.Compare(numbers[a], numbers[b]), strings.Compare(a, b))
	})
	return labels
}

// parseAll gives each label's number, or nil and one that is none.
func parseAll(lists ...[]string) (numbers map[string]float64, word string) {
	numbers = map[string]float64{}
	for _, list := range lists {
		for _, label := range list {
			// words such as inf and nan, and hexadecimal forms, are labels
			x, ok := decimal.Data(strings.TrimSpace(label))
			if !ok {
				return nil, label
			}
			numbers[strings.TrimSpace(label)] = x
		}
	}
	if len(numbers) == 0 {
		return nil, ""
	}
	return numbers, ""
}
