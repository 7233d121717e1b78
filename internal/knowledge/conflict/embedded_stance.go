package conflict

import (
	"preceptor/internal/pack"
)

// stance is a question on which a demand can take one of two sides.
type stance struct {
	name        string
	alone       bool // it is about the draft as a whole, so that two sides clash whatever else they speak of
	left, right *pack.Pattern
}

// stances are the questions, by a word for each.
var stances = map[string]stance{
	"words": {"plain or technical words", true, pack.NewPattern(`plain (?:words|english|language)|simple (?:words|language|terms)|everyday (?:words|language)`),
		pack.NewPattern(`technical (?:terms?|words|language|vocabulary)|\bjargon|proper terms|legal (?:terms|language)`)},
	"length": {"how long an answer is", true, pack.NewPattern(`\b(?:answers?|drafts?|guidance|it|text|reply|replies|explanations?)\b.{0,12}\b(?:short|brief|concise)|\b(?:short|brief|concise) (?:answers?|drafts?|repl\w+|explanations?)|\bbriefly\b|be (?:brief|concise)|shorten|few words`),
		pack.NewPattern(`full detail|in detail|detailed|at length|\blong(?:er)? (?:answers?|explanations?)|comprehensive|thorough|answer (?:\w+ )?fully`)},
	"question": {"how to ask", false, pack.NewPattern(`open(?:-ended)? question|own words`), pack.NewPattern(`yes[- ]or[- ]no question|yes/no|closed question`)},
	"choice": {"whether to recommend", true, pack.NewPattern(`depersonalis\w+|some people choose|options include|without (?:a )?recommend\w*`),
		pack.NewPattern(`\brecommend\w* (?:\w+ ){0,3}(?:options?|choice|product|provider)|\bpersonal recommendation|tell\w* (?:the customer|them|him|her|people) (?:what to do|which)|which (?:option )?is best|\bbest option`)},
	"options": {"how many options to name", true, pack.NewPattern(`all (?:the |of the |their )?(?:\w+ )?options|several options|other options|range of options|options side by side`),
		pack.NewPattern(`only (?:one|a single) option|(?:one|a single) option only|just one option`)},
	"tone": {"the tone", true, pack.NewPattern(`\binformal\w*|friendly|casual\w*|chatty|first names?`), pack.NewPattern(`\bformal(?:ly)?\b|by (?:title|surname)`)},
	"place": {"where in the draft it stands", false, pack.NewPattern(`at the (?:very )?(?:start|beginning|top|outset)|\bfirst\b|up ?front|begin with|start with|open with|before (?:the facts|anything|any|the answer|everything)`),
		pack.NewPattern(`at the (?:very )?(?:end|close|bottom)|\blast\b|(?:end|close|finish) with|after (?:the facts|everything|the answer)`)},
	"exact": {"how exact figures are", false, pack.NewPattern(`exact|to the (?:penny|pound)|precise`), pack.NewPattern(`\bround(?:ed|ing)?\b|approximate|roughly|rough figure|estimate`)},
	"push":  {"what to encourage", false, pack.NewPattern(`\bencourag\w+|\burge\b|\brecommend|\bsuggest`), pack.NewPattern(`\bdiscourag\w+|advise against|warn against|talk (?:\w+ )?out of`)},
	"order": {"what comes first", true, pack.NewPattern(`(?:facts?|figures?|answer|information) (?:come |go )?(?:before|first)`), pack.NewPattern(`before (?:going into )?the (?:facts?|figures?|answer|information)|(?:facts?|figures?|answer|information) (?:come |go )?(?:after|last)`)},
}

// stancesOf are the sides that a demand takes. Forbidding one side is taking the other.
func stancesOf(text string, not bool) map[string]int {
	var out map[string]int
	for name, s := range stances {
		left, right := s.left.MatchString(text), s.right.MatchString(text)
		if left == right {
			continue
		}
		side := 1
		if right {
			side = -1
		}
		if not {
			if !s.alone { // not at the start is not at the end
				continue
			}
			side = -side
		}
		if out == nil {
			out = map[string]int{}
		}
		out[name] = side
	}
	return out
}

// take puts a demand on a side.
func (d *demand) take(question string, side int) {
	if d.stances == nil {
		d.stances = map[string]int{}
	}
	d.stances[question] = side
}
