package borderline

import (
	"strings"
	"testing"

	"preceptor/internal/compliance/rubric"
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
