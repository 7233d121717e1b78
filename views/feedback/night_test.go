package feedback

import (
	"strings"
	"testing"

	"preceptor/internal/feedback/nightly"
)

// A difference that was looked for over many days says so where it stands in the row of one.
func TestADifferenceNamesItsDays(t *testing.T) {
	p := nightly.Pattern{Feature: "short", Label: "are short", Days: 30, Liked: 300, OfLiked: 500, Disliked: 40,
		OfDis: 244, Low: 0.2, High: 0.5}
	n := nightly.Night{Day: "2026-11-21", AgentType: "advisor", Positive: 12, Negative: 2,
		Patterns: []nightly.Pattern{p}}
	row := func() string {
		var b strings.Builder
		if err := nightRow(n).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if got := row(); !strings.Contains(got, "300 of 500") || !strings.Contains(got, "over the 30 days up to that day") {
		t.Error(got)
	}
	n.Patterns[0].Days = 1
	if got := row(); strings.Contains(got, "days up to that day") {
		t.Error(got)
	}
}
