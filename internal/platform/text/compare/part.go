package compare

import (
	"slices"
	"strings"

	"preceptor/internal/pack"
)

// excepts reports whether b surely orders a part of what a forbids: "Never squash commits" and "Always squash commits
// before merging", "answers without emojis" and "Always use emojis". Only a word that holds others together may follow
// what both name, for "force push" is no force.
func excepts(a, b []string) bool {
	forbidden, ok := order(a, "never", "avoid", "stop", "don't", "dont")
	wanted, always := order(b, "always")
	if slices.ContainsFunc(wanted, Denies) {
		return false
	}
	n := len(forbidden)
	if ok && n > 0 && n < len(wanted) && slices.Equal(forbidden, wanted[:n]) &&
		(always || n > 1) && pack.IsStop(wanted[n]) {
		return true
	}
	i := slices.Index(a, "without")
	return always && i >= 0 && len(wanted) > 1 && slices.Contains(having, wanted[0]) &&
		slices.Equal(a[i+1:], wanted[1:])
}

// displaces reports whether y puts something else in the place of what x wants: "Use npm" and "Use pnpm instead of
// npm", "I prefer tabs" and "I prefer spaces over tabs".
func displaces(x, y []string) bool {
	n := 0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	if n == 0 || n == len(x) || slices.ContainsFunc(x, Denies) || slices.ContainsFunc(y, Denies) {
		return false
	}
	others, ok := strings.CutSuffix(" "+strings.Join(y[n:], " "), " "+strings.Join(x[n:], " "))
	if !ok {
		return false
	}
	return len(others) > 0 && (strings.HasSuffix(others, " instead of") || strings.HasSuffix(others, " rather than") ||
		strings.HasSuffix(others, " over") && x[n-1] == "prefer")
}

// having is how one asks that a thing is there.
var having = strings.Fields("use add include")

// order is what one asks for with one of these words in front, and whether it has one.
func order(words []string, fronts ...string) (rest []string, ok bool) {
	if len(words) > 0 && slices.Contains(fronts, words[0]) {
		return words[1:], true
	}
	return words, false
}

// bare are the words of a sentence in lower case, without marks, articles and what is only polite.
func bare(s string) []string {
	s = strings.NewReplacer("’", "'", "do not ", "don't ").Replace(strings.ToLower(s))
	return slices.DeleteFunc(tokenRE.FindAllString(s, -1), func(w string) bool {
		return slices.Contains(dropped, w)
	})
}

var dropped = strings.Fields("please a an the any . !")
