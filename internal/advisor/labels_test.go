package advisor

import (
	"strings"
	"testing"

	"preceptor/internal/knowledge"
)

// The label that a document prints in front of an item is quoted as it is, and ends no sentence.
func TestLabelsOfALawyersListAreQuoted(t *testing.T) {
	r := asks("When may the trustee of the permit stop it?", nil)
	const terms = "The permit's terms follow here.\n\n- 1.1 A permit is valid for 90 days. It ends then.\n" +
		"- (a) The trustee may stop a permit.\n- b. The provider stops a permit. It tells you.\n- 1.1.2. The firm " +
		"stops a permit. It pays £5."
	r.Recall = recalled([]knowledge.Item{caseItem(1, "Parking", "Permits", terms)})
	d := draft(t, r)
	if want := strings.ReplaceAll(terms, "\n\n", "\n"); !strings.Contains(d.Text, want) {
		t.Errorf("%s\n%s", d.Text, d.Reasoning)
	}
}

// The numbers and letters of a list are quoted as its document has them.
func TestNumbersOfAListAreQuoted(t *testing.T) {
	r := asks("When may the trustee of the permit stop it?", nil)
	const terms = "The permit's terms follow here.\n\n12. A permit is valid for 90 days. It ends then.\n" +
		"55. The trustee may stop a permit.\n2026. The provider stops a permit. It tells you.\niv. The firm stops a permit."
	r.Recall = recalled([]knowledge.Item{caseItem(1, "Parking", "Permits", terms)})
	if d := draft(t, r); !strings.Contains(d.Text, strings.ReplaceAll(terms, "\n\n", "\n")) {
		t.Errorf("%s\n%s", d.Text, d.Reasoning)
	}
}
