package pack

import (
	"strings"
)

// negators before a phrase turn it round.
var negators = set(`no not never without don't doesn't didn't isn't aren't wasn't haven't hasn't hadn't can't cannot won't wouldn't shouldn't couldn't
 nor neither lacks lacking rather none nothing dont doesnt havent hasnt isnt neither except unless`)

// clauseBreaks end the reach of a negation.
var clauseBreaks = set("but although though however and because so which")

// negated tells whether the phrase that begins at start is turned round by one of the four words before it, within its clause.
func negated(text string, start int) bool {
	from := max(0, start-60)
	for from > 0 && text[from] >= 0x80 && text[from] < 0xC0 {
		from++
	}
	before := text[from:start]
	if i := strings.LastIndexAny(before, ".!?;:\n"); i >= 0 {
		before = before[i+1:]
	}
	ws := words(before)
	for i, n := len(ws)-1, 0; i >= 0 && n < 4; i, n = i-1, n+1 {
		if clauseBreaks[ws[i].text] {
			return false
		}
		if ws[i].text == "only" && i > 0 && ws[i-1].text == "not" {
			return false
		}
		if negators[ws[i].text] || strings.HasSuffix(ws[i].text, "n't") {
			return true
		}
	}
	return false
}

// said tells whether text says re and does not turn it round.
func said(text string, re *Pattern) bool {
	for _, m := range re.FindAllStringIndex(text, 20) {
		if !negated(text, m[0]) {
			return true
		}
	}
	return false
}
