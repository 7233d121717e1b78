package learning

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"preceptor/internal/pack"
)

// likeness is the share of meaning words that two texts have in common, 0 to 1.
func likeness(a, b string) float64 {
	x, y := pack.ContentStems(a), pack.ContentStems(b)
	if len(x) == 0 && len(y) == 0 {
		return 1
	}
	both := 0
	for w := range x {
		if y[w] {
			both++
		}
	}
	return float64(both) / float64(len(x)+len(y)-both)
}

// sameRule tells whether two rules are near-identical: for the same customers, asking for the same thing. Reasons don't
// count. Figures and polarity must agree, because "5 April" and "6 April", or "say" and "avoid saying", share their words.
func sameRule(a, b string) bool {
	x, err := pack.ParsePrinciple(a)
	if err != nil {
		return false
	}
	y, err := pack.ParsePrinciple(b)
	if err != nil {
		return false
	}
	if !slices.Equal(numbers(x.Action), numbers(y.Action)) || negative(x.Action) != negative(y.Action) || !slices.Equal(numbers(x.Situation), numbers(y.Situation)) {
		return false
	}
	if !slices.Equal(factsOf(x.Situation), factsOf(y.Situation)) {
		return false
	}
	where := likeness(oneName(x.Situation), oneName(y.Situation))
	if where < 0.5 {
		return false
	}
	return likeness(x.Action, y.Action) >= 0.75 || builtIn(x.Moves()) && slices.Equal(sorted(x.Moves()), sorted(y.Moves()))
}

var manyNames = ci(`\b(?:defined[- ]benefit|final[- ]salary|career[- ]average|db)\b(?: \(?(?:defined[- ]benefit|final[- ]salary|db)\)?)*`)

// oneName calls a defined benefit pension by one name.
func oneName(s string) string { return manyNames.ReplaceAllString(s, "dbpension") }

// factsOf names the customer's facts in a rule's situation, sorted.
func factsOf(situation string) []string {
	t := strings.ToLower(oneName(situation))
	var out []string
	for _, f := range []struct{ name, words string }{
		{"db", "dbpension"}, {"dc", "defined contribution"}, {"literacy", "literacy|finds words"},
		{"vulnerable", "vulnerab"}, {"state", "state pension"}, {"young", "under 5|under the minimum"},
	} {
		for w := range strings.SplitSeq(f.words, "|") {
			if strings.Contains(t, w) {
				out = append(out, f.name)
				break
			}
		}
	}
	return out
}

// builtIn tells whether all moves say by themselves what they demand; the others live from their words.
func builtIn(moves []pack.Move) bool {
	for _, m := range moves {
		switch m {
		case pack.Say, pack.Ask, pack.Replace, pack.Avoid, pack.Figures:
			return false
		}
	}
	return len(moves) > 0
}

func sorted(moves []pack.Move) []pack.Move {
	out := slices.Clone(moves)
	slices.Sort(out)
	return slices.Compact(out)
}

// numbers lists the numbers of a text, in order, commas taken out.
func numbers(text string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsDigit(r) && r != ',' && r != '.' }) {
		if w = strings.ReplaceAll(strings.Trim(w, ",."), ",", ""); w != "" {
			out = append(out, w)
		}
	}
	return out
}

// negative tells whether an action says what not to do.
func negative(action string) bool {
	t := " " + strings.ToLower(action) + " "
	for _, w := range []string{" avoid ", " never ", " don't ", " do not ", " leave out ", " not mention", " stop "} {
		if i := strings.Index(t, w); i >= 0 && i < 30 {
			return true
		}
	}
	return false
}

func itoa(n int) string { return strconv.Itoa(n) }

// lowerFirst makes a sentence fit behind another word; names and abbreviations at its start stay.
func lowerFirst(s string) string {
	r := []rune(s)
	if len(r) < 2 || unicode.IsUpper(r[1]) || r[0] == 'I' && !unicode.IsLetter(r[1]) {
		return s
	}
	first, rest, _ := strings.Cut(s, " ")
	next, _ := utf8.DecodeRuneInString(rest)
	if names[strings.Trim(first, ".,:;")] || unicode.IsUpper(next) && !strings.HasPrefix(rest, "I ") && !articles[strings.ToLower(first)] {
		return s
	}
	for _, c := range r[1:] {
		if c == ' ' {
			break
		}
		if unicode.IsUpper(c) {
			return s
		}
	}
	r[0] = unicode.ToLower(r[0])
	return string(r)
}

// names begin with a capital wherever they stand; articles may come before one.
var (
	names    = map[string]bool{"State": true, "Scotland": true, "England": true, "Wales": true, "Citizens": true, "Pension": false}
	articles = map[string]bool{"a": true, "an": true, "the": true, "your": true, "if": true, "when": true, "from": true, "in": true, "on": true, "at": true, "after": true, "before": true, "most": true, "some": true, "any": true, "for": true, "once": true, "you": true, "only": true, "since": true, "until": true}
)
