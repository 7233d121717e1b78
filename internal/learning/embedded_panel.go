package learning

import (
	"slices"
	"strings"

	"preceptor/internal/pack"
)

// What the embedded reasoner makes of phrases that judges and experts object to.
const (
	mostPhrases  = 3 // named in one rule
	longestWords = 6 // of a phrase that holds for other drafts too
	steerReason  = "such wording makes it personal and reads as advice, which guidance must not give"
)

// insteadOf are the words that keep to guidance, from seed 000's example.
var insteadOf = []string{"some people consider", "options include"}

// allowed tells whether experts ruled that the text may go out: then nothing of it is to be avoided.
func (e evidence) allowed() bool { return e.src.Kind == Ruling && e.src.Label == "COMPLIANT_GUIDANCE" }

// fromPanel makes a lesson of the words that judges objected to, or that an expert marked or quoted (seed 000, "Example: Learning
// from Judge Feedback"): avoid them, and use words that keep to guidance.
func (e evidence) fromPanel() (candidate, bool) {
	if causeOf(e.src.Kind) == CauseDecision || e.src.Kind == Verdict || e.allowed() {
		return candidate{}, false
	}
	avoid, use := e.objected(), e.offered()
	if len(avoid) == 0 {
		return candidate{}, false
	}
	c := candidate{score: 9.5, action: "avoid " + quoteList(avoid) + " and use " + quoteList(use) + " instead", domain: RegulatoryCompliance, anyone: true,
		title: "Avoid “" + avoid[0] + "”", because: statedReason(e.src.Reason),
		problem: "The draft used “" + strings.Join(avoid, "” and “") + "”, which " + e.whoObjected() + " took for a disguised recommendation.",
		cause:   "In trying to be helpful the wording became too personal.", why: "It is what divided the judges."}
	if c.because == "" {
		c.because = steerReason
	}
	// What the expert asks for in words about these phrases is the same lesson; anything else they ask for comes first.
	for _, in := range e.asked {
		if slices.ContainsFunc(avoid, func(p string) bool { return strings.Contains(strings.ToLower(in.sentence), p) }) {
			c.score = 10.5
			c.why = "The expert asked for it."
		}
	}
	return c, true
}

// objected are the phrases to avoid: what was marked or quoted against the text and is short enough to stand in other drafts too.
// Of phrases within one another the shorter says it.
func (e evidence) objected() (out []string) {
	text := strings.ToLower(plainQuotes(e.src.AgentText))
	var all []string
	add := func(phrase string) {
		p := strings.Trim(strings.ToLower(plainQuotes(strings.Join(strings.Fields(phrase), " "))), " .,;:!?'\"")
		n := len(strings.Fields(p))
		if n >= 2 && n <= longestWords && strings.Contains(text, p) && !hasToken(phrase) && len(pack.FindFigures(p)) == 0 && !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	for _, p := range e.src.Phrases {
		add(p)
	}
	for _, p := range quotedWords(e.src.Reason) {
		add(p)
	}
	for _, p := range all {
		if !slices.ContainsFunc(all, func(q string) bool { return q != p && strings.Contains(p, q) }) && len(out) < mostPhrases {
			out = append(out, p)
		}
	}
	return out
}

// offered are the words to use: those that the expert quotes and that are not in the text, or else the seed's.
func (e evidence) offered() (out []string) {
	text := strings.ToLower(plainQuotes(e.src.AgentText))
	for _, p := range quotedWords(e.src.Reason) {
		p = strings.Trim(plainQuotes(p), " .,;:!?'\"")
		if n := len(strings.Fields(p)); n >= 2 && n <= longestWords && !strings.Contains(text, strings.ToLower(p)) && len(out) < mostPhrases {
			out = append(out, p)
		}
	}
	if len(out) == 0 {
		return insteadOf
	}
	return out
}

func (e evidence) whoObjected() string {
	n := 0
	for _, v := range e.src.Voices {
		if !v.Passed {
			n++
		}
	}
	switch {
	case n > 1:
		return "judges"
	case n == 1:
		return "a judge"
	}
	return "an expert"
}

// quoteList is “a” or “b” or “c”.
func quoteList(phrases []string) string { return "“" + strings.Join(phrases, "” or “") + "”" }

func (e evidence) nothingFromPanel() string {
	switch {
	case e.allowed():
		return "The experts found that the text may go out as it is, so there is nothing to do differently. The ruling is kept for cases like it."
	case e.src.Kind == Verdict:
		return "There is no lesson yet for what this check finds. Whoever decides the case can say in the feedback what to do next time."
	}
	return "Neither the judges nor the expert named words that other drafts could avoid. An instruction in the rationale, such as “avoid …; use … instead”, would make a lesson of it."
}
