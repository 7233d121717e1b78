package knowledge

import (
	"testing"

	"preceptor/internal/knowledge/unanswered"
	"preceptor/views/layout"
	"preceptor/views/ui"
)

// The first page says how much there is, and each leads on as it was filtered.
func TestPagesOfUnanswered(t *testing.T) {
	list, totals := make([]unanswered.Group, 100), unanswered.Totals{Groups: 340}
	const at = layout.TabUnanswered
	for name, c := range map[string]struct {
		v    UnansweredList
		want ui.Pages
	}{
		"all fit": {UnansweredList{List: list, Totals: totals}, ui.Pages{}},
		"first": {UnansweredList{List: list, Totals: totals, Agent: "a", Next: "n"},
			ui.Pages{Next: at + "?agent=a&cursor=n", Note: "The 100 asked most often of 340"}},
		"second": {UnansweredList{List: list, Totals: totals, Cursor: "c", Next: "n"},
			ui.Pages{First: at, Next: at + "?cursor=n"}},
		"last aside": {UnansweredList{List: list, Aside: true, Cursor: "c"}, ui.Pages{First: at + "?aside=1"}},
	} {
		if got := c.v.pages(); got != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
