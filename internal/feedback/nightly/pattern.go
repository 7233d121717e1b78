package nightly

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"preceptor/internal/feedback"
	"preceptor/internal/platform/estimate"
)

// Pattern is something that liked answers have more often than disliked ones, or less often.
type Pattern struct {
	Feature  string  `json:"feature"`
	Label    string  `json:"label"` // for people
	Liked    int     `json:"liked"` // liked answers that have it, of OfLiked
	OfLiked  int     `json:"of_liked"`
	Disliked int     `json:"disliked"`
	OfDis    int     `json:"of_disliked"`
	Low      float64 `json:"low"` // 99% interval of the difference of the shares, -1 to 1
	High     float64 `json:"high"`
	Days     int     `json:"days"` // over how many days it was looked for
}

// Sure reports whether the interval leaves no doubt in which direction it goes.
func (p Pattern) Sure() bool { return p.Low > 0 || p.High < 0 }

// Feature is something that can be seen in an answer without reading it.
type Feature struct {
	Name  string
	Label string // for people, after "Liked answers more often"
	Has   func(query, response string) bool
}

const (
	shortAnswer   = 120 // words
	shortSentence = 16  // words, on average
)

var (
	exampleRE = regexp.MustCompile(`(?i)\b(for example|for instance|such as|imagine|suppose|say you|e\.g\.)`)
	listRE    = regexp.MustCompile(`(?m)^\s*(?:[-*•–]|\d{1,2}[.)])\s+\S`)
	figureRE  = regexp.MustCompile(`[£$€]\s?\d|\d+(?:\.\d+)?\s?%|\b\d{2,}\b`)
	helpRE    = regexp.MustCompile(
		`(?i)\b(moneyhelper|pension wise|citizens advice|ombudsman|(?:financial )?advis[eo]r|gov\.uk|your (?:teacher|provider|doctor|gp))\b`)
	feelingRE = regexp.MustCompile(
		`(?i)\b(i(?:'m| am)? sorry|sorry to hear|understandabl[ey]|that sounds|it(?:'s| is) (?:natural|normal) to|i understand|we understand)\b`)
	hedgeRE = regexp.MustCompile(`(?i)\b(as an ai|i cannot|i can't|i am unable|i'm unable|it depends)\b`)
	sentRE  = regexp.MustCompile(`[.!?]+(?:\s+|$)`)
)

// Features are what patterns are looked for in.
var Features = []Feature{
	{"question", "end with a question to the reader", func(_, r string) bool {
		return strings.HasSuffix(strings.TrimSpace(r), "?")
	}},
	{"example", "give an example", func(_, r string) bool { return exampleRE.MatchString(r) }},
	{"list", "have a list", func(_, r string) bool { return len(listRE.FindAllString(r, 2)) == 2 }},
	{"short", "are short (120 words or fewer)", func(_, r string) bool {
		return len(strings.Fields(r)) <= shortAnswer
	}},
	{"plain", "have short sentences (16 words or fewer on average)", func(_, r string) bool {
		return average(r) <= shortSentence
	}},
	{"first", "take up the question's words in the first sentence", first},
	{"figure", "give a figure", func(_, r string) bool { return figureRE.MatchString(r) }},
	{"help", "say where to get more help", func(_, r string) bool { return helpRE.MatchString(r) }},
	{"feeling", "acknowledge how the reader feels", func(_, r string) bool { return feelingRE.MatchString(r) }},
	{"hedge", "refuse or hedge", func(_, r string) bool { return hedgeRE.MatchString(r) }},
}

// average is the mean number of words in a sentence.
func average(text string) float64 {
	n := len(sentRE.FindAllString(text, -1))
	return float64(len(strings.Fields(text))) / float64(max(n, 1))
}

// first reports whether the first sentence takes up two telling words of the query, or the only one.
func first(query, response string) bool {
	sentence := response
	if at := sentRE.FindStringIndex(response); at != nil {
		sentence = response[:at[0]]
	}
	asked, said := telling(query), telling(sentence)
	n := 0
	for w := range asked {
		if said[w] {
			n++
		}
	}
	return n > 0 && n >= min(2, len(asked))
}

func telling(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		if len([]rune(w)) > 3 && !vague[w] {
			out[w] = true
		}
	}
	return out
}

var vague = map[string]bool{"what": true, "when": true, "where": true, "which": true, "about": true, "does": true,
	"have": true, "could": true, "would": true, "should": true,
	"explain": true, "tell": true, "with": true, "from": true, "that": true, "this": true, "your": true, "mine": true,
	"there": true, "they": true, "them": true, "will": true}

// Find looks for patterns, the clearest first; none where there are fewer than Least answers of either kind.
func Find(samples []feedback.Sample, days int) []Pattern {
	liked, disliked := 0, 0
	for _, s := range samples {
		if s.Liked {
			liked++
		} else {
			disliked++
		}
	}
	if liked < Least || disliked < Least {
		return nil
	}
	var out []Pattern
	for _, f := range Features {
		p := Pattern{Feature: f.Name, Label: f.Label, OfLiked: liked, OfDis: disliked, Days: days}
		for _, s := range samples {
			switch has := f.Has(s.Query, s.Response); {
			case has && s.Liked:
				p.Liked++
			case has:
				p.Disliked++
			}
		}
		p.Low, p.High = estimate.Difference(p.Liked, liked, p.Disliked, disliked, estimate.Z99)
		out = append(out, p)
	}
	slices.SortStableFunc(out, func(x, y Pattern) int { return cmp.Compare(y.clear(), x.clear()) })
	return out
}

// clear is how far the interval stays from nought; negative when it holds it.
func (p Pattern) clear() float64 { return max(p.Low, -p.High) }
