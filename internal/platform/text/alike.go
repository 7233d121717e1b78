package text

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Words are the words of a text in lower case, without punctuation, however an accent is written.
func Words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(norm.NFC.String(s)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r)
	})
}

// Set is the words of a list.
func Set(words []string) map[string]bool {
	out := make(map[string]bool, len(words))
	for _, w := range words {
		out[w] = true
	}
	return out
}

// Common is how many words two sets share.
func Common(a, b map[string]bool) (n int) {
	for w := range a {
		if b[w] {
			n++
		}
	}
	return n
}

// Jaccard is the share of two sets' words that both have; 0 where none is shared.
func Jaccard(a, b map[string]bool) float64 {
	both := Common(a, b)
	if both == 0 {
		return 0
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

// longestWord is how many letters a word has at most that is compared letter by letter.
const longestWord = 32

// Distance is the number of letters to add, drop, change or swap with their neighbour to make a into b (the optimal
// string alignment distance); limit when it is that or more, or b is no word but longer. The letters are bytes or
// runes.
func Distance[E comparable](a, b []E, limit int) int {
	if max(len(a)-len(b), len(b)-len(a)) >= limit || len(b) >= longestWord {
		return limit
	}
	var rows [3][longestWord]int
	two, one, now := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		one[j] = j
	}
	for i := 1; i <= len(a); i++ {
		now[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(one[j]+1, now[j-1]+1, one[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, two[j-2]+1)
			}
			now[j] = d
			least = min(least, d)
		}
		if least >= limit {
			return limit
		}
		two, one, now = one, now, two
	}
	return min(limit, one[len(b)])
}
