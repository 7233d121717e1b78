package advisor

import (
	"cmp"
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
	match   float64 // 0 to 1: how much of the question it meets
	leansOn bool    // begins with a word that points back, so that it needs the sentence before it
}

// Sentences that never make sense in another text: references to pages, contact details, greetings, citations, and what was
// said to one customer.
var (
	elsewhereRE = pension.NewPattern(`\b(?:read more|find out (?:more|how|if|what)|see (?:the|our|also)|click|this (?:page|guide|table|section|calculator)|table|below|above|opening hours|telephone|phone:|email:|monday to friday|call charges|www\.|https?:|\[\d+\]|sources?:|step \d|sign up|book an? |cookies)`)
	addressRE   = pension.NewPattern(`^(?:hello|hi|dear|thank you|thanks|you asked|you've asked|you told|sources|kind regards|we hope|example)\b`)
	tokenRE     = regexp.MustCompile(`\[[A-Z]+-\d+\]`)
	backRE      = pension.NewPattern(`^(?:this|that|these|those|it|they|he|she|such|also|however|but|and|or|so|then|otherwise|instead|the other|both|either|in this case|for example|each time|if so|if not|here|after that|for most|the (?:form|rest|other|others|same|former|latter|second|first|remaining)|once (?:it|that|they)|an? (?:other|second)|values of|what is left)\b|^(?:many|most|some|each|all|few|none|one|any|more|several) (?:who|of|rise|can|do|pay|are|have|let|use)\b|\bthat much\b`)
	pointingRE  = pension.NewPattern(`\b(?:it|its|this|these|those|them)\b`)
	exampleRE   = pension.NewPattern(`^example\b|\bsay you\b|\bimagine\b|\bsuppose\b`)
	citationRE  = regexp.MustCompile(` ?\[\d+\]`)
	spaceRE     = regexp.MustCompile(`\s+`)
	listMarkRE  = regexp.MustCompile(`^(?:[-*•–]|\d{1,2}[.)])\s+`)
)

// passages lists the usable sentences of the recalled cases.
func passages(r Request) []passage {
	var out []passage
	for i, it := range r.Recall.Cases {
		n, fresh, example := 0, true, false
		for _, sp := range pension.SentenceSpans(it.Text) {
			t := clean(sp.In(it.Text))
			example = exampleRE.MatchString(t) || ownFigures(t, r.Situation) || example && hasMoney(t)
			if example || !usable(t, it, r.Situation) {
				fresh = false
				n++ // what stands on both sides of a gap are no neighbours
				continue
			}
			t = address(t)
			out = append(out, passage{text: t, item: i, at: n, first: n == 0 && fresh, stems: pension.ContentStems(t), leansOn: backRE.MatchString(t)})
			n++
		}
	}
	return out
}

// address turns a document's "the customer" into "you".
func address(t string) string {
	if strings.Contains(t, "the customer") || strings.Contains(t, "The customer") {
		return pension.ToYou(t)
	}
	return t
}

func clean(s string) string {
	s = spaceRE.ReplaceAllString(citationRE.ReplaceAllString(s, ""), " ")
	s = strings.TrimSpace(listMarkRE.ReplaceAllString(strings.TrimSpace(s), ""))
	return strings.TrimPrefix(strings.Trim(s, "#>*_ "), "Warning: ")
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
	if it.Case != nil && it.Case.Source != knowledge.FromDocument && steersOrAsks(t) {
		return false
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

// ownFigures tells whether a sentence has an amount that is no fact: it belongs to an example, or to the customer whom the text
// was written for.
func ownFigures(t string, s pension.Situation) bool {
	known := map[float64]bool{}
	for _, f := range pension.Facts(s.At).All() {
		known[f.Value] = true
	}
	for _, f := range pension.FindFigures(t) {
		if f.Kind == "money" && !known[f.Value] {
			return true
		}
	}
	return false
}

func hasMoney(t string) bool { return strings.Contains(t, "£") }

// steersOrAsks tells whether a sentence of earlier guidance was said to one customer: it asks them something, steers, or is one
// of the closing lines that every draft gets of its own.
func steersOrAsks(t string) bool {
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
	question, goal := pension.ContentStems(r.Situation.Question), pension.ContentStems(r.Situation.Goal)
	for w := range topicStems(r.Situation) {
		goal[w] = true
	}
	near := nearness(r.Recall.Cases)
	for i := range list {
		p := &list[i]
		it := r.Recall.Cases[p.item]
		under := union(p.stems, pension.ContentStems(headingOf(it)))
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

const (
	leastMatch = 0.15 // of the question's weight some passage must meet, else nothing was found
	rivalShare = 0.72 // a case whose best sentence scores less than this share of the best one's is left out
	worthShare = 0.42 // a sentence is worth its place from this share of the best score on
	sameLimit  = 0.6  // of a sentence's words already said
)

// choose takes from each of the best cases the run of neighbouring sentences that answers best, so that the text stays
// coherent: most from the best case, less from the next ones. The best case comes first.
func choose(list []passage, want int) [][]passage {
	cases := byCase(list)
	if len(cases) == 0 || !slices.ContainsFunc(list, func(p passage) bool { return p.match >= leastMatch }) {
		return nil
	}
	best := top(cases[0])
	shares := []int{(want + 1) / 2, (want + 2) / 3, want - (want+1)/2 - (want+2)/3}
	var out [][]passage
	var said []passage
	for i, c := range cases {
		if i >= len(shares) || top(c) < rivalShare*best {
			break
		}
		run := bestRun(withoutRepeats(c, said), shares[i], worthShare*best)
		if len(run) == 0 {
			continue
		}
		out = append(out, run)
		said = append(said, run...)
	}
	return out
}

// byCase groups the passages, the case with the best sentence first.
func byCase(list []passage) [][]passage {
	var cases [][]passage
	for i := 0; i < len(list); {
		j := i
		for j < len(list) && list[j].item == list[i].item {
			j++
		}
		cases = append(cases, list[i:j])
		i = j
	}
	slices.SortStableFunc(cases, func(a, b []passage) int { return cmp.Compare(top(b), top(a)) })
	return cases
}

func top(c []passage) float64 {
	best := 0.0
	for _, p := range c {
		best = max(best, p.score)
	}
	return best
}

// bestRun is the run of at most n neighbours whose sentences exceed worth by most in sum. It never begins with a sentence that
// leans on one before it.
func bestRun(c []passage, n int, worth float64) []passage {
	var run []passage
	most := 0.0
	for i := range c {
		if c[i].leansOn {
			continue
		}
		sum := 0.0
		if !c[i].first && pointingRE.MatchString(c[i].text) {
			sum = -strayPenalty
		}
		for j := i; j < len(c) && j < i+n && (j == i || c[j].at == c[j-1].at+1); j++ {
			sum += c[j].score - worth
			if c[j].leansOn {
				sum += flowBonus
			}
			if sum > most {
				most, run = sum, c[i:j+1]
			}
		}
	}
	return run
}

// withoutRepeats leaves out what was said, and what leans on it.
func withoutRepeats(c, said []passage) []passage {
	var out []passage
	for _, p := range c {
		if !repeats(p, said) {
			out = append(out, p)
		}
	}
	return out
}

func repeats(p passage, chosen []passage) bool {
	for _, c := range chosen {
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
