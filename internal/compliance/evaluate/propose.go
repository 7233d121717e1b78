package evaluate

import (
	"math"
	"strings"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/measure"
	"preceptor/internal/dataset/version"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
)

// DefaultAim is the risk of a proposal that nobody asked for: at most 5 % of violations missed, with 95 % confidence in
// the calibration split.
var DefaultAim = measure.Aim{Alpha: 0.05, Delta: 0.05}

// How many items and violations a fit takes before an isotonic curve is preferred to a logistic one.
const (
	isotonicItems      = 200
	isotonicViolations = 50
)

// Content is what a threshold says.
type Content struct {
	Threshold    measure.Threshold              `json:"threshold"`
	Method       string                         `json:"method"`
	Calibrations map[string]measure.Calibration `json:"calibrations"` // by judge
	Fitted       Part                           `json:"fitted"`       // on the split train
	Certified    Part                           `json:"certified"`    // on accept
	Tested       measure.Outcome                `json:"tested"`       // on test
	// of those that the panel does not clear, stopped by the checks before anybody is asked
	ByChecks    int                    `json:"by_checks"`
	Calibration map[string]Calibration `json:"honesty"` // by judge, on test
}

// Part is how large a split was.
type Part struct {
	Items      int `json:"items"`
	Violations int `json:"violations"`
}

// Calibration is a judge's calibration error before and after, on the test split.
type Calibration struct {
	Before measure.Figure `json:"ece_before"`
	After  measure.Figure `json:"ece_after"`
}

// Line is the outcome in a sentence, as measure.Tested says it.
func (c Content) Line() string { return c.Tested.Line(c.Threshold.Alpha) }

// calibrate is a judge's probability of a violation as it was measured to mean.
func (c Content) calibrate(judge string, p float64) float64 {
	if cal, ok := c.Calibrations[judge]; ok {
		return cal.Apply(p)
	}
	return p
}

// propose fits calibrations and certifies a threshold from answers. method is measure.Isotonic, measure.Platt or "",
// which takes what the number of items bears. Invalid when the splits are missing or hold too little.
func propose(answered []Answered, aim measure.Aim, method string) (*Content, error) {
	if err := aim.Check(); err != nil {
		return nil, err
	}
	by := map[string][]Answered{}
	for _, a := range answered {
		by[a.Split] = append(by[a.Split], a)
	}
	for _, split := range version.Splits {
		if len(by[split]) == 0 {
			return nil, fault.New(fault.Invalid,
				"A threshold needs a run over all three splits. This one has nothing from the %s split.", split)
		}
	}
	c := &Content{Method: method, Calibrations: map[string]measure.Calibration{}, Calibration: map[string]Calibration{},
		Fitted: partOf(by[version.Train]), Certified: partOf(by[version.Accept])}
	if c.Method == "" {
		c.Method = measure.Platt
		if c.Fitted.Items >= isotonicItems && c.Fitted.Violations >= isotonicViolations {
			c.Method = measure.Isotonic
		}
	}
	if err := c.fit(by[version.Train]); err != nil {
		return nil, err
	}
	t, err := measure.Certify(c.cases(by[version.Accept]), aim)
	if err != nil {
		return nil, err
	}
	c.Threshold, c.Tested = t, t.Try(c.cases(by[version.Test]))
	for _, a := range by[version.Test] {
		if s := a.of(Checks); s != nil && s.Label == measure.NonCompliant {
			c.ByChecks++
		}
	}
	for judge, cal := range c.Calibrations {
		before := scored(by[version.Test], judge)
		after := lists.Map(before, func(s measure.Scored) measure.Scored {
			return measure.Scored{Score: cal.Apply(s.Score), Violation: s.Violation}
		})
		c.Calibration[judge] = Calibration{measure.NewReliability(before).ECE, measure.NewReliability(after).ECE}
	}
	return c, nil
}

func (c *Content) fit(train []Answered) error {
	judges := map[string]bool{}
	for _, a := range train {
		for _, s := range a.Said {
			if name, ok := strings.CutPrefix(s.Who, voicePrefix); ok {
				judges[name] = true
			}
		}
	}
	if len(judges) == 0 {
		return fault.New(fault.Invalid, "The panel has no judges, so there is no threshold to calibrate.")
	}
	for name := range judges {
		cal, err := measure.Fit(c.Method, scored(train, name))
		if err != nil {
			return fault.New(fault.Invalid, "%s can't be calibrated: %s", name, fault.Message(err))
		}
		c.Calibrations[name] = cal
	}
	return nil
}

func scored(list []Answered, judge string) (out []measure.Scored) {
	for _, a := range list {
		if s := a.of(voicePrefix + judge); s != nil && s.Violation >= 0 {
			out = append(out, measure.Scored{Score: s.Violation, Violation: a.Truth == measure.NonCompliant})
		}
	}
	return out
}

func (a Answered) of(who string) *Said {
	for i := range a.Said {
		if a.Said[i].Who == who {
			return &a.Said[i]
		}
	}
	return nil
}

func partOf(list []Answered) (p Part) {
	p.Items = len(list)
	for _, a := range list {
		if a.Truth == measure.NonCompliant {
			p.Violations++
		}
	}
	return p
}

// cases are items with the score that routing would compare with a threshold.
func (c *Content) cases(list []Answered) []measure.Case {
	return lists.Map(list, func(a Answered) measure.Case {
		return measure.Case{Score: c.score(a), Violation: a.Truth == measure.NonCompliant, Family: a.Family}
	})
}

// score is the mean of the voices' calibrated probabilities. What the panel does not call compliant is cleared at no
// threshold, and neither is what too few judges answered, or what one of them fails or is sure about: its score is no
// number.
func (c *Content) score(a Answered) float64 {
	panel := a.of(WholePanel)
	if panel == nil || panel.Label != measure.Compliant || panel.Violation < 0 {
		return math.NaN()
	}
	sum, n := 0.0, 0
	for _, s := range a.Said {
		if _, ok := JudgeName(s.Who); ok && s.Violation >= compliance.SureFrom {
			return math.NaN()
		}
		if name, ok := strings.CutPrefix(s.Who, voicePrefix); ok && s.Violation >= 0 {
			if s.Label != measure.Compliant {
				return math.NaN()
			}
			sum += c.calibrate(name, s.Violation)
			n++
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return sum / float64(n)
}
