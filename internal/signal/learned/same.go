package learned

import (
	"context"
	"math"
	"regexp"
	"slices"
	"time"

	"preceptor/internal/llm"
	"preceptor/internal/platform/text"
	"preceptor/internal/platform/text/compare"
)

const (
	// sameWords is the seed's: from this share of words in common two learnings of a category are one, if one has all
	// words of the other.
	sameWords = 0.8
	// NearMeaning is the cosine from which a person is asked whether one sentence says both.
	NearMeaning = 0.775
	// halfLife is the time in which what isn't used loses half its weight. It is a choice: a quarter of a year.
	halfLife = 90 * 24 * time.Hour
)

// Same reports whether two contents of one category say the same in nearly the same words. Likeness of meaning can't
// tell: an encoder puts "long answers" next to "short answers", and "first" to "last".
func Same(c compare.Func, a, b string) bool {
	switch c.Of(a, b) {
	case compare.Same:
		return true
	case compare.Contradicts, compare.Excepts:
		return false
	}
	x, y := text.Set(text.Words(a)), text.Set(text.Words(b))
	return a == b || compare.Alike(a, b) && text.Common(x, y) == min(len(x), len(y)) && text.Jaccard(x, y) >= sameWords
}

// Reports reports whether a learning tells what was done, as "You used emojis again" does, and asks for nothing: a
// correction that speaks of the agent and has none of the seed's expressions of a wish.
func Reports(category, content string) bool {
	return category == Correction && !states.MatchString(content) && agent.MatchString(content)
}

var agent = regexp.MustCompile(`(?i)\byou(?:r|rs)?\b`)

// again is what is said of something that was done.
var again = regexp.MustCompile(`(?i)^(?:no,? |but )?you(?:['’]ve)? .*\bagain\W*$`)

// Complains reports whether a learning does so of what the agent did once more: it counts against what was given, and
// is no wish of its own.
func Complains(category, content string) bool {
	return Reports(category, content) && again.MatchString(content)
}

// dangles is a short order that says nothing without what it was said to.
var dangles = regexp.MustCompile(`(?i)^(?:\S+\s+){0,4}(?:it|this|that|these|those|them)\W*$`)

// Dangles reports whether a wish says nothing without what it was said to: "never wait for that".
func Dangles(wish string) bool { return dangles.MatchString(wish) }

// Lasting reports whether a learning teaches something for the next time: it is not meant once, no complaint, and says
// for itself what it asks for.
func (l Learning) Lasting() bool {
	return !l.Once && !Complains(l.Category, l.Content) && !Dangles(l.Content)
}

// Again reports whether a newer content asks for an older one again: it says the same of the same category, or
// complains that the agent did otherwise.
func Again(c compare.Func, older, newer string, category, reports bool) bool {
	return category && Same(c, older, newer) || reports && c.Of(older, newer) == compare.Contradicts
}

// Ends reports whether a newer content ends as an older one, word for word ("Too long, I prefer short answers"): it is
// asked for again, though there may be more to it.
func Ends(older, newer string) bool {
	x, y := text.Words(older), text.Words(newer)
	return len(x) > 0 && len(x) <= len(y) && slices.Equal(x, y[len(y)-len(x):])
}

// Near reports whether a person should be asked if one sentence says both: they are near in meaning, and nothing in
// their words tells them apart.
func Near(ctx context.Context, e llm.Embedder, c compare.Func, a, b string) (bool, error) {
	if e == nil || c.Of(a, b) >= compare.Contradicts || !compare.Near(a, b) {
		return false, nil
	}
	v, err := e.Embed(ctx, []string{a, b})
	return err == nil && llm.Dot(v[0], v[1]) >= NearMeaning, err
}

// Chained are which of rest are near one that was said, or near one that is: of five ways to ask for short answers no
// one is near all others.
func Chained(ctx context.Context, e llm.Embedder, c compare.Func, said, rest []string) (of []int, err error) {
	for i := 0; i < len(said); i++ {
		for k, o := range rest {
			_, _, _, valued := compare.Value(said[i], o)
			if valued || slices.Contains(of, k) {
				continue
			}
			near, err := Near(ctx, e, c, said[i], o)
			if err != nil {
				return nil, err
			}
			if near {
				of, said = append(of, k), append(said, o)
			}
		}
	}
	return of, nil
}

// Weight is what a learning counts: more the oftener it was said, and half for every halfLife since it was last used.
func Weight(now, lastUsed time.Time, count int) float64 {
	age := max(0, now.Sub(lastUsed).Hours()/halfLife.Hours())
	return math.Log2(1+float64(max(1, count))) * math.Exp2(-age)
}
