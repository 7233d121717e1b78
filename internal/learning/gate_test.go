package learning

import (
	"testing"

	"pgregory.net/rapid"
)

func manyTests(helped, hurt, silent int) []CaseTest {
	out := []CaseTest{{Kind: TestOrigin, Verdict: Helped}}
	add := func(n int, kind, verdict string) {
		for range n {
			out = append(out, CaseTest{Kind: kind, Verdict: verdict})
		}
	}
	add(hurt, TestExemplar, Hurt) // first, so that no earlier look passes
	add(silent, TestExemplar, Silent)
	add(helped, TestExemplar, Helped)
	return out
}

func TestWilsonGate(t *testing.T) {
	p := Policy{}.withDefaults()
	for name, c := range map[string]struct {
		tests              []CaseTest
		valid, provisional bool
	}{
		"10 of 10":                   {manyTests(10, 0, 0), true, false},
		"9 of 10 waits":              {manyTests(9, 1, 0), true, true},
		"9 of 9 waits for its look":  {manyTests(9, 0, 0), true, true},
		"18 of 20":                   {manyTests(18, 2, 0), true, false},
		"17 of 20":                   {manyTests(17, 3, 0), true, true},
		"26 of 30":                   {manyTests(26, 4, 0), true, false},
		"25 of 30":                   {manyTests(25, 5, 0), true, true},
		"41 of 50":                   {manyTests(41, 9, 0), true, false},
		"40 of 50":                   {manyTests(40, 10, 0), true, true},
		"the seed's 7 of 10":         {manyTests(7, 3, 0), true, true},
		"3 of 10 is surely too few":  {manyTests(3, 7, 0), false, true},
		"nothing is settled on nine": {manyTests(0, 9, 0), true, true},
		"silent cases say nothing":   {manyTests(0, 0, 50), true, true},
		"nothing tried":              {nil, true, true},
	} {
		if g := p.gate(c.tests); g.Valid != c.valid || g.Provisional != c.provisional || g.Why == "" {
			t.Errorf("%s: %+v", name, g)
		}
	}
}

// More help never makes the gate stricter, one misfire more never makes it laxer, and what does not speak changes
// nothing.
func TestGateIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Policy{}.withDefaults()
		list := rapid.SliceOfN(
			rapid.SampledFrom([]CaseTest{{Kind: TestExemplar, Verdict: Helped}, {Kind: TestExemplar, Verdict: Hurt},
				{Kind: TestExemplar, Verdict: Silent}, {Kind: TestMustNotFire, Verdict: Helped},
				{Kind: TestMustNotFire, Verdict: Hurt}}), 1, 120).Draw(t, "tests")
		rank := func(g Gate) int {
			switch {
			case !g.Valid:
				return 0
			case g.Provisional:
				return 1
			}
			return 2
		}
		was := p.gate(list)
		at := rapid.IntRange(0, len(list)-1).Draw(t, "at")
		better := append([]CaseTest(nil), list...)
		if better[at].Verdict == Hurt {
			better[at].Verdict = Helped
		}
		if now := p.gate(better); rank(now) < rank(was) {
			t.Fatalf("better cases, worse gate: %+v then %+v", was, now)
		}
		quiet := append(append([]CaseTest(nil), list...), CaseTest{Kind: TestExemplar, Verdict: Silent})
		if now := p.gate(quiet); rank(now) != rank(was) || now.Tried != was.Tried {
			t.Fatalf("a silent case counted: %+v then %+v", was, now)
		}
		if was.Valid && !was.Provisional && (was.Tried < GateLooks[0] || was.Upper < gateThreshold) {
			t.Fatalf("accepted on %+v", was)
		}
	})
}
