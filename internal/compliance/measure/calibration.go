package measure

import (
	"math"
)

// Scored is a score beside the truth.
type Scored struct {
	Score     float64 // probability of a violation, 0 to 1
	Violation bool
}

// Bin is one bar of a reliability diagram.
type Bin struct {
	From     float64 `json:"from"` // included
	To       float64 `json:"to"`   // not included, but in the last
	Items    int     `json:"items"`
	Said     float64 `json:"said"`     // mean score; 0 without items
	Observed Rate    `json:"observed"` // violations among them
}

// Reliability says how honest probabilities are.
type Reliability struct {
	Bins  []Bin  `json:"bins"`
	ECE   Figure `json:"ece"`   // mean distance of said and observed over the bins, by items
	Brier Figure `json:"brier"` // mean squared distance of score and truth; a coin's 0.5 gives 0.25
}

// Bins is how many bars a reliability diagram has.
const Bins = 10

// NewReliability sorts the scores into Bins bins of equal width. Scores that are no probabilities are left out.
func NewReliability(list []Scored) Reliability {
	said, hits, items := make([]float64, Bins), make([]int, Bins), make([]int, Bins)
	var brier, n float64
	for _, s := range list {
		if !(s.Score >= 0 && s.Score <= 1) {
			continue
		}
		b := min(int(s.Score*Bins), Bins-1)
		said[b] += s.Score
		items[b]++
		d := s.Score
		if s.Violation {
			hits[b]++
			d = 1 - s.Score
		}
		brier += d * d
		n++
	}
	const none = "there are no scores"
	r := Reliability{Bins: make([]Bin, Bins), Brier: share(brier, n, none)}
	off := 0.0
	for b := range r.Bins {
		bin := Bin{From: float64(b) / Bins, To: float64(b+1) / Bins, Items: items[b],
			Observed: NewRate(hits[b], items[b])}
		if items[b] > 0 {
			bin.Said = said[b] / float64(items[b])
			off += math.Abs(said[b] - float64(hits[b]))
		}
		r.Bins[b] = bin
	}
	r.ECE = share(off, n, none)
	return r
}

// Votes says how many independent voices a panel has.
type Votes struct {
	Judges      int    `json:"judges"`
	Pairs       int    `json:"pairs"`       // with a correlation
	Correlation Figure `json:"correlation"` // mean over pairs of the correlation of their errors
	Effective   Figure `json:"effective"`
}

// Error is what a judge did with an item.
type Error int8

// Right is 0, so that a missing answer has to be said.
const (
	Right Error = iota
	Wrong
	Abstained
)

// EffectiveVotes is n/(1+(n-1)ρ), ρ being the mean correlation (phi) of two judges' errors over the items both
// answered: Kish's design effect, as it is used for juries. Judges who err on the same items count as one. It is never
// less than 1, and never more than n: judges who avoid each other's errors are n votes, as more can't be shown from so
// few. A pair is left out when one of the two was always right, or always wrong, as then nothing correlates; without a
// pair there is no figure. errors has a row per judge, all of one length.
func EffectiveVotes(errors [][]Error) Votes {
	v := Votes{Judges: len(errors)}
	sum := 0.0
	for a := range errors {
		for b := range a {
			if rho, ok := phi(errors[a], errors[b]); ok {
				sum += rho
				v.Pairs++
			}
		}
	}
	v.Correlation = share(sum, float64(v.Pairs), "no two judges have errors to compare")
	n := float64(v.Judges)
	switch {
	case v.Judges == 1:
		v.Effective = Figure{Value: 1}
	case !v.Correlation.Defined():
		v.Effective = Figure{Undefined: v.Correlation.Undefined}
	default:
		v.Effective.Value = n
		if d := 1 + (n-1)*v.Correlation.Value; d > 1 {
			v.Effective.Value = max(1, n/d)
		}
	}
	return v
}

// phi is the correlation of two rows of errors; not ok when one of them does not vary.
func phi(a, b []Error) (rho float64, ok bool) {
	var n, x, y, xy float64
	for i := range a {
		if a[i] == Abstained || b[i] == Abstained {
			continue
		}
		n++
		x += float64(a[i])
		y += float64(b[i])
		xy += float64(a[i]) * float64(b[i])
	}
	spread := x * (n - x) * y * (n - y)
	if spread == 0 {
		return 0, false
	}
	return (n*xy - x*y) / math.Sqrt(spread), true
}

// Correlation is Pearson's of two rows of one length.
func Correlation(x, y []float64) Figure {
	n := float64(len(x))
	var mx, my float64
	for i := range x {
		mx += x[i] / n
		my += y[i] / n
	}
	var dx, dy, xx, yy, xy float64
	for i := range x {
		a, b := x[i]-mx, y[i]-my
		dx, dy = dx+a, dy+b
		xx, yy, xy = xx+a*a, yy+b*b, xy+a*b
	}
	// The means are rounded: what the deviations sum to is taken out again, so that a row of one value varies by 0.
	rho := (xy - dx*dy/n) / math.Sqrt((xx-dx*dx/n)*(yy-dy*dy/n))
	if math.IsNaN(rho) || math.IsInf(rho, 0) {
		return Figure{Undefined: "there is nothing that varies"}
	}
	return Figure{Value: rho}
}
