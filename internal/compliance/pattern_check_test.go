package compliance

import (
	"slices"
	"testing"

	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
)

func TestExpertsChecksAreFoundButNotInQuotesOrRefusals(t *testing.T) {
	p := PatternCheck{ID: "p1", Version: 1, Code: "HOUSE_STYLE", Title: "Style", Pattern: "money pot", Severity: Minor,
		Why: "Say pension pot.", Reference: "House style"}
	c := NewChecker(at)
	if err := c.Adopt(Book{Patterns: []PatternCheck{p}}); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{
		"Your Money pot is here. A money pot is there.":         2,
		`They call it a "money pot".`:                           0,
		"We can't tell you whether to empty the money pot.":     0,
		"Your pension pot is here.":                             0,
		"It isn't ours to say, but your money pot is invested.": 1,
	} {
		if got := len(c.Check(text, pack.Situation{}).Issues); got != want {
			t.Errorf("%q: %d issues, want %d", text, got, want)
		}
	}
	for _, bad := range []string{"", "(", "..", "{nothing}", "Money Pot"} {
		p.Pattern = bad
		if err := p.Check(); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestABookSwitchesShippedChecksAndCountsItsVersion(t *testing.T) {
	const text = "You should transfer your pension. Act this week, before it is too late. Your money pot is here."
	own := PatternCheck{ID: "p1", Version: 1, Code: "HOUSE_STYLE", Title: "Style", Pattern: "money pot",
		Severity: Minor, Why: "Say pension pot.", Reference: "House style"}
	c := NewChecker(at)
	codes := func() (list []string) {
		v := c.Check(text, pack.Situation{})
		if v.Checklist != c.Book().Version {
			t.Errorf("the verdict says book %d, in force is %d", v.Checklist, c.Book().Version)
		}
		for _, i := range v.Issues {
			list = append(list, i.Code)
		}
		return list
	}
	before := codes()
	if !slices.Contains(before, PersonalRecommendation) || !slices.Contains(before, Pressure) {
		t.Fatalf("as shipped: %v", before)
	}
	if err := c.Adopt(Book{Version: 4, Patterns: []PatternCheck{own}, Off: []string{Pressure}}); err != nil {
		t.Fatal(err)
	}
	if after := codes(); slices.Contains(after, Pressure) || !slices.Contains(after, PersonalRecommendation) ||
		!slices.Contains(after, "HOUSE_STYLE") {
		t.Errorf("with the book: %v", after)
	}
	broken := own
	broken.Pattern = "("
	if err := c.Adopt(Book{Version: 5, Patterns: []PatternCheck{broken}}); fault.KindOf(err) != fault.Invalid ||
		c.Book().Version != 4 {
		t.Errorf("a broken book: %v, version %d", err, c.Book().Version)
	}
	find, err := own.Finder()
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{text: 1, `A "money pot" isn't a pot.`: 0,
		"We can't tell you whether to empty the money pot.": 0, "Für £5: ein money\u00a0pot.": 1} {
		if got := find(text); len(got) != want {
			t.Errorf("%q: the finder says %v", text, got)
		}
	}
}
