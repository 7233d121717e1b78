package compliance

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"preceptor/internal/fault"
)

// PatternCheck is a check that an expert added as data: a regular expression (RE2, blind to case) that is held against each
// sentence. What stands in quotation marks, and what is declined ("we can't say whether ..."), is not found.
type PatternCheck struct {
	ID        string
	Version   int
	Code      string // one of the codes of the registry, or one's own in the same form
	Title     string
	Pattern   string
	Severity  string // critical, major or minor
	Why       string // a plain sentence for the customer's advisor
	Reference string
	On        bool

	compiled *regexp.Regexp
}

// Bounds of a pattern check.
const (
	MaxPattern       = 2000 // code points of an expression
	maxPatternChecks = 500
	maxPatternFinds  = 20 // per check and text
)

var codeRE = regexp.MustCompile(`^[A-Z][A-Z0-9_]{2,59}$`)

// Check tells what is wrong with a pattern check, by field; nil when it can be used.
func (p *PatternCheck) Check() error {
	var wrong []fault.Field
	say := func(name, msg string) { wrong = append(wrong, fault.Field{Name: name, Msg: msg}) }
	if !codeRE.MatchString(p.Code) {
		say("code", "Use capital letters, digits and underscores, as PERSONAL_RECOMMENDATION.")
	}
	if strings.TrimSpace(p.Title) == "" {
		say("title", "Give it a title.")
	}
	if strings.TrimSpace(p.Why) == "" {
		say("why", "Say in a sentence what is wrong with such words.")
	}
	if p.Severity != Critical && p.Severity != Major && p.Severity != Minor {
		say("severity", "Choose critical, major or minor.")
	}
	switch re, err := regexp.Compile(`(?i)` + p.Pattern); {
	case strings.TrimSpace(p.Pattern) == "":
		say("pattern", "Give it a pattern.")
	case utf8.RuneCountInString(p.Pattern) > MaxPattern:
		say("pattern", "The pattern is too long; split it.")
	case err != nil:
		say("pattern", "The pattern can't be read: "+strings.TrimPrefix(err.Error(), "error parsing regexp: ")+".")
	case re.MatchString(""):
		say("pattern", "The pattern matches an empty text, so it would find something everywhere.")
	default:
		p.compiled = re
	}
	if len(wrong) > 0 {
		return fault.WithFields("The check can't be used as it is.", wrong...)
	}
	return nil
}

// Try is what the check finds in a text, whether it is on or not: for trying it on labelled texts before it is switched on.
func (p PatternCheck) Try(text string) ([]Issue, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	original := []rune(strings.ToValidUTF8(text, "\uFFFD"))
	seen, places, _ := asSeen(original)
	d := read(seen)
	return toIssues(d.text, original, places, p.find(d)), nil
}

func (p PatternCheck) find(d draft) []finding {
	var out []finding
	for i, sp := range d.spans {
		for _, m := range p.compiled.FindAllStringIndex(sp.In(d.text), maxPatternFinds) {
			if m[0] == m[1] || d.quoted(sp.Start+m[0], sp.Start+m[1]) || declined(d.lower[i][:m[0]], d.lower[i][:m[1]], d.lower[i], steerPattern{}) {
				continue
			}
			out = append(out, finding{code: p.Code, severity: p.Severity, why: p.Why, reference: p.Reference, start: sp.Start + m[0], end: sp.Start + m[1]})
			if len(out) == maxPatternFinds {
				return out
			}
		}
	}
	return out
}

// Use puts the experts' checks that are on in force, in place of those before, with every shipped check on. One that can't be
// used is refused, and then nothing changes. It is safe while checks run.
func (c *Checker) Use(patterns []PatternCheck) error { return c.Adopt(Book{Patterns: patterns}) }

// InUse is the experts' checks in force.
func (c *Checker) InUse() []PatternCheck { return c.Book().Patterns }
