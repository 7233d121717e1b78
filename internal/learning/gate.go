package learning

import (
	"fmt"

	"preceptor/internal/platform/estimate"
)

// The gate: what case tests must add up to before a principle counts as tried. Every figure of it stands here.
//
// Seed 000 ("Step 2: Validation") accepts 7 of 10, which a principle that helps in half of all cases reaches 17 times
// in a hundred. Ours asks how good the principle surely is: the one-sided 95 % Wilson lower bound of its helpful share
// has to reach the same 0.7. It looks at fixed numbers of cases only, because a bound that is read after every case is
// passed by luck sooner or later. Below the first of them nothing is settled either way: contrary cases weigh, and none
// vetoes what a person stated.
const gateThreshold = 0.7

// surely is the lower bound of a helpful share.
func surely(helpful, tried int) float64 {
	lower, _ := estimate.Wilson(helpful, tried, estimate.Z95Sided)
	return lower
}

// GateLooks are the numbers of telling cases at which the bound is read: 10 of 10, 18 of 20, 26 of 30 or 41 of 50 pass.
var GateLooks = []int{10, 20, 30, 50}

// Gates to choose from. GateSeed is the seed's plain share, for comparison.
const (
	GateWilson = "wilson"
	GateSeed   = "seed"
)

// Most telling cases that a principle is tried on under each gate. Cases that say nothing don't use them up; mostAsked
// bounds how many are asked about in one go, so that a principle that no case speaks of does not cost a question for
// each.
const (
	mostAsked = 150

	wilsonExemplars = 50
	seedExemplars   = 10
)

// Gate is what the case tests add up to. Valid without Provisional is accepted; Valid and Provisional goes on, marked,
// until more cases settle it; not Valid is rejected.
type Gate struct {
	Kind        string  `json:"kind,omitempty"` // GateWilson or GateSeed; empty in steps from before there was a choice
	Valid       bool    `json:"valid"`
	Helpful     int     `json:"helpful"`
	Tried       int     `json:"tried"`
	Silent      int     `json:"silent"`
	Held        int     `json:"held,omitempty"` // of steps from before statements
	MustNotFire int     `json:"must_not_fire,omitempty"`
	Lower       float64 `json:"lower"` // one-sided 95% bounds of the helpful share; 0 and 1 without a case
	Upper       float64 `json:"upper"`
	Confidence  float64 `json:"confidence"`
	Provisional bool    `json:"provisional"`
	Why         string  `json:"why"`
}

// settled reports whether more exemplars can't change what the gate says.
func (g Gate) settled() bool {
	if g.Kind == GateSeed {
		return g.Tried >= seedExemplars // the seed tries all ten
	}
	return !g.Valid || !g.Provisional
}

// gate decides on case tests in the order in which they were made. Only cases that speak for or against are counted.
// The confidence of a provisional rule is the share shrunk towards one half, with the corrected case counted once on
// its side.
func (p Policy) gate(tests []CaseTest) Gate {
	g := Gate{Kind: p.Gate}
	passed := false
	for _, t := range tests {
		switch {
		case t.Kind != TestExemplar: // the corrected case is what the rule was made of
		case t.Verdict == Silent:
			g.Silent++
		default:
			g.Tried++
			if t.Verdict == Helped {
				g.Helpful++
			}
			passed = passed || isLook(g.Tried) && surely(g.Helpful, g.Tried) >= p.Threshold
		}
	}
	g.Lower, g.Upper = estimate.Wilson(g.Helpful, g.Tried, estimate.Z95Sided)
	enough := p.mayStillHelp(&g, passed)
	g.Confidence = float64(g.Helpful+2) / float64(g.Tried+3)
	if !g.Provisional {
		g.Confidence = float64(g.Helpful) / float64(g.Tried)
	}
	g.Valid = enough
	g.Why = g.explain(p)
	return g
}

// mayStillHelp reports whether the cases leave the principle its chance, and sets whether it is provisional. Under the
// Wilson gate only a share that is surely too low ends it, on ten cases or more; under the seed's any share below the
// threshold does.
func (p Policy) mayStillHelp(g *Gate, passed bool) bool {
	if p.Gate == GateSeed {
		g.Provisional = g.Tried < p.Exemplars
		return float64(g.Helpful) >= p.Threshold*float64(g.Tried)-1e-9
	}
	g.Provisional = !passed
	return g.Upper >= p.Threshold || g.Tried < GateLooks[0]
}

// Weigh is the gate as lessons meet it: case after case, until it is settled, has had the most telling ones, or there
// are no more.
func (p Policy) Weigh(made []CaseTest, most int) Gate {
	p = p.withDefaults()
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

func isLook(n int) bool {
	for _, look := range GateLooks {
		if n == look {
			return true
		}
	}
	last := GateLooks[len(GateLooks)-1]
	return n > last && n%last == 0
}

func (g Gate) explain(p Policy) string {
	switch {
	case !g.Valid:
		return fmt.Sprintf("it helped in %d of %d cases, and %.0f%% is required.", g.Helpful, g.Tried, p.Threshold*100)
	case g.Tried == 0:
		return "Unproven: no released text for a matching customer supports or contradicts it yet."
	}
	s := fmt.Sprintf("%d of %d cases", g.Helpful, g.Tried)
	switch {
	case p.Gate == GateSeed && g.Provisional:
		s += fmt.Sprintf("; unproven: fewer than %d cases", p.Exemplars)
	case g.Provisional:
		s += fmt.Sprintf("; unproven: at least %.0f%% and %.0f%% is required, on %d cases or more", g.Lower*100,
			p.Threshold*100, GateLooks[0])
	}
	if g.Silent > g.Tried && g.Provisional {
		s += fmt.Sprintf("; %d more cases not affected", g.Silent)
	}
	return s + "."
}
