package stats

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"preceptor/internal/stats/counter"
)

// A day's first moment is the first that a calendar shows the day at, whatever its clocks do.
func TestDaysBeginWhereTheCalendarTurns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"Europe/London", "America/Havana", "America/Santiago", "Australia/Lord_Howe",
			"Asia/Beirut", "Africa/Cairo", "Pacific/Apia", "Asia/Kathmandu"}).Draw(t, "zone")
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		day := rapid.IntRange(18_000, 21_500).Draw(t, "day") // 2019 to 2028
		at := counter.Midnight(day, zone)
		if counter.Day(at, zone) != day || counter.Day(at.Add(-time.Millisecond), zone) != day-1 {
			t.Fatalf("day %d of %s begins at %v", day, name, at)
		}
	})
}

func TestSpansCoverTheRange(t *testing.T) {
	zone, err := time.LoadLocation("Europe/London")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, time.November, 22, 9, 0, 0, 0, time.UTC)
	for days, want := range map[int]Step{1: Daily, 30: Daily, 62: Daily, 63: Weekly, 365: Weekly, 551: Monthly,
		2_000: Monthly} {
		r := Days(now, days, zone)
		if r.Len() != days || r.Step() != want || r.Before().Len() != days || !r.Before().To.Equal(r.From) {
			t.Errorf("%d days: %d of a %s, %d before", days, r.Len(), r.Step(), r.Before().Len())
		}
		at := r.From
		for _, s := range r.spans() {
			if !s.From.Equal(at) || !s.To.After(s.From) {
				t.Fatalf("%d days: a span from %v after %v", days, s.From, at)
			}
			if want == Weekly && !s.From.Equal(r.From) && s.From.In(zone).Weekday() != time.Monday {
				t.Fatalf("a week begins on a %s", s.From.In(zone).Weekday())
			}
			at = s.To
		}
		if !at.Equal(r.To) {
			t.Errorf("%d days end at %v, want %v", days, at, r.To)
		}
	}
}

func TestNoDataIsNotZero(t *testing.T) {
	for _, f := range []Figure{ShareOf("x", 0, 0), MeanOf("x", Score10, 0, 0, 0), measured("x", Seconds, 0, 0),
		quantile("x", nil, counter.Hist{}, 0.5)} {
		if f.Known || f.Interval() {
			t.Errorf("%+v", f)
		}
	}
	if f := counting("x", 0); !f.Known {
		t.Error("a count of nothing is known")
	}
	before := ShareOf("x", 0, 0)
	f := ShareOf("x", 1, 2)
	f.Before = &before
	if _, ok := f.Change(); ok || f.Sure(10) {
		t.Error("a change from no data")
	}
}

func TestAMeanHasItsInterval(t *testing.T) {
	f := MeanOf("x", Score10, 4, 20, 110) // 3, 4, 6, 7
	if math.Abs(f.Value-5) > 1e-9 || f.Low < 3.2 || f.Low > 3.6 || f.High < 6.4 || f.High > 6.8 {
		t.Errorf("%+v", f)
	}
	if f := MeanOf("x", Score10, 1, 3, 9); f.Interval() {
		t.Errorf("one value has an interval: %+v", f)
	}
}

func TestRunsCoverEachDayOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := rapid.IntRange(0, 40_000).Draw(t, "first")
		last := first + rapid.IntRange(0, 900).Draw(t, "days")
		next := first
		for _, r := range runs("m", first, last) {
			from, to := r.first, r.last
			if r.measure == counter.Blocks("m") {
				from, to = from*counter.BlockDays, (to+1)*counter.BlockDays-1
			}
			if from != next || to < from {
				t.Fatalf("%v: begins on %d, wanted %d", r, from, next)
			}
			next = to + 1
		}
		if next != last+1 {
			t.Fatalf("ends before %d, wanted %d", next, last+1)
		}
	})
}

func TestBlocksAndTheirEndsCoverEachDayOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := rapid.IntRange(0, 40_000).Draw(t, "first")
		last := first + rapid.IntRange(0, 200).Draw(t, "days")
		from, to, ends := blocks(first, last)
		seen := map[int]int{}
		for b := from; b < to; b++ {
			for day := b * counter.BlockDays; day < (b+1)*counter.BlockDays; day++ {
				seen[day]++
			}
		}
		if ends[0] != ends[1] || ends[0] < from || ends[0] >= to { // as split asks
			for _, b := range slices.Compact(ends[:]) {
				for day := max(first, b*counter.BlockDays); day <= min(last, (b+1)*counter.BlockDays-1); day++ {
					seen[day]++
				}
			}
		}
		for day := first; day <= last; day++ {
			if seen[day] != 1 {
				t.Fatalf("day %d of %d to %d is taken %d times", day, first, last, seen[day])
			}
		}
		if len(seen) != last-first+1 {
			t.Fatalf("%d days of %d to %d", len(seen), first, last)
		}
	})
}
