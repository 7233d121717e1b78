package stats

import (
	"strings"
	"testing"
	"time"

	"preceptor/internal/stats"
	"preceptor/internal/stats/desk"
	"preceptor/views/layout"
)

// Who is to be followed up is the same on every page that says so, and to the person.
func TestEveryPageFollowsUpTheSamePeople(t *testing.T) {
	row := func(hasty, of int, signs ...stats.Signal) stats.PersonRow {
		return stats.PersonRow{ID: "sam", Name: "Sam Okafor", Decisions: stats.Figure{N: of, Known: true},
			Hasty: stats.ShareOf("hasty", hasty, of), Signals: signs}
	}
	more := stats.Signal{Code: "hasty", Mine: stats.ShareOf("hasty", 20, 40), Others: stats.ShareOf("hasty", 2, 80)}
	misses := stats.Signal{Code: "misses", Mine: stats.ShareOf("planted", 2, 40),
		Others: stats.ShareOf("planted", 70, 80)}
	scope := Scope{Period: LastDays(time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC), 28, time.UTC),
		Now: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)}
	for what, c := range map[string]struct {
		row  stats.PersonRow
		says string
	}{
		"three of nineteen":  {row(3, 19), "Rapid approvals: 3 of 19 ("},
		"two can be mistake": {row(2, 19), nothingStandsOut},
		"significantly more": {row(20, 40, more), "Has more rapid approvals ("},
		"misses checks":      {row(0, 40, misses), "Catches fewer seeded checks ("},
	} {
		page := stats.ReviewPage{People: []stats.PersonRow{c.row}}
		var one, two, own strings.Builder
		if err := DeskPage(layout.Frame{}, Desk{Scope: scope, Review: page, Pace: desk.Pace{}}).Render(t.Context(),
			&one); err != nil {
			t.Fatal(err)
		}
		if err := people(Review{Scope: scope, ReviewPage: page}).Render(t.Context(), &two); err != nil {
			t.Fatal(err)
		}
		if err := MineView(layout.Frame{}, Mine{Scope: scope, Row: c.row}).Render(t.Context(), &own); err != nil {
			t.Fatal(err)
		}
		for where, html := range map[string]string{"Desk": one.String(), "Review": two.String(),
			"My statistics": own.String()} {
			if c.says != nothingStandsOut && strings.Count(html, c.says) != 1 {
				t.Errorf("%s: %s doesn't say %q once", what, where, c.says)
			}
			if nothing := strings.Contains(html, nothingStandsOut); where != "My statistics" &&
				nothing != (c.says == nothingStandsOut) {
				t.Errorf("%s: that nothing stands out on %s is %v", what, where, nothing)
			}
		}
	}
}
