package learned

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"preceptor/internal/llm"
	"preceptor/internal/text"
)

const (
	// sameWords is the seed's: from this share of words in common two learnings of a category are one.
	sameWords = 0.8
	// SameMeaning is the cosine of the sentence network from which they are one: well above 0.58, where two questions are (its
	// Alike), since what is joined is gone; a choice, and not yet measured on pairs of learnings.
	SameMeaning = 0.8
	// NearMeaning is the cosine from which a person is asked whether one sentence says both.
	NearMeaning = 0.65
	// halfLife is the time in which what isn't used loses half its weight. It is a choice: a quarter of a year.
	halfLife = 90 * 24 * time.Hour
)

// Near compares learnings by their words and, with an embedder, by their meaning.
type Near struct {
	Embedder llm.Embedder // nil for words alone
	Floor    float64      // the embedder's cosine; SameMeaning for internal/llm/sentence
}

// Same tells whether two contents say the same: of one category, not against each other, and alike in words or meaning.
func (n Near) Same(ctx context.Context, categoryA, a, categoryB, b string) (bool, error) {
	if categoryA != categoryB || Contradicts(a, b) {
		return false, nil
	}
	if a == b || text.Jaccard(set(text.Words(a)), set(text.Words(b))) >= sameWords {
		return true, nil
	}
	if n.Embedder == nil {
		return false, nil
	}
	v, err := n.Embedder.Embed(ctx, []string{a, b})
	if err != nil {
		return false, err
	}
	dot := 0.0
	for i, x := range v[0] {
		dot += float64(x) * float64(v[1][i])
	}
	return dot >= n.Floor, nil
}

func set(words []string) map[string]bool {
	out := make(map[string]bool, len(words))
	for _, w := range words {
		out[w] = true
	}
	return out
}

// Weight is what a learning counts: more the oftener it was said, and half for every halfLife since it was last used.
func Weight(now, lastUsed time.Time, count int) float64 {
	age := max(0, now.Sub(lastUsed).Hours()/halfLife.Hours())
	return math.Log2(1+float64(max(1, count))) * math.Exp2(-age)
}

// turned are words that say the opposite of another, or of the rest where that is empty; weak ones say nothing of their own.
var (
	turned = map[string]string{"not": "", "dont": "", "never": "", "stop": "", "no": "", "avoid": "use", "without": "with", "dislike": "like",
		"hate": "like", "less": "more", "fewer": "more", "shorter": "longer"}
	weak = []string{"please", "do", "does", "always", "the", "a", "an", "i", "to", "using"}
	// against set one thing above another, so that their order tells which.
	against = []string{"than", "over", "instead", "not", "before", "rather"}
)

// Contradicts tells whether two contents say the opposite in the same words: one of them denied, or two things the other way about. What is
// put in other words is not found.
func Contradicts(a, b string) bool {
	wordsA, deniedA := plain(a)
	wordsB, deniedB := plain(b)
	if len(wordsA) == 0 || text.Jaccard(set(wordsA), set(wordsB)) < 1 {
		return false
	}
	if deniedA != deniedB {
		return true
	}
	says := func(s string) bool {
		return slices.ContainsFunc(text.Words(s), func(w string) bool { return slices.Contains(against, w) })
	}
	return !slices.Equal(wordsA, wordsB) && says(a) && says(b)
}

// plain are the words that a content is about, and whether it denies them.
func plain(s string) (words []string, denied bool) {
	for _, w := range text.Words(apostrophes.Replace(s)) {
		other, turns := turned[w]
		switch {
		case turns:
			denied = !denied
			w = other
		case slices.Contains(weak, w):
			w = ""
		}
		if w != "" && (w != "use" || !turns) {
			words = append(words, w)
		}
	}
	return slices.DeleteFunc(words, func(w string) bool { return w == "use" }), denied
}

var apostrophes = strings.NewReplacer("'", "", "’", "")
