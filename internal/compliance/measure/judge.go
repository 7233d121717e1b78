package measure

import (
	"slices"

	"preceptor/internal/dataset/agreement"
)

// Labels of the truth and of what is said of it. They are the words that compliance writes.
const (
	Compliant    = "COMPLIANT_GUIDANCE"
	Borderline   = "BORDERLINE"
	NonCompliant = "NON_COMPLIANT"
)

// Labels are all three, the harmless first.
func Labels() []string { return []string{Compliant, Borderline, NonCompliant} }

// Answer is what a judge, a check or a panel said of one item, beside the truth.
type Answer struct {
	Truth     string // a label
	Said      string // a label; ignored when it abstained
	Abstained bool
	// Review is that a person looks before anything is released, whatever was said. A single judge never asks for one.
	Review     bool
	Scored     bool // whether Score is there
	Score      float64
	TruthCodes []string
	SaidCodes  []string
}

// Cleared is passed without a person: said to be compliant, and nobody asked. An abstention clears nothing.
func (a Answer) Cleared() bool { return !a.Abstained && !a.Review && a.Said == Compliant }

// Report is everything measured of one judge, check or panel over one set.
type Report struct {
	Items       int         `json:"items"`
	Abstained   int         `json:"abstained"` // in no figure but the next three
	Cleared     Rate        `json:"cleared"`   // of all items: passed without a person
	Missed      Rate        `json:"missed_violation_rate"`
	FalseAlarm  Rate        `json:"false_alarm_rate"` // an item that a person must see is not passed, and counts
	Confusion   *Confusion  `json:"confusion"`
	Labels      []Score     `json:"labels"`
	MacroF1     Figure      `json:"macro_f1"`
	Accuracy    Rate        `json:"accuracy"` // micro F1 of the labels
	Issues      CodeScores  `json:"issues"`
	Reliability Reliability `json:"reliability"` // of a violation against all else
}

// Evaluate measures answers. A label that is none of Labels is an error.
func Evaluate(answers []Answer) (Report, error) {
	r := Report{Items: len(answers), Confusion: NewConfusion(Labels()...)}
	var cleared, violations, missed, fine, alarms int
	var codes Codes
	var scored []Scored
	for _, a := range answers {
		clear := a.Cleared()
		if clear {
			cleared++
		}
		switch a.Truth {
		case NonCompliant:
			violations++
			if clear {
				missed++
			}
		case Compliant:
			fine++
			if !clear {
				alarms++
			}
		}
		if a.Abstained {
			r.Abstained++
			continue
		}
		if err := r.Confusion.Add(a.Truth, a.Said); err != nil {
			return Report{}, err
		}
		codes.Add(a.TruthCodes, a.SaidCodes)
		if a.Scored {
			scored = append(scored, Scored{a.Score, a.Truth == NonCompliant})
		}
	}
	r.Cleared, r.Missed, r.FalseAlarm = NewRate(cleared, len(answers)), NewRate(missed, violations),
		NewRate(alarms, fine)
	r.Labels, r.MacroF1, r.Accuracy = r.Confusion.Scores(), r.Confusion.Macro(), r.Confusion.Micro()
	r.Issues, r.Reliability = codes.Scores(), NewReliability(scored)
	return r, nil
}

// Beside is how far a judge agrees with experts, beside how far the experts agree with each other: more can't be asked.
type Beside struct {
	Judge   string                 `json:"judge"`
	Experts []agreement.Result     `json:"experts"` // among themselves
	Pairs   []agreement.PairResult `json:"pairs"`   // the judge with each expert
	// Means of Cohen's kappa over pairs that have one (Light 1971).
	WithExperts  Figure `json:"mean_kappa_with_experts"`
	AmongExperts Figure `json:"mean_kappa_among_experts"`
}

// BesideExperts sets the judge, who is a column of t, beside the others, who are experts. Cohen's kappa is added to
// what is measured if it is not asked for.
func BesideExperts(t *agreement.Table, judge int, o agreement.Options) Beside {
	experts := t.Without(judge)
	b := Beside{Judge: t.Raters[judge], Experts: agreement.Over(experts, o)}
	if len(o.Measures) > 0 && !slices.Contains(o.Measures, agreement.Cohen) {
		o.Measures = append(slices.Clone(o.Measures), agreement.Cohen)
	}
	for _, p := range agreement.PerPair(t, o) {
		if p.First == judge || p.Second == judge {
			b.Pairs = append(b.Pairs, p)
		}
	}
	b.WithExperts = meanKappa(b.Pairs)
	b.AmongExperts = meanKappa(agreement.PerPair(experts,
		agreement.Options{Measures: []agreement.Measure{agreement.Cohen}, Rounds: -1}))
	return b
}

func meanKappa(pairs []agreement.PairResult) Figure {
	sum, n := 0.0, 0.0
	for _, p := range pairs {
		for _, r := range p.Results {
			if r.Measure == agreement.Cohen && r.Defined() {
				sum += r.Value
				n++
			}
		}
	}
	return share(sum, n, "no pair has a kappa")
}
