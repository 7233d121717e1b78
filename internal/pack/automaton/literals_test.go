package automaton

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The walk hears exactly the strings that stand in the text.
func TestLiteralsAgreeWithContains(t *testing.T) {
	word := rapid.StringOfN(rapid.SampledFrom([]rune("aab £é")), 1, 5, -1)
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(word, 0, 70).Draw(t, "words")
		text := rapid.StringOfN(rapid.SampledFrom([]rune("aaabbx £é")), 0, 30, -1).Draw(t, "text")
		bits := make([]uint64, 2)
		opens, closes := rapid.Bool().Draw(t, "opens"), rapid.Bool().Draw(t, "closes")
		var edged []string
		for _, w := range words {
			edged = append(edged, Edged(w, opens, closes))
		}
		tells := make([][]uint16, len(words))
		for n := range tells {
			tells[n] = []uint16{uint16(n)}
		}
		l := NewLiterals(edged, tells)
		begins := map[int][]int{}
		for _, h := range l.Walk(text, nil) {
			each := 0
			l.Each(h, func(tells []uint16, at int) {
				each++
				n := int(tells[0])
				if begins[n] = append(begins[n], at); l.Within(h, at+1) {
					t.Fatalf("%q at %d is said to begin later", words[n], at)
				}
			})
			for _, n := range l.Told(h) {
				bits[n>>6] |= 1 << (n & 63)
			}
			if len(l.Told(h)) != each {
				t.Fatalf("%d strings end, %d are told", each, len(l.Told(h)))
			}
		}
		for n, w := range words {
			p := regexp.QuoteMeta(w)
			if opens && isWord[w[0]] {
				p = `\b` + p
			}
			if closes && isWord[w[len(w)-1]] {
				p += `\b`
			}
			if got := bits[n>>6]>>(n&63)&1 == 1; got != regexp.MustCompile(p).MatchString(text) {
				t.Fatalf("%q in %q: %v", p, text, got)
			}
			for _, at := range begins[n] {
				if !strings.HasPrefix(text[at:], w) {
					t.Fatalf("%q does not stand at %d of %q", w, at, text)
				}
			}
		}
	})
}

// Strings of more letters than a far state has bits are found as well.
func TestLiteralsOfManyLetters(t *testing.T) {
	var words []string
	var tells [][]uint16
	for c := '!'; c < 'A'+farWidth+20; c++ {
		words = append(words, Edged("abc"+string(c)+"d", false, false))
		tells = append(tells, []uint16{uint16(c)})
	}
	l := NewLiterals(words, tells)
	if l.width <= farWidth {
		t.Fatalf("%d classes are not many", l.width)
	}
	for i, w := range words {
		text := strings.NewReplacer(string([]byte{wordBegins}), "", string([]byte{wordEnds}), "").Replace("ab" + w)
		hits := l.Walk(text, nil)
		if len(hits) != 1 || hits[0].End != uint32(len(text)) || l.Told(hits[0])[0] != tells[i][0] || !l.Within(hits[0], 2) {
			t.Errorf("%q: %v", w, hits)
		}
	}
}
