package observe

import (
	"regexp"
	"slices"
	"strings"

	"preceptor/internal/llm/encoder"
	"preceptor/internal/pack"
	"preceptor/internal/platform/text"
	"preceptor/internal/signal/learned"
)

// corrected are the groups of failures: of one behaviour, and where an action doesn't say which, or was corrected once,
// of what is asked for.
func (m Meanings) corrected(list []Observation) (out [][]int) {
	in := map[int]bool{}
	for _, g := range m.Groups(list, Floor, func(o Observation) bool {
		return IsFailure(o) && strings.Contains(masked(o), " ")
	}) {
		if len(g) >= leastCorrected {
			out = append(out, g)
			for _, i := range g {
				in[i] = true
			}
		}
	}
	return append(out, m.groups(list, sameWish, func(o Observation) string {
		if o.orders() {
			return asked(o)
		}
		return masked(o) + ": " + asked(o)
	}, func(i int) bool { return IsFailure(list[i]) && !in[i] })...)
}

// asked are a user's words without their punctuation.
func asked(o Observation) string { return strings.Join(text.Words(o.Said), " ") }

// orders reports whether the user said what to do, and not for this time alone.
func (o Observation) orders() bool {
	return !o.Once && ordered(said(o)) && !learned.Dangles(o.Said)
}

var (
	// refers is a word for what was done.
	refers = regexp.MustCompile(`(?i)\b(?:it|this|that|these|those|them)\b`)
	// forbidding are words that only forbid what was done: "stop that", "please don't do that again".
	forbidding = regexp.MustCompile(`(?i)^(?:(?:please|no|stop|don'?t|do|not|never|doing|this|that|it|again)\W*)+$`)
)

// instead is what the users who corrected a behaviour want, and those of the group who do: one order in their words,
// the last of what names its matter, and with it one that speaks of what was done ("split this first"). Others ask for
// something else. What only says that it was wrong forbids what was done. Anything else is quoted beside it: nobody can
// tell whether "terse output" names what is wanted or "messy code" what was wrong. "" where what was done has no name.
func (m Meanings) instead(list []Observation, g []int) (content string, orders []string, of []int) {
	named, spoken, wish := -1, -1, -1
	for _, i := range g {
		switch o := list[i]; {
		case o.orders() && refers.MatchString(o.Said):
			spoken = i
		case o.orders():
			named = i
		case o.Wish != "":
			wish = i
		}
	}
	if named >= 0 {
		g = slices.DeleteFunc(slices.Clone(g), func(i int) bool {
			a, b := asked(list[i]), asked(list[named])
			return list[i].orders() && !refers.MatchString(list[i].Said) && a != b && m.alike(a, b) < sameWish
		})
	}
	for _, i := range g {
		if i == named || i == spoken {
			orders = append(orders, strings.Trim(shown(list[i].Said), " .!"))
		}
	}
	if len(orders) == 0 && wish >= 0 {
		orders = append(orders, strings.Trim(shown(list[wish].Wish), " .!"))
	}
	if len(orders) > 0 {
		return pack.Upper(strings.Join(orders, "; ")), orders, g
	}
	if !strings.Contains(masked(list[g[0]]), " ") {
		return "", nil, g
	}
	did, words := done(list, g), often(list, g, said)
	if forbidding.MatchString(quotes.Replace(words)) {
		if what, order := ordering(did); order {
			return "Don't " + pack.Lower(what), nil, g
		}
	}
	return "Avoid: " + pack.Lower(avoided(did)) + " (“" + shown(words) + "”)", []string{words}, g
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
	if len(words) < 3 || !Unsure(said) || !objects[words[1]] || len(text.Words(verb)) != 1 || pack.IsStop(verb) {
		return false
	}
	base := encoder.BGE().Base(verb)
	return base == verb || base == ""
}
