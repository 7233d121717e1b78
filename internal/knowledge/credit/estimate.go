package credit

import "math"

// Policy holds every threshold of the reckoning.
type Policy struct {
	// a rule whose upper bound falls below this effect is quarantined, as -0.03: three approvals fewer in a hundred
	Line  float64
	Z     float64 // of that bound
	Shown int     // fewer drafts than this condemn nothing
	// after so many decisions in a row the bound must have been there; a walk that only touches the line turns back
	Looks int
}

// DefaultPolicy is set so that in `go run ./tools/simulate credit` hardly ever a good rule is quarantined although each
// is looked at after every decision it had a part in. Asking for three looks in a row costs a harmful rule two
// decisions more and spares most of the good ones that bad luck took across the line once: on 60 tuning seeds (7000 to
// 7059) with good ticks no run of 60 had a good rule quarantined, against 3 with one look, and all six harmful ones
// were found in 98 % of runs either way.
var DefaultPolicy = Policy{Line: -0.03, Z: 3.7, Shown: 10, Looks: 3}

// The constants of the reckoning. They were set on the simulation with seeds other than those it is reported on.
const (
	taskPrior  = 6.0  // decisions that the agent's own rate is worth when a task's is estimated
	effectSD   = 0.12 // how far effects of rules lie apart; with a noise of 0.2 a prior worth fourteen decisions
	leastNoise = 0.06 // variance of an outcome where nearly everything is approved
	mostOthers = 0.5  // no company that an item kept explains more than this
	intervalZ  = 1.96 // two-sided 95%, as shown

	tickHarm    = 0.2  // the effect of an item that people rightly say misled
	mostTick    = 25.0 // log likelihood ratio that ticks can add up to
	checkPrior  = 2.0  // planted checks that the prior of a tick rate is worth
	checkRate   = 0.2  // that prior; the same for hits and false ticks, so that unmeasured ticks weigh nothing
	checkDoubt  = 1.5  // how much the uncertainty of both rates takes from the weight of ticks
	personPrior = 10.0 // planted checks that everybody's rate is worth beside a person's own
)

// cell is what is known of an item in one task of one agent, with the task's own figures.
type cell struct {
	shown, approved int
	others          float64 // summed over those drafts
	decided, passed int     // of the task: all, and approved
	typical         float64 // the agent's rate over all tasks
}

// base is the approval rate of the task's drafts that were not shown the item.
func (c cell) base() float64 {
	return (float64(c.passed-c.approved) + taskPrior*c.typical) / (float64(c.decided-c.shown) + taskPrior)
}

// controls is how many decisions base rests on: where an item is shown on every draft of a task there is nothing to set
// it against but the agent's other tasks, and little can be said.
func (c cell) controls() float64 { return float64(c.decided-c.shown) + taskPrior }

// asked is how often one person was asked about an item, and how often they ticked it.
type asked struct {
	times, ticked int
	quality       quality
}

// quality is how a person ticks, and how far that is known: from 0, not at all, to 1.
type quality struct{ hit, false, trust float64 }

// Estimate is an item's effect on the chance that a draft goes out unchanged, from -1 to 1, with its 95 % interval.
type Estimate struct {
	Effect, Low, High float64
	Shown, Approved   int
	Expected          float64 // of Shown, how many would have been approved without it
	// approvals that were not to be expected, and refusals that were not; equal when it does nothing
	Helpful, Harmful float64
	Asked, Misled    int     // ticks
	Ticks            float64 // what they say, as a log likelihood ratio of misleading; 0 when they can't be weighed

	sd float64
}

// bound is the end of the interval at z standard deviations.
func (e Estimate) bound(z float64) float64 { return e.Effect + z*e.sd }

// Below reports whether the item is surely below the policy's line.
func (e Estimate) Below(p Policy) bool { return e.Shown >= p.Shown && e.bound(p.Z) < p.Line }

// estimate reckons up an item's cells and ticks.
func estimate(cells []cell, ticks []asked) Estimate {
	var e Estimate
	weight, sum := 1/(effectSD*effectSD), 0.0
	for _, c := range cells {
		b, n := c.base(), float64(c.shown)
		noise := max(b*(1-b), leastNoise)
		if n > 0 {
			w := 1 / (noise/n + b*(1-b)/c.controls())
			weight += w
			sum += w * (float64(c.approved) - n*b - c.others) / n
		}
		e.Shown += c.shown
		e.Approved += c.approved
		e.Expected += n * b
		e.Helpful += float64(c.approved) * (1 - b)
		e.Harmful += float64(c.shown-c.approved) * b
	}
	for _, a := range ticks {
		e.Asked += a.times
		e.Misled += a.ticked
		e.Ticks += a.says()
	}
	e.Ticks = min(mostTick, max(-mostTick, e.Ticks))
	w, s := tickEvidence(e.Ticks)
	weight, sum = weight+w, sum+s
	// what company explains can take the sum past the ends
	e.Effect, e.sd = min(1, max(-1, sum/weight)), math.Sqrt(1/weight)
	e.Low, e.High = max(-1, e.bound(-intervalZ)), min(1, e.bound(intervalZ))
	return e
}

// says is the log of how much likelier these ticks are if the item misleads than if it does not, as far as that can be
// said.
func (a asked) says() float64 {
	q := a.quality
	if q.trust <= 0 {
		return 0
	}
	return q.trust * (float64(a.ticked)*math.Log(q.hit/q.false) +
		float64(a.times-a.ticked)*math.Log((1-q.hit)/(1-q.false)))
}

// tickEvidence turns a log likelihood ratio into an observation of the effect, of a weight and with a weighted sum,
// that says the same between harm of tickHarm and none: one at -tickHarm where ticks speak for harm, one at 0 where
// they speak against.
func tickEvidence(ratio float64) (weight, sum float64) {
	weight = 2 * math.Abs(ratio) / (tickHarm * tickHarm)
	if ratio > 0 {
		sum = -tickHarm * weight
	}
	return weight, sum
}

// counter is what planted checks found of one person, or of all.
type counter struct{ hits, misleading, falses, harmless int }

// qualityOf is a person's, among everybody's. Its trust is a James-Stein factor: a difference between the two rates
// that is small beside its own uncertainty is taken for none, so that sloppy ticks can't do worse than no ticks.
func qualityOf(one, all counter) quality {
	h, hv := tickRate(one.hits, one.misleading, all.hits, all.misleading)
	f, fv := tickRate(one.falses, one.harmless, all.falses, all.harmless)
	q := quality{hit: h, false: f}
	if h > f {
		q.trust = max(0, 1-checkDoubt*(hv+fv)/((h-f)*(h-f)))
	}
	return q
}

// tickRate is the rate at which a person ticked k of n planted items, shrunk towards that of all, and its variance.
func tickRate(k, n, allK, allN int) (mean, variance float64) {
	common := (checkPrior*checkRate + float64(allK)) / (checkPrior + float64(allN))
	lent := min(personPrior, checkPrior+float64(allN-n)) // nobody is shrunk towards themselves
	mean = (float64(k) + lent*common) / (float64(n) + lent)
	return mean, mean * (1 - mean) / (float64(n) + lent + 1)
}
