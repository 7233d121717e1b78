package compliance

import (
	"sort"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"preceptor/internal/pack"
	"preceptor/internal/phrase"
)

// finding is an issue with its place in bytes.
type finding struct {
	code, severity, why, reference string
	start, end                     int
	own                            bool // of a check of the firm's own
}

// Checker runs the deterministic checks.
type Checker struct {
	clock func() time.Time
	book  atomic.Pointer[Book] // what experts decided; nil: as shipped
	// Look runs before what experts decided is used; set once, before use, or nil.
	Look func()
}

// NewChecker makes one whose dated checks use clock.
func NewChecker(clock func() time.Time) *Checker { return &Checker{clock: clock} }

// Check is the verdict of the checks alone on a text for a customer's situation: RULE_BASED, and no judge asked.
func (c *Checker) Check(text string, s pack.Situation) Verdict {
	if s.At.IsZero() {
		s.At = c.today()
	}
	v, _ := c.check(text, text, s.Known())
	return v
}

// check is Check for a situation whose words were read, with the text as it was read, which the judges share. prose is
// the part that is for somebody to read, and so in a language: actions are not.
func (c *Checker) check(text, prose string, s pack.Situation) (Verdict, shown) {
	text, prose = strings.ToValidUTF8(text, "\uFFFD"), strings.ToValidUTF8(prose, "\uFFFD")
	original := []rune(text)
	seen, places, disguised := asSeen(original)
	read := prose
	if seen, places = meant(seen, places); prose != "" && prose == text {
		read = seen
	}
	p := pack.Of(s.Pack)
	figures := pack.Facts(s.At).Figure
	d := draft{p.Phrases().ReadText(seen, figures), seen, p.Phrases(), figures}
	found, book, why := []finding(nil), c.inForce(), unread(d, prose, read, disguised)
	if p.Checks {
		found = append(d.missing(s), d.broken()...)
	} else {
		found = checkForm(d)
	}
	v := conclude(toIssues(seen, original, places, book.apply(d, found)), d.lexicon.Holds(d.Reading, "d_choice"))
	v.Checklist, v.Facts = book.Version, s.Facts(d.Reading)
	if why != "" {
		v.RequiresHumanReview, v.Because = true, append(v.Because, why)
	}
	return v, shown{d.Reading, original, places}
}

// draft is a text as its pack's phrases read it.
type draft struct {
	*phrase.Reading
	text    string
	lexicon *phrase.Lexicon
	figures phrase.Figures // of its day
}

// broken are the rules that the text breaks; of one code in one sentence the first.
func (d draft) broken() (found []finding) {
	last, seen := -1, map[string]bool{}
	for _, f := range d.lexicon.Findings(d.Reading) {
		if i := d.sentenceOf(f.Start); i != last {
			last = i
			clear(seen)
		}
		if !seen[f.Of.Code] {
			seen[f.Of.Code] = true
			found = append(found, findingOf(f))
		}
	}
	return found
}

// missing is what the text leaves out for this customer.
func (d draft) missing(s pack.Situation) (found []finding) {
	for _, f := range d.lexicon.Missing(d.Reading, s.Words(), s.Is) {
		found = append(found, findingOf(f))
	}
	return append(found, d.jargon(s)...)
}

func findingOf(f phrase.Finding) finding {
	why := f.Of.Why
	if f.Late {
		why += " The end of the text does; say it earlier, next to what it is about."
	}
	return finding{code: f.Of.Code, severity: f.Of.Severity, why: why, reference: f.Of.Source, start: f.Start,
		end: f.End}
}

// sentenceOf is the number of the sentence that holds byte at; -1 when none does.
func (d draft) sentenceOf(at int) int {
	i := sort.Search(len(d.Sentences), func(i int) bool { return d.Sentences[i].End > at })
	if i == len(d.Sentences) || d.Sentences[i].Start > at {
		return -1
	}
	return i
}

// toIssues sorts the findings by place and turns byte offsets in text into code points, in one pass. original is the
// text as it came, from which the quotes are taken and in which the spans count; places leads there.
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
			Why: f.why, Reference: f.reference, Quote: string(original[start:end]), Own: f.own})
	}
	return out
}
