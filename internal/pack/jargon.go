package pack

import (
	"strings"
)

// term is a technical term with plain words for it.
type term struct {
	re    *Pattern
	plain string // replaces the term
	gloss string // is put in brackets after the term's first mention
}

func jargonTerm(pattern, plain, gloss string) term {
	return term{ci(`\b(?:` + pattern + `)\b`), plain, gloss}
}

// jargon is ordered: longer terms first. A term with plain words is replaced; one that the customer will meet on forms keeps its
// name and gets a gloss.
var jargon = []term{
	jargonTerm(`money purchase annual allowance(?: \(mpaa\))?`, "", "a lower yearly limit on what you can pay in"),
	jargonTerm(`uncrystallised funds? pension lump sums?(?: \(ufpls\))?|ufpls`, "lump sum from your pot", ""),
	jargonTerm(`flexi[- ]access drawdown`, "drawdown (you leave the money invested and take out what you need)", ""),
	jargonTerm(`cash equivalent transfer values?(?: \(cetv\))?|cetv`, "transfer value (the amount the scheme would pay to move your pension)", ""),
	jargonTerm(`pension commencement lump sums?(?: \(pcls\))?|pcls`, "tax-free lump sum", ""),
	jargonTerm(`normal minimum pension age`, "earliest age", ""),
	jargonTerm(`defined[- ]benefit`, "", "a pension that promises a set income for life, often called final salary"),
	jargonTerm(`defined[- ]contribution`, "", "a pot of money that you and your employer pay into"),
	jargonTerm(`safeguarded benefits`, "guaranteed benefits", ""),
	jargonTerm(`guaranteed annuity rates?`, "", "a promise of a better rate when you turn the pot into an income"),
	jargonTerm(`drawdown`, "", "you leave the money invested and take out what you need"),
	jargonTerm(`annuit(?:y|ies)`, "", "an income for life that you buy with your pot"),
	jargonTerm(`crystallis(?:e|ing)`, "start taking", ""),
	jargonTerm(`crystallised`, "already started", ""),
	jargonTerm(`commut(?:e|ing)`, "swap", ""),
	jargonTerm(`consolidating`, "putting together", ""),
	jargonTerm(`consolidate`, "put together", ""),
	jargonTerm(`consolidation`, "putting pensions together", ""),
	jargonTerm(`decumulation`, "taking money out", ""),
	jargonTerm(`accrued`, "built up", ""),
	jargonTerm(`accrual`, "building up", ""),
	jargonTerm(`marginal rate(?: of (?:income )?tax)?`, "highest rate of tax you pay", ""),
	jargonTerm(`tax[- ]efficient`, "good for tax", ""),
	jargonTerm(`beneficiar(?:y|ies)`, "the people who get your money", ""),
	jargonTerm(`expression of wish(?: form)?`, "", "a form that says who you would like to get your pension"),
	jargonTerm(`open market option`, "right to shop around", ""),
	jargonTerm(`volatility`, "ups and downs", ""),
	jargonTerm(`diversif(?:y|ied|ication)`, "", "spreading money over different things"),
	jargonTerm(`irrevocable`, "final", ""),
	jargonTerm(`irreversible`, "final", ""),
	jargonTerm(`in respect of`, "for", ""),
	jargonTerm(`prior to`, "before", ""),
	jargonTerm(`in the event of`, "if there is", ""),
	jargonTerm(`utilis(?:e|ing)`, "use", ""),
	jargonTerm(`commence`, "start", ""),
	jargonTerm(`subsequently`, "later", ""),
	jargonTerm(`remuneration`, "pay", ""),
	jargonTerm(`notwithstanding`, "despite", ""),
}

// plainWords replaces technical terms by plain ones, and explains the first mention of those that have to stay. Doing it twice
// changes nothing more.
func plainWords(text string) string {
	for _, t := range jargon {
		if t.plain != "" {
			text = replaceTerm(text, t)
		} else {
			text = explainTerm(text, t)
		}
	}
	return text
}

func replaceTerm(text string, t term) string {
	seen := false
	return t.re.ReplaceAllStringFunc(text, func(m string) string {
		if strings.EqualFold(m, t.plain) {
			return m
		}
		plain := t.plain
		if i := strings.Index(plain, " ("); i > 0 && seen {
			plain = plain[:i]
		}
		seen = true
		if m[0] >= 'A' && m[0] <= 'Z' && !(len(m) > 1 && m[1] >= 'A' && m[1] <= 'Z') {
			return upperFirst(plain)
		}
		return plain
	})
}

var nounAfterRE = ci(`^ (?:pensions?|schemes?|pots?|lump sums?|income|arrangements?)\b`)

func explainTerm(text string, t term) string {
	m := t.re.FindStringIndex(text)
	if m == nil || explained(text, m, t) {
		return text
	}
	end := m[1]
	if n := nounAfterRE.FindStringIndex(text[end:]); n != nil {
		end += n[1]
	}
	return text[:end] + " (" + t.gloss + ")" + text[end:]
}

// explained tells whether the text says what the term means close by: its gloss, a bracket, or enough of the gloss's words.
func explained(text string, m []int, t term) bool {
	if strings.Contains(text, t.gloss) {
		return true
	}
	from, to := max(0, m[0]-60), min(len(text), m[1]+200)
	next := text[m[1]:to]
	if i := strings.IndexByte(next, '('); i >= 0 && i <= 14 {
		return true
	}
	if i := strings.LastIndexByte(text[from:m[0]], '('); i >= 0 && !strings.Contains(text[from+i:m[0]], ")") {
		return true // the term itself stands in a bracket
	}
	return overlap(ContentStems(t.gloss), ContentStems(strings.ToValidUTF8(next, " "))) >= 0.6
}

// JargonIn lists the technical terms of a text that are not explained there.
func JargonIn(text string) []Span {
	var out []Span
	for _, t := range jargon {
		if m := t.re.FindStringIndex(text); m != nil && (t.plain != "" || !explained(text, m, t)) {
			if t.plain != "" && strings.Contains(text, t.plain) {
				continue
			}
			out = append(out, Span{m[0], m[1]})
		}
	}
	return out
}
