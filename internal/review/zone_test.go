package review_test

import (
	"testing"
	"time"

	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/review"
)

// at sets the desk's zone, as main does.
func at(t *testing.T, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	before := time.Local
	time.Local = zone
	t.Cleanup(func() { time.Local = before })
	return zone
}

// A day is the desk's: what is decided just before its midnight is yesterday's just after it, in Progress and above the
// queue alike, whatever the day is in UTC then; and a week begins on the desk's Monday, also where the clocks change in
// it.
func TestDaysAreTheDesks(t *testing.T) {
	for _, c := range []struct {
		zone, late string // a minute before midnight there, in UTC
		week       int    // of the two decisions, after midnight
	}{
		{"America/New_York", "2026-11-04T04:59:00Z", 2}, {"Asia/Tokyo", "2026-11-03T14:59:00Z", 2},
		{"Europe/London", "2027-03-28T22:59:00Z", 1}, {"Pacific/Kiritimati", "2026-11-02T09:59:00Z", 2},
		{"UTC", "2026-11-08T23:59:00Z", 1},
	} {
		t.Run(c.zone, func(t *testing.T) {
			at(t, c.zone)
			k := open(t)
			late, err := time.Parse(time.RFC3339, c.late)
			if err != nil {
				t.Fatal(err)
			}
			k.clock.Advance(late.Sub(dbtest.Start))
			want := func(today, week int) {
				t.Helper()
				of, err := k.Progress(ctx, []string{"ann"})
				n, cerr := k.Counts(ctx, "ann", false)
				if err != nil || cerr != nil || of["ann"].Today != today || of["ann"].Week != week ||
					n.DoneToday != today {
					t.Errorf("%+v, %d done today, %v, %v; want %d today and %d in the week", of["ann"], n.DoneToday,
						err, cerr, today, week)
				}
			}
			k.decide(t, k.submit(t), ann, review.Reject)
			want(1, 1)
			k.clock.Advance(2 * time.Minute)
			want(0, c.week-1)
			k.decide(t, k.submit(t), ann, review.Reject)
			want(1, c.week)
			if w := review.Week(k.clock.Now()); w.Weekday() != time.Monday || w.Hour() != 0 ||
				w.Location().String() != c.zone || w.After(k.clock.Now()) {
				t.Errorf("the week begins at %s", w)
			}
		})
	}
}
