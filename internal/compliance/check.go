package compliance

import (
	"sort"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"preceptor/internal/compliance/lexicon"
	"preceptor/internal/pack"
)

// finding is an issue with its place in bytes.
type finding struct {
	code, severity, why, reference string
	start, end                     int
}

// Checker runs the deterministic checks.
type Checker struct {
	clock func() time.Time
	book  atomic.Pointer[Book] // what experts decided; nil: as shipped
}

// NewChecker makes one whose dated checks use clock.
func NewChecker(clock func() time.Time) *Checker { return &Checker{clock: clock} }

// Check is the verdict of the checks alone on a text for a customer's situation: RULE_BASED, and no judge asked.
func (c *Checker) Check(text string, s pack.Situation) Verdict {
	if s.At.IsZero() {
		s.At = c.today()
	}
	v, _ := c.check(text, s)
	return v
}

// check is Check with the text as it was read, which the judges share.
func (c *Checker) check(text string, s pack.Situation) (Verdict, shown) {
	text = strings.ToValidUTF8(text, "\uFFFD")
	original := []rune(text)
	seen, places, disguised := asSeen(original)
	seen, places = meant(seen, places)
	if !pack.Of(s.Pack).Checks {
		return c.checkForm(seen, original, places, disguised), shown{}
	}
	d := read(seen)
	who := told{Situation: s, words: lowerASCII(straight.Replace(s.Question + "\n" + s.Goal + "\n" + s.Text + "\n" + strings.Join(s.Features, "\n")))}
	var found []finding
	for _, check := range []func(draft, told) []finding{checkDBWarning, checkRecommendation, checkProduct, checkRisk, checkSignpost,
		checkPromise, checkScam, checkPressure, checkFact, checkUnderstanding, checkJargon} {
		found = append(found, check(d, who)...)
	}
	book := c.inForce()
	v := conclude(toIssues(d.text, original, places, book.apply(d, found)), d.speaksOfChoice())
	v.Checkbook = book.Version
	if why := unread(d.low, disguised); why != "" {
		v.RequiresHumanReview, v.Because = true, append(v.Because, why)
	}
	return v, shown{d.r, original, places}
}

// checkForm is check for a pack that has no checks: those of form, and what people added.
func (c *Checker) checkForm(seen string, original []rune, places []int, disguised int) Verdict {
	d, book := readPlain(seen), c.inForce()
	v := conclude(toIssues(d.text, original, places, book.apply(d, checkForm(d))), false)
	v.Checkbook = book.Version
	if why := tampered(d.low, disguised); why != "" {
		v.RequiresHumanReview, v.Because = true, append(v.Because, why)
	}
	return v
}

var straight = strings.NewReplacer("\u2019", "'", "\u2018", "'")

// draft is a text with what the checks share of it.
type draft struct {
	text   string
	spans  []pack.Span
	lower  []string // the sentences in lower case, byte for byte as long as the original
	quotes []pack.Span
	low    string // the whole text in lower case
	r      *lexicon.Reading
}

func read(text string) draft {
	d := draft{text: text, spans: pack.SentenceSpans(text), quotes: pack.QuotedSpans(text), low: lowerASCII(text)}
	d.r = lexicon.Pensions().ReadText(text, d.spans)
	pack.LookAll(text, d.low, d.spans)
	d.lower = make([]string, len(d.spans))
	for i, sp := range d.spans {
		d.lower[i] = sp.In(d.low)
	}
	return d
}

// lowerASCII lowers ASCII letters only, so that places stay.
func lowerASCII(s string) string {
	b := []byte(s)
	for i := 0; i < len(b); i++ {
		if b[i] >= 'A' && b[i] <= 'Z' {
			b[i] += 'a' - 'A'
		}
	}
	return string(b)
}

// quoted tells whether the bytes from start to end stand inside quotation marks.
func (d draft) quoted(start, end int) bool {
	i := sort.Search(len(d.quotes), func(i int) bool { return d.quotes[i].End >= end })
	return i < len(d.quotes) && d.quotes[i].Start <= start
}

// speaksOfChoice tells whether the text talks to the reader about their own choice at all.
func (d draft) speaksOfChoice() bool {
	for _, s := range d.lower {
		if choiceWordsRE.MatchString(s) {
			return true
		}
	}
	return false
}

// toIssues sorts the findings by place and turns byte offsets in text into code points, in one pass. original is the text as it
// came, from which the quotes are taken and in which the spans count; places leads there.
func toIssues(text string, original []rune, places []int, found []finding) []Issue {
	offsets := make([]int, 0, 2*len(found))
	for _, f := range found {
		offsets = append(offsets, f.start, f.end)
	}
	sort.Ints(offsets)
	points := map[int]int{}
	at, runes := 0, 0
	for _, o := range offsets {
		runes += utf8.RuneCountInString(text[at:o])
		at = o
		points[o] = runes
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].start < found[j].start })
	out := make([]Issue, 0, len(found))
	for _, f := range found {
		start, end := places[points[f.start]], places[points[f.end]]
		if f.end > f.start {
			end = places[points[f.end]-1] + 1 // invisible marks behind the last letter don't belong to it
		}
		out = append(out, Issue{Code: f.code, Span: [2]int{start, end}, Severity: f.severity,
			Why: f.why, Reference: f.reference, Quote: string(original[start:end])})
	}
	return out
}
