package pack

import (
	"regexp"
	"strings"
	"unicode"
)

var (
	connectRE = ci(`,? and also |,? and |,? but |, ?or |; ?| or |,? unless |,? except (?:when|where|if|for) |, `)
	orElseRE  = ci(`,? or (?:when|if|where|has|have|is|asks|the customer|they) `)
	askVerbRE = ci(`\b(?:ask|mention|discuss|question|rais|want|consider|think|talk|explain|present|describ|about|wonder|enquir|inquir|interested|looking)`)
	alwaysRE  = ci(`^(?:always|in all cases|in every (?:case|draft|answer)|(?:any|every|all|each) (?:customers?|consumers?|person|people|client|draft|answer|question|case|consultation|guidance)s?|everyone|everybody|giving guidance|any guidance)$`)
)

// Applies tells whether the situation's words hold for s, and why, in words for a person. A rule without a situation always
// applies. Words that no concept knows are looked for among the customer's own.
func (p Principle) Applies(s Situation) (applies bool, why []string) {
	text := straighten(strings.TrimSpace(p.Situation))
	if text == "" || alwaysRE.MatchString(text) {
		return true, []string{"applies to every customer"}
	}
	for _, alternative := range alternatives(text) {
		if ok, reasons := holdsAll(alternative, s); ok {
			if len(reasons) == 0 {
				reasons = []string{"applies to every customer"}
			}
			return true, reasons
		}
	}
	return false, nil
}

// alternatives parts "has a DB pension, or is over 75" at an "or" that begins a new clause.
func alternatives(text string) []string {
	var out []string
	from := 0
	for _, m := range orElseRE.FindAllStringIndex(text, -1) {
		if text[m[0]] == ',' {
			out = append(out, text[from:m[0]])
			from = m[0] + len(", or")
		}
	}
	return append(out, text[from:])
}

// holdsAll reads text as conjuncts, each a list of disjuncts.
func holdsAll(text string, s Situation) (bool, []string) {
	var why []string
	for _, group := range conjuncts(text, findConcepts(text)) {
		ok, reason := holdsAny(group, s)
		if !ok {
			return false, nil
		}
		if reason != "" {
			why = appendNew(why, reason)
		}
	}
	return true, why
}

func appendNew(list []string, s string) []string {
	for _, have := range list {
		if have == s {
			return list
		}
	}
	return append(list, s)
}

// atom is one condition: a stretch of the situation between connecting words.
type atom struct {
	text    string
	matches []match
	not     bool // after "unless"
}

// conjuncts cuts the situation at "and", and each part at "or". A comma is an "or" in a list that ends in "or", else an
// "and".
func conjuncts(text string, found []match) [][]atom {
	type piece struct {
		atom
		joint string
	}
	var pieces []piece
	from, joint := 0, "and"
	cut := func(end int) {
		a := atom{text: text[from:end], not: joint == "unless"}
		for _, m := range found {
			if m.Start >= from && m.End <= end {
				m.Start, m.End = m.Start-from, m.End-from
				m.atom = a.text
				a.matches = append(a.matches, m)
			}
		}
		if strings.TrimSpace(a.text) != "" {
			pieces = append(pieces, piece{a, joint})
		}
	}
	for _, m := range connectRE.FindAllStringIndex(text, -1) {
		if insideMatch(found, m[0], m[1]) || insideQuotes(text, m[0]) || isDigitComma(text, m[0]) {
			continue
		}
		cut(m[0])
		joint = jointOf(text[m[0]:m[1]])
		from = m[1]
	}
	cut(len(text))
	for i := len(pieces) - 2; i > 0; i-- { // "ill, bereaved or in debt"
		if pieces[i].joint == "," && pieces[i+1].joint == "or" {
			pieces[i].joint = "or"
		}
	}
	var groups [][]atom
	for _, p := range pieces {
		if p.joint == "or" && len(groups) > 0 {
			groups[len(groups)-1] = append(groups[len(groups)-1], p.atom)
		} else {
			groups = append(groups, []atom{p.atom})
		}
	}
	return groups
}

func jointOf(connector string) string {
	c := strings.ToLower(connector)
	switch {
	case strings.Contains(c, "unless") || strings.Contains(c, "except"):
		return "unless"
	case strings.Contains(c, "or"):
		return "or"
	case strings.TrimSpace(c) == ",":
		return ","
	}
	return "and"
}

func isDigitComma(text string, i int) bool {
	return text[i] == ',' && i > 0 && isDigit(text[i-1]) && i+1 < len(text) && isDigit(text[i+1])
}

func insideMatch(found []match, start, end int) bool {
	for _, m := range found {
		if start >= m.Start && end <= m.End {
			return true
		}
	}
	return false
}

// findConcepts finds what the situation names: leftmost first, longest at one place, none twice over the same words.
func findConcepts(text string) []match {
	low := strings.ToLower(text)
	var all []match
	for i := range concepts {
		c := &concepts[i]
		for _, m := range c.re.FindAllStringSubmatchIndex(low, -1) {
			if m[1] == m[0] {
				continue
			}
			groups := make([]string, len(m)/2)
			for g := range groups {
				if m[2*g] >= 0 {
					groups[g] = low[m[2*g]:m[2*g+1]]
				}
			}
			all = append(all, match{concept: c, Span: Span{m[0], m[1]}, groups: groups, asks: askVerbRE.MatchString(low)})
		}
	}
	var out []match
	for len(all) > 0 {
		best := 0
		for i, m := range all {
			b := all[best]
			if m.Start < b.Start || m.Start == b.Start && m.End > b.End {
				best = i
			}
		}
		chosen := all[best]
		out = append(out, chosen)
		rest := all[:0]
		for _, m := range all {
			if m.Start >= chosen.End {
				rest = append(rest, m)
			}
		}
		all = rest
	}
	return out
}

func holdsAny(group []atom, s Situation) (bool, string) {
	for _, a := range group {
		if ok, why := a.holds(s); ok {
			return true, why
		}
	}
	return false, ""
}

func (a atom) holds(s Situation) (bool, string) {
	ok, why := a.holdsPlain(s)
	if a.not {
		return !ok, ""
	}
	return ok, why
}

var atomNegRE = ci(`\b(?:no|not|without|never|n't|lacks?|isn't|doesn't|hasn't|haven't|don't|aren't)\b|n't\b`)

func (a atom) holdsPlain(s Situation) (bool, string) {
	var why []string
	topicOnly := true
	for _, m := range a.matches {
		turned := negated(a.text, m.Start)
		if m.concept.holds(s, m) == turned {
			return false, ""
		}
		if !m.concept.topic {
			topicOnly = false
		}
		if reason := m.concept.why(s, m); !turned {
			why = appendNew(why, reason)
		} else {
			why = appendNew(why, "not: "+m.concept.name)
		}
	}
	rest := a.leftover()
	if ok, word := a.namesHold(s); !ok {
		return false, ""
	} else if word != "" {
		why = appendNew(why, "mentions "+word)
	}
	if len(a.matches) == 0 || topicOnly && len(rest) >= 2 {
		ok, shared := wordsHold(rest, s, len(a.matches) > 0)
		if len(a.matches) == 0 && atomNegRE.MatchString(a.text) && len(rest) > 0 {
			return !ok, ""
		}
		if !ok {
			return false, ""
		}
		if len(shared) > 0 {
			why = appendNew(why, "their words: "+strings.Join(shared, ", "))
		}
	}
	return true, strings.Join(why, "; ")
}

// leftover is the content words of the atom outside its concepts, as stems with a word that shows each.
func (a atom) leftover() map[string]string {
	out := map[string]string{}
	for _, w := range words(a.text) {
		inside := false
		for _, m := range a.matches {
			inside = inside || w.start >= m.Start && w.end <= m.End
		}
		if !inside && !stopWords[w.text] && !genericWords[w.text] && !ruleWords[w.text] && !adverbs[w.text] {
			out[stem(w.text)] = w.text
		}
	}
	return out
}

// ruleWords belong to how conditions are put, not to what they are about.
var ruleWords = set(`high low large small big recent recently tempted hoping interested keen likely unlikely any language phrasing mention first
 makes becomes seems appears shows shown sounds potential possible different single particular relevant example detail details topic task tasks
 benefits benefit scheme schemes pot pots value values worth decide deciding decision choose choosing choice best directly personal product products
 runs run owns own worried clearly towards offered offer made amount amounts new part complex irreversible leave leaving keep keeping`)

// wordsHold tells whether the customer's own words share enough with the condition's: half, or one beside a topic.
func wordsHold(rest map[string]string, s Situation, besideTopic bool) (bool, []string) {
	if len(rest) == 0 {
		return true, nil
	}
	have := ContentStems(s.told() + " " + strings.ReplaceAll(s.Task, "_", " "))
	var shared []string
	for st, w := range rest {
		if have[st] {
			shared = append(shared, w)
		}
	}
	sortStrings(shared)
	need := (len(rest) + 1) / 2
	if besideTopic {
		need = 1
	}
	return len(shared) >= need, shared
}

var properRE = regexp.MustCompile(`\b[A-Z][A-Za-z&']+(?: [A-Z][A-Za-z&']+)*`)

// namesHold looks for the proper names that an atom demands, as "Civil Service" or "Canada": one of them must be told.
func (a atom) namesHold(s Situation) (bool, string) {
	told := strings.ToLower(s.told())
	wanted := false
	for _, m := range properRE.FindAllStringIndex(a.text, -1) {
		name := a.text[m[0]:m[1]]
		inside := m[0] == 0 || insideMatch(a.matches, m[0], m[1])
		if inside || strings.IndexFunc(name, unicode.IsLower) < 0 || genericWords[strings.ToLower(name)] || strings.HasPrefix(name, "State") {
			continue
		}
		wanted = true
		if strings.Contains(told, strings.ToLower(name)) {
			return true, name
		}
	}
	return !wanted, ""
}
