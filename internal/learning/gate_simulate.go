package learning

import (
	"math/rand/v2"
)

// Planted principles of the simulation beside those with a true helpfulness.
const (
	Inverted = "inverted" // says the opposite: hurts where it applies
	Vacuous  = "vacuous"  // sounds good everywhere and changes nothing
)

// PlantedPrinciples lists what SimulateGate plants, in the order of its table.
var PlantedPrinciples = []string{"0.5", "0.6", "0.7", "0.8", "0.9", Inverted, Vacuous}

// How planted principles behave. The figures are assumptions, chosen before the results were seen.
const (
	invertedHelps = 0.1
	vacuousNod    = 0.95 // how often a reviewer who sees no pair takes a platitude for help
)

// GateSimulation is how often each gate lets planted principles in.
type GateSimulation struct {
	Seed       uint64                  `json:"seed"`
	Principles int                     `json:"principles"`   // of each kind
	Cases      int                     `json:"cases"`        // that Ours had
	SeedGate   map[string]float64      `json:"seed_gate"`    // the seed's plain 0.7 of 10
	Ours       map[string]float64      `json:"our_gate"`     // accepted
	Waits      map[string]float64      `json:"our_waits"`    // provisional: neither accepted nor rejected, a person sees it
	Rejected   map[string]float64      `json:"our_rejected"` // the rest
	ByCases    []GateSimulationOfCases `json:"by_cases"`     // accepted with other numbers of cases
}

// GateSimulationOfCases is what our gate accepts when there are so many cases.
type GateSimulationOfCases struct {
	Cases    int                `json:"cases"`
	Accepted map[string]float64 `json:"accepted"`
}

// SimulateGate plants n principles of each kind and takes them through the gate that lessons go through, with cases telling
// cases for ours and ten for the seed's. The same seed gives the same figures.
func SimulateGate(seed uint64, n, cases int) GateSimulation {
	out := GateSimulation{Seed: seed, Principles: n, Cases: cases,
		SeedGate: map[string]float64{}, Ours: map[string]float64{}, Waits: map[string]float64{}, Rejected: map[string]float64{}}
	old, ours := Policy{Gate: GateSeed}.withDefaults(), Policy{}.withDefaults()
	sizes := gateLooks
	for _, size := range sizes {
		out.ByCases = append(out.ByCases, GateSimulationOfCases{size, map[string]float64{}})
	}
	one := 1 / float64(n)
	for at, kind := range PlantedPrinciples {
		rnd := rand.New(rand.NewPCG(seed, uint64(at)))
		for range n {
			if g := old.gate(tests(rnd, kind, old.Exemplars, false)); g.Valid && !g.Provisional {
				out.SeedGate[kind] += one
			}
			made := tests(rnd, kind, max(cases, sizes[len(sizes)-1]), true)
			switch g := ours.sequential(made, cases); {
			case !g.Valid:
				out.Rejected[kind] += one
			case g.Provisional:
				out.Waits[kind] += one
			default:
				out.Ours[kind] += one
			}
			for i, size := range sizes {
				if g := ours.sequential(made, size); g.Valid && !g.Provisional {
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
	for _, kind := range PlantedPrinciples {
		m[kind] = float64(int(m[kind]*float64(n)+0.5)) / float64(n)
	}
}

// sequential is the gate as lessons meet it: case after case, until it is settled or there are no more.
func (p Policy) sequential(made []CaseTest, most int) Gate {
	g, telling := p.gate(nil), 0
	for i, t := range made {
		if t.Kind == TestExemplar {
			if g.settled() || telling == most {
				break
			}
			telling++
		}
		g = p.gate(made[:i+1])
	}
	return g
}

// tests are the case tests of one planted principle: the case that it comes from, and so many exemplars. With pairs the draft without
// the rule is looked at too.
func tests(rnd *rand.Rand, kind string, exemplars int, pairs bool) []CaseTest {
	helps := map[string]float64{"0.5": 0.5, "0.6": 0.6, "0.7": 0.7, "0.8": 0.8, "0.9": 0.9, Inverted: invertedHelps, Vacuous: vacuousNod}[kind]
	out := []CaseTest{{Kind: TestOrigin, Verdict: Helped}}
	for range exemplars {
		verdict := verdictOf(rnd.Float64() < helps)
		if pairs && kind == Vacuous {
			verdict = Silent // the draft is as good without it
		}
		out = append(out, CaseTest{Kind: TestExemplar, Verdict: verdict, Fired: true})
	}
	return out
}

func verdictOf(good bool) string {
	if good {
		return Helped
	}
	return Hurt
}
