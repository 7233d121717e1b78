package compliance

import (
	"testing"

	"preceptor/internal/fault"
	"preceptor/internal/pension"
)

func TestExpertsChecksAreFoundButNotInQuotesOrRefusals(t *testing.T) {
	p := PatternCheck{ID: "p1", Version: 1, Code: "HOUSE_STYLE", Title: "Style", Pattern: `\bmoney pot\b`, Severity: Minor, Why: "Say pension pot.", Reference: "House style", On: true}
	c := NewChecker(at)
	if err := c.Use([]PatternCheck{p}); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{
		"Your Money pot is here. A money pot is there.":         2,
		`They call it a "money pot".`:                           0,
		"We can't tell you whether to empty the money pot.":     0,
		"Your pension pot is here.":                             0,
		"It isn't ours to say, but your money pot is invested.": 1,
	} {
		if got := len(c.Check(text, pension.Situation{}).Issues); got != want {
			t.Errorf("%q: %d issues, want %d", text, got, want)
		}
	}
	p.On = false
	if err := c.Use([]PatternCheck{p}); err != nil || len(c.InUse()) != 0 {
		t.Errorf("a check that is off is in use: %v", err)
	}
	for _, bad := range []string{"", "(", "a*"} {
		p.Pattern = bad
		if err := p.Check(); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
