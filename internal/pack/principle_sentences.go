package pack

import "strings"

// Sentences is what a draft for s must gain to honour the action; "" when there is nothing to add. What it says comes from
// the rule's own words, from a known move's wording, or from the table of facts; no other figure can appear.
func (p Principle) Sentences(s Situation) string {
	var out []string
	for _, st := range p.steps() {
		if t := st.sentences(s); t != "" {
			out = appendNew(out, t)
		}
	}
	return strings.Join(out, " ")
}

// Missing is Sentences without what text does already.
func (p Principle) Missing(s Situation, text string) string {
	var out []string
	for _, st := range p.steps() {
		if rewording(st.move) || st.present(text, p.Lead()) {
			continue
		}
		if t := st.sentences(s); t != "" {
			out = appendNew(out, t)
		}
	}
	return strings.Join(out, " ")
}

func (st step) sentences(s Situation) string {
	switch {
	case rewording(st.move):
		return ""
	case st.move == Ask && st.how == "quote":
		return sentence(st.content)
	case st.move == Ask:
		return question(st.how, st.content)
	case st.move == Say:
		return st.say()
	case st.move == WarnGuarantees:
		return join(pick(st.move, s), lawSentence(s))
	case st.move == SignpostAdvice:
		return join(pick(st.move, s), lawSentence(s))
	}
	return pick(st.move, s)
}

func join(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, " ")
}

// say is the sentence for a demand that no known move covers.
func (st step) say() string {
	c := strings.TrimSpace(st.content)
	switch st.how {
	case "quote":
		return sentence(c)
	case "that":
		return sentence(dropThat(ToYou(c)))
	case "to":
		return imperative(c)
	case "of":
		return sentence("Please keep in mind " + nounPhrase(c))
	case "target":
		return sentence("You can get help with this from " + nounPhrase(c))
	}
	if len(FindFigures(c)) > 0 {
		return sentence("Please note " + nounPhrase(c))
	}
	if ws := words(c); len(ws) > 0 && (ws[0].text == "that") {
		return sentence(dropThat(ToYou(c)))
	}
	return sentence("One thing to look into is "+nounPhrase(c)) + " Your provider can tell you how it applies to you."
}

// dropThat joins "their pot is invested and that it may fall" as one sentence without its second "that".
func dropThat(s string) string {
	s = strings.TrimSpace(strings.TrimPrefix(s, "that "))
	return strings.ReplaceAll(s, " and that ", " and ")
}

func nounPhrase(c string) string {
	c = ToYou(strings.TrimSpace(c))
	if !strings.HasPrefix(strings.ToLower(c), "that ") {
		return lowerFirst(c)
	}
	return c
}

// imperative is "check the register before they sign" said to the customer.
func imperative(c string) string {
	c = ToYou(strings.TrimSpace(c))
	if rest, ok := strings.CutPrefix(c, "not "); ok {
		return sentence("Please do not " + strings.TrimPrefix(rest, "to "))
	}
	return sentence("Please " + lowerFirst(c))
}
