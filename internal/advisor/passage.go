package advisor

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"preceptor/internal/knowledge"
	"preceptor/internal/pension"
)

// passage is one sentence of a recalled case that may go into a draft.
type passage struct {
	text    string
	item    int // index of the case in the recall
	at      int // its place among the sentences of its case
	first   bool
	stems   map[string]bool
	score   float64
	leansOn bool // begins with a word that points back, so that it needs the sentence before it
}

// Sentences that never make sense in another text: references to pages, contact details, greetings, citations, and what was
// said to one customer.
var (
	elsewhereRE = pension.NewPattern(`\b(?:read more|find out (?:more|how|if|what)|see (?:the|our|also)|click|this (?:page|guide|table|section|calculator)|table|below|above|opening hours|telephone|phone:|email:|monday to friday|call charges|www\.|https?:|\[\d+\]|sources?:|step \d|sign up|book an? |cookies)`)
	addressRE   = pension.NewPattern(`^(?:hello|hi|dear|thank you|thanks|you asked|you've asked|you told|sources|kind regards|we hope|example)\b`)
	tokenRE     = regexp.MustCompile(`\[[A-Z]+-\d+\]`)
	backRE      = pension.NewPattern(`^(?:this|that|these|those|it|they|he|she|such|also|however|but|and|or|so|then|otherwise|instead|the other|both|either|in this case|for example|each time|if so|if not|here|there|after that|for most)\b`)
	exampleRE   = pension.NewPattern(`\b(?:example|for instance|say you|imagine|suppose)\b`)
	citationRE  = regexp.MustCompile(` ?\[\d+\]`)
	spaceRE     = regexp.MustCompile(`\s+`)
	listMarkRE  = regexp.MustCompile(`^(?:[-*•–]|\d{1,2}[.)])\s+`)
)

// passages lists the usable sentences of the recalled cases.
func passages(r Request) []passage {
	var out []passage
	for i, it := range r.Recall.Cases {
		n, fresh := 0, true
		for _, sp := range pension.SentenceSpans(it.Text) {
			t := clean(sp.In(it.Text))
			if !usable(t, it, r.Situation) {
				fresh = false
				continue
			}
			out = append(out, passage{text: t, item: i, at: n, first: n == 0 && fresh, stems: pension.ContentStems(t), leansOn: backRE.MatchString(t)})
			n++
		}
	}
	return out
}

func clean(s string) string {
	s = spaceRE.ReplaceAllString(citationRE.ReplaceAllString(s, ""), " ")
	s = strings.TrimSpace(listMarkRE.ReplaceAllString(strings.TrimSpace(s), ""))
	return strings.Trim(s, "#>*_ ")
}

// usable tells whether a sentence can stand in a draft for this customer.
func usable(t string, it knowledge.Item, s pension.Situation) bool {
	n := len(strings.Fields(t))
	if n < 5 || n > 48 || !strings.ContainsAny(t[len(t)-1:], ".!") || startsLow(t) {
		return false // headings, questions, list fragments
	}
	if elsewhereRE.MatchString(t) || addressRE.MatchString(t) || tokenRE.MatchString(t) {
		return false
	}
	for _, issue := range pension.Check(t, s.At) {
		if issue.Severity == "major" {
			return false
		}
	}
	if it.Case != nil && it.Case.Source != knowledge.FromDocument {
		return !personalTo(t, s)
	}
	return !flagged(t, it)
}

func startsLow(t string) bool {
	for _, r := range t {
		return unicode.IsLower(r)
	}
	return true
}

// flagged tells whether the sentence carries what the importer flagged as stale or in conflict.
func flagged(t string, it knowledge.Item) bool {
	if it.Case == nil {
		return false
	}
	for _, f := range it.Case.Flags {
		if f.Severity == "major" && f.Quote != "" && strings.Contains(t, f.Quote) {
			return true
		}
	}
	return false
}

// personalTo tells whether a sentence of earlier guidance speaks of the customer whom it was written for: it has a figure that
// is no fact, asks them something, or steers.
func personalTo(t string, s pension.Situation) bool {
	known := map[float64]bool{}
	for _, f := range pension.Facts(s.At).All() {
		known[f.Value] = true
	}
	for _, f := range pension.FindFigures(t) {
		if (f.Kind == "money" || f.Kind == "age") && !known[f.Value] && f.Value != 75 {
			return true
		}
	}
	for _, m := range pension.DetectMoves(t) {
		switch m.Move {
		case pension.PersonalPhrasing, pension.Ask, pension.CheckUnderstanding, pension.Empathy, pension.SignpostAdvice, pension.SignpostGuidance:
			return true
		}
	}
	return false
}

// Weights of what makes a sentence answer a question. They were chosen on our own consultations.
const (
	questionWeight = 1.0
	goalWeight     = 0.35
	headingWeight  = 0.5 // the question meets the heading that the sentence stands under
	caseWeight     = 0.55
	firstBonus     = 0.18
	kindBonus      = 0.35 // a figure for "how much", an age for "when"
	examplePenalty = 0.25
	foreignPenalty = 0.6 // about a kind of pension that this customer does not have
)

// rate scores the passages for a question, best meaning highest.
func rate(list []passage, r Request) {
	idf := rarity(list)
	question, goal := pension.ContentStems(r.Situation.Question), pension.ContentStems(r.Situation.Goal)
	for w := range topicStems(r.Situation) {
		goal[w] = true
	}
	best := 0.0
	for _, it := range r.Recall.Cases {
		best = max(best, it.Score)
	}
	for i := range list {
		p := &list[i]
		it := r.Recall.Cases[p.item]
		p.score = questionWeight*likeness(question, p.stems, idf) + goalWeight*likeness(goal, p.stems, idf)
		p.score += headingWeight * likeness(question, pension.ContentStems(it.Title), idf)
		if best > 0 {
			p.score += caseWeight * it.Score / best
		}
		p.score += kindOf(r.Situation.Question, p.text)
		if p.first {
			p.score += firstBonus
		}
		if exampleRE.MatchString(p.text) {
			p.score -= examplePenalty
		}
		if foreign(p.text, r.Situation) {
			p.score -= foreignPenalty
		}
	}
}

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
	howMuchRE = pension.NewPattern(`how (?:much|many|big)|what (?:is|are|'s) the (?:limit|allowance|maximum|most|amount|rate)|\bper cent|percentage`)
	whenRE    = pension.NewPattern(`\bwhen\b|what age|how (?:old|early|soon|long)|\bage\b`)
	howToRE   = pension.NewPattern(`how (?:do|can|would|should) (?:i|we)|what (?:do|should|must) (?:i|we) (?:do|need)|where (?:do|can)|who (?:do|can|should)`)
	safeRE    = pension.NewPattern(`\bsafe\b|\brisk|\blose|scam|legit|catch\b|downside`)
	actionRE  = pension.NewPattern(`\b(?:ask|contact|check|form|apply|write|phone|call|report|hang up|provider can|scheme can|service)\b`)
	dangerRE  = pension.NewPattern(`\b(?:risk|lose|lost|fall|scam|can't be|cannot be|run out|careful|against the law|warning)`)
)

// kindOf rewards a sentence of the kind that the question asks for.
func kindOf(question, sentence string) float64 {
	bonus := 0.0
	kinds := map[string]bool{}
	for _, f := range pension.FindFigures(sentence) {
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
	aboutDB    = pension.NewPattern(`\bdb\b|defined[- ]benefit|final[- ]salary|career[- ]average`)
	aboutState = pension.NewPattern(`state pension`)
)

// foreign tells whether a sentence is about a kind of pension that the customer neither has nor asks about.
func foreign(t string, s pension.Situation) bool {
	if aboutDB.MatchString(t) && !s.HoldsDB() && !aboutDB.MatchString(s.Question) {
		return true
	}
	return aboutState.MatchString(t) && !s.HasState && !aboutState.MatchString(s.Question) && s.Task != pension.StatePension && s.Task != pension.LivingAbroad
}

// Shares of the best score: below the first a sentence does not belong to the answer, below the second a case is not used
// for its own sake.
const (
	keepShare = 0.42
	sameLimit = 0.6 // of a sentence's words already said
)

// choose takes the best sentences, each adding something, and puts them back into the order of their cases.
func choose(list []passage, want int) []passage {
	byScore := slices.Clone(list)
	slices.SortStableFunc(byScore, func(a, b passage) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	var chosen []passage
	taken := func(item, at int) bool {
		return slices.ContainsFunc(chosen, func(p passage) bool { return p.item == item && p.at == at })
	}
	for _, p := range byScore {
		if len(chosen) >= want || p.score < keepShare*byScore[0].score {
			break
		}
		if taken(p.item, p.at) || repeats(p, chosen) {
			continue
		}
		chain := []passage{p}
		for q := p; q.leansOn; { // take what it points back to, as far as that goes
			i := slices.IndexFunc(list, func(x passage) bool { return x.item == q.item && x.at == q.at-1 })
			if i < 0 {
				chain = nil
				break
			}
			q = list[i]
			if taken(q.item, q.at) {
				break
			}
			chain = append(chain, q)
		}
		if len(chain) == 0 || len(chosen)+len(chain) > want+1 {
			continue
		}
		chosen = append(chosen, chain...)
	}
	slices.SortStableFunc(chosen, func(a, b passage) int {
		if a.item != b.item {
			return a.item - b.item
		}
		return a.at - b.at
	})
	return chosen
}

func repeats(p passage, chosen []passage) bool {
	for _, c := range chosen {
		if len(p.stems) == 0 {
			return true
		}
		n := 0
		for w := range p.stems {
			if c.stems[w] {
				n++
			}
		}
		if float64(n) >= sameLimit*float64(min(len(p.stems), len(c.stems))) && n > 2 {
			return true
		}
	}
	return false
}
