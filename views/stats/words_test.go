package stats

import (
	"strings"
	"testing"

	"preceptor/internal/stats"
)

func part(key string, yes, n int) stats.Slice {
	s := stats.Of(yes, n)
	return stats.Slice{Key: key, Figure: stats.Figure{Unit: stats.Ratio, Known: true, Value: s.Value(), Part: yes, N: n, Low: s.Low, High: s.High}, Volume: n}
}

// A part with few votes does not hide that another differs from all others together.
func TestThePartThatSurelyDiffersIsNamed(t *testing.T) {
	list := []stats.Slice{part("tax_free_cash", 180, 250), part("state_pension", 172, 200), part("drawdown", 200, 240), part("divorce", 11, 11)}
	got := extremes(list, "topic")
	if !strings.HasPrefix(got, "Tax-free cash is lowest with 72") || !strings.Contains(got, "highest is State Pension") && !strings.Contains(got, "all others together") {
		t.Error(got)
	}
	if got := extremes([]stats.Slice{part("scams", 5, 9), part("tax", 6, 9)}, "topic"); got != "No topic surely differs from all others together." {
		t.Error(got)
	}
	if got := extremes([]stats.Slice{part("scams", 5, 9)}, "topic"); got != "Scams is the only topic." {
		t.Error(got)
	}
}

// Every figure that leads to rows has a heading of its own.
func TestEveryListOfRowsHasAHeading(t *testing.T) {
	seen := map[string]string{}
	for of, title := range rowTitles {
		if title == "" || !stats.HasRows(of) {
			t.Errorf("%s: %q", of, title)
		}
		seen[of] = title
	}
	for _, of := range []string{"votes", "satisfaction", "avg_feedback", "rating", "vote.negative", "decisions", "decision.approve", "decision.sampled", "waited", "waited_p90", "sla", "on_case", "edit",
		"rewritten", "hasty", "agreement", "second", "outcomes", "outcome.goals_met", "drafts", "compliance", "missed", "false_alarm", "borderline", "rulings", "panel", "quality", "planted", "lessons", "lessons_accepted"} {
		if seen[of] == "" {
			t.Errorf("%s has no heading", of)
		}
	}
	if got := RowsTitle("borderline.dissent"); got != "Borderline cases: the judges differed" {
		t.Error(got)
	}
	if got := RowsTitle("ruling.NON_COMPLIANT"); got != "Rulings: non-compliant" {
		t.Error(got)
	}
}
