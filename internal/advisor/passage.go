package advisor

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/phrase"
)

// passage is one sentence of a recalled case that may go into a draft.
type passage struct {
	text    string
	item    int // index of the case in the recall
	order   int // its place among all of them
	at      int // its place among the sentences of its case
	stems   map[string]bool
	near    float64 // how near its case is to the question, the nearest 1
	leansOn bool    // begins with a word that points back, so that it needs the sentence before it
}

// Sentences that never make sense in another text: references to pages, contact details, greetings, citations, and what was
// said to one customer.
var (
	elsewhereRE = regexp.MustCompile(`(?i)\b(?:read more|find out (?:more|how|if|what)|see (?:the|our|also)|click|this (?:page|guide|table|section|calculator)|table|below|above|opening hours|telephone|phone:|email:|monday to friday|call charges|www\.|https?:|\[\d+\]|sources?:|step \d|sign up|book an? |cookies)`)
	addressRE   = regexp.MustCompile(`(?i)^(?:hello|hi|dear|thank you|thanks|you asked|you've asked|you told|sources|kind regards|we hope|example)\b`)
	// aboutCustomersRE finds guidance for staff, which speaks of those who read the draft.
	aboutCustomersRE = regexp.MustCompile(`(?i)\b(?:the|this|that|a|an|each|every|any|our|your) (?:customer|consumer)s?\b|\b(?:customers|consumers)\b`)
	tokenRE          = regexp.MustCompile(`\[[A-Z]+-\d+\]`)
	backRE           = regexp.MustCompile(`(?i)^(?:this|that|these|those|it|they|he|she|such|also|however|but|and|or|so|then|otherwise|instead|the other|both|either|in this case|for example|each time|if so|if not|here|after that|for most|the (?:form|rest|other|others|same|former|latter|second|first|remaining)|once (?:it|that|they)|an? (?:other|second)|values of|what is left)\b|^(?:many|most|some|each|all|few|none|one|any|more|several) (?:who|of|rise|can|do|pay|are|have|let|use)\b|\bthat much\b`)
	pointingRE       = regexp.MustCompile(`(?i)\b(?:it|its|this|these|those|them)\b`)
	exampleRE        = regexp.MustCompile(`(?i)^example\b|\bsay you\b|\bimagine\b|\bsuppose\b`)
	citationRE       = regexp.MustCompile(` ?\[\d+\]`)
	spaceRE          = regexp.MustCompile(`\s+`)
	listMarkRE       = regexp.MustCompile(`^(?:[-*•–]|\d{1,2}[.)])\s+`)
)

// passages lists the usable sentences of the recalled cases.
func passages(r Request, p *pack.Pack) []passage {
	var out []passage
	known := vocabularyOf(r, p)
	for i, it := range r.Recall.Cases {
		if !source(it) {
			continue
		}
		n, example := 0, false
		own := particularsOf(it, r.Situation, p, known)
		for _, sp := range phrase.Sentences(it.Text) {
			t := clean(sp.In(it.Text))
			example = exampleRE.MatchString(t) || ownAmount(t, r.Situation, p) || example && hasMoney(t)
			if example || !usable(t, it, r.Situation, p) || released(it) && (own.in(t) || r.saidByRule(t, p)) {
				n++ // what stands on both sides of a gap are no neighbours
				continue
			}
			out = append(out, passage{text: t, item: i, at: n, order: len(out), stems: pack.ContentStems(t), leansOn: backRE.MatchString(t)})
			n++
		}
	}
	return leaveToDocuments(out, r)
}

func (p passage) same(other passage) bool { return p.order == other.order }

func clean(s string) string {
	s = spaceRE.ReplaceAllString(citationRE.ReplaceAllString(s, ""), " ")
	s = strings.TrimSpace(listMarkRE.ReplaceAllString(strings.TrimSpace(s), ""))
	return strings.TrimPrefix(strings.Trim(s, "#>*_ "), "Warning: ")
}

// usable tells whether a sentence can stand in a draft.
func usable(t string, it knowledge.Item, s pack.Situation, p *pack.Pack) bool {
	n := len(strings.Fields(t))
	if n < 5 || n > 48 || !strings.ContainsAny(t[len(t)-1:], ".!") || startsLow(t) {
		return false // headings, questions, list fragments
	}
	if elsewhereRE.MatchString(t) || addressRE.MatchString(t) || tokenRE.MatchString(t) || aboutCustomersRE.MatchString(t) {
		return false
	}
	return !(p.Checks && stale(t, s)) && !flagged(t, it)
}

// stale tells whether a sentence has a figure that the dated facts contradict.
func stale(t string, s pack.Situation) bool {
	return len(pack.Of(s.Pack).WrongFacts(t, s.At)) > 0
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
	return slices.ContainsFunc(it.Case.Flags, func(f knowledge.Flag) bool {
		return f.Severity == "major" && f.Quote != "" && strings.Contains(t, f.Quote)
	})
}

// ownAmount tells whether a sentence of a domain with dated facts has an amount that is none of them: it belongs to an example.
func ownAmount(t string, s pack.Situation, p *pack.Pack) bool {
	return p.Checks && slices.ContainsFunc(pack.FindFigures(t), func(f pack.Figure) bool { return f.Kind == "money" && !isFact(f, s) })
}

func isFact(f pack.Figure, s pack.Situation) bool {
	return slices.ContainsFunc(pack.Facts(s.At).All(), func(fact pack.Fact) bool {
		return fact.Value == f.Value && strings.HasPrefix(fact.Unit, map[string]string{"money": "GBP", "percent": "percent", "age": "age"}[f.Kind])
	})
}

func hasMoney(t string) bool { return strings.Contains(t, "£") }
