package compliance

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"preceptor/internal/pack"
	"preceptor/internal/phrase"
	"preceptor/internal/platform/fault"
)

// PatternCheck is a check that an expert added as data, in the language of the packs' rules (phrase.Parse): each line
// is one way to say it, and lines that begin with "not:", "about:" or "even:" are what they are in a rule.
type PatternCheck struct {
	ID        string
	Version   int
	Code      string // one of the codes of the registry, or one's own in the same form
	Title     string
	Pattern   string
	Severity  string // critical, major or minor
	Why       string // a plain sentence for the customer's advisor
	Reference string
}

// Bounds of a pattern check.
const (
	MaxPattern       = 2000 // code points
	maxPatternChecks = 500
)

var codeRE = regexp.MustCompile(`^[A-Z][A-Z0-9_]{2,59}$`)

// Check tells what is wrong with a pattern check, by field; nil when it can be used.
func (p *PatternCheck) Check() error {
	_, err := p.own()
	return err
}

// own is the check as a lexicon, or what Check says.
func (p *PatternCheck) own() (*phrase.Lexicon, error) {
	var wrong []fault.Field
	say := func(name, msg string) { wrong = append(wrong, fault.Field{Name: name, Msg: msg}) }
	if !codeRE.MatchString(p.Code) {
		say("code", "Use capital letters, digits and underscores, such as PERSONAL_RECOMMENDATION.")
	}
	if strings.TrimSpace(p.Title) == "" {
		say("title", "Give it a title.")
	}
	if strings.TrimSpace(p.Why) == "" {
		say("why", "Say in a sentence what is wrong with these words.")
	}
	if p.Severity != Critical && p.Severity != Major && p.Severity != Minor {
		say("severity", "Choose critical, major or minor.")
	}
	own, err := read(*p)
	switch {
	case strings.TrimSpace(p.Pattern) == "":
		say("pattern", "Write the words it should look for.")
	case utf8.RuneCountInString(p.Pattern) > MaxPattern:
		say("pattern", "It is too long. Split it.")
	case err != nil:
		say("pattern", "It can't be read: "+err.Error()+".")
	}
	if len(wrong) > 0 {
		return nil, fault.WithFields("The check can't be used yet.", wrong...)
	}
	return own, nil
}

// read is experts' checks as a lexicon of rules, each named by its place.
func read(checks ...PatternCheck) (*phrase.Lexicon, error) {
	sources := pack.English()
	for i, p := range checks {
		var b strings.Builder
		fmt.Fprintf(&b, "rule %d\n\tcode %s %s\n", i, p.Code, p.Severity)
		for line := range strings.Lines(p.Pattern) {
			line = strings.TrimSpace(line)
			key, rest, ok := strings.Cut(line, ":")
			switch {
			case line == "":
			case ok && (key == "not" || key == "about" || key == "even"):
				fmt.Fprintf(&b, "\t%s %s\n", key, rest)
			default:
				fmt.Fprintf(&b, "\tfind %s\n", line)
			}
		}
		sources = append(sources, phrase.Source{Name: p.Title, Text: b.String()})
	}
	return phrase.Parse(sources...)
}

// found is what experts' checks, of which own is made, find in a text.
func found(own *phrase.Lexicon, checks []PatternCheck, text string, of phrase.Figures) (out []finding) {
	for _, f := range own.Findings(own.ReadText(text, of)) {
		i, _ := strconv.Atoi(f.Of.Name)
		p := checks[i]
		out = append(out, finding{code: p.Code, severity: p.Severity, why: p.Why, reference: p.Reference,
			start: f.Start, end: f.End, own: true})
	}
	return out
}
