package counter

import "strings"

// mostWords bounds how many words of each text are compared, so that a hook never takes long; both ends that are alike
// do not count.
const mostWords = 2_000

// Distance is the word edit distance of two texts: how many words have to be put in, taken out or replaced to make one
// of the other, and how many words the longer one has. Words are what blanks part.
func Distance(a, b string) (changed, words int) {
	x, y := strings.Fields(a), strings.Fields(b)
	words = max(len(x), len(y))
	for len(x) > 0 && len(y) > 0 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	for len(x) > 0 && len(y) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	rest := max(len(x)-mostWords, len(y)-mostWords, 0)
	x, y = x[:min(len(x), mostWords)], y[:min(len(y), mostWords)]
	return min(levenshtein(x, y)+rest, words), words
}

func levenshtein(x, y []string) int {
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i, a := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j, b := range y {
			cost := diagonal
			if a != b {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(y)]
}
