package agreement

import "fmt"

// figure is one measure's value, or why it has none.
type figure struct {
	value float64
	why   string
}

// sums are what one sample of items adds up to. They are kept between samples to spare the memory.
type sums struct {
	items, pairable float64
	labels          float64   // on pairable items
	common          []float64 // Σ over items of each label's share of the item's labels
	used            []float64 // how often each label stands on pairable items
	first, second   []float64 // the same by rater, with two columns
	ranks           []float64
	apart           [weights]float64 // Σ over pairable items of their mean disagreement
	nominal         float64          // Σ over pairable items of labels × plain disagreement
	squares, ratios float64
}

func newSums(labels int) *sums {
	s := &sums{}
	for _, list := range []*[]float64{&s.common, &s.used, &s.first, &s.second, &s.ranks} {
		*list = make([]float64, labels)
	}
	return s
}

// collect adds up a sample that has count[p] items of pattern p.
func (y *counter) collect(s *sums, count []int) {
	for _, list := range [][]float64{s.common, s.used, s.first, s.second} {
		clear(list)
	}
	*s = sums{common: s.common, used: s.used, first: s.first, second: s.second, ranks: s.ranks}
	for p, c := range count {
		if c == 0 {
			continue
		}
		n, m, row := float64(c), float64(y.given[p]), y.pattern(p)
		s.items += n
		for _, label := range row {
			if label != missing {
				s.common[label] += n / m
			}
		}
		if y.given[p] < 2 {
			continue
		}
		s.pairable += n
		s.labels += n * m
		for _, label := range row {
			s.used[label] += n
		}
		if y.two {
			s.first[row[0]] += n
			s.second[row[1]] += n
		}
		for w := range s.apart {
			s.apart[w] += n * y.apart[w][p]
		}
		s.nominal += n * m * y.apart[plain][p]
		s.squares += n * y.squares[p]
		s.ratios += n * y.ratios[p]
	}
}

// kinds counts the labels that occur.
func kinds(list []float64) (n int) {
	for _, x := range list {
		if x > 0 {
			n++
		}
	}
	return n
}

// evaluate fills in every asked measure for a sample. Undefined ones have their reason.
func (y *counter) evaluate(s *sums, count []int, asked []Measure, out []figure) {
	y.collect(s, count)
	shared, spreadOut := kinds(s.used), kinds(s.common)
	for i, m := range asked {
		why := y.refuse(m)
		switch {
		case why != "":
		case y.raters < 2:
			why = fewRaters
		case s.pairable == 0:
			why = noPairs
		}
		if why != "" {
			out[i] = figure{why: why}
			continue
		}
		out[i] = y.figure(m, s, count, shared, spreadOut)
	}
}

// refuse says what in the table, whichever items are drawn, leaves a measure without a value.
func (y *counter) refuse(m Measure) string {
	if _, ok := places[m]; !ok {
		return notMeasured
	}
	switch m {
	case Cohen, CohenLinear, CohenQuadratic, Scott:
		if y.raters > 2 {
			return twoRaters
		}
	}
	switch m {
	case CohenLinear, CohenQuadratic, AlphaOrdinal, AC2Linear, AC2Quadratic:
		if !y.scale.Ordered && len(y.scale.Labels) > 2 { // two labels differ by one step either way round
			return noOrder
		}
	case AlphaInterval:
		if y.scale.Numbers == nil && len(y.scale.Labels) > 0 {
			return fmt.Sprintf(notNumbers, y.scale.word)
		}
	case AlphaRatio:
		if len(y.scale.Labels) > 0 {
			return y.noRatio
		}
	}
	return ""
}

// figure is one measure over pairable items; shared and spreadOut are how many labels are used on them, and at all.
func (y *counter) figure(m Measure, s *sums, count []int, shared, spreadOut int) figure {
	switch m {
	case Percent:
		return figure{value: 1 - s.apart[plain]/s.pairable}
	case Cohen, CohenLinear, CohenQuadratic:
		w := map[Measure]int{Cohen: plain, CohenLinear: linear, CohenQuadratic: quadratic}[m]
		return corrected(s.apart[w], s.expectedCohen(w))
	case Scott:
		return chance(shared, s.apart[plain]/s.pairable, diversity(s.used, s.labels))
	case Fleiss:
		return chance(spreadOut, s.apart[plain]/s.pairable, diversity(s.common, s.items))
	case AC1, AC2Linear, AC2Quadratic:
		return s.gwet(map[Measure]int{AC1: plain, AC2Linear: linear, AC2Quadratic: quadratic}[m])
	}
	if shared < 2 {
		return figure{why: oneLabel}
	}
	observed, expected := s.krippendorff(y, m, count)
	return figure{value: 1 - (s.labels-1)*observed/expected}
}

// corrected is 1 - observed/expected disagreement. No expected disagreement is the case p_e = 1.
func corrected(observed, expected float64) figure {
	if expected == 0 {
		return figure{why: oneLabel}
	}
	return figure{value: 1 - observed/expected}
}

// chance is corrected where the sums are of fractions: whether p_e = 1 is told from the number of labels, not from a
// rest that rounding left.
func chance(labels int, observed, expected float64) figure {
	if labels < 2 {
		return figure{why: oneLabel}
	}
	return corrected(observed, expected)
}

// diversity is 1 - Σp², p being list/total: how often two labels differ by chance.
func diversity(list []float64, total float64) float64 {
	var d float64
	for _, x := range list {
		d += x / total * (1 - x/total)
	}
	return d
}

// expectedCohen is the weighted disagreement expected of the two raters' own distributions, times the number of items.
func (s *sums) expectedCohen(weight int) float64 {
	n, steps := s.pairable, float64(max(len(s.first)-1, 1))
	var d float64
	switch weight {
	case plain: // whole numbers throughout, so that nothing is left when nothing should be
		for k := range s.first {
			d += s.first[k] * (n - s.second[k])
		}
	case linear: // each step of the scale is passed by those with one rater below and the other above
		var below, under float64
		for k := range len(s.first) - 1 {
			below += s.first[k]
			under += s.second[k]
			d += below*(n-under) + under*(n-below)
		}
		d /= steps
	case quadratic:
		var a, b, aa, bb float64
		for k := range s.first {
			x := float64(k)
			a, aa = a+x*s.first[k], aa+x*x*s.first[k]
			b, bb = b+x*s.second[k], bb+x*x*s.second[k]
		}
		d = (n*aa + n*bb - 2*a*b) / (steps * steps)
	}
	return d / n
}

// gwet is AC1 (plain) or AC2.
func (s *sums) gwet(weight int) figure {
	k := float64(len(s.common))
	if k < 2 {
		return figure{why: oneOnScale}
	}
	sum := k // of all weights
	switch weight {
	case linear:
		sum = k*k - k*(k+1)/3
	case quadratic:
		sum = k*k - k*k*(k+1)/(6*(k-1))
	}
	byChance := sum / (k * (k - 1)) * diversity(s.common, s.items)
	return figure{value: 1 - s.apart[weight]/s.pairable/(1-byChance)}
}

// krippendorff gives Σ observed disagreement within items and Σ expected over all pairs of labels: alpha is
// 1 - (labels-1)·observed/expected.
func (s *sums) krippendorff(y *counter, m Measure, count []int) (observed, expected float64) {
	switch m {
	case AlphaNominal:
		for _, x := range s.used {
			expected += x * (s.labels - x)
		}
		return s.nominal, expected
	case AlphaOrdinal:
		s.rank()
		for p, c := range count {
			if c > 0 && y.given[p] > 1 && y.apart[plain][p] > 0 {
				row := y.pattern(p)
				observed += float64(c) * spread(row, func(label int32) float64 {
					return s.ranks[label]
				}) / float64(len(row)-1)
			}
		}
		return observed, overall(s.used, s.ranks)
	case AlphaInterval:
		return s.squares, overall(s.used, y.number)
	}
	for i, a := range s.used {
		if a == 0 {
			continue
		}
		for j, b := range s.used[:i] {
			if y.rubs != nil {
				expected += 2 * a * b * y.rubs[i*len(s.used)+j]
			} else if b > 0 {
				expected += 2 * a * b * rub(y.scale.Numbers[i], y.scale.Numbers[j])
			}
		}
	}
	return s.ratios, expected
}

// rank gives each label the middle of its ranks among the labels of pairable items, from 0 to 1.
func (s *sums) rank() {
	var below float64
	for k, n := range s.used {
		s.ranks[k] = (below + n/2) / s.labels
		below += n
	}
}

// overall is Σ(x-y)² over all ordered pairs of labels given, x and y being their numbers. The mean is taken off first,
// so that nothing is lost in the difference.
func overall(used, number []float64) float64 {
	var n, sum, squares float64
	for k, c := range used {
		n += c
		sum += c * number[k]
	}
	for k, c := range used {
		d := number[k] - sum/n
		squares += c * d * d
	}
	return 2 * n * squares
}
