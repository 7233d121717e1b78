package pack

import (
	"regexp"
	"testing"
)

// A pattern finds what its plain expression finds: the look for words beforehand loses nothing.
func TestPatternAgreesWithRegexp(t *testing.T) {
	texts := []string{"You should transfer your Final Salary pension.", "ANNUITY rates", "no risk", "the lump sum and 25 % of it", "a", "", "MoneyHelper is FREE", "don't", "drawdown draw-down draw down"}
	for _, p := range []string{`\bno risk\b`, `draw ?-?down`, `advi[cs]e|transf(?:er|ers)`, `(?:a|b)c?`, `^you\b`, `(?:money ?helper)+`, `lump sums?|25 ?%`, `x*`, `(?:abc){0,2}`, `don't|do not`, `annuit(?:y|ies)`} {
		pat, plain := NewPattern(p), regexp.MustCompile(`(?i)`+p)
		for _, s := range texts {
			if got, want := pat.MatchString(s), plain.MatchString(s); got != want {
				t.Errorf("%q on %q: %v, want %v", p, s, got, want)
			}
		}
	}
	// What can't match is known without the expression.
	verbs := NewPattern(`\b(?:transfer|consolidat)\w*\b`)
	vocabulary.ready.Store(nil) // else words that are new to it may stand anywhere
	for _, s := range []string{"transferring", "a consolidation", "keep it", "pension"} {
		if got := verbs.possible(s); got != (s[0] == 't' || s[0] == 'a') {
			t.Errorf("%q: %v", s, got)
		}
	}
}
