package limiter

import (
	"strings"
	"testing"
	"time"

	"preceptor/internal/platform/fault"
)

func TestTheLimiterHoldsUpAFloodAndLetsGo(t *testing.T) {
	now := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	b := New(func() time.Time { return now }, nil)
	p := Pace{Burst: 3, Every: 10 * time.Second}
	for i := range 3 {
		if err := b.Take("a", p); err != nil {
			t.Fatalf("take %d: %v", i, err)
		}
	}
	for range 100 { // what is refused does not count, so waiting always ends
		err := b.Take("a", p)
		if !fault.Is(err, fault.Limited) || fault.RetryAfter(err) != 10*time.Second ||
			!strings.Contains(fault.Message(err), "Wait 10 seconds") {
			t.Fatalf("the fourth: %v, wait %s", err, fault.RetryAfter(err))
		}
	}
	if err := b.Take("b", p); err != nil {
		t.Errorf("somebody else: %v", err)
	}
	now = now.Add(10 * time.Second)
	if err := b.Take("a", p); err != nil {
		t.Errorf("after the wait: %v", err)
	}
	if err := b.Take("a", p); err == nil {
		t.Error("twice after one wait")
	}
}

func TestTheLimiterForgetsWhoMayComeAgain(t *testing.T) {
	now := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	b := New(func() time.Time { return now }, nil)
	b.most = 2
	p := Pace{Burst: 1, Every: time.Minute}
	for _, key := range []string{"a", "b", "c"} {
		if err := b.Take(key, p); err != nil {
			t.Fatalf("%s: %v", key, err)
		}
	}
	if err := b.Take("d", p); !fault.Is(err, fault.Limited) { // shares one pace with c, for which there was no room
		t.Errorf("the memory is full: %v", err)
	}
	if len(b.until) > 3 {
		t.Errorf("%d are remembered", len(b.until))
	}
	now = now.Add(2 * time.Minute)
	if err := b.Take("d", p); err != nil || len(b.until) > 2 {
		t.Errorf("after a while: %v, %d are remembered", err, len(b.until))
	}
}

// A clock that is set back makes nobody wait longer than the pace does.
func TestAClockThatIsSetBackLocksNobodyOut(t *testing.T) {
	now := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	b := New(func() time.Time { return now }, nil)
	p := Pace{Burst: 3, Every: 10 * time.Second}
	for range 3 {
		_ = b.Take("a", p)
	}
	now = now.Add(-time.Hour)
	if err := b.Take("a", p); fault.RetryAfter(err) != 10*time.Second {
		t.Errorf("after the clock was set back: %v, wait %s", err, fault.RetryAfter(err))
	}
	now = now.Add(10 * time.Second)
	if err := b.Take("a", p); err != nil {
		t.Errorf("ten seconds later: %v", err)
	}
}

// What all servers count decides where it can be asked, and else what this one counts.
func TestWhatAllServersCountDecides(t *testing.T) {
	now, over, ok := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC), time.Duration(0), true
	var costs, mosts []time.Duration
	b := New(func() time.Time { return now }, func(_ string, _ time.Time, cost, most time.Duration) (time.Duration, bool) {
		costs, mosts = append(costs, cost), append(mosts, most)
		return over, ok
	})
	p := Pace{Burst: 1, Every: time.Minute}
	for range 3 {
		if err := b.Take("a", p); err != nil {
			t.Fatal(err)
		}
	}
	if over = 7 * time.Second; fault.RetryAfter(b.Take("a", p)) != over {
		t.Error("another server's count counts for nothing")
	}
	if costs[0] != time.Minute || mosts[0] != time.Minute {
		t.Errorf("it is asked about %s of %s", costs[0], mosts[0])
	}
	ok = false
	if first, second := b.Take("a", p), b.Take("a", p); first != nil || !fault.Is(second, fault.Limited) {
		t.Errorf("alone: %v, then %v", first, second)
	}
}
