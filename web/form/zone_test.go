package form_test

import (
	"testing"
	"time"

	"preceptor/web/form"
)

// The days of a form are those of the zone that its page names, summer time and all.
func TestDaysAreThoseOfAZone(t *testing.T) {
	for zone, want := range map[string]string{"Asia/Tokyo": "2026-03-27T15:00Z 2026-03-29T15:00Z",
		"Europe/London": "2026-03-28T00:00Z 2026-03-29T23:00Z", "UTC": "2026-03-28T00:00Z 2026-03-30T00:00Z"} {
		loc, err := time.LoadLocation(zone)
		if err != nil {
			t.Skip("this machine knows no zones")
		}
		r := form.Reading{Zone: loc}
		from, to := r.Days("2026-03-28", "2026-03-29")
		const layout = "2006-01-02T15:04Z"
		if got := from.UTC().Format(layout) + " " + to.UTC().Format(layout); got != want || r.Err("") != nil {
			t.Errorf("%s: %s, want %s", zone, got, want)
		}
	}
}
