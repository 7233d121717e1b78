package advisor

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/phrase"
)

// passage is one sentence of a recalled case, or one line of a list, that may go into a draft.
type passage struct {
	text    string
	item    int // index of the case in the recall
	order   int // its place among all of them
	at      int // its place among the sentences of its case
	block   int // its paragraph's place in its case
	stems   map[string]bool
	near    float64 // how near its case is to the question
	listed  bool    // a line of a list
	indent  string  // of a list within a list
	warns   bool    // of a warning, which stays with what it warns of
	leansOn bool    // begins with a word that points back, so that it needs the sentence before it
}

// Sentences that never make sense in another text: references to pages, contact details, greetings, citations, and what
// was said to one customer.
var (
	elsewhereRE = regexp.MustCompile(
		`(?i)\b(?:read more|find out (?:more|how|if|what)|see (?:the|our|also)|click|this (?:page|guide|table|section|calculator)|(?:as|see|listed|shown|described|mentioned|given) (?:above|below)|(?:above|below)[.:]$|opening hours|telephone:|phone:|email:|monday to friday|call charges|www\.|https?:|\[\d+\]|sources?:|step \d|sign up|book an? |cookies)`)
	addressRE = regexp.MustCompile(
		`(?i)^(?:hello|hi|dear|thank you|thanks|you asked|you've asked|you told|sources|kind regards|we hope|example)\b`)
	// aboutCustomersRE finds guidance for staff, which speaks of those who read the draft.
	aboutCustomersRE = regexp.MustCompile(
		`(?i)\b(?:the|this|that|a|an|each|every|any|our|your) (?:customer|consumer)s?\b|\b(?:customers|consumers)\b`)
	tokenRE = regexp.MustCompile(`\[[A-Z]+-\d+\]`)
	leansRE = regexp.MustCompile(
		`(?i)^(?:this|that|these|those|it|they|yes|he|she|such|also|however|but|and|or|so|then|otherwise|instead|the other|both|either|in this case|for example|each time|if so|if not|here|after that|for most|the (?:form|rest|other|others|same|former|latter|second|first|remaining)|once (?:it|that|they)|an? (?:other|second)|values of|what is left)\b|^(?:many|most|some|each|all|few|none|one|any|more|several) (?:who|of|rise|can|do|pay|are|have|let|use)\b|\bthat much\b`)
	pointingRE = regexp.MustCompile(`(?i)\b(?:it|its|this|these|those|them)\b`)
	exampleRE  = regexp.MustCompile(`(?i)^(?:for )?example\b|\bsay you\b|\bimagine\b|\bsuppose\b`)
	citationRE = regexp.MustCompile(` ?\[\d+\]`)
	spaceRE    = regexp.MustCompile(`\s+`)
	listMarkRE = regexp.MustCompile(`^(?:[-*•–](?:\s+` + labelRE + `\.)?|\(?` + labelRE + `[.)])\s+`)
)

// labelRE is what numbers an item of a list.
const labelRE = `(?:\d{1,4}(?:\.\d{1,3}){0,4}|[A-Za-z]|[ivxIVX]{1,5})`

// passages lists the usable sentences of the recalled cases.
func passages(r Request, p *pack.Pack) []passage {
	var out []passage
	known := vocabularyOf(r, p)
	for i, it := range r.Recall.Cases {
		if !source(it) {
			continue
		}
		own := particularsOf(it, r.Situation, p, known)
		fits := func(text string) bool {
			return usable(text, it, r.Situation, p) && !(released(it) && (own.in(text) || r.saidByRule(text, p)))
		}
		at, opens := 0, false // what stands on both sides of a gap are no neighbours
		blocks := strings.Split(it.Text, "\n\n")
		for n, block := range blocks {
			var list []passage
			example, first := false, at
			spans := sentencesOf(block, it)
			// what a paragraph says without a full stop belongs to its sentences
			told := !released(it) && slices.ContainsFunc(spans, func(sp phrase.Span) bool {
				return isSentence(clean(sp.In(block)))
			})
			for _, sp := range spans {
				line := strings.LastIndex(block[:sp.Start], "\n") + 1
				raw := strings.TrimSpace(block[line:sp.End]) // with the mark of a list
				if mark := listMarkRE.FindString(raw); mark == "" {
					raw = sp.In(block)
				} else if len(strings.TrimSpace(block[line:sp.Start])) > len(strings.TrimSpace(mark)) {
					// a later sentence of an item stays with its first
					if k := len(list) - 1; k >= 0 && list[k].listed && list[k].at == at-1 && fits(clean(sp.In(block))) {
						list[k].text += " " + clean(sp.In(block))
						list[k].stems = pack.ContentStems(list[k].text)
					}
					continue
				}
				one := passage{text: clean(raw), item: i, at: at, block: n}
				one.warns = strings.HasPrefix(block, warningMark)
				at++
				one.listed = listMarkRE.MatchString(raw)
				example = exampleRE.MatchString(one.text) || example && hasMoney(one.text)
				behind := strings.TrimLeft(strings.Join(blocks[n:min(n+2, len(blocks))], "\n")[sp.End:], "\n")
				if !released(it) && !one.listed && listMarkRE.MatchString(behind) && names(one.text) {
					one.text += ":"
				}
				// a list follows what introduces it, or its heading; a row of a table says what it is of
				row := one.listed && !released(it) && strings.Contains(one.text, ": ")
				opens = row || one.listed && (opens || one.at == 0) || strings.HasSuffix(one.text, ":")
				short := !opens && !isSentence(one.text)
				if example || !fits(one.text) || short && !(told && isSentence(one.text+".")) {
					continue
				}
				if one.listed {
					one.text, one.indent = raw, block[line:line+strings.IndexByte(block[line:], raw[0])]
				} else if short {
					one.text += "."
				}
				one.stems, one.leansOn = pack.ContentStems(one.text), leansRE.MatchString(one.text)
				list = append(list, one)
			}
			if released(it) && (2*len(list) < at-first || copied(list, it)) {
				continue
			}
			out = append(out, list...)
		}
	}
	led := withLists(out)
	for i := range led {
		led[i].order = i
	}
	return leaveToDocuments(led, r)
}

// sentencesOf cuts a paragraph of a case. The number of a list's item is no sentence of its own.
func sentencesOf(block string, it knowledge.Item) []phrase.Span {
	spans := phrase.Sentences(block)
	if !released(it) {
		spans = byLine(block, spans)
	}
	return slices.DeleteFunc(spans, func(sp phrase.Span) bool {
		before, mark := strings.TrimRight(block[:sp.Start], " "), listMarkRE.FindString(block[sp.Start:])
		return strings.TrimRight(mark, " ") == sp.In(block) && (before == "" || strings.HasSuffix(before, "\n"))
	})
}

// byLine cuts sentences where a line ends: a document has lines only where its page does.
func byLine(text string, spans []phrase.Span) (out []phrase.Span) {
	for _, sp := range spans {
		for {
			i := strings.IndexByte(sp.In(text), '\n')
			if i < 0 {
				break
			}
			out = append(out, phrase.Span{Start: sp.Start, End: sp.Start + i})
			sp.Start += i + 1
		}
		out = append(out, sp)
	}
	return slices.DeleteFunc(out, func(sp phrase.Span) bool { return strings.TrimSpace(sp.In(text)) == "" })
}

// withLists is a list without what introduces a list that went.
func withLists(list []passage) (out []passage) {
	for i, p := range list {
		if strings.HasSuffix(p.text, ":") &&
			(i+1 == len(list) || list[i+1].item != p.item || !list[i+1].listed) {
			continue
		}
		out = append(out, p)
	}
	return out
}

// warningMark begins a warning as documents are imported.
const warningMark = "Warning: "

func (p passage) same(other passage) bool { return p.order == other.order }

func clean(s string) string {
	s = spaceRE.ReplaceAllString(citationRE.ReplaceAllString(s, ""), " ")
	s = strings.TrimSpace(listMarkRE.ReplaceAllString(strings.TrimSpace(s), ""))
	return strings.TrimPrefix(strings.Trim(s, "#>*_ "), warningMark)
}

// isSentence reports whether a text is one: no heading, question or piece of a list.
func isSentence(t string) bool {
	return len(strings.Fields(t)) >= 3 && strings.ContainsAny(t[len(t)-1:], ".!:") && !startsLow(t)
}

// names reports whether a line without an end, such as a table's caption, can name the list below it.
func names(t string) bool {
	first, _ := utf8.DecodeRuneInString(t)
	return unicode.IsUpper(first) && !strings.ContainsAny(t[len(t)-1:], ".,;:?!")
}

// usable reports whether a sentence can stand in a draft.
func usable(t string, it knowledge.Item, s pack.Situation, p *pack.Pack) bool {
	if t == "" || elsewhereRE.MatchString(t) || addressRE.MatchString(t) || tokenRE.MatchString(t) ||
		aboutCustomersRE.MatchString(t) {
		return false
	}
	return !strings.HasSuffix(t, "?") && !(p.Checks && stale(t, s)) && !flagged(t, it)
}

// stale reports whether a sentence has a figure that the dated facts contradict.
func stale(t string, s pack.Situation) bool {
	return len(pack.Of(s.Pack).WrongFacts(t, s.At)) > 0
}

func startsLow(t string) bool {
	for _, r := range t {
		return unicode.IsLower(r)
	}
	return true
}

// flagged reports whether the sentence carries what the importer flagged as stale or in conflict.
func flagged(t string, it knowledge.Item) bool {
	if it.Case == nil {
		return false
	}
	return slices.ContainsFunc(it.Case.Flags, func(f knowledge.Flag) bool {
		return f.Severity == "major" && f.Quote != "" && strings.Contains(t, f.Quote)
	})
}

func isFact(f pack.Figure, s pack.Situation) bool {
	return slices.ContainsFunc(pack.Facts(s.At).All(), func(fact pack.Fact) bool {
		return fact.Value == f.Value && strings.HasPrefix(fact.Unit,
			map[string]string{"money": "GBP", "percent": "percent", "age": "age"}[f.Kind])
	})
}

func hasMoney(t string) bool { return strings.Contains(t, "£") }
