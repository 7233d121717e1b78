package agreement

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// maxRatio bounds the different numbers of the ratio metric, which compares each with each; maxRatioRounds those that
// are compared again in every resample.
const (
	maxRatio       = 20_000
	maxRatioRounds = 500
)

// Kinds of weight on disagreement, as they index counter.apart.
const (
	plain = iota
	linear
	quadratic
	weights
)

// counter is a table with equal rows put together. With two columns the order within a row is kept, as Cohen's kappa
// needs it; otherwise rows with the same labels are equal whoever gave them.
type counter struct {
	scale  Scale
	raters int // who gave a label
	two    bool
	start  []int   // of each pattern in labels, and the end of the last
	labels []int32 // with two columns always two a pattern, maybe missing
	count  []int   // items of each pattern
	given  []int   // labels of each pattern

	apart   [weights][]float64 // mean weighted disagreement of the pattern's pairs of labels, 0 to 1
	squares []float64          // Σ over ordered pairs of the squared difference of numbers, by labels-1
	ratios  []float64          // the same in the ratio metric
	number  []float64          // of each label, moved and stretched to 0…1, which changes no interval alpha
	rubs    []float64          // ratio metric of each label with each, when they are few enough
	noRatio string             // why there is no ratio alpha
}

// newCounter counts the rows of t that have a label. Columns without any are left out, so that two raters among many
// empty columns are two raters.
func newCounter(t *Table) *counter {
	active := t.active()
	y := &counter{scale: t.Scale, raters: len(active), two: len(active) == 2}
	seen := map[string]int{}
	row := make([]int32, 0, len(active))
	var key []byte
	for i := range t.Items() {
		if row = y.gather(t.row(i), active, row[:0]); len(row) == 0 {
			continue
		}
		key = key[:0]
		for _, c := range row {
			key = binary.LittleEndian.AppendUint32(key, uint32(c))
		}
		p, ok := seen[string(key)]
		if !ok {
			p = y.add(row)
			seen[string(key)] = p
		}
		y.count[p]++
	}
	y.prepare()
	return y
}

// active are the columns with a label.
func (t *Table) active() (list []int) {
	has := make([]bool, len(t.Raters))
	for i := range t.Items() {
		for rater, c := range t.row(i) {
			if c != missing {
				has[rater] = true
			}
		}
	}
	for rater, yes := range has {
		if yes {
			list = append(list, rater)
		}
	}
	return list
}

// gather appends a row as its pattern is written to row; nothing when it has no label.
func (y *counter) gather(cells []int32, active []int, row []int32) []int32 {
	labels := 0
	for _, rater := range active {
		c := cells[rater]
		if c != missing {
			labels++
		}
		if c != missing || y.two {
			row = append(row, c)
		}
	}
	if labels == 0 {
		return row[:0]
	}
	if !y.two {
		slices.Sort(row)
	}
	return row
}

// add appends a pattern without items.
func (y *counter) add(row []int32) int {
	if len(y.start) == 0 {
		y.start = []int{0}
	}
	given := 0
	for _, c := range row {
		if c != missing {
			given++
		}
	}
	y.labels = append(y.labels, row...)
	y.start = append(y.start, len(y.labels))
	y.count = append(y.count, 0)
	y.given = append(y.given, given)
	return len(y.count) - 1
}

func (y *counter) pattern(p int) []int32 { return y.labels[y.start[p]:y.start[p+1]] }

// prepare works out what no resample changes.
func (y *counter) prepare() {
	y.number = unit(y.scale.Numbers)
	y.noRatio = y.refuseRatio()
	for w := range y.apart {
		y.apart[w] = make([]float64, len(y.count))
	}
	y.squares, y.ratios = make([]float64, len(y.count)), make([]float64, len(y.count))
	for p, m := range y.given {
		if m > 1 {
			y.measurePattern(p, slices.Sorted(slices.Values(y.pattern(p))))
		}
	}
	if n := len(y.scale.Numbers); y.noRatio == "" && n <= maxRatioRounds {
		y.rubs = make([]float64, n*n)
		for i, a := range y.scale.Numbers {
			for j, b := range y.scale.Numbers {
				y.rubs[i*n+j] = rub(a, b)
			}
		}
	}
}

// measurePattern sets how far apart the labels of pattern p are; row is its labels, sorted, none of them missing.
func (y *counter) measurePattern(p int, row []int32) {
	m, steps := len(row), float64(max(len(y.scale.Labels)-1, 1))
	pairs := float64(m * (m - 1))
	same, run := 0, 0
	for i := range row {
		if run++; i+1 == m || row[i+1] != row[i] {
			same += run * (run - 1)
			run = 0
		}
	}
	y.apart[plain][p] = (pairs - float64(same)) / pairs
	y.apart[linear][p] = gaps(row) / pairs / steps
	y.apart[quadratic][p] = spread(row, func(c int32) float64 { return float64(c - row[0]) }) / pairs / (steps * steps)
	if y.number != nil {
		y.squares[p] = spread(row, func(c int32) float64 { return y.number[c] - y.number[row[0]] }) / float64(m-1)
	}
	if y.noRatio != "" {
		return
	}
	for i, a := range row {
		for _, b := range row[i+1:] {
			y.ratios[p] += 2 * rub(y.scale.Numbers[a], y.scale.Numbers[b]) / float64(m-1)
		}
	}
}

func (y *counter) refuseRatio() string {
	if y.scale.Numbers == nil {
		return fmt.Sprintf(notNumbers, y.scale.word)
	}
	if least := slices.Min(y.scale.Numbers); least < 0 {
		return fmt.Sprintf(belowZero, strconv.FormatFloat(least, 'g', -1, 64))
	}
	if len(y.scale.Numbers) > maxRatio {
		return tooVaried
	}
	return ""
}

// gaps is Σ|a-b| over all ordered pairs of a sorted row.
func gaps(row []int32) (sum float64) {
	for i, c := range row {
		sum += 2 * float64(2*i-len(row)+1) * float64(c-row[0])
	}
	return sum
}

// spread is Σ(a-b)² over all ordered pairs; of takes a label near to 0, so that nothing is lost in the difference.
func spread(row []int32, of func(int32) float64) float64 {
	var sum, squares float64
	for _, c := range row {
		x := of(c)
		sum += x
		squares += x * x
	}
	return max(0, 2*(float64(len(row))*squares-sum*sum))
}

// rub is the ratio metric: ((a-b)/(a+b))², 0 between equal numbers.
func rub(a, b float64) float64 {
	if a == b {
		return 0
	}
	d := (a/2 - b/2) / (a/2 + b/2) // halved against overflow
	return d * d
}

// unit moves and stretches numbers to 0…1; nil stays nil.
func unit(numbers []float64) []float64 {
	if len(numbers) == 0 {
		return nil
	}
	low, high := slices.Min(numbers), slices.Max(numbers)
	span := high/2 - low/2 // halved against overflow
	out := make([]float64, len(numbers))
	for i, x := range numbers {
		if span > 0 && !math.IsInf(span, 0) {
			out[i] = (x/2 - low/2) / span
		}
	}
	return out
}
