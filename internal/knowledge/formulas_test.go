package knowledge

import (
	"fmt"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestSeedFormulas(t *testing.T) {
	for domain, want := range map[string]float64{RegulatoryCompliance: 1.0, RiskDisclosure: 0.75,
		UnderstandingVerification: 0.6, PensionEducation: 0.5} {
		if got := ruleScore(0.625, 0.8, domain); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %v, want %v", domain, got, want)
		}
	}
	if caseScore(0.5, true) != 0.55 || caseScore(0.5, false) != 0.5 {
		t.Error("the recency boost is not 1.1")
	}
	now := time.Now()
	if !isRecent(now.Add(-29*24*time.Hour), now, 30*24*time.Hour) ||
		isRecent(now.Add(-31*24*time.Hour), now, 30*24*time.Hour) {
		t.Error("the window is not 30 days")
	}
}

func TestFuseKeepsTheOrderOfRRFAndLiesBetween0And1(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "n")
		var items []*candidate
		for i := range n {
			items = append(items, &candidate{id: fmt.Sprint(i),
				legs: Legs{Vector: i + 1, Lexical: rapid.IntRange(0, 60).Draw(t, "lexical"),
					Cosine: 1 - float64(i)/100}})
			if l := items[i].legs.Lexical; l > 0 {
				items[i].bm25 = 10 / float64(l)
			}
		}
		fuse(items, rapid.SampledFrom([]float64{0, 0.4}).Draw(t, "low"), wordsScore)
		best := 0.0
		for i, a := range items {
			if math.IsNaN(a.fused) || a.fused < 0 || a.fused > 1 {
				t.Fatalf("fused %v", a.fused)
			}
			best = max(best, a.fused)
			for _, b := range items[i+1:] {
				if rrf(a.legs.Lexical) >= rrf(b.legs.Lexical) && a.fused < b.fused { // a is ahead by meaning
					t.Fatalf("%v and %v change places", a.legs, b.legs)
				}
			}
		}
		if best != 1 {
			t.Fatalf("the best has %v", best)
		}
	})
}

// Cosines count from where texts with nothing in common lie, else words would decide among vectors that are all alike.
func TestACosineCountsFromWhatUnrelatedTextsHave(t *testing.T) {
	for low, want := range map[float64]string{0: "words", 0.4: "meaning"} {
		items := []*candidate{{id: "meaning", legs: Legs{Vector: 1, Lexical: 2, Cosine: 0.8}, bm25: 2},
			{id: "words", legs: Legs{Vector: 2, Lexical: 1, Cosine: 0.68}, bm25: 9}}
		fuse(items, low, 0.3)
		if best := map[bool]string{true: "meaning", false: "words"}[items[0].fused > items[1].fused]; best != want {
			t.Errorf("from %v on %s is the best, want %s: %v %v", low, best, want, items[0].fused, items[1].fused)
		}
	}
}

func TestReserve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, top := rapid.IntRange(0, 12).Draw(t, "n"), rapid.IntRange(1, 5).Draw(t, "top")
		var sorted []Item
		all := 0
		for i := range n {
			it := Item{ID: fmt.Sprint(i), Score: float64(n - i), Domain: PensionEducation}
			if rapid.Bool().Draw(t, "compliance") {
				it.Domain = RegulatoryCompliance
				all++
			}
			sorted = append(sorted, it)
		}
		got := reserve(sorted, top)
		if len(got) != min(n, top) {
			t.Fatalf("%d of %d, top %d", len(got), n, top)
		}
		seen, compliance, moved := map[string]bool{}, 0, 0
		for i, it := range got {
			if seen[it.ID] {
				t.Fatalf("%s comes twice", it.ID)
			}
			seen[it.ID] = true
			if it.Domain == RegulatoryCompliance {
				compliance++
			}
			if i > 0 && it.Score > got[i-1].Score {
				t.Fatal("not best first")
			}
			if it.Score <= float64(n-top) {
				moved++
			}
		}
		if compliance < min(complianceSlots, all, top) {
			t.Fatalf("%d compliance rules of %d", compliance, all)
		}
		if moved > 0 && compliance > complianceSlots {
			t.Fatal("a better rule gave way without need")
		}
	})
}

func TestTokens(t *testing.T) {
	for text, want := range map[string]int{"": 0, "one two": 2, "consolidation": 3, "£30,000.50": 6, "it's": 1,
		"  \n ": 0} {
		if got := Tokens(text); got != want {
			t.Errorf("Tokens(%q) = %d, want %d", text, got, want)
		}
	}
}
