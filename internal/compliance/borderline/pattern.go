package borderline

import (
	"slices"
	"strings"

	"preceptor/internal/compliance"
	"preceptor/internal/phrase"
)

// Pattern is what made a text borderline.
type Pattern struct {
	Phrases    []Phrase `json:"phrases"`              // that divided the judges, in the order of the text
	Codes      []string `json:"codes,omitempty"`      // issues that some judges name and others don't
	Split      string   `json:"split,omitempty"`      // as "2-1 failed"
	Confidence float64  `json:"confidence,omitempty"` // of the panel
}

// Phrase is words of the text that judges saw differently.
type Phrase struct {
	Quote   string   `json:"quote"` // as the text has it
	Start   int      `json:"start"` // in code points
	End     int      `json:"end"`
	Against []string `json:"against,omitempty"` // failing judges that point at it
	For     []string `json:"for,omitempty"`     // passing judges that quote it
	Why     string   `json:"why,omitempty"`     // the first failing judge's reason, or a passing one's
}

// Against lists the phrases that a failing judge objected to.
func (p Pattern) Against() (out []string) {
	for _, ph := range p.Phrases {
		if len(ph.Against) > 0 {
			out = append(out, ph.Quote)
		}
	}
	return out
}

// ExtractPattern finds what divided the judges: seed 000's extract_borderline_pattern ("Compliance Feedback Loop", case
// 2). A phrase divides when some judges name it in an issue and others don't, or when a judge quotes it in the reasons
// and it stands in the text. What every judge objects to divides nobody, and where all pass the text, nothing does.
func ExtractPattern(text string, v compliance.Verdict) Pattern {
	p, said := phrases(text, v)
	flagged := slices.ContainsFunc(v.Judges, func(j compliance.Vote) bool { return !j.Abstained && !j.Passed })
	p.Phrases = slices.DeleteFunc(p.Phrases, func(ph Phrase) bool { return !flagged || len(ph.Against) == said })
	return p
}

// Objections are the words of a text that any failing judge points at, all agreed or not, in the order of the text.
func Objections(text string, v compliance.Verdict) []string {
	p, _ := phrases(text, v)
	return p.Against()
}

// phrases finds all words of the text that judges point at, and how many judges voted.
func phrases(text string, v compliance.Verdict) (Pattern, int) {
	p := Pattern{Split: v.Split, Confidence: v.Confidence, Phrases: []Phrase{}}
	said := 0
	named := map[string]int{}
	for _, j := range v.Judges {
		if j.Abstained {
			continue
		}
		said++
		mine := map[string]bool{}
		for _, i := range j.Issues {
			if !mine[i.Code] {
				mine[i.Code] = true
				named[i.Code]++
			}
			if i.Span[1] > i.Span[0] && i.Quote != "" {
				p.add(text, i.Quote, j, firstOf(i.Why, j.Reasoning))
			}
		}
		for _, q := range phrase.Quoted(j.Reasoning) {
			p.add(text, strings.Trim(q.In(j.Reasoning), "'\"‘’“” .,"), j, j.Reasoning)
		}
	}
	for code, n := range named {
		if n < said {
			p.Codes = append(p.Codes, code)
		}
	}
	slices.Sort(p.Codes)
	slices.SortStableFunc(p.Phrases, func(a, b Phrase) int { return a.Start - b.Start })
	return p, said
}

// shortest is how many letters a quoted word must have to be worth naming.
const shortest = 4

// add notes that a judge points at words of the text.
func (p *Pattern) add(text, quote string, j compliance.Vote, why string) {
	start, end, ok := locate(text, quote)
	if !ok || end-start < shortest {
		return
	}
	at := slices.IndexFunc(p.Phrases, func(ph Phrase) bool { return ph.Start == start && ph.End == end })
	if at < 0 {
		p.Phrases = append(p.Phrases, Phrase{Quote: slice(text, start, end), Start: start, End: end, Why: why})
		at = len(p.Phrases) - 1
	}
	ph := &p.Phrases[at]
	list := &ph.For
	if !j.Passed {
		if len(ph.Against) == 0 {
			ph.Why = why
		}
		list = &ph.Against
	}
	if !slices.Contains(*list, j.Judge) {
		*list = append(*list, j.Judge)
	}
}

// slice is text from start to end, in code points.
func slice(text string, start, end int) string {
	r := []rune(text)
	if start < 0 || end > len(r) || start > end {
		return ""
	}
	return string(r[start:end])
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
