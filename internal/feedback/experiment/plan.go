package experiment

import (
	"fmt"
	"math"

	"preceptor/internal/platform/fault"
)

// Aim is what a plan is asked to find. All of it are shares from 0 to 1.
type Aim struct {
	Baseline float64 // of good outcomes without the treatment
	Effect   float64 // smallest rise that matters: 0.05 is five points
	Alpha    float64 // chance of a difference that is not there, over all looks
	Power    float64 // chance to find Effect
	Split    float64 // of people in the treatment
}

// DefaultAim is five points more than three of four.
var DefaultAim = Aim{Baseline: 0.75, Effect: 0.05, Alpha: 0.05, Power: 0.80, Split: 0.5}

// Plan is an aim with what it takes.
type Plan struct {
	Aim
	// Fixed is how many outcomes per arm a test with one look at the end needs, at an even split: the pooled formula
	// for two shares, (z(1−alpha/2)·√(2·p̄·(1−p̄)) + z(power)·√(p₀(1−p₀) + p₁(1−p₁)))² / effect².
	Fixed int
	// SizeT and SizeC are how many outcomes are planned in the arms; at an even split they are Fixed × Price.
	SizeT, SizeC int
	// Information is n_t·n_c/(n_t+n_c) at the planned size; an uneven split carries less per outcome.
	Information float64
	Boundary    float64
}

// MaxSize bounds the planned outcomes of an arm.
const MaxSize = 100_000

// Price is how many times the fixed size the planned one is: what it costs to look after every outcome.
func (p Plan) Price() float64 { return 2 * p.Information / float64(p.Fixed) }

// Total is how many outcomes are planned in both arms.
func (p Plan) Total() int { return p.SizeT + p.SizeC }

// NewPlan says what an aim takes; Invalid with the fields to mend: baseline, effect, alpha, power, split.
func NewPlan(a Aim) (p Plan, err error) {
	var wrong []fault.Field
	within := func(name string, v, from, to float64, msg string) {
		if !(v >= from && v <= to) {
			wrong = append(wrong, fault.Field{Name: name, Msg: msg})
		}
	}
	within("baseline", a.Baseline, 0.02, 0.98, "Enter 2 to 98%.")
	within("effect", a.Effect, 0.01, 0.5, "Enter 1 to 50 points.")
	within("alpha", a.Alpha, 0.001, 0.2, "Enter 0.1 to 20%.")
	within("power", a.Power, 0.5, 0.98, "Enter 50 to 98%.")
	within("split", a.Split, 0.1, 0.9, "Enter 10 to 90%.")
	if len(wrong) == 0 {
		within("effect", a.Baseline+a.Effect, 0, 0.99, "Baseline and effect together must be below 99%.")
	}
	if len(wrong) > 0 {
		return p, fault.WithFields("This can't be planned.", wrong...)
	}
	p = Plan{Aim: a, Boundary: boundaryOf(spent * a.Alpha)}
	fixed := pooledSize(a)
	p.Fixed = int(math.Ceil(fixed))
	z := quantile(1-a.Alpha/2) + quantile(a.Power)
	n := fixed
	for range 10 { // the size is in its own formula, by the number of looks
		drift := driftFor(p.Boundary+discrete/math.Sqrt(2*n), math.Min(a.Power+reserve, 0.995))
		n = fixed * (drift / z) * (drift / z)
	}
	n = math.Ceil(n)
	p.Information = n / 2
	total := p.Information / (a.Split * (1 - a.Split))
	p.SizeT, p.SizeC = int(math.Ceil(total*a.Split-1e-6)), int(math.Ceil(total*(1-a.Split)-1e-6))
	if max(p.SizeT, p.SizeC) > MaxSize {
		return p, fault.Wrong("This needs too many outcomes.", "effect",
			fmt.Sprintf("It would take %d outcomes in an arm; the most is %d. Choose a larger effect.",
				max(p.SizeT, p.SizeC), MaxSize))
	}
	return p, nil
}

// pooledSize is how many outcomes per arm one look needs, as a fraction.
func pooledSize(a Aim) float64 {
	p0, p1 := a.Baseline, a.Baseline+a.Effect
	mean := (p0 + p1) / 2
	root := quantile(1-a.Alpha/2)*math.Sqrt(2*mean*(1-mean)) + quantile(a.Power)*math.Sqrt(p0*(1-p0)+p1*(1-p1))
	return root * root / (a.Effect * a.Effect)
}

// Counts are the outcomes so far: treatment, then control.
type Counts struct {
	N    [2]int
	Good [2]int
}

// Total is how many outcomes there are.
func (c Counts) Total() int { return c.N[0] + c.N[1] }

// information is n_t·n_c/(n_t+n_c).
func (c Counts) information() float64 {
	if c.N[0] == 0 || c.N[1] == 0 {
		return 0
	}
	return float64(c.N[0]) * float64(c.N[1]) / float64(c.N[0]+c.N[1])
}

// Look is what outcomes say at one moment.
type Look struct {
	Effect    float64 // treatment less control, as observed; -1 to 1
	Low, High float64 // interval that holds at every look at once; -1 and 1 while nothing is known
	Progress  float64 // of the planned information, 0 to 1
	Ended     string  // the stop rule that holds: Better, Worse, Futile, Full; "" when none does
}

// NoRise reports whether the effect that is sought is ruled out, whatever else is open.
func (p Plan) NoRise(l Look) bool { return l.Known() && l.High < p.Effect }

// Known reports whether both arms have outcomes.
func (l Look) Known() bool { return l.Progress > 0 }

// Look says what c means under the plan.
func (p Plan) Look(c Counts) Look {
	h := c.information()
	if h == 0 || p.Information <= 0 {
		return Look{Low: -1, High: 1}
	}
	l := Look{Progress: math.Min(1, h/p.Information)}
	l.Effect = share(c.Good[0], c.N[0]) - share(c.Good[1], c.N[1])
	// Agresti and Caffo: a success and a failure more in each arm.
	t, tv := shrunk(c.Good[0], c.N[0])
	k, kv := shrunk(c.Good[1], c.N[1])
	half := p.Boundary * math.Sqrt(tv+kv) / math.Sqrt(l.Progress)
	l.Low, l.High = math.Max(-1, t-k-half), math.Min(1, t-k+half)
	if min(c.N[0], c.N[1]) < leastEach {
		return l
	}
	switch {
	case l.Low > 0:
		l.Ended = Better
	case l.High < 0:
		l.Ended = Worse
	case l.High < p.Effect && l.Low > -p.Effect:
		l.Ended = Futile
	case l.Progress >= 1:
		l.Ended = Full
	}
	return l
}

func share(good, n int) float64 { return float64(good) / float64(n) }

// shrunk is a share with one success and one failure more, and its variance.
func shrunk(good, n int) (p, variance float64) {
	m := float64(n + 2)
	p = float64(good+1) / m
	return p, p * (1 - p) / m
}
