package home

import (
	"maps"
	"slices"
	"testing"
)

// What a page was told it is told once more with the next heartbeat, and then no more.
func TestNewsAreToldTwice(t *testing.T) {
	n := news{fresh: map[string]bool{}, again: map[string]bool{"learning": true}} // told as it came
	want := func(what string, got map[string]bool, topics ...string) {
		t.Helper()
		if list := slices.Sorted(maps.Keys(got)); !slices.Equal(list, topics) {
			t.Errorf("%s: %v, want %v", what, list, topics)
		}
	}
	n.fresh["reviews"] = true
	want("what changed", n.due(), "reviews")
	want("nothing since", n.due())
	n.fresh["jobs"] = true // not told yet
	want("with the heartbeat", n.repeat(), "learning", "reviews")
	want("what changed meanwhile", n.due(), "jobs")
	want("with the next heartbeat", n.repeat(), "jobs")
	want("with the one after", n.repeat())
}
