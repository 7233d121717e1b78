package borderline

import (
	"strings"
	"testing"

	"preceptor/internal/compliance/rubric"
	"preceptor/internal/pack"
)

// What is said of the whole form is about what is wrong with the first mark.
func TestTheHeadlineIsAboutTheMark(t *testing.T) {
	known := rubric.Taxonomy{}
	for _, m := range []Mark{{Quote: "You should"}, {Quote: "nowhere"}, {Code: "no such issue"}} {
		_, wrong := place("You should transfer.", []Mark{m}, known)
		if len(wrong) != 1 || !strings.HasPrefix(markFault(wrong[0]), "Choose an issue") {
			t.Errorf("%+v: %v", m, wrong)
		}
	}
}

// A text of any trade is marked with what judges read for there, and with no code of pensions.
func TestATextOfAnyTradeIsMarkedWithItsOwnCodes(t *testing.T) {
	known := rubric.Taxonomy{Issues: []rubric.IssueKind{{Code: "MISSING_DB_WARNING", Label: "Missing DB warning"},
		{Code: "OTHER", Label: "Something else"}}}
	shop := known.Of(pack.GeneralName)
	for code, offered := range map[string]bool{"PROMISE": true, "WRONG_FACT": true, "OTHER": true,
		"MISSING_DB_WARNING": false} {
		if _, ok := shop.Find(code); ok != offered {
			t.Errorf("%s is offered: %v", code, ok)
		}
		if _, wrong := place("It comes tomorrow, I promise.", []Mark{{Code: code, Quote: "I promise"}},
			known); len(wrong) > 0 {
			t.Errorf("%s: %v", code, wrong)
		}
	}
	if got := known.Of(pack.Pension); len(got.Issues) != len(known.Issues) {
		t.Errorf("pensions: %+v", got)
	}
}
