package measure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"preceptor/internal/platform/fault"
)

// Methods of calibration.
const (
	Isotonic = "isotonic" // any monotone curve; wants some hundred items
	Platt    = "platt"    // a logistic curve; for fewer
)

// Calibration turns a raw score into the probability of a violation. It is plain data: kept as JSON it is the same
// again.
type Calibration struct {
	Method     string `json:"method"`
	Items      int    `json:"items"` // it was fitted on
	Violations int    `json:"violations"`
	// X and Y are the corners of the isotonic curve, rising; between them it is straight, beyond them flat.
	X []float64 `json:"x,omitempty"`
	Y []float64 `json:"y,omitempty"`
	// Slope (never below 0) and Offset are Platt's: 1/(1+exp(-(Slope·score+Offset))).
	Slope  float64 `json:"slope,omitempty"`
	Offset float64 `json:"offset,omitempty"`
}

// Fit fits a calibration by the named method. It needs violations and others, and refuses (Invalid) otherwise.
func Fit(method string, list []Scored) (Calibration, error) {
	c := Calibration{Method: method, Items: len(list)}
	for _, s := range list {
		if math.IsNaN(s.Score) || math.IsInf(s.Score, 0) {
			return Calibration{}, fault.New(fault.Invalid, "A score is not a finite number; calibration needs numbers.")
		}
		if s.Violation {
			c.Violations++
		}
	}
	if c.Violations == 0 || c.Violations == c.Items {
		return Calibration{}, fault.New(fault.Invalid,
			"Calibration needs violations and compliant texts; there are %d violations among %d.", c.Violations,
			c.Items)
	}
	switch method {
	case Isotonic:
		c.X, c.Y = isotonic(list)
	case Platt:
		c.Slope, c.Offset = platt(list, c.Violations)
	default:
		return Calibration{}, fault.New(fault.Invalid, "There is no calibration %q; take %s or %s.", method, Isotonic,
			Platt)
	}
	return c, nil
}

// Check refuses data that Fit did not write.
func (c Calibration) Check() error {
	ok := c.Method == Platt && c.Slope >= 0 && !math.IsInf(c.Slope, 0) && !math.IsNaN(c.Offset) &&
		!math.IsInf(c.Offset, 0)
	if c.Method == Isotonic {
		ok = len(c.X) > 0 && len(c.X) == len(c.Y) && slices.IsSorted(c.X) && slices.IsSorted(c.Y) && c.Y[0] >= 0 &&
			c.Y[len(c.Y)-1] <= 1
	}
	if !ok {
		return fmt.Errorf("measure: this is no %q calibration", c.Method)
	}
	return nil
}

// Apply is the probability of a violation, 0 to 1, never falling where the score rises. A score that is not a number is
// 1: what can't be told is treated as a violation.
func (c Calibration) Apply(score float64) float64 {
	if math.IsNaN(score) {
		return 1
	}
	if c.Method == Platt {
		// no slope times infinity is no number
		return logistic(c.Slope*min(max(score, -math.MaxFloat64), math.MaxFloat64) + c.Offset)
	}
	n := len(c.X)
	if n == 0 {
		return 1
	}
	i, _ := slices.BinarySearch(c.X, score) // the first corner that is not below
	switch {
	case i == 0:
		return c.Y[0]
	case i == n:
		return c.Y[n-1]
	case c.X[i] == score || c.Y[i] == c.Y[i-1]:
		return c.Y[i]
	}
	at := (score - c.X[i-1]) / (c.X[i] - c.X[i-1])
	return min(c.Y[i], max(c.Y[i-1], c.Y[i-1]+at*(c.Y[i]-c.Y[i-1])))
}

// block is a stretch of scores with one probability.
type block struct {
	from, to     float64
	hits, weight float64
}

func (b block) mean() float64 { return b.hits / b.weight }

// isotonic pools adjacent violators (Ayer et al. 1955). Equal scores are one point; each block gives the corners at its
// ends, so that on the items it was fitted on the curve has exactly the blocks' means.
func isotonic(list []Scored) (x, y []float64) {
	list = slices.SortedFunc(slices.Values(list), func(a, b Scored) int { return cmp.Compare(a.Score, b.Score) })
	var blocks []block
	for i := 0; i < len(list); {
		b := block{from: list[i].Score + 0, to: list[i].Score + 0}
		for ; i < len(list) && list[i].Score == b.from; i++ {
			b.weight++
			if list[i].Violation {
				b.hits++
			}
		}
		for n := len(blocks); n > 0 && blocks[n-1].hits*b.weight >= b.hits*blocks[n-1].weight; n-- {
			last := blocks[n-1]
			b = block{last.from, b.to, last.hits + b.hits, last.weight + b.weight}
			blocks = blocks[:n-1]
		}
		blocks = append(blocks, b)
	}
	for _, b := range blocks {
		x, y = append(x, b.from), append(y, b.mean())
		if b.to > b.from {
			x, y = append(x, b.to), append(y, b.mean())
		}
	}
	return x, y
}

func logistic(z float64) float64 {
	if z >= 0 {
		return 1 / (1 + math.Exp(-z))
	}
	e := math.Exp(z)
	return e / (1 + e)
}

// Limits of the Newton steps.
const (
	plattSteps = 100
	plattNear  = 1e-10
	plattRidge = 1e-12
)

// platt fits a logistic curve with Platt's softened targets by the damped Newton method of Lin, Lin and Weng ("A note
// on Platt's probabilistic outputs for support vector machines", 2007). Where the best slope would be negative, scores
// say nothing, and the curve is flat at the share of violations.
func platt(list []Scored, violations int) (slope, offset float64) {
	list = slices.SortedFunc(slices.Values(list), func(a, b Scored) int { // so that rounding is the same in any order
		switch c := cmp.Compare(a.Score, b.Score); {
		case c != 0 || a.Violation == b.Violation:
			return c
		case a.Violation:
			return 1
		}
		return -1
	})
	yes := (float64(violations) + 1) / (float64(violations) + 2)
	no := 1 / (float64(len(list)-violations) + 2)
	target := func(s Scored) float64 {
		if s.Violation {
			return yes
		}
		return no
	}
	loss := func(a, b float64) (sum float64) {
		for _, s := range list {
			z, t := a*s.Score+b, target(s)
			sum += max(z, 0) + math.Log1p(math.Exp(-math.Abs(z))) - t*z
		}
		return sum
	}
	flat := math.Log(float64(violations)+1) - math.Log(float64(len(list)-violations)+1)
	a, b := 0.0, flat
	now := loss(a, b)
	for range plattSteps {
		haa, hab, hbb, ga, gb := plattRidge, 0.0, plattRidge, 0.0, 0.0
		for _, s := range list {
			p := logistic(a*s.Score + b)
			d, w := p-target(s), p*(1-p)
			ga, gb = ga+d*s.Score, gb+d
			haa, hab, hbb = haa+w*s.Score*s.Score, hab+w*s.Score, hbb+w
		}
		det := haa*hbb - hab*hab
		da, db := -(hbb*ga-hab*gb)/det, -(haa*gb-hab*ga)/det
		slopeDown := ga*da + gb*db
		if math.Abs(ga)+math.Abs(gb) < plattNear || !(slopeDown < 0) {
			break
		}
		step := 1.0
		for ; step > plattNear; step /= 2 {
			if next := loss(a+step*da, b+step*db); next < now+1e-4*step*slopeDown {
				a, b, now = a+step*da, b+step*db, next
				break
			}
		}
		if step <= plattNear {
			break
		}
	}
	if a < 0 {
		return 0, flat
	}
	return a, b
}
