package agreement_test

import (
	"fmt"
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"preceptor/internal/dataset/agreement"
)

// oracle works every measure out from its textbook definition, with matrices of weights and of coincidences and without
// any of the shortcuts that the package takes.
type oracle struct {
	rows   [][]int // places on the scale, -1 for missing
	labels int
	number []float64
}

func (o oracle) weight(kind string, k, l int) float64 {
	d := math.Abs(float64(k-l)) / float64(max(o.labels-1, 1))
	switch {
	case kind == "linear":
		return 1 - d
	case kind == "quadratic":
		return 1 - d*d
	case k == l:
		return 1
	}
	return 0
}

// counts are how often each label was given to each item.
func (o oracle) counts() (out [][]float64) {
	for _, row := range o.rows {
		c := make([]float64, o.labels)
		for _, k := range row {
			if k >= 0 {
				c[k]++
			}
		}
		out = append(out, c)
	}
	return out
}

func total(list []float64) (sum float64) {
	for _, x := range list {
		sum += x
	}
	return sum
}

// agreed is Gwet's weighted p_a, and π the mean share of each label.
func (o oracle) agreed(kind string) (pa float64, pi []float64) {
	n, items := 0.0, 0.0
	pi = make([]float64, o.labels)
	for _, c := range o.counts() {
		r := total(c)
		if r == 0 {
			continue
		}
		items++
		for k := range c {
			pi[k] += c[k] / r
		}
		if r < 2 {
			continue
		}
		n++
		for k := range c {
			star := 0.0
			for l := range c {
				star += o.weight(kind, k, l) * c[l]
			}
			pa += c[k] * (star - 1) / (r * (r - 1))
		}
	}
	for k := range pi {
		pi[k] /= items
	}
	return pa / n, pi
}

func (o oracle) gwet(kind string) float64 {
	pa, pi := o.agreed(kind)
	q, sum, pe := float64(o.labels), 0.0, 0.0
	for k := range pi {
		for l := range pi {
			sum += o.weight(kind, k, l)
		}
		pe += pi[k] * (1 - pi[k])
	}
	pe *= sum / (q * (q - 1))
	return (pa - pe) / (1 - pe)
}

func (o oracle) fleiss() float64 {
	pa, pi := o.agreed("")
	pe := 0.0
	for _, p := range pi {
		pe += p * p
	}
	return (pa - pe) / (1 - pe)
}

// kappa is Cohen's, or Scott's with the two distributions averaged.
func (o oracle) kappa(kind string, scott bool) float64 {
	table := make([][]float64, o.labels)
	for k := range table {
		table[k] = make([]float64, o.labels)
	}
	n, a, b := 0.0, make([]float64, o.labels), make([]float64, o.labels)
	for _, row := range o.rows {
		if row[0] >= 0 && row[1] >= 0 {
			table[row[0]][row[1]]++
			a[row[0]]++
			b[row[1]]++
			n++
		}
	}
	po, pe := 0.0, 0.0
	for k := range table {
		for l := range table {
			x, y := a[k]/n, b[l]/n
			if scott {
				x, y = (a[k]+b[k])/(2*n), (a[l]+b[l])/(2*n)
			}
			po += o.weight(kind, k, l) * table[k][l] / n
			pe += o.weight(kind, k, l) * x * y
		}
	}
	return (po - pe) / (1 - pe)
}

// alpha is Krippendorff's, by his coincidence matrix.
func (o oracle) alpha(metric string) float64 {
	pairs := make([][]float64, o.labels)
	for k := range pairs {
		pairs[k] = make([]float64, o.labels)
	}
	for _, row := range o.rows {
		m := 0.0
		for _, k := range row {
			if k >= 0 {
				m++
			}
		}
		for i, k := range row {
			for j, l := range row {
				if i != j && k >= 0 && l >= 0 {
					pairs[k][l] += 1 / (m - 1)
				}
			}
		}
	}
	n := make([]float64, o.labels)
	for k := range pairs {
		n[k] = total(pairs[k])
	}
	delta := func(k, l int) float64 {
		if k > l {
			k, l = l, k
		}
		switch a, b := o.number[k], o.number[l]; {
		case k == l:
			return 0
		case metric == "nominal":
			return 1
		case metric == "ordinal":
			d := total(n[k:l+1]) - (n[k]+n[l])/2
			return d * d
		case metric == "interval":
			return (a - b) * (a - b)
		default:
			return (a - b) / (a + b) * (a - b) / (a + b)
		}
	}
	do, de, all := 0.0, 0.0, total(n)
	for k := range pairs {
		for l := range pairs {
			do += pairs[k][l] * delta(k, l)
			de += n[k] * n[l] * delta(k, l) / (all - 1)
		}
	}
	return 1 - do/de
}

func (o oracle) value(m agreement.Measure) float64 {
	switch m {
	case agreement.Percent:
		pa, _ := o.agreed("")
		return pa
	case agreement.Cohen:
		return o.kappa("", false)
	case agreement.CohenLinear:
		return o.kappa("linear", false)
	case agreement.CohenQuadratic:
		return o.kappa("quadratic", false)
	case agreement.Scott:
		return o.kappa("", true)
	case agreement.Fleiss:
		return o.fleiss()
	case agreement.AC1:
		return o.gwet("")
	case agreement.AC2Linear:
		return o.gwet("linear")
	case agreement.AC2Quadratic:
		return o.gwet("quadratic")
	}
	return o.alpha(string(m[len("krippendorff_alpha_"):]))
}

// drawn is a table of numbers with its oracle; the scale is 0, 1, 3, 6, 10 and so on, so that places are not numbers.
func drawn(t *rapid.T) (rows [][]string, order []string, o oracle) {
	o.labels = rapid.IntRange(1, 5).Draw(t, "labels")
	for k := range o.labels {
		o.number = append(o.number, float64(k*(k+1)/2))
		order = append(order, strconv.Itoa(k*(k+1)/2))
	}
	raters, items := rapid.SampledFrom([]int{1, 2, 2, 2, 3, 4, 5}).Draw(t, "raters"),
		rapid.IntRange(1, 12).Draw(t, "items")
	cell := rapid.IntRange(-1, o.labels-1)
	for range items {
		row := rapid.SliceOfN(cell, raters, raters).Draw(t, "row")
		o.rows = append(o.rows, row)
		var words []string
		for _, k := range row {
			if k < 0 {
				words = append(words, "")
			} else {
				words = append(words, order[k])
			}
		}
		rows = append(rows, words)
	}
	return rows, order, o
}

// active keeps the columns that have a label, as the package does.
func (o oracle) active() oracle {
	var keep []int
	for j := range o.rows[0] {
		for _, row := range o.rows {
			if row[j] >= 0 {
				keep = append(keep, j)
				break
			}
		}
	}
	out := oracle{labels: o.labels, number: o.number}
	for _, row := range o.rows {
		var r []int
		for _, j := range keep {
			r = append(r, row[j])
		}
		out.rows = append(out.rows, r)
	}
	return out
}

func TestEveryMeasureIsItsDefinition(t *testing.T) {
	if testing.Short() {
		t.Skip("twenty tries don't meet every measure: make check makes a hundred")
	}
	seen := map[agreement.Measure]int{}
	rapid.Check(t, func(t *rapid.T) {
		rows, order, o := drawn(t)
		o = o.active()
		for _, r := range agreement.Over(build(t, rows, order...), agreement.Options{Rounds: -1}) {
			if !r.Defined() {
				if r.Value != 0 {
					t.Errorf("%s is undefined (%s) and has the value %v", r.Measure, r.Undefined, r.Value)
				}
				continue
			}
			seen[r.Measure]++
			if want := o.value(r.Measure); math.IsNaN(want) || math.Abs(r.Value-want) > 1e-9*max(1, math.Abs(want)) {
				t.Errorf("%s: %v, by definition %v", r.Measure, r.Value, want)
			}
		}
	})
	for _, m := range agreement.UpTo(agreement.LevelRatio) {
		if seen[m] < 3 {
			t.Errorf("%s was defined only %d times", m, seen[m])
		}
	}
}

// Where the definition divides by nothing, the package says so, and nowhere else.
func TestUndefinedIsSaidOnlyWhereItIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, order, o := drawn(t)
		o = o.active()
		for _, r := range agreement.Over(build(t, rows, order...), agreement.Options{Rounds: -1}) {
			pairOnly := r.Measure == agreement.Cohen || r.Measure == agreement.CohenLinear ||
				r.Measure == agreement.CohenQuadratic || r.Measure == agreement.Scott
			if r.Defined() || len(o.rows[0]) < 2 || pairOnly && len(o.rows[0]) != 2 {
				continue
			}
			if want := o.value(r.Measure); !math.IsNaN(want) && !math.IsInf(want, 0) && math.Abs(want) < 1e6 {
				t.Errorf("%s is said to be undefined (%s), and is %v", r.Measure, r.Undefined, want)
			}
		}
	})
}

func ExampleOver() {
	b := agreement.NewBuilder([]string{"Ann", "Bob"})
	for _, row := range [][]string{{"yes", "yes"}, {"no", "no"}, {"yes", "no"}, {"no", "no"}, {"", "yes"}} {
		if err := b.Add(row...); err != nil {
			panic(err)
		}
	}
	t, err := b.Table()
	if err != nil {
		panic(err)
	}
	for _, r := range agreement.Over(t,
		agreement.Options{Measures: []agreement.Measure{agreement.Cohen, agreement.AlphaRatio}, Rounds: -1}) {
		if r.Defined() {
			fmt.Printf("%s: %.3f over %d items\n", r.Measure.Title(), r.Value, r.Items)
		} else {
			fmt.Printf("%s: n/a, %s\n", r.Measure.Title(), r.Undefined)
		}
	}
	// Output:
	// Cohen's kappa: 0.500 over 4 items
	// Krippendorff's alpha, ratio: n/a, "yes" is not a number
}
