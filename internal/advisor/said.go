package advisor

import (
	"slices"
	"strings"

	"preceptor/internal/pack"
	"preceptor/internal/phrase"
	"preceptor/internal/platform/text"
	"preceptor/internal/platform/text/compare"
)

// sameShare is the share of a sentence's telling words from which on another says it.
const sameShare = 0.85

// saysAll reports whether every sentence of want is said by one of text.
func saysAll(text, want string) bool {
	have := phrase.Sentences(text)
	for _, w := range phrase.Sentences(want) {
		if !slices.ContainsFunc(have, func(h phrase.Span) bool { return says(h.In(text), w.In(want)) }) {
			return false
		}
	}
	return true
}

// says reports whether the sentence have says the sentence want: the same words, or nearly all of its telling ones and
// nothing that makes it another (compare.Near). Short sentences have too few to go by.
func says(have, want string) bool {
	if slices.Equal(pack.Words(have), pack.Words(want)) {
		return true
	}
	stems := pack.ContentStems(want)
	if strings.HasSuffix(want, "?") != strings.HasSuffix(have, "?") {
		return false
	}
	return len(stems) >= 3 && float64(text.Common(stems, pack.ContentStems(have))) >= sameShare*float64(len(stems)) &&
		compare.Near(have, want)
}
