package pack

import (
	"slices"
	"strings"
)

// What the check for the warning of safeguarded benefits reads in a text: whether moving a pension is discussed, and whether the loss of
// guarantees is warned of, and first.
var (
	guaranteeRE = ci(`guarante|safeguarded|secure income|income for (?:life|the rest)|promise|protect(?:ed|ions)|valuable benefit|inflation|rises? (?:with|each|every)|defined[- ]benefit|final[- ]salary|\bdb\b|career[- ]average`)
	lossRE      = ci(`\blos(?:e|es|ing|t|s)\b|giv(?:e|es|ing) (?:\w+ )?up|gone\b|worse off|better off|lose out|irrevers|cannot be (?:undone|reversed|got|had)|can'?t (?:be |get |go )?(?:undone|reversed|back|undo)|no way back|get (?:it|them|that|those) back|surrender|forfeit|disappear|not (?:usually|normally|generally) (?:suitable|in)|unlikely to be|best interests|for good\b|swap(?:ping)?|trad(?:e|ing) away|hard to (?:match|replace)|can'?t (?:be )?(?:replace|match)|cannot (?:be )?(?:replace|match)|\bends? (?:when|if|once|on|as soon)|\bends\b|with less\b|should keep|valuable`)
	dbNearRE    = ci(dbWords + `|safeguarded|transfer|guaranteed annuity rate|\bscheme|mov(?:e|ing) (?:it|this|that|them|your)`)
	worseRE     = ci(`(?:most people|many people|you (?:could|may|might|would)|usually).{0,60}(?:worse off|lose out|better off (?:keeping|staying|not))|unlikely to be (?:in|suitable)|(?:not|rarely|seldom|hardly ever) (?:usually |normally |generally )?in (?:your|their|most people'?s|people'?s|anyone'?s) best interests?|most people should keep`)
	notWarnRE   = ci(`\bannuit(?:y|ies)\b (?:gives?|pays?|provides?|is|guarantees)|not guaranteed|no guarantee|isn'?t guaranteed|aren'?t guaranteed|guarantees? (?:of|that|about) (?:returns|growth|investment)|promises? (?:high|big|returns|growth)|compensation`)
)

var adviceRE = ci(`(?:regulated|independent|authorised|professional|specialist|qualified|fca[- ]authorised)(?:[ ,]+(?:independent|financial|pension|pensions|transfer|fca[- ]authorised|regulated|and))*[ ,]+(?:advi[cs]e|advis[eo]rs?)|financial advi[cs]e(?:r|rs)?\b|financial advisor|\bifas?\b|pension transfer specialist|retirement adviser directory`)

var (
	youAskedRE   = ci(`^you asked`)
	dbOrMoveRE   = ci(dbWords + `|transfer`)
	pointsBackRE = ci(`guarantee|\bit\b|them|those|that|these|transfer`)
	plainLossRE  = ci(`\blos|giv|back|worse|for good`)
	conditionRE  = ci(`(?:if|when|unless|that) you|not (?:usually|normally|want)|don'?t want`)
)

func warnsOfGuarantees(text string, spans []Span, i int, s string) bool {
	loss := lossRE.FindStringIndex(s)
	if loss == nil || notWarnRE.MatchString(s) || lossDenied(s, loss[0]) {
		return false
	}
	near := s
	if i > 0 {
		near = spans[i-1].In(text) + " " + near
	}
	if i > 1 {
		near = spans[i-2].In(text) + " " + near
	}
	if i+1 < len(spans) {
		near += " " + spans[i+1].In(text)
	}
	if !dbNearRE.MatchString(near) || youAskedRE.MatchString(s) {
		return false
	}
	return guaranteeRE.MatchString(s) || worseRE.MatchString(s) && dbOrMoveRE.MatchString(near) ||
		guaranteeRE.MatchString(near) && pointsBackRE.MatchString(s) && plainLossRE.MatchString(s)
}

// lossDenied tells whether the loss is denied: "you won't lose anything".
func lossDenied(s string, at int) bool {
	word := strings.ToLower(s[at:])
	if strings.HasPrefix(word, "can") || strings.HasPrefix(word, "best") || strings.HasPrefix(word, "no ") || strings.HasPrefix(word, "not ") || strings.HasPrefix(word, "unlikely") {
		return false
	}
	return negated(s, at) && !conditionRE.MatchString(s[:at])
}

var (
	discussRE = ci(`\btransferr?(?:ing|s|red)?\b|consolidat|combin(?:e|ing)|merg(?:e|ing)|mov(?:e|ing) (?:\w+ ){0,3}(?:pensions?|pots?|benefits|them)\b|mov(?:e|ing) (?:\w+ ){0,2}(?:money|it) (?:elsewhere|away|(?:to|into|out of) (?:another|an?|the|your|one) (?:\w+ )?(?:provider|scheme|pension|pot|plan|sipp))\b|bring(?:ing)? (?:\w+ ){0,3}together|into one|switch(?:ing)?\b|cash(?:ing)? (?:\w+ )?in\b|giv(?:e|ing) up`)
	openingRE = ci(`^(?:hello|hi|dear|thank|thanks|you (?:asked|have asked|want to know|wanted|told|said|mention)|you've (?:asked|told|said|mention)|your question|we understand|i understand|this (?:answers|is about|note|reply)|#|sources:|\[\d)`)
)

var (
	declinesRE = ci(`\b(?:can'?t|cannot|can not|unable to|not able to|don'?t|do not|won'?t|not allowed to)\b.{0,40}\b(?:tell|say|advise|recommend|decide|choose)\b`)
	wholeAskRE = ci(`^(?:whether|should|could|would|can|how|what|is|are|do|does) .*\?$`)
)

// discusses tells whether a sentence discusses moving a pension: not one that restates the question, declines to choose,
// asks, or only points to advice.
func discusses(s string) bool {
	if !discussRE.MatchString(s) || openingRE.MatchString(s) || declinesRE.MatchString(s) || wholeAskRE.MatchString(s) {
		return false
	}
	return !adviceRE.MatchString(s)
}

// DiscussesMoving tells whether text discusses moving, combining or giving up a pension.
func DiscussesMoving(text string) bool { return firstDiscussion(text) < len(text) }

// AsksOfMoving tells whether the customer asks about it.
func (s Situation) AsksOfMoving() bool {
	if s.knows() {
		return s.known.moves
	}
	if discussRE.MatchString(s.asked()) {
		return true
	}
	if s.Task == "" || s.Task == General {
		return isAboutAny(s.Question, Consolidation, Transfer, DBTransfer)
	}
	return slices.Contains([]Task{Consolidation, Transfer, DBTransfer}, s.Task)
}

// firstDiscussion is where text first discusses moving a pension, apart from restating the question and from the warning
// itself; the end of the text when it never does.
func firstDiscussion(text string) int {
	if !discussRE.possible(text) {
		return len(text)
	}
	spans := SentenceSpans(text)
	for i, sp := range spans {
		s := sp.In(text)
		if discusses(s) && !warnsOfGuarantees(text, spans, i, s) {
			return sp.Start
		}
	}
	return len(text)
}

// WarnedOfGuarantees tells whether text warns about what giving up guaranteed benefits loses, and whether it does so before it
// discusses moving them. start is where the discussion begins.
func WarnedOfGuarantees(text string) (warned, first bool, start int) {
	start = firstDiscussion(text)
	spans := SentenceSpans(text)
	for i, sp := range spans {
		if warnsOfGuarantees(text, spans, i, sp.In(text)) {
			return true, sp.Start <= start, start
		}
	}
	return false, false, start
}
