package knowledge

import (
	"cmp"
	"math"
	"slices"
	"time"

	"preceptor/internal/pack"
	"preceptor/internal/rule"
)

// The constants of recall. Those of the seed carry its section; the others are ours.
const (
	// ours: with a few hundred sections 60 (Cormack et al. 2009) hardly tells the first place from the tenth
	rrfK       = 20.0
	byRank     = 0.2 // ours: the share of the places in the fused relevance; the rest is the legs' own scores
	wordsRank  = 0.5 // ours: what a place by words counts beside one by meaning
	wordsScore = 0.1 // ours: what a score by words counts beside a cosine
	pageShare  = 0.2 // ours: how much a section owes to the best section of its page
	// ours: a section that stands on every page, as "Next steps", is below those of the page's own
	generalFactor = 0.7
	// ours: the share of relevance in choosing among cases; the rest is being unlike those chosen
	mmrRelevance    = 0.8
	mmrDepth        = 20   // ours: how far down cases are considered
	recentBoost     = 1.1  // seed 000, "Memory System 1: Retrieval"
	caseTop         = 3    // seed 000, "Memory System 1: Retrieval"
	ruleTop         = 4    // seed 000, "Memory System 2: Retrieval"
	everyMost       = 8    // ours: wishes about any answer that are given beside the best rules
	unfound         = 0.1  // ours: what likeness counts in a rule that holds and that no leg found
	complianceSlots = 2    // seed 000, "Compliance-Specific Rule Priority"
	candidates      = 60   // how deep each leg is read
	unlike          = 0.25 // ours: the share of the best one's likeness below which a single item is dropped
	bestByWords     = 3    // ours: so many of the lexical leg stay without the other's word
	flaggedFactor   = 0.9  // ours: a section that a person should look at stands below its like
	decayFloor      = 0.8  // ours: no case falls below this share of its score, however old or unhelpful
	// ours: a case that changes the chance of approval by a quarter is worth nothing, or as much as can be
	worthScale = 2.0
)

// scale leads cosines of a question that was led to its answers back to those of one that wasn't, from which callers'
// lines are: a constant, a factor, and what texts with nothing in common have then.
type scale struct{ from, by, low float64 }

// Ours: as many of strangers' questions as before reach the advisor's lines (mean and deviation of the best).
var domainScale, anyScale = scale{0.40, 0.70, 0.50}, scale{0.19, 0.84, 0.40}

// importance is the seed's importance_multiplier (seed 000, "Compliance-Specific Rule Priority"), which a pack gives
// its domains. The seed declares it and forgets to use it; here it weighs every rule.
func importance(domain string) (m float64) {
	for _, p := range pack.All() {
		m = max(m, p.Importance(domain)) // 1 where it has none of the name
	}
	return m
}

// caseScore is the seed's retrieve_similar_cases: similarity × recency boost (seed 000, "Memory System 1: Retrieval").
func caseScore(similarity float64, recent bool) float64 {
	if recent {
		return similarity * recentBoost
	}
	return similarity
}

// isRecent is the seed's is_recent, with a window that can be set.
func isRecent(created, now time.Time, window time.Duration) bool { return now.Sub(created) <= window }

// The steps of a case's decay: whole for a year, then half as much every two years, in steps of a month so that the
// same question gets the same answer from day to day.
const (
	freshFor  = 365 * 24 * time.Hour
	freshHalf = 2 * 365 * 24 * time.Hour
	freshStep = 30 * 24 * time.Hour
)

// caseWeight is ours: value × freshness, between decayFloor and 1. The value is what credit makes of the case (worth,
// from -1 to 1), one half when nothing is known; a helpful case stays whole for longer, a harmful one falls at once.
// Documents have none: their flags say what is stale. Rules have none either: they have review-by dates.
func caseWeight(worth float64, age time.Duration) float64 {
	value := min(1, max(0, 0.5+worthScale*worth))
	return decayFloor + (1-decayFloor)*min(1, 2*value*freshness(age))
}

// freshness is 1 for a year and halves every two years after.
func freshness(age time.Duration) float64 {
	if age <= freshFor {
		return 1
	}
	steps := float64((age - freshFor) / freshStep)
	return math.Exp2(-steps * float64(freshStep) / float64(freshHalf))
}

// ruleScore is the seed's retrieve_relevant_rules, similarity × confidence (seed 000, "Memory System 2: Retrieval"),
// times the importance multiplier.
func ruleScore(similarity, confidence float64, domain string) float64 {
	return similarity * confidence * importance(domain)
}

// rrf is what rank (1 is best, 0 absent) in one leg adds to an item's fused score.
func rrf(rank int) float64 {
	if rank <= 0 {
		return 0
	}
	return 1 / (rrfK + float64(rank))
}

// fuse gives each candidate its relevance, 0 to 1, the best 1: a fifth by its places in both legs (reciprocal rank
// fusion, rescaled, because raw scores lie within 0.02 of each other and the boosts would swamp them), the rest by what
// the legs say themselves. A cosine counts from low on, which texts with nothing in common have too. Places alone
// forget that the first was far ahead of the second; scores alone trust a single rare word too much.
func fuse(items []*candidate, low, byWords float64) {
	if len(items) == 0 {
		return
	}
	best, depth, cosine, words := 0.0, 0, low+1e-9, 1e-9
	for _, c := range items {
		c.fused = rrf(c.legs.Vector) + wordsRank*rrf(c.legs.Lexical)
		best = max(best, c.fused)
		depth = max(depth, c.legs.Lexical, c.legs.Vector)
		cosine, words = max(cosine, c.legs.Cosine), max(words, c.bm25)
	}
	floor := wordsRank * rrf(depth+1)
	highest := 1e-9
	for _, c := range items {
		places := min(1, max(0, (c.fused-floor)/(best-floor)))
		scores := (max(0, c.legs.Cosine-low)/(cosine-low) + byWords*c.bm25/words) / (1 + byWords)
		c.fused = byRank*places + (1-byRank)*scores
		highest = max(highest, c.fused)
	}
	for _, c := range items {
		c.fused /= highest
		c.legs.Fused = c.fused
	}
}

// applied lifts a rule whose conditions hold for the consultation into the upper half, however far its words are from
// the question's: that they hold is better evidence than likeness.
func applied(fused float64) float64 { return (1 + fused) / 2 }

// reserve picks the top rules of a list that is sorted best first, and sees to it that at least complianceSlots of them
// are compliance rules where there are so many (seed 000, retrieve_rules_with_compliance_priority). Unlike the seed it
// never takes a rule twice, and gives up only the worst of the others.
func reserve(sorted []Item, top int) []Item {
	if len(sorted) <= top {
		return sorted
	}
	chosen := slices.Clone(sorted[:top])
	have := 0
	for _, it := range chosen {
		if it.Domain == RegulatoryCompliance {
			have++
		}
	}
	for _, it := range sorted[top:] {
		if have >= min(complianceSlots, top) {
			break
		}
		if it.Domain != RegulatoryCompliance || !it.forced() {
			continue
		}
		worst := lastOther(chosen)
		if worst < 0 {
			break
		}
		it.Why = append(slices.Clone(it.Why), "kept so that two compliance rules are among the rules")
		chosen[worst] = it
		have++
	}
	slices.SortStableFunc(chosen, func(a, b Item) int { return cmp.Compare(b.Score, a.Score) })
	return chosen
}

// forced reports whether a compliance rule may take a slot that it did not win: its conditions hold, or it is from
// before there were any.
func (it Item) forced() bool {
	return it.Match.State == rule.Met || it.Rule == nil || it.Rule.Statement.Empty()
}

// lastOther is the place of the worst rule that is no compliance rule; -1 when there is none.
func lastOther(sorted []Item) int {
	for i := len(sorted) - 1; i >= 0; i-- {
		if sorted[i].Domain != RegulatoryCompliance {
			return i
		}
	}
	return -1
}
