package advisor

import (
	"math"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
)

// Weights of what makes a sentence answer a question. They were chosen on our own consultations.
const (
	questionWeight = 1.0 // the question meets the sentence or the heading that it stands under
	sentenceWeight = 0.6 // it meets the sentence itself
	goalWeight     = 0.35
	caseWeight     = 1.3 // how near the whole case is, against the nearest
	firstBonus     = 0.18
	strayPenalty   = 0.45 // for beginning in the middle with a word that may point back
	flowBonus      = 0.15 // for a sentence that goes on from the one before it
	kindBonus      = 0.35 // a figure for "how much", an age for "when"
	foreignPenalty = 0.6  // about a kind of pension that this customer does not have
)

// rate scores the passages for a question, best meaning highest.
func rate(list []passage, r Request) {
	idf := rarity(list)
	question, goal := pack.ContentStems(r.Situation.Question), pack.ContentStems(r.Situation.Goal)
	for w := range topicStems(r.Situation) {
		goal[w] = true
	}
	near := nearness(r.Recall.Cases)
	for i := range list {
		p := &list[i]
		it := r.Recall.Cases[p.item]
		under := union(p.stems, pack.ContentStems(headingOf(it)))
		p.match = likeness(question, under, idf)
		p.score = questionWeight*p.match + sentenceWeight*likeness(question, p.stems, idf) + goalWeight*likeness(goal, under, idf)
		p.score += caseWeight * near[p.item]
		p.score += kindOf(r.Situation.Question, p.text)
		if p.first {
			p.score += firstBonus
		}
		if foreign(p.text, r.Situation) {
			p.score -= foreignPenalty
		}
	}
}

// nearness is how near each case is to the question, the nearest 1: mostly by meaning, because a few shared words lift a case
// on the words' side whatever it is about.
func nearness(cases []knowledge.Item) []float64 {
	cos, score := 0.0, 0.0
	for _, it := range cases {
		cos, score = max(cos, it.Legs.Cosine), max(score, it.Score)
	}
	out := make([]float64, len(cases))
	for i, it := range cases {
		if score > 0 {
			out[i] = it.Score / score
		}
		if cos > 0 {
			out[i] = 0.3*out[i] + 0.7*it.Legs.Cosine/cos
		}
	}
	return out
}

func headingOf(it knowledge.Item) string {
	if it.Case != nil && it.Case.Heading != "" {
		return it.Case.Heading
	}
	return it.Title
}

func union(a, b map[string]bool) map[string]bool {
	out := make(map[string]bool, len(a)+len(b))
	for w := range a {
		out[w] = true
	}
	for w := range b {
		out[w] = true
	}
	return out
}

// vague stems are in every question about pensions: sharing them is no sign of an answer.
var vague = map[string]bool{"money": true, "pot": true, "end": true, "year": true, "month": true, "big": true, "bigger": true}

// rarity is each stem's weight: the rarer among the candidates, the more it tells.
func rarity(list []passage) map[string]float64 {
	count := map[string]int{}
	for _, p := range list {
		for w := range p.stems {
			count[w]++
		}
	}
	out := map[string]float64{}
	for w, n := range count {
		out[w] = math.Log(1 + float64(len(list))/float64(n))
	}
	return out
}

// likeness is the share of the question's weight that the sentence carries.
func likeness(question, sentence map[string]bool, idf map[string]float64) float64 {
	have, all := 0.0, 0.0
	for w := range question {
		weight, known := idf[w]
		if !known {
			continue // a word that no candidate has tells nothing about any of them
		}
		if vague[w] {
			weight /= 4
		}
		all += weight
		if sentence[w] {
			have += weight
		}
	}
	if all == 0 {
		return 0
	}
	return have / all
}

var (
	howMuchRE = pack.NewPattern(`how (?:much|many|big)|what (?:is|are|'s) the (?:limit|allowance|maximum|most|amount|rate)|\bper cent|percentage`)
	whenRE    = pack.NewPattern(`\bwhen\b|what age|how (?:old|early|soon|long)|\bage\b`)
	howToRE   = pack.NewPattern(`how (?:do|can|would|should) (?:i|we)|what (?:do|should|must) (?:i|we) (?:do|need)|where (?:do|can)|who (?:do|can|should)`)
	safeRE    = pack.NewPattern(`\bsafe\b|\brisk|\blose|scam|legit|catch\b|downside`)
	actionRE  = pack.NewPattern(`\b(?:ask|contact|check|form|apply|write|phone|call|report|hang up|provider can|scheme can|service)\b`)
	dangerRE  = pack.NewPattern(`\b(?:risk|lose|lost|fall|scam|can't be|cannot be|run out|careful|against the law|warning)`)
)

// kindOf rewards a sentence of the kind that the question asks for.
func kindOf(question, sentence string) float64 {
	bonus := 0.0
	kinds := map[string]bool{}
	for _, f := range pack.FindFigures(sentence) {
		kinds[f.Kind] = true
	}
	if howMuchRE.MatchString(question) && (kinds["money"] || kinds["percent"]) {
		bonus += kindBonus
	}
	if whenRE.MatchString(question) && (kinds["age"] || kinds["date"] || kinds["year"]) {
		bonus += kindBonus
	}
	if howToRE.MatchString(question) && actionRE.MatchString(sentence) {
		bonus += kindBonus / 2
	}
	if safeRE.MatchString(question) && dangerRE.MatchString(sentence) {
		bonus += kindBonus / 2
	}
	return bonus
}

var (
	aboutDB    = pack.NewPattern(`\bdb\b|defined[- ]benefit|final[- ]salary|career[- ]average`)
	aboutState = pack.NewPattern(`state pension`)
)

// foreign tells whether a sentence is about a kind of pension that the customer neither has nor asks about.
func foreign(t string, s pack.Situation) bool {
	if aboutDB.MatchString(t) && !s.HoldsDB() && !aboutDB.MatchString(s.Question) {
		return true
	}
	return aboutState.MatchString(t) && !s.HasState && !aboutState.MatchString(s.Question) && s.Task != pack.StatePension && s.Task != pack.LivingAbroad
}
