package pack

import (
	"slices"
	"strings"
)

// Present tells whether text already does all that the action demands, where it demands it.
func (p Principle) Present(text string) bool {
	all := p.steps()
	lead := p.Lead()
	for _, st := range all {
		if !st.present(text, lead) {
			return false
		}
	}
	return len(all) > 0
}

func (st step) present(text string, lead bool) bool {
	switch st.move {
	case Depersonalise:
		return depersonalise(text) == text
	case PlainWords:
		return plainWords(text) == text
	case NoPromise:
		return !said(text, promiseRE)
	case Replace, Avoid:
		return st.rewrite(text) == text
	case Ask:
		return asksIt(st, text)
	case Say:
		return saysIt(st.wanted(), text)
	}
	at := -1
	for _, f := range DetectMoves(text) {
		if f.Move == st.move {
			at = f.Start
			break
		}
	}
	if at < 0 {
		return false
	}
	return !lead || st.move != WarnGuarantees || at <= firstDiscussion(text)
}

// wanted is the words that a text must carry to have said it.
func (st step) wanted() string {
	if st.how == "quote" {
		return st.content
	}
	return ToYou(st.content)
}

// saysIt looks for one or two neighbouring sentences that carry seven tenths of the wanted words, all of its figures and
// its polarity.
func saysIt(wanted, text string) bool {
	want := ContentStems(wanted)
	if len(want) == 0 {
		return strings.Contains(strings.ToLower(text), strings.ToLower(wanted))
	}
	spans := SentenceSpans(text)
	for i, sp := range spans {
		s := sp.In(text)
		for _, window := range []string{s, s + " " + after(text, spans, i)} {
			if overlap(want, ContentStems(window)) >= 0.7 && hasFigures(window, wanted) && polarity(window) == polarity(wanted) {
				return true
			}
		}
	}
	return false
}

func after(text string, spans []Span, i int) string {
	if i+1 < len(spans) {
		return spans[i+1].In(text)
	}
	return ""
}

func hasFigures(text, wanted string) bool {
	have := map[string]bool{}
	for _, f := range FindFigures(text) {
		have[f.Kind+Pounds(f.Value)] = true
	}
	for _, f := range FindFigures(wanted) {
		if !have[f.Kind+Pounds(f.Value)] {
			return false
		}
	}
	return true
}

// polarity is whether a text denies: an odd sense of "not" would make a rule's opposite count as done.
func polarity(s string) bool {
	n := 0
	for _, w := range words(s) {
		if w.text == "not" || w.text == "never" || w.text == "cannot" || w.text == "no" || strings.HasSuffix(w.text, "n't") {
			n++
		}
	}
	return n > 0
}

func asksIt(st step, text string) bool {
	want := ContentStems(ToYou(st.content))
	for _, sp := range SentenceSpans(text) {
		s := sp.In(text)
		if strings.HasSuffix(strings.TrimRight(s, `"'”’)`), "?") && overlap(want, ContentStems(s)) >= 0.6 {
			return true
		}
	}
	return false
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
	for _, d := range detectors {
		if d.move == SignpostAdvice && d.re.MatchString(s) {
			return false
		}
	}
	return true
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
