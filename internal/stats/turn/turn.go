// Package turn finds the stretch of days in which a share was not what it was otherwise, and which part of the whole
// made it so. It is pure: counts go in, days come out.
//
// How. Every stretch of neighbouring days is set against all days outside it by the likelihood ratio of one share
// against two (twice the log of it, which chance makes a chi-square with one degree of freedom). The stretch with the
// largest ratio is named when the ratio is beyond what the largest of so many stretches reaches by chance: a line that
// was fitted to simulated days without a turn, where at most one series in two hundred passes it (the test does that
// again). Circular binary segmentation (Olshen and Venkatraman 2004) is the same search.
//
// Which part made it: the share within the stretch less that outside is a sum over the parts (topics, agents), each
// with its weight times how far it lies from the share outside. So a part counts both when it got worse and when there
// is more of it and it is worse than the rest, and the parts add up to the whole.
//
// What it decided against: naming every stretch that differs (one finding a chart is what a person can follow up; the
// next is found when the first is out of the range), and moving averages (they move the day on which it began).
package turn

import (
	"math"

	"preceptor/internal/platform/estimate"
)

// Count is part of whole: positive votes of all, approvals of decisions.
type Count struct{ Part, Whole int }

func (c Count) plus(o Count) Count  { return Count{c.Part + o.Part, c.Whole + o.Whole} }
func (c Count) minus(o Count) Count { return Count{c.Part - o.Part, c.Whole - o.Whole} }

// Share is part over whole; 0 of nothing.
func (c Count) Share() float64 {
	if c.Whole == 0 {
		return 0
	}
	return float64(c.Part) / float64(c.Whole)
}

// Turn is a stretch of places, from From up to and without To.
type Turn struct {
	From, To int
	In, Out  Count   // within and outside
	Ratio    float64 // of likelihoods, twice its log
}

// Change is the share within less that outside.
func (t Turn) Change() float64 { return t.In.Share() - t.Out.Share() }

// Few is below how many nothing is said, within and outside.
const Few = estimate.Few

// line is what the ratio has to pass among n places. With it at most one list of series in two hundred without a turn
// has one.
func line(n, series int) float64 { return 10.4 + 2*math.Log(float64(max(n, 2)*series)) }

// Find gives the stretch that differs most from the others, in one of as many series as a sentence may name one of; ok
// is false when chance explains it. A stretch that lasts from the first place is told as the one that begins where it
// ends: what was before is what things are measured by.
func Find(days []Count, series int) (best Turn, ok bool) {
	n := len(days)
	sums := make([]Count, n+1)
	for i, d := range days {
		sums[i+1] = sums[i].plus(d)
	}
	all := sums[n]
	for from := 1; from < n; from++ {
		if days[from].Whole == 0 {
			continue // begins with its first vote
		}
		for to := from + 1; to <= n; to++ {
			if days[to-1].Whole == 0 && to < n {
				continue // ends with its last
			}
			in := sums[to].minus(sums[from])
			out := all.minus(in)
			if in.Whole < Few || out.Whole < Few {
				continue
			}
			if r := ratio(in, out); r > best.Ratio {
				best = Turn{From: from, To: to, In: in, Out: out, Ratio: r}
			}
		}
	}
	return best, best.Ratio > line(n, series)
}

// ratio is twice the log of the likelihood of two shares over that of one.
func ratio(a, b Count) float64 {
	return 2 * (fit(a) + fit(b) - fit(a.plus(b)))
}

// fit is the log likelihood of a count under its own share.
func fit(c Count) float64 {
	k, n := float64(c.Part), float64(c.Whole)
	return xlog(k, n) + xlog(n-k, n)
}

func xlog(k, n float64) float64 {
	if k <= 0 || n <= 0 {
		return 0
	}
	return k * math.Log(k/n)
}

// Part is one part of the whole, with the same places.
type Part struct {
	Days []Count
}

// Blame is how much of a turn one part makes.
type Blame struct {
	Part  int     // index
	Of    float64 // of the change, as a share: 0.6 is three fifths; above 1 when other parts went the other way
	In    Count   // of the part, within the turn
	Out   Count
	Holds bool // at least half of the change
}

// Cause gives the part that makes most of the turn. ok is false when there are no parts.
func Cause(t Turn, parts []Part) (worst Blame, ok bool) {
	change, base := t.Change(), t.Out.Share()
	if change == 0 || t.In.Whole == 0 || t.Out.Whole == 0 {
		return worst, false
	}
	for i, p := range parts {
		b := Blame{Part: i}
		for day, c := range p.Days {
			if day >= t.From && day < t.To {
				b.In = b.In.plus(c)
			} else {
				b.Out = b.Out.plus(c)
			}
		}
		in := float64(b.In.Whole) / float64(t.In.Whole) * (b.In.Share() - base)
		out := float64(b.Out.Whole) / float64(t.Out.Whole) * (b.Out.Share() - base)
		b.Of = (in - out) / change
		b.Holds = b.Of >= 0.5
		if !ok || b.Of > worst.Of {
			worst, ok = b, true
		}
	}
	return worst, ok
}
