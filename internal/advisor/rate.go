package advisor

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/text"
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
	foreignPenalty = 0.6  // about what this customer neither has nor asks about
)

// rate scores the passages for a question, best meaning highest.
func rate(list []passage, r Request, domain *pack.Pack, topic pack.Topic) {
	idf := rarity(list, domain)
	question := pack.ContentStems(r.Situation.Question)
	goal := union(pack.ContentStems(r.Situation.Goal), topicStems(topic))
	near := nearness(r.Recall.Cases)
	for i := range list {
		p := &list[i]
		it := r.Recall.Cases[p.item]
		under := union(p.stems, pack.ContentStems(headingOf(it)))
		p.match, p.covered = likeness(question, under, idf, 0), likeness(question, under, idf, math.Log(1+float64(len(list))))
		p.score = questionWeight*p.match + sentenceWeight*likeness(question, p.stems, idf, 0) + goalWeight*likeness(goal, under, idf, 0)
		p.score += caseWeight * near[p.item]
		p.score += kindOf(r.Situation.Question, p.text)
		if p.first {
			p.score += firstBonus
		}
		if foreign(p.text, r, domain, topic) {
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

// rarity is each stem's weight: the rarer among the candidates, the more it tells. What every question of the domain has tells little.
func rarity(list []passage, p *pack.Pack) map[string]float64 {
	count := map[string]int{}
	for _, p := range list {
		for w := range p.stems {
			count[w]++
		}
	}
	out := map[string]float64{}
	for w, n := range count {
		out[w] = math.Log(1 + float64(len(list))/float64(n))
		if slices.Contains(p.Common, w) {
			out[w] /= 4
		}
	}
	return out
}

// topicStems are the telling words of a topic's phrase and examples.
func topicStems(t pack.Topic) map[string]bool {
	return pack.ContentStems(t.Phrase + "\n" + strings.Join(t.Questions, "\n"))
}

// likeness is the share of the question's weight that the sentence carries. A word that no candidate has weighs strange: nought where
// candidates are compared, since it tells nothing about any of them.
func likeness(question, sentence map[string]bool, idf map[string]float64, strange float64) float64 {
	have, all := 0.0, 0.0
	for w := range question {
		weight, known := idf[w]
		if !known {
			weight = strange
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

// Floors of an answer, measured by TestDraftsAnswerTheQuestion.
const (
	leastMatch   = 0.15 // of what the question asks and candidates have, that one sentence with its heading meets
	leastCovered = 0.2  // of all that the question asks, where nothing recalled is near by meaning: a long section is near to nothing
	nearCosine   = 0.67 // of the nearest case, of an embedder that knows the domain
	topicCosine  = 0.72 // from which on sharing a word with the topic's phrase and examples is enough
)

// answered tells whether some of the sentences answer the question, so that no draft is filled with another topic.
func answered(list []passage, r Request, domain *pack.Pack, topic pack.Topic) bool {
	near := 0.0
	for _, it := range r.Recall.Cases {
		near = max(near, it.Legs.Cosine)
	}
	judged := domain.Concept && near > 0 // the cosines are of an embedder that knows the domain
	stems := topicStems(topic)
	return slices.ContainsFunc(list, func(p passage) bool {
		switch {
		case judged && topic.Name != pack.General && near >= topicCosine && text.Common(stems, p.stems) > 0:
			return true
		case judged && near >= nearCosine:
			return p.match >= leastMatch
		}
		return p.match >= leastMatch && p.covered >= leastCovered
	})
}

var (
	howMuchRE = regexp.MustCompile(`(?i)how (?:much|many|big)|what (?:is|are|'s) the (?:limit|allowance|maximum|most|amount|rate)|\bper cent|percentage`)
	whenRE    = regexp.MustCompile(`(?i)\bwhen\b|what age|how (?:old|early|soon|long)|\bage\b`)
	howToRE   = regexp.MustCompile(`(?i)how (?:do|can|would|should) (?:i|we)|what (?:do|should|must) (?:i|we) (?:do|need)|where (?:do|can)|who (?:do|can|should)`)
	safeRE    = regexp.MustCompile(`(?i)\bsafe\b|\brisk|\blose|scam|legit|catch\b|downside`)
	actionRE  = regexp.MustCompile(`(?i)\b(?:ask|contact|check|form|apply|write|phone|call|report|hang up|provider can|scheme can|service)\b`)
	dangerRE  = regexp.MustCompile(`(?i)\b(?:risk|lose|lost|fall|scam|can't be|cannot be|run out|careful|against the law|warning)`)
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

// foreign tells whether a sentence speaks of something that the pack's fields know, and that the customer neither has nor asks about.
func foreign(t string, r Request, p *pack.Pack, topic pack.Topic) bool {
	asked := r.Situation.Question + "\n" + topic.Phrase
	return slices.ContainsFunc(p.Fields, func(f pack.Field) bool {
		have, known := r.Situation.Field(f.Name)
		return known && slices.ContainsFunc(p.Said(f.Name, t), func(v string) bool {
			return !slices.Contains(have, v) && !slices.Contains(p.Said(f.Name, asked), v)
		})
	})
}
