package advisor

import (
	"strings"

	"preceptor/internal/pack"
)

var plainPrinciple = pack.Principle{Action: "use plain words and short sentences"}

// suit puts a sentence into words for the reader: for low literacy short sentences and plain words.
func suit(t string, s pack.Situation) string {
	if s.Reads() != "low" {
		return t
	}
	return shorten(t)
}

// longSentence is where a sentence counts as long for a reader of low literacy, in words.
const longSentence = 16

var (
	joinRE = pack.NewPattern(`(?:;|,) (?:and|but|so) (?:it|they|you|the|this|that|most|some|there|a|an|your|many|any) |; `)
	meanRE = pack.NewPattern(`, which (?:means|is|are|can|may) `)
)

// shorten parts a long sentence where a new one could begin.
func shorten(t string) string {
	if len(strings.Fields(t)) <= longSentence {
		return t
	}
	for _, m := range joinRE.FindAllStringIndex(t, -1) {
		head, tail := t[:m[0]], strings.TrimLeft(t[m[0]:], ";, ")
		if len(strings.Fields(head)) < 5 || len(strings.Fields(tail)) < 4 || strings.Count(head, "(") != strings.Count(head, ")") || conditional(head) || !hasVerb(tail) {
			continue
		}
		tail = strings.TrimPrefix(tail, "and ")
		return strings.TrimRight(head, " ,;") + ". " + shorten(pack.Upper(tail))
	}
	if m := meanRE.FindStringIndex(t); m != nil && !conditional(t[:m[0]]) && strings.HasPrefix(t[m[0]:], ", which means") {
		return t[:m[0]] + ". This means " + strings.TrimSpace(t[m[1]:])
	}
	return t
}

var verbRE = pack.NewPattern(`^(?:and |but |so )?(?:\S+ ){1,4}?(?:is|are|was|has|have|can|can't|cannot|could|may|might|must|will|does|do|helps|needs|pays|means|gets|goes|depends|becomes|stays)\b`)

// hasVerb tells whether a verb comes soon enough for t to stand as a sentence.
func hasVerb(t string) bool { return verbRE.MatchString(t) }

// conditional tells whether the first half can't stand alone.
func conditional(head string) bool {
	first, _, _ := strings.Cut(strings.ToLower(head), " ")
	switch first {
	case "if", "when", "where", "while", "although", "once", "unless", "because", "either", "whether", "both":
		return true
	}
	return false
}
