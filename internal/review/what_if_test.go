package review_test

import (
	"testing"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/policy"
)

// What another policy would have meant is counted by the draw and the conditions that a new draft meets.
func TestWhatAnotherPolicyWouldHaveMeant(t *testing.T) {
	k := open(t)
	k.submit(t) // too old to count
	k.clock.Advance(31 * 24 * time.Hour)
	next := policy.Default()
	next.Share, next.SecondEyes = 0.4, []policy.Condition{policy.DBPension}
	unread := 0
	for range 40 {
		if id := k.submit(t); !next.Drawn(id) {
			unread++
		}
		k.submit(t, vulnerable)
		k.submit(t, hasDB)
	}
	own := policy.Default()
	own.AgentID, own.Version = "own", 3
	k.PolicyFor = func(_ *db.Tx, agentID string) (policy.Policy, error) {
		if agentID == "own" {
			return own, nil
		}
		return policy.Default(), nil
	}
	k.submit(t, agent("own"))
	from := k.db.Now().Add(-30 * 24 * time.Hour)
	got, err := k.WhatIf(ctx, "", next, from)
	if want := (policy.Effect{Cases: 120, UnreadAfter: unread, SecondBefore: 40, SecondAfter: 40}); err != nil ||
		got != want {
		t.Errorf("for all: %+v, want %+v (%v)", got, want, err)
	}
	if unread == 0 || unread == 40 {
		t.Fatalf("%d of 40 say nothing", unread)
	}
	next.Share = 0
	got, err = k.WhatIf(ctx, "own", next, from)
	if want := (policy.Effect{Cases: 1, UnreadAfter: 1}); err != nil || got != want {
		t.Errorf("for one agent: %+v, want %+v (%v)", got, want, err)
	}
	got, err = k.WhatIf(ctx, "own", policy.Policy{AgentID: "own", Follows: true}, from)
	if want := (policy.Effect{Cases: 1}); err != nil || got != want {
		t.Errorf("when it follows the others: %+v, want %+v (%v)", got, want, err)
	}
}
