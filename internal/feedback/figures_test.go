package feedback_test

import (
	"testing"
	"time"

	"preceptor/internal/feedback"
)

// Seven days are seven days of the desk, as on the pages of the statistics, and not 168 hours.
func TestFiguresGoByTheDesksDays(t *testing.T) {
	east := time.FixedZone("east", 5*3600+1800)
	k := open(t, feedback.Settings{Zone: east})
	y, m, d := k.clock.Now().In(east).Date()
	late := time.Date(y, m, d+1, 23, 30, 0, 0, east)
	k.clock.Advance(late.Sub(k.clock.Now()))
	k.thumb(k.log("Before midnight?", "Yes."), "u", 1)
	k.clock.Advance(time.Hour)
	k.thumb(k.log("After midnight?", "Yes."), "u", -1)
	for days, want := range map[int][2]int{1: {0, 1}, 2: {1, 1}} {
		f, err := k.Figures(t.Context(), tutor, "Tutor-Agent", "tutor", days)
		if err != nil || f.Positive != want[0] || f.Negative != want[1] || f.Interactions != want[0]+want[1] {
			t.Errorf("%d days: %+v, %v", days, f, err)
		}
		if first := time.Date(y, m, d+3-days, 0, 0, 0, 0, east); !f.From.Equal(first) {
			t.Errorf("%d days begin at %v, want %v", days, f.From, first)
		}
	}
}
