package observe

import (
	"slices"
	"strings"

	"preceptor/internal/llm/encoder"
	"preceptor/internal/pack"
	"preceptor/internal/platform/text"
)

// instead is what the users who corrected a behaviour want: the orders that they gave, in their words. What only says
// that it was wrong forbids what was done. Of anything else nobody can tell whether it names what is wanted ("terse
// output") or what was wrong ("messy code"): it is quoted.
func instead(list []Observation, g []int) string {
	var orders []string
	for _, i := range g {
		said := strings.Trim(shown(list[i].Said), " .!")
		if ordered(said) && !slices.ContainsFunc(orders, func(o string) bool { return strings.EqualFold(o, said) }) {
			orders = append(orders, said)
		}
	}
	if n := len(orders); n > 0 {
		return pack.Upper(strings.Join(orders[max(0, n-mostEvidence):], "; "))
	}
	words, what := shown(often(list, g, said)), avoided(done(list, g))
	if slices.ContainsFunc(g, func(i int) bool { return Unsure(list[i].Said) && list[i].Told == Failure }) {
		return "A user said of “" + what + "”: “" + words + "”"
	}
	return "Avoid: " + what + " (" + words + ")"
}

var (
	// fronts begin an order, and need no more than what it is about.
	fronts = set("never", "always", "don't", "dont")
	// objects are what follows an order's verb.
	objects = set("it", "this", "that", "these", "those", "them", "the", "a", "an", "all", "your", "my", "each",
		"every")
)

// ordered reports whether a reaction surely says what to do: "keep it short", "never exceed 200 lines". "Redo this" is
// said of one time.
func ordered(said string) bool {
	s := strings.ReplaceAll(quotes.Replace(strings.ToLower(said)), "do not ", "don't ")
	words := slices.DeleteFunc(strings.Fields(s), func(w string) bool { return strings.Trim(w, ",.!") == "please" })
	if len(words) < 2 || strings.Contains(s, "?") || aside[words[0]+" "+words[1]] {
		return false
	}
	if fronts[words[0]] {
		return len(pack.ContentStems(strings.Join(words[1:], " "))) > 0
	}
	verb := words[0]
	return len(words) > 2 && Unsure(said) && objects[words[1]] && len(text.Words(verb)) == 1 && !pack.IsStop(verb) &&
		encoder.BGE().Base(verb) == verb
}
