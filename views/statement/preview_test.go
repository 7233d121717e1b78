package statement

import (
	"strings"
	"testing"

	"preceptor/internal/rule"
)

// The rules of one form have the same examples: where there are several the buttons say so.
func TestAButtonSaysWhomItIsFor(t *testing.T) {
	for n, want := range map[int]int{1: 0, 2: 4, 3: 6} {
		v := Editor{Form: Form{When: []When{{On: true, Condition: Everybody()}}}, Preview: &Preview{}}
		for range n {
			v.Rows = append(v.Rows, Row{On: true, Act: rule.Act{Kind: rule.Ask, Text: "How old are you?"}})
			v.Preview.Rules = append(v.Preview.Rules, Effect{Sentence: "Ask.",
				Changes: []Example{{ID: "a", Question: "A?"}}, Stays: []Example{{ID: "b", Question: "B?"}}})
		}
		var out strings.Builder
		if err := PreviewView(v).Render(t.Context(), &out); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(out.String(), "for all rules here"); got != want ||
			!strings.Contains(out.String(), "Not this one") || !strings.Contains(out.String(), "This one too") {
			t.Errorf("%d rules: said %d times, want %d: %s", n, got, want, out.String())
		}
	}
}

// The conditions that a click changed arrive beside the rows, so the preview asks a moment later: it showed the rule of
// before the click.
func TestThePreviewFollowsAClick(t *testing.T) {
	for picked, want := range map[bool]string{true: "load delay:200ms", false: "load"} {
		if got := (Editor{Form: Form{Picked: picked}}).follows(); got != want {
			t.Errorf("picked %v: %q", picked, got)
		}
	}
}
