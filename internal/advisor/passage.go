package advisor

import (
	"regexp"
	"strings"
	"unicode"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
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
	elsewhereRE = pack.NewPattern(`\b(?:read more|find out (?:more|how|if|what)|see (?:the|our|also)|click|this (?:page|guide|table|section|calculator)|table|below|above|opening hours|telephone|phone:|email:|monday to friday|call charges|www\.|https?:|\[\d+\]|sources?:|step \d|sign up|book an? |cookies)`)
	addressRE   = pack.NewPattern(`^(?:hello|hi|dear|thank you|thanks|you asked|you've asked|you told|sources|kind regards|we hope|example)\b`)
	tokenRE     = regexp.MustCompile(`\[[A-Z]+-\d+\]`)
	backRE      = pack.NewPattern(`^(?:this|that|these|those|it|they|he|she|such|also|however|but|and|or|so|then|otherwise|instead|the other|both|either|in this case|for example|each time|if so|if not|here|after that|for most|the (?:form|rest|other|others|same|former|latter|second|first|remaining)|once (?:it|that|they)|an? (?:other|second)|values of|what is left)\b|^(?:many|most|some|each|all|few|none|one|any|more|several) (?:who|of|rise|can|do|pay|are|have|let|use)\b|\bthat much\b`)
	pointingRE  = pack.NewPattern(`\b(?:it|its|this|these|those|them)\b`)
	exampleRE   = pack.NewPattern(`^example\b|\bsay you\b|\bimagine\b|\bsuppose\b`)
	citationRE  = regexp.MustCompile(` ?\[\d+\]`)
	spaceRE     = regexp.MustCompile(`\s+`)
	listMarkRE  = regexp.MustCompile(`^(?:[-*•–]|\d{1,2}[.)])\s+`)
)

// passages lists the usable sentences of the recalled cases.
func passages(r Request) []passage {
	var out []passage
	for i, it := range r.Recall.Cases {
		n, fresh, example := 0, true, false
		for _, sp := range pack.SentenceSpans(it.Text) {
			t := clean(sp.In(it.Text))
			example = exampleRE.MatchString(t) || ownFigures(t, r.Situation) || example && hasMoney(t)
			if example || !usable(t, it, r.Situation) {
				fresh = false
				n++ // what stands on both sides of a gap are no neighbours
				continue
			}
			t = address(t)
			out = append(out, passage{text: t, item: i, at: n, first: n == 0 && fresh, stems: pack.ContentStems(t), leansOn: backRE.MatchString(t)})
			n++
		}
	}
	return out
}

// address turns a document's "the customer" into "you".
func address(t string) string {
	if strings.Contains(t, "the customer") || strings.Contains(t, "The customer") {
		return pack.ToYou(t)
	}
	return t
}

func clean(s string) string {
	s = spaceRE.ReplaceAllString(citationRE.ReplaceAllString(s, ""), " ")
	s = strings.TrimSpace(listMarkRE.ReplaceAllString(strings.TrimSpace(s), ""))
	return strings.TrimPrefix(strings.Trim(s, "#>*_ "), "Warning: ")
}

// usable tells whether a sentence can stand in a draft for this customer.
func usable(t string, it knowledge.Item, s pack.Situation) bool {
	n := len(strings.Fields(t))
	if n < 5 || n > 48 || !strings.ContainsAny(t[len(t)-1:], ".!") || startsLow(t) {
		return false // headings, questions, list fragments
	}
	if elsewhereRE.MatchString(t) || addressRE.MatchString(t) || tokenRE.MatchString(t) {
		return false
	}
	for _, issue := range pack.Check(t, s.At) {
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
func ownFigures(t string, s pack.Situation) bool {
	known := map[float64]bool{}
	for _, f := range pack.Facts(s.At).All() {
		known[f.Value] = true
	}
	for _, f := range pack.FindFigures(t) {
		if f.Kind == "money" && !known[f.Value] {
			return true
		}
	}
	return false
}

func hasMoney(t string) bool { return strings.Contains(t, "£") }

// toOne finds a refusal to choose, which every draft that needs one says for itself.
var toOne = regexp.MustCompile(`(?i)\b(?:right|best|suitable) for you\b`)

// steersOrAsks tells whether a sentence of earlier guidance was said to one customer: it asks them something, steers, or is one
// of the closing lines that every draft gets of its own.
func steersOrAsks(t string) bool {
	if toOne.MatchString(t) {
		return true
	}
	for _, m := range pack.DetectMoves(t) {
		switch m.Move {
		case pack.PersonalPhrasing, pack.Ask, pack.CheckUnderstanding, pack.Empathy, pack.SignpostAdvice, pack.SignpostGuidance:
			return true
		}
	}
	return false
}
