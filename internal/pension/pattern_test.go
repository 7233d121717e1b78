package pension

import (
	"regexp"
	"strings"
	"testing"
)

// A pattern finds what its plain expression finds: the look for words beforehand loses nothing.
func TestPatternAgreesWithRegexp(t *testing.T) {
	texts := []string{"You should transfer your Final Salary pension.", "ANNUITY rates", "no risk", "the lump sum and 25 % of it", "a", "", "MoneyHelper is FREE", "don't", "drawdown draw-down draw down"}
	for _, p := range []string{`\bno risk\b`, `draw ?-?down`, `advi[cs]e|transf(?:er|ers)`, `(?:a|b)c?`, `^you\b`, `(?:money ?helper)+`, `lump sums?|25 ?%`, `x*`, `(?:abc){0,2}`, `don't|do not`, `annuit(?:y|ies)`} {
		pat, plain := NewPattern(p), regexp.MustCompile(`(?i)`+p)
		for _, s := range texts {
			if got, want := pat.MatchString(s), plain.MatchString(s); got != want {
				t.Errorf("%q on %q: %v, want %v (needs %q)", p, s, got, want, pat.need)
			}
		}
	}
	if need := NewPattern(`\b(?:transfer|consolidat)\w*\b`).need; strings.Join(need, ",") != "transfer,consolidat" {
		t.Errorf("needs %q", need)
	}
}
