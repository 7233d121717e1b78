package main

import (
	"math/rand/v2"

	"preceptor/internal/learning"
)

// Planted principles of the simulation beside those with a true helpfulness.
const (
	inverted = "inverted" // says the opposite: hurts where it applies
	vacuous  = "vacuous"  // sounds good everywhere and changes nothing
)

// planted lists what simulateGate plants, in the order of its table.
var planted = []string{"0.5", "0.6", "0.7", "0.8", "0.9", inverted, vacuous}

// How planted principles behave. The figures are assumptions, chosen before the results were seen.
const (
	invertedHelps = 0.1
	seedCases     = 10   // that the seed tries
	vacuousNod    = 0.95 // how often a reviewer who sees no pair takes a platitude for help
)

// gateFigures is how often each gate lets planted principles in.
type gateFigures struct {
	Seed       uint64             `json:"seed"`
	Principles int                `json:"principles"`   // of each kind
	Cases      int                `json:"cases"`        // that Ours had
	SeedGate   map[string]float64 `json:"seed_gate"`    // the seed's plain 0.7 of 10
	Ours       map[string]float64 `json:"our_gate"`     // accepted
	Waits      map[string]float64 `json:"our_waits"`    // provisional: neither accepted nor rejected, a person sees it
	Rejected   map[string]float64 `json:"our_rejected"` // the rest
	ByCases    []gateOfCases      `json:"by_cases"`     // accepted with other numbers of cases
}

// gateOfCases is what our gate accepts when there are so many cases.
type gateOfCases struct {
	Cases    int                `json:"cases"`
	Accepted map[string]float64 `json:"accepted"`
}

// simulateGate plants n principles of each kind and takes them through the gate that lessons go through, with cases
// telling cases for ours and ten for the seed's. The same seed gives the same figures.
func simulateGate(seed uint64, n, cases int) gateFigures {
	out := gateFigures{Seed: seed, Principles: n, Cases: cases,
		SeedGate: map[string]float64{}, Ours: map[string]float64{}, Waits: map[string]float64{},
		Rejected: map[string]float64{}}
	var ours learning.Policy
	old := learning.Policy{Gate: learning.GateSeed}
	sizes := learning.GateLooks
	for _, size := range sizes {
		out.ByCases = append(out.ByCases, gateOfCases{size, map[string]float64{}})
	}
	one := 1 / float64(n)
	for at, kind := range planted {
		rnd := rand.New(rand.NewPCG(seed, uint64(at)))
		for range n {
			if g := old.Weigh(tests(rnd, kind, seedCases, false), seedCases); g.Valid && !g.Provisional {
				out.SeedGate[kind] += one
			}
			made := tests(rnd, kind, max(cases, sizes[len(sizes)-1]), true)
			switch g := ours.Weigh(made, cases); {
			case !g.Valid:
				out.Rejected[kind] += one
			case g.Provisional:
				out.Waits[kind] += one
			default:
				out.Ours[kind] += one
			}
			for i, size := range sizes {
				if g := ours.Weigh(made, size); g.Valid && !g.Provisional {
					out.ByCases[i].Accepted[kind] += one
				}
			}
		}
	}
	for _, m := range []map[string]float64{out.SeedGate, out.Ours, out.Waits, out.Rejected} {
		tidy(m, n)
	}
	for _, c := range out.ByCases {
		tidy(c.Accepted, n)
	}
	return out
}

// tidy names every kind and takes the rounding out of sums of 1/n.
func tidy(m map[string]float64, n int) {
	for _, kind := range planted {
		m[kind] = float64(int(m[kind]*float64(n)+0.5)) / float64(n)
	}
}

// tests are the case tests of one planted principle: the case that it comes from, and so many exemplars. With pairs the
// draft without the rule is looked at too.
func tests(rnd *rand.Rand, kind string, exemplars int, pairs bool) []learning.CaseTest {
	helps := map[string]float64{"0.5": 0.5, "0.6": 0.6, "0.7": 0.7, "0.8": 0.8, "0.9": 0.9, inverted: invertedHelps,
		vacuous: vacuousNod}[kind]
	out := []learning.CaseTest{{Kind: learning.TestOrigin, Verdict: learning.Helped}}
	for range exemplars {
		verdict := verdictOf(rnd.Float64() < helps)
		if pairs && kind == vacuous {
			verdict = learning.Silent // the draft is as good without it
		}
		out = append(out, learning.CaseTest{Kind: learning.TestExemplar, Verdict: verdict, Fired: true})
	}
	return out
}

func verdictOf(good bool) string {
	if good {
		return learning.Helped
	}
	return learning.Hurt
}
