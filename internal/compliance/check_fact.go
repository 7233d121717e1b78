package compliance

import (
	"strings"

	"preceptor/internal/pack"
)

// checkFact compares the text with the dated table of facts, and with the rules that are often told wrong.
func checkFact(d draft, s told) []finding {
	var out []finding
	for _, f := range pack.CheckSentences(d.text, d.spans, s.At) {
		if f.Severity != "major" || strings.Contains(strings.ReplaceAll(s.words, ",", ""), strings.Trim(strings.ReplaceAll(f.Quote, ",", ""), "£.")) || f.Key == "small_pot" {
			continue // the customer's own figures are none of the table's
		}
		if i := d.sentenceOf(f.Start); i >= 0 && historyRE.MatchString(d.lower[i]) {
			continue // told as history
		}
		severity := Major
		if strings.Contains(f.Why, " until ") || strings.Contains(f.Why, "abolished") {
			severity = Critical
		}
		out = append(out, finding{code: InaccurateFact, severity: severity, why: f.Why, reference: f.Source, start: f.Start, end: f.End})
	}
	return append(out, d.wrongRules(out, s)...)
}

// wrongRules are the rules told wrong in sentences in which no figure was found.
func (d draft) wrongRules(found []finding, s told) []finding {
	var out []finding
	plain := make([]sentence, len(d.lower))
	for i, low := range d.lower {
		text := plainly(d.unquoted(i, low))
		if text == low {
			text = low // which was looked at already
		}
		plain[i] = plainSentence(text)
	}
	table := pack.Facts(s.At)
	for i, low := range d.lower {
		if holds(found, d.spans[i]) || d.r.Sentences[i].Asks || len(low) < 25 {
			continue
		}
		if why, ok := misread(plain, i, table); ok {
			out = append(out, finding{code: InaccurateFact, severity: Major, why: why, reference: factReference, start: d.spans[i].Start, end: d.spans[i].End})
		}
	}
	return out
}

// longQuote is from how many bytes on quotation marks hold a claim of others rather than a term.
const longQuote = 24

// unquoted is sentence i without the claims in it that stand in quotation marks.
func (d draft) unquoted(i int, low string) string {
	sp := d.spans[i]
	for _, q := range d.quotes {
		if from, to := max(q.Start, sp.Start)-sp.Start, min(q.End, sp.End)-sp.Start; to-from >= longQuote {
			low = low[:from] + strings.Repeat(" ", to-from) + low[to:]
		}
	}
	return low
}

// historyRE is how a figure of the past is told as one.
var historyRE = rx(`\buntil (?:5 |6 )?april\b|\buntil (?:19|20)\d\d|\bused to\b|\bwas\b[^.]{0,60}\bnow\b|\bold\b[^.]{0,40}\b(?:days|regime|limit)\b|\bprotect(?:ion|ed)\b[^.]{0,30}\bfrom the\b|\bbefore (?:6 )?april\b|\bup from £|\brose from\b|\bthe year before\b|\blast year\b|\ballowance (?:went|ended|disappeared|has gone|is gone|was abolished)\b`)

// sentenceOf is the number of the sentence that holds byte at; -1 when none does.
func (d draft) sentenceOf(at int) int {
	for i, sp := range d.spans {
		if sp.Start <= at && at < sp.End {
			return i
		}
	}
	return -1
}

// holds tells whether one of found lies in a sentence.
func holds(found []finding, sp pack.Span) bool {
	for _, f := range found {
		if f.start >= sp.Start && f.end <= sp.End {
			return true
		}
	}
	return false
}
