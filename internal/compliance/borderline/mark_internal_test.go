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

// A text is marked with the issues of its own pack, and with no other's.
func TestATextIsMarkedWithTheIssuesOfItsPack(t *testing.T) {
	for name, offered := range map[string]map[string]bool{
		pack.GeneralName: {"PROMISE": true, "WRONG_FACT": true, "OTHER": true, "MISSING_DB_WARNING": false},
		pack.Pension:     {"PROMISE": false, "GUARANTEE_OR_PROMISE": true, "OTHER": true, "MISSING_DB_WARNING": true},
	} {
		known := (&rubric.Store{}).Taxonomy(name)
		for code, ok := range offered {
			_, wrong := place("It comes tomorrow, I promise.", []Mark{{Code: code, Quote: "I promise"}}, known)
			if (len(wrong) == 0) != ok {
				t.Errorf("%s: %s: %v", name, code, wrong)
			}
		}
	}
}
