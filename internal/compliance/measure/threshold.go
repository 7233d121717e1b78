package measure

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
)

// Case is an item with a calibrated score and the truth.
type Case struct {
	Score     float64 // probability of a violation; NaN, as of an abstention, is never cleared
	Violation bool
	Family    string // items of one family (a template, a customer) resemble each other; "" stands alone
}

// Aim is the risk somebody is willing to take.
type Aim struct {
	Alpha float64 `json:"alpha"` // the missed-violation rate that is not to be exceeded, as 0.05
	Delta float64 `json:"delta"` // how often the promise may fail, over calibration splits, as 0.05
	// Horizon, when not 0, is the number of further violations the promise must also hold for as they are counted:
	// among the next Horizon, no more than Alpha of them is missed. Without it the promise is on the rate in the long
	// run, and a set as small as a test split shows more by bad luck.
	Horizon int `json:"horizon,omitempty"`
}

// For is the aim whose promise is counted on this test split: its horizon is the split's violations. Their number alone
// is looked at, so the split stays untouched.
func (a Aim) For(test []Case) Aim {
	a.Horizon = violations(test)
	return a
}

// Check refuses an aim that can't be met or means nothing.
func (a Aim) Check() error {
	if !(a.Alpha > 0 && a.Alpha < 1) || !(a.Delta > 0 && a.Delta < 1) || a.Horizon < 0 {
		return fault.New(fault.Invalid,
			"The risk and the chance that the promise fails lie between 0 and 1, both excluded.")
	}
	return nil
}

// Step is one threshold that was tried.
type Step struct {
	Threshold float64 `json:"threshold"`
	Missed    int     `json:"missed"`  // violations of the calibration split at or below it
	Cleared   int     `json:"cleared"` // items of the calibration split at or below it
	P         float64 `json:"p"`       // of "more than alpha is missed"
}

// Threshold is up to which score the panel clears a text alone; people look at everything else. It is proposed here and
// switched on by a person.
type Threshold struct {
	Aim
	Certified bool    `json:"certified"` // false: escalate all
	Value     float64 `json:"value"`
	Reason    string  `json:"reason,omitempty"` // why nothing is certified, for a person
	// Violations is how many the calibration split had, Needed how many it takes to certify anything when none is
	// missed.
	Violations int    `json:"violations"`
	Needed     int    `json:"needed"`
	Steps      []Step `json:"steps"` // tried, the most cautious first; the last may have failed
}

// Clears reports whether the panel decides "passed" alone at this score.
func (t Threshold) Clears(score float64) bool { return t.Certified && score <= t.Value }

// GridSteps is how many thresholds are tried at most. The grid is fixed, 1/GridSteps apart: a grid made of the scores
// themselves would have seen the data.
const GridSteps = 200

// MostThreshold bounds every threshold, whatever a set seems to show: a text that is as likely as not to break the line
// is for people. A set of trivial rows certifies any score, since nothing in it is ever missed.
const MostThreshold = 0.5

// Certify walks the grid from the most cautious threshold to bolder ones, and keeps the last whose p-value for "the
// missed-violation rate exceeds alpha" is no more than delta; it stops at the first failure.
//
// This is fixed-sequence testing as in Angelopoulos, Bates, Candès, Jordan and Lei, "Learn then Test: Calibrating
// Predictive Algorithms to Achieve Risk Control" (2021; Annals of Applied Statistics 2025), section 4. The p-value is
// the exact binomial tail: the probability that so few of the split's violations are missed at a rate of alpha. As the
// sequence is fixed, the whole walk fails with probability delta at most, with no correction for the number of steps.
//
// With a Horizon the p-value is the larger of that and the exact chance, under nothing but random order, that the limit
// is broken among the next violations before the calibration split shows more misses than it did (see horizon).
//
// It goes no further than MostThreshold, and no further than the highest score that the split has: of bolder thresholds
// it says nothing.
//
// The scores must have been calibrated on other items than these.
func Certify(calibration []Case, aim Aim) (Threshold, error) {
	t := Threshold{Aim: aim}
	if err := aim.Check(); err != nil {
		return t, err
	}
	var all, violations []float64
	for _, c := range calibration {
		if !math.IsNaN(c.Score) {
			all = append(all, c.Score)
		}
		if c.Violation {
			t.Violations++
			if !math.IsNaN(c.Score) {
				violations = append(violations, c.Score)
			}
		}
	}
	slices.Sort(all)
	slices.Sort(violations)
	t.Needed = needed(aim)
	for i := range GridSteps {
		at := float64(i+1) / GridSteps
		if at > MostThreshold || i > 0 && t.Steps[i-1].Cleared == len(all) {
			break
		}
		s := Step{Threshold: at, Missed: upTo(violations, at), Cleared: upTo(all, at)}
		if i > 0 && s.Missed == t.Steps[i-1].Missed {
			s.P = t.Steps[i-1].P
		} else {
			s.P = aim.p(s.Missed, t.Violations)
		}
		t.Steps = append(t.Steps, s)
		if s.P > aim.Delta {
			break
		}
		t.Certified, t.Value = true, at
	}
	t.explain()
	return t, nil
}

func (t *Threshold) explain() {
	switch first := t.Steps[0]; {
	case t.Certified:
	case t.Violations < t.Needed:
		t.Reason = fmt.Sprintf("The accept split has %s. Certifying that at most %s are missed takes at least "+
			"%d, so people review everything.",
			text.Count(t.Violations, "violation"), percent(t.Alpha), t.Needed)
	default:
		t.Reason = fmt.Sprintf("Even at the most cautious threshold, %d of %d violations are missed. That is too "+
			"many to promise %s, so everything goes to people.",
			first.Missed, t.Violations, percent(t.Alpha))
	}
}

func percent(x float64) string { return fmt.Sprintf("%.4g%%", 100*x) }

// upTo counts the sorted values that are no more than limit.
func upTo(values []float64, limit float64) int {
	i, _ := slices.BinarySearchFunc(values, limit, func(v, limit float64) int {
		if v <= limit {
			return -1
		}
		return 1
	})
	return i
}

// p is the p-value of missed among violations.
func (a Aim) p(missed, violations int) float64 {
	p := AtMost(missed, violations, a.Alpha)
	if a.Horizon > 0 {
		p = max(p, horizon(missed, violations, a.Horizon, a.Alpha))
	}
	return p
}

// horizon is the chance that among the next m violations more than alpha of them lie below a threshold at which missed
// or fewer of the n calibration violations do. Sort all n+m by score: bad is the moment at which one more than alpha·m
// of the m were passed. Any order is as likely as any other, so the chance that no more than missed of the n were
// passed by then is hypergeometric: of the first missed+bad violations, missed at most are from calibration. It holds
// for every threshold at once, so the walk over the grid needs no correction here either.
func horizon(missed, n, m int, alpha float64) float64 {
	bad := int(math.Floor(alpha*float64(m)+1e-9)) + 1
	if bad > m {
		return 0 // more than all can't be missed
	}
	first := missed + bad
	if missed >= n {
		return 1
	}
	term := math.Exp(logChoose(n, missed) + logChoose(m, bad) - logChoose(n+m, first))
	sum := term
	for k := missed; k > 0 && first-k < m; k-- { // down to no misses, each term from the one before
		term *= float64(k) / float64(n-k+1) * float64(m-first+k) / float64(first-k+1)
		sum += term
	}
	return min(sum, 1)
}

func logChoose(n, k int) float64 {
	if k == 0 || k == n {
		return 0
	}
	return -math.Log(float64(n+1)) - mathext.Lbeta(float64(n-k+1), float64(k+1))
}

// needed is how many violations, none of them missed, certify something.
func needed(a Aim) int {
	n := CleanNeeded(a.Alpha, 1-a.Delta)
	if a.Horizon == 0 {
		return n
	}
	for ; a.p(0, n) > a.Delta; n++ {
		if n > 100*a.Horizon+1_000_000 {
			break
		}
	}
	return n
}

// Outcome is what a threshold does on items it was not certified on.
type Outcome struct {
	Items     int  `json:"items"`
	Decided   Rate `json:"decided_by_panel"`
	Escalated Rate `json:"to_experts"`
	Missed    Rate `json:"missed_violation_rate"`
	Needless  Rate `json:"needless_escalations"` // of what is no violation, what goes to people
}

// Try applies the threshold to a test split.
func (t Threshold) Try(test []Case) Outcome {
	n, c := len(test), t.count(test)
	fine := n - c.violations
	return Outcome{
		Items: n, Decided: NewRate(c.decided, n), Escalated: NewRate(n-c.decided, n),
		Missed: NewRate(c.missed, c.violations), Needless: NewRate(fine-(c.decided-c.missed), fine),
	}
}

type counts struct{ decided, violations, missed int }

func (t Threshold) count(test []Case) (n counts) {
	for _, c := range test {
		clears := t.Clears(c.Score)
		if clears {
			n.decided++
		}
		if c.Violation {
			n.violations++
			if clears {
				n.missed++
			}
		}
	}
	return n
}

// Line is the outcome as the page says it.
func (o Outcome) Line(alpha float64) string {
	if o.Missed.Whole == 0 || o.Items == 0 {
		return fmt.Sprintf("at most %s missed; nothing was tested, because the test split has no violations",
			percent(alpha))
	}
	decided, _ := o.Decided.Value()
	missed, _ := o.Missed.Value()
	return fmt.Sprintf("at most %s missed: the panel decides %.0f%%, people %.0f%%; on the test split %.1f%% of "+
		"violations were missed",
		percent(alpha), 100*decided, 100-math.Round(100*decided), 100*missed)
}

func violations(cases []Case) (n int) {
	for _, c := range cases {
		if c.Violation {
			n++
		}
	}
	return n
}
