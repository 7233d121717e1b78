package pack

import (
	"strings"
)

// A rule speaks of "the customer"; a draft speaks to "you".

var (
	subjectVerbRE = ci(`\b(?:the|a|an|any|each) (?:customer|client|consumer|person)(?:'s)?( (?:already|still|also|really|currently|only|never|always))? (\w+(?:'t)?)`)
	theyRE        = ci(`\b(they'(?:re|ve|ll|d)|they|themselves|theirs|their|them)\b`)
	othersRE      = ci(`\b(?:people|providers|schemes|scammers|fraudsters|companies|firms|advis[eo]rs|trustees|children|members|some|many|most|others|callers|employers|funds|rules|fees|charges|benefits|guarantees|options|pots|pensions|beneficiaries|markets)\b`)
	customerRE    = ci(`\b(?:the |a |an |any |each )?(?:customers|customer|clients|client|consumers|consumer)('s|s')?`)
	heRE          = ci(`\b(?:he or she|she or he|he/she|his or her|him or her)\b`)
)

var theyBecomes = map[string]string{"they": "you", "their": "your", "theirs": "yours", "them": "you", "themselves": "yourself",
	"they're": "you're", "they've": "you've", "they'll": "you'll", "they'd": "you'd"}

// ToYou turns words about the customer into words to the customer: "the customer has checked their pot" is "you have checked
// your pot". "They" stays when the sentence has others whom it may mean.
func ToYou(s string) string {
	mentions := customerRE.MatchString(s)
	out := subjectVerbRE.ReplaceAllStringFunc(s, func(m string) string {
		g := subjectVerbRE.FindStringSubmatch(m)
		if strings.Contains(m[:len(m)-len(g[2])], "'s") {
			return m
		}
		return "you" + g[1] + " " + baseVerb(g[2])
	})
	out = customerRE.ReplaceAllStringFunc(out, func(m string) string {
		if strings.HasSuffix(m, "'s") || strings.HasSuffix(m, "s'") {
			return "your"
		}
		return "you"
	})
	out = heRE.ReplaceAllStringFunc(out, func(m string) string {
		if strings.HasPrefix(strings.ToLower(m), "his") {
			return "your"
		}
		return "you"
	})
	first := othersRE.FindStringIndex(out)
	return replaceIndexed(theyRE, out, func(m string, at int) string {
		if !mentions && first != nil && first[0] < at {
			return m
		}
		if y, ok := theyBecomes[strings.ToLower(m)]; ok {
			return y
		}
		return m
	})
}

func replaceIndexed(re *Pattern, s string, f func(m string, at int) string) string {
	var b strings.Builder
	last := 0
	for _, m := range re.FindAllStringIndex(s, -1) {
		b.WriteString(s[last:m[0]])
		b.WriteString(f(s[m[0]:m[1]], m[0]))
		last = m[1]
	}
	return b.String() + s[last:]
}

var irregular = map[string]string{"has": "have", "is": "are", "was": "were", "does": "do", "goes": "go", "hasn't": "haven't", "isn't": "aren't",
	"wasn't": "weren't", "doesn't": "don't", "this": "this", "always": "always", "as": "as", "perhaps": "perhaps"}

// baseVerb is the form of a verb that goes with "you".
func baseVerb(v string) string {
	low := strings.ToLower(v)
	if b, ok := irregular[low]; ok {
		return b
	}
	switch {
	case strings.HasSuffix(low, "ies") && len(low) > 4:
		return low[:len(low)-3] + "y"
	case strings.HasSuffix(low, "ches"), strings.HasSuffix(low, "shes"), strings.HasSuffix(low, "sses"), strings.HasSuffix(low, "xes"):
		return low[:len(low)-2]
	case strings.HasSuffix(low, "s") && !strings.HasSuffix(low, "ss") && !strings.HasSuffix(low, "us"):
		return low[:len(low)-1]
	}
	return v
}

var auxiliaries = set("have has are is were was can could would will should do does did had may might must haven't aren't weren't can't couldn't won't wouldn't don't didn't")

// question turns "whether the customer has checked for exit fees" into "Have you checked for exit fees?".
func question(how, content string) string {
	c := ToYou(strings.TrimRight(strings.TrimSpace(content), ".?"))
	switch how {
	case "whether", "if", "whether or not":
		ws := strings.Fields(c)
		if len(ws) > 1 && strings.EqualFold(ws[0], "you") || len(ws) > 1 && strings.EqualFold(ws[0], "they") && !othersRE.MatchString(content) {
			verb := baseVerb(strings.ToLower(ws[1]))
			if auxiliaries[verb] {
				return upperFirst(verb) + " you " + strings.Join(ws[2:], " ") + "?"
			}
			if !strings.HasSuffix(verb, "ed") && !adverbs[verb] && verb != "already" {
				return "Do you " + verb + " " + strings.Join(ws[2:], " ") + "?"
			}
		}
		return "Do you know whether " + lowerFirst(c) + "?"
	case "for":
		return "Could you share " + lowerFirst(c) + "?"
	case "about":
		return "Could you tell us about " + lowerFirst(c) + "?"
	}
	return "Could you tell us " + how + " " + lowerFirst(c) + "?"
}

// sentence ends s as a sentence.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return ""
	}
	if last := s[len(s)-1]; last != '.' && last != '!' && last != '?' {
		s = strings.TrimRight(s, ",;: ") + "."
	}
	return upperFirst(s)
}
