package compliance

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"preceptor/internal/interaction"
)

// What a validator is made of is known here, so that who adds to it thinks of Rules: an approval trusts the verdict
// that a draft came in with as long as the name is the same. If this fails, make the new part a part of the name (or be
// certain that it can't change a verdict), then add it here.
func TestRulesNamesEverything(t *testing.T) {
	for _, c := range []struct {
		of    any
		named []string
	}{
		{&Validator{}, []string{"checks", "panel", "ruled", "Routing", "Rubric"}},
		{&Checker{}, []string{"Quick", "clock", "book", "Look"}}, // which only reads the book anew
		{Book{}, []string{"Version", "Patterns", "Off", "own"}},
		// those that are on
		{PatternCheck{}, []string{"ID", "Version", "Code", "Title", "Pattern", "Severity", "Why", "Reference"}},
		// set at start, which process names; what the judges learned since they name themselves
		{Panel{}, []string{"Judges", "Quorum", "Timeout"}},
		{Rubric{}, []string{"Version", "Text"}},
		{Routing{}, []string{"Version", "Pack", "Threshold", "Alpha", "Calibrate"}},
	} {
		of := reflect.Indirect(reflect.ValueOf(c.of)).Type()
		for i := range of.NumField() {
			if name := of.Field(i).Name; !slices.Contains(c.named, name) {
				t.Errorf("%s.%s is not in the name that Rules gives", of.Name(), name)
			}
		}
	}
}

func TestRulesChangeWithWhatShapesAVerdict(t *testing.T) {
	now := time.Date(2026, 4, 5, 23, 59, 0, 0, time.UTC)
	v := New(NewChecker(func() time.Time { return now }), Panel{})
	seen := []string{v.Rules()}
	differs := func(what string) {
		t.Helper()
		if name := v.Rules(); slices.Contains(seen, name) {
			t.Errorf("%s leaves the name at %s", what, name)
		} else {
			seen = append(seen, name)
		}
	}
	if v.Rules() != seen[0] || !strings.HasPrefix(seen[0], process) {
		t.Errorf("the name is %s, then %s", seen[0], v.Rules())
	}
	now = now.Add(time.Minute)
	differs("the next day")
	rubric, routing := Rubric{Version: 1}, Routing{Version: 1}
	v.Rubric, v.Routing = func(string) Rubric { return rubric }, func() Routing { return routing }
	differs("a rubric and a routing")
	rubric.Version = 2
	differs("another rubric")
	routing.Version = 2
	differs("another routing")
	v.AdoptRuled([]RuledSentence{{ID: "a", Code: Pressure, Sentence: "Act now."}})
	differs("a ruled sentence")
	v.AdoptRuled(nil)
	differs("no ruled sentence any more")
	word := PatternCheck{ID: "x", Version: 1, Code: "NEW_WORD", Title: "A word", Pattern: "blimey", Severity: Major,
		Why: "It is no word.", Reference: "House style"}
	for _, pattern := range []string{"blimey", "crikey"} { // the same version, even
		word.Pattern = pattern
		if err := v.Checks().Adopt(Book{Patterns: []PatternCheck{word}}); err != nil {
			t.Fatal(err)
		}
		differs("a pattern for " + pattern)
	}
	if err := v.Checks().Adopt(Book{Version: 3, Off: []string{Pressure}}); err != nil {
		t.Fatal(err)
	}
	differs("a shipped check that is off")
	if got := v.Glance("A pension is money for later.",
		interaction.Consultation{Question: "What is it?"}); got.Rules != v.Rules() {
		t.Errorf("a verdict goes by %q, not by %q", got.Rules, v.Rules())
	}
}
