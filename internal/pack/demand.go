package pack

import (
	"math"
	"strings"
)

// Condition is one thing that a rule's situation asks for, as the lexicon reads it. It is for comparing rules; whether a rule
// applies to a customer says Applies.
type Condition struct {
	Name  string          // of the concept, as "literacy" or "age"; "" for words that no concept knows
	Topic bool            // what the consultation is about, rather than who the customer is
	Not   bool            // it must not hold
	Text  string          // its words
	Words map[string]bool // stems of the words that no concept knows; only without a name
	// Of ages and values: from Low to High, in years or pounds. Otherwise both are 0.
	Low, High float64
	// Levels of literacy: low, medium, high.
	Levels []string
}

// Demand is one instruction of a rule's action.
type Demand struct {
	Not    bool // it says what not to do
	Lead   bool // it belongs before everything else
	Text   string
	Move   Move     // Say, Ask, Replace and Avoid say little by themselves
	Quotes []string // phrases to use, or with Not not to use
}

// Conditions reads a situation into groups: one condition of each group must hold. None means that it holds for everybody.
func (p Principle) Conditions() [][]Condition {
	text := straighten(strings.TrimSpace(p.Situation))
	if text == "" || alwaysRE.MatchString(text) {
		return nil
	}
	parts := alternatives(text)
	var out [][]Condition
	for _, part := range parts {
		for _, group := range conjuncts(part, findConcepts(part)) {
			if len(group) == 1 {
				for _, c := range group[0].conditions() {
					out = append(out, []Condition{c})
				}
				continue
			}
			var any []Condition
			for _, a := range group {
				any = append(any, a.conditions()...)
			}
			if len(any) > 0 {
				out = append(out, any)
			}
		}
	}
	if len(parts) < 2 {
		return out
	}
	var any []Condition
	for _, group := range out {
		any = append(any, group...)
	}
	return [][]Condition{any}
}

func (a atom) conditions() (out []Condition) {
	for _, m := range a.matches {
		c := Condition{Name: m.concept.name, Topic: m.concept.topic, Not: negated(a.text, m.Start) != a.not, Text: m.Span.In(a.text)}
		switch m.concept.name {
		case "age":
			c.Low, c.High = ageRange(m)
		case "value":
			c.Low, c.High = valueRange(m)
		case "literacy":
			c.Levels = literacyLevels(m)
		case "task":
			c.Name = Label(m.groups[0])
		}
		out = append(out, c)
	}
	rest := map[string]bool{}
	for st := range a.leftover() {
		rest[st] = true
	}
	if len(rest) > 0 {
		not := a.not
		if len(a.matches) == 0 && atomNegRE.MatchString(a.text) {
			not = !not
		}
		out = append(out, Condition{Text: strings.TrimSpace(a.text), Not: not, Words: rest})
	}
	return out
}

// ageRange is the ages at which an age's condition holds, as holdsAge reads it.
func ageRange(m match) (low, high float64) {
	g := m.groups
	n := func(i int) float64 { return number(g[i]) }
	most := math.Inf(1)
	switch {
	case g[5] != "":
		return n(5), n(6)
	case g[7] != "":
		if g[8] == "under" || g[8] == "younger" {
			return 0, n(7)
		}
		return n(7), most
	case g[9] != "":
		return n(9), most
	case g[10] != "":
		return n(10) * 10, n(10)*10 + 9
	}
	limit := n(2)
	switch g[3] + g[4] {
	case "over", "above", "older", "more", "and over", "and above":
		return limit, most
	case "under", "younger", "below":
		return 0, limit
	}
	switch g[1] {
	case "under", "below", "younger than", "less than", "not yet", "before":
		return 0, limit - 1
	case "over", "above", "older than", "more than", "past", "after", "beyond":
		return limit + 1, most
	case "approaching", "nearing", "near", "close to":
		return limit - 3, limit - 1
	case "at least", "from", "reached", "turned":
		return limit, most
	}
	if strings.Contains(m.atom, "+") {
		return limit, most
	}
	return limit, limit
}

// valueRange is the values at which a value's condition holds, as holdsValue reads it.
func valueRange(m match) (low, high float64) {
	g := m.groups
	direction, digits, scale := g[1], g[2], g[3]
	if digits == "" {
		direction, digits, scale = g[6], g[4], g[5]
	}
	limit := number("£" + digits + scale)
	switch direction {
	case "under", "below", "less than":
		return 0, math.Nextafter(limit, 0)
	case "up to", "less":
		return 0, limit
	case "at least", "more":
		return limit, math.Inf(1)
	}
	return math.Nextafter(limit, math.Inf(1)), math.Inf(1)
}

func literacyLevels(m match) []string {
	var out []string
	for _, level := range []string{"low", "medium", "high"} {
		if holdsLiteracy(Situation{Literacy: level}, m) {
			out = append(out, level)
		}
	}
	return out
}

var (
	omitRE     = ci(`^(?:leave out|leaving out|omit(?:ting)?|skip(?:ping)?|drop(?:ping)?|exclud(?:e|ing)|remov(?:e|ing)|strik(?:e|ing) out|hold(?:ing)? back|keep out|discourag(?:e|ing)|there is no need to|make no mention of|say nothing (?:about|of)|give no|name no|offer no|use no|ask no|be silent (?:about|on)|not)\b\s*`)
	withoutRE  = ci(`,?\s+without (?:ever )?((?:mention|say|us|giv|nam|ask|add|explain|includ|quot|stat|point|warn|refer|describ|offer)(?:ing|ning|e)\b.*)$`)
	doNeedRE   = ci(`^(?:forget|fail|omit) to\b\s*`)
	unneededRE = ci(`\b(?:need not|needn't|does not need to|doesn't need to|do not have to|don't have to|is not needed|are not needed|is unnecessary|isn't needed)\b`)
)

// Demands lists what the action asks for and what it forbids, in order. "Use A rather than B" is two.
func (p Principle) Demands() []Demand {
	action, lead := p.withoutLead()
	var out []Demand
	add := func(text string, not bool) {
		text = trimPart(text)
		for range 3 { // "never leave out" asks for it
			if m := omitRE.FindStringIndex(text); m != nil {
				not, text = !not, text[m[1]:]
			} else if m := doNeedRE.FindStringIndex(text); m != nil && not {
				not, text = false, text[m[1]:]
			}
		}
		if text == "" {
			return
		}
		d := Demand{Not: not, Lead: lead && !not, Text: text, Quotes: quotedTexts(text)}
		d.Move = readClause(text, not).move
		out = append(out, d)
	}
	for _, clause := range clauses(action) {
		c, neg := stripSubject(clause)
		if unneededRE.MatchString(c) {
			neg, c = !neg, unneededRE.ReplaceAllString(c, "")
		}
		if m := insteadRE.FindStringIndex(c); m != nil && !insideQuotes(c, m[0]) {
			add(c[:m[0]], neg)
			add(c[m[1]:], !neg)
			continue
		}
		if m := withoutRE.FindStringSubmatchIndex(c); m != nil && !insideQuotes(c, m[0]) {
			add(c[:m[0]], neg)
			add(c[m[2]:m[3]], !neg)
			continue
		}
		add(c, neg)
	}
	return out
}
