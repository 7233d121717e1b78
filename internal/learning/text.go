package learning

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"preceptor/internal/pack"
	"preceptor/internal/phrase"
	"preceptor/internal/platform/text"
	"preceptor/internal/platform/text/compare"
)

// tokenRE is what stands for something personal that was taken out.
var tokenRE = regexp.MustCompile(`\[[A-Z][A-Z ]*-\d+\]`)

func hasToken(text string) bool { return tokenRE.MatchString(text) }

func sentences(text string) []string {
	var out []string
	for _, sp := range phrase.Sentences(text) {
		out = append(out, sp.In(text))
	}
	return out
}

// letters is text without anything but letters, digits and signs of money and share, in lower case.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '£' || r == '%' {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// covered is the share of the stems in a that b has; 0 when a has none.
func covered(a, b map[string]bool) float64 {
	if len(a) == 0 {
		return 0
	}
	return float64(text.Common(a, b)) / float64(len(a))
}

// likeness is the share of the telling stems that two texts have in common, 0 to 1.
func likeness(a, b string) float64 {
	x, y := pack.ContentStems(a), pack.ContentStems(b)
	if len(x)+len(y) == 0 {
		return 1
	}
	return text.Jaccard(x, y)
}

// sayAlike is the share of its stems that a sentence has to have in common with another to say the same.
const sayAlike = 0.8

// says reports whether a text has the words of another, or every sentence of it in nearly the same words, with the same
// figures and denials.
func says(c compare.Func, text, wanted string) bool {
	if _, _, against := c.Against(text, wanted); against {
		return false
	}
	if w := letters(wanted); w == "" || strings.Contains(letters(text), w) {
		return w != ""
	}
	have := sentences(text)
	for _, s := range sentences(wanted) {
		want := pack.ContentStems(s)
		if len(want) == 0 {
			continue
		}
		if !slices.ContainsFunc(have, func(h string) bool {
			return c.Of(h, s) == compare.Same || covered(want, pack.ContentStems(h)) >= sayAlike && compare.Alike(h, s)
		}) {
			return false
		}
	}
	return true
}

// firstText is the first of them that is not blank.
func firstText(list ...string) string {
	for _, s := range list {
		if strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}
