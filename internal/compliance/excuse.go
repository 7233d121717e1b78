package compliance

import (
	"strings"

	"preceptor/internal/pack"
)

// excused tells whether the steer found from start to end of sentence s is none: quoted, declined, reported, asked, conditional
// on what the customer has already chosen, demanded by law, a warning about scams, or one item in a list of options.
func (d draft) excused(i int, sp pack.Span, s string, start, end int, p steerPattern) bool {
	before := s[:start]
	through := s[:min(end, len(s))]
	switch {
	case d.quoted(sp.Start+start, sp.Start+start+1) && d.quoted(sp.Start+start, sp.Start+min(end, start+12)):
		return true
	case declined(before, through, s, p):
		return true
	case reportedRE.MatchString(before) || strings.Contains(before, "whether "):
		return true
	case othersSayRE.MatchString(before), youSaidRE.MatchString(before):
		return true
	case questionRE.MatchString(s) && (p.severity == Critical || !strings.Contains(s, "have you") && !strings.Contains(s, "why not")):
		return true
	case suitability(p) && maybeNotRE.MatchString(through) && p.why != whyDirective:
		return true
	case d.protects(i, s):
		return true
	}
	return d.permitted(i, s, start, through, p)
}

// declined tells a refusal ("I can't tell you whether you should transfer", "we don't recommend particular products") from a
// recommendation against ("we don't recommend transferring"). The latter is a steer as much as one in favour.
func declined(before, through, s string, p steerPattern) bool {
	for _, brk := range []string{" but ", "; ", ": ", " - ", " however"} {
		if i := strings.LastIndex(before, brk); i >= 0 {
			before = before[i:] // what was declined before "but" is not what comes after
		}
	}
	m := declineRE.FindString(before)
	if m == "" {
		// "we cannot recommend that you transfer": the refusal stands inside the match.
		return refusalInside.MatchString(through)
	}
	if declVerbRE.MatchString(m) {
		return true
	}
	return p.why == whyAuthor || strings.Contains(m, "up to you") || strings.Contains(m, "rather than") || strings.Contains(m, "instead of")
}

var refusalInside = rx(`\b(?:can'?t|cannot|can not|unable to|not able to|not allowed to|aren't able to|never) (?:\w+ )?(?:recommend|advise|suggest|tell|say)|\b(?:don't|do not) (?:recommend|advise|suggest|tell) (?:any|a particular|specific|particular|individual|one|products|providers|options|what|which|whether)`)

func suitability(p steerPattern) bool { return p.why == whySuitable || p.why == whyPersonal }

// protects tells whether the sentence, or the one before, warns of scams, and this one tells the reader to hold back.
func (d draft) protects(i int, s string) bool {
	near := s
	if i > 0 {
		near = d.lower[i-1] + " " + near
	}
	if i+1 < len(d.lower) {
		near += " " + d.lower[i+1]
	}
	return protectRE.MatchString(near) && holdBackRE.MatchString(s)
}

var holdBackRE = rx(`\b(?:not|never|don't|do not|shouldn't|mustn't|stop|avoid|hang up|refuse|ignore|reject)\b`)

// permitted tells the imperatives and musts that guidance may use: legal and technical conditions, steps for somebody who has
// chosen already, items of a list of options, and "not until you have had advice".
func (d draft) permitted(i int, s string, start int, through string, p steerPattern) bool {
	if optionRE.MatchString(s) && p.why == whyDirective && !strings.Contains(through, "you should") {
		return true
	}
	directive := p.why == whyDirective
	imperative := directive && strings.HasPrefix(strings.TrimPrefix(p.re.String(), "(?i)"), "^")
	if (imperative || directive) && untilRE.MatchString(s) && holdBackRE.MatchString(s) {
		return true // "don't transfer before you have had advice"
	}
	if mustRE.MatchString(through) && directive && (strings.Contains(s, "state pension") || lawRE.MatchString(s) || ifYouRE.MatchString(s)) {
		return true
	}
	if imperative && (consequenceRE.MatchString(s) && !strings.HasPrefix(s, "so") || nounRE.MatchString(s) || d.menu(i)) {
		return true // "stay, and you'd earn ..." is a condition
	}
	if imperative && (ifYouRE.MatchString(s) || adviceStepRE.MatchString(s) || d.listed(i)) {
		return true
	}
	if p.severity == Major && (adviceStepRE.MatchString(through) || generalRE.MatchString(s[:start])) {
		return true
	}
	return directive && adviceStepRE.MatchString(through)
}

var (
	// consequenceRE is an imperative that stands for a condition, and nounRE words that only look like imperatives.
	consequenceRE = rx(`^(?:[\w'£%,.-]+[ ,;]+){1,14}?(?:and|or) (?:you(?:'d|'ll|'re|'ve| |r )|it(?:'s|'ll|'d| )|there|that |they|the (?:\w+ )?(?:£|rest |pot |other |pension |income |tax |money |scheme |provider |insurer )|the |what|both|nothing|no |its |we )|^[^;:]{1,90}[;,] or (?:take|leave|keep|put|draw|use|buy|move|spread|do)\b`)
	nounRE        = rx(`^buy-?outs?\b|^cash in (?:one go|hand|the bank)\b|^put (?:like (?:that|this)|it (?:like (?:that|this)|another way|this way)|another way|differently|simply|plainly|briefly|(?:all |both )?(?:of )?(?:that|those|these|them|this|the two) (?:next to|beside|side|together|against)|in (?:an?|the) [^,]{3,40}, )|^take (?:them|him|her|it|the (?:scheme|employer|provider|trustees)) up on\b|^(?:take|taking) (?:that|this|those|each|these|the (?:points?|questions?|two|three|first|second))\b(?: \w+)?(?: in turn| first|:|,)|^(?:cash|draw|transfer|pay|use|release|spend|split|stop|start|change|switch|move)s? (?:left|from|is|are|was|of|in a|values?|with paper|with the (?:paper|letter|statement)|held)\b|^start with (?:paper|th(?:is|e|at)|your|what|an?|how|whether|who)\b`)
	adviceStepRE  = rx(`\b(?:regulated|independent|financial|professional|impartial|free|specialist) (?:\w+ )?(?:advi[cs]e|advis[eo]r|guidance|help)|\badvice\b|pension ?wise|money ?helper|compare|shop(?:ping)? around|check(?:ing)? (?:with|the|your|that|whether|if|what)|ask(?:ing)? (?:your|the|each)|tell us|contact`)
	generalRE     = rx(`\b(?:some people|many people|others|people (?:often|sometimes|can|may)|options include|one option|for example|a customer|someone who)\b[^.;]{0,40}$`)
)

// menu tells whether a short imperative stands in a run of alternatives, as "Leave it. Take bits. Or swap it for pay."
func (d draft) menu(i int) bool {
	if len(d.lower[i]) > 40 {
		return false
	}
	for k := i + 1; k < min(i+4, len(d.lower)); k++ {
		if strings.HasPrefix(d.lower[k], "or ") {
			return true
		}
		if len(d.lower[k]) > 40 {
			return false
		}
	}
	return false
}

// listed tells whether a short imperative is an item in a run of options that an earlier sentence announces.
func (d draft) listed(i int) bool {
	for k := i - 1; k >= 0 && k >= i-7; k-- {
		line := d.text[d.spans[k].Start:d.spans[k].End]
		if strings.HasSuffix(strings.TrimSpace(line), ":") || introRE.MatchString(d.lower[k]) && strings.Contains(d.lower[k], "option") {
			return true
		}
	}
	return false
}
