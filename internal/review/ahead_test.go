package review_test

import (
	"testing"
	"time"

	"preceptor/internal/review"
)

// What is loaded ahead is what one is handed afterwards, and looking takes nothing.
func TestAheadIsWhatClaimNextHandsOutAndTakesNothing(t *testing.T) {
	k := open(t)
	now, next, vuln := k.submit(t), k.submit(t), k.submit(t, vulnerable)
	f := review.Filter{Viewer: "ann", Except: vuln}
	for _, want := range []string{now, next} {
		id, ok, err := k.Ahead(ctx, ann, f)
		if err != nil || !ok || id != want {
			t.Fatalf("ahead = %s, %v, %v, want %s", id, ok, err, want)
		}
		if c := k.get(t, id).Claim; c.By.ID != "" {
			t.Fatalf("looking ahead took it: %+v", c)
		}
		got, _, err := k.ClaimNext(ctx, ann, f)
		if err != nil || got != want {
			t.Fatalf("claimed %s, %v, want %s", got, err, want)
		}
		k.decide(t, got, ann, review.Approve)
	}
	if id, ok, err := k.Ahead(ctx, ann, f); err != nil || ok {
		t.Errorf("ahead of an empty queue is %q, %v", id, err)
	}
	if err := k.Claim(ctx, vuln, bob); err != nil {
		t.Fatal(err)
	}
	if id, ok, _ := k.Ahead(ctx, ann, review.Filter{}); ok {
		t.Errorf("%s is ahead, and Bob works on it", id)
	}
	k.clock.Advance(11 * time.Minute)
	if id, ok, _ := k.Ahead(ctx, ann, review.Filter{}); !ok || id != vuln {
		t.Errorf("Bob's claim ran out, and ahead is %q", id)
	}
	if err := k.Skip(ctx, vuln, ann, 1, "not mine"); err != nil {
		t.Fatal(err)
	}
	if id, ok, _ := k.Ahead(ctx, ann, review.Filter{}); ok {
		t.Errorf("%s is ahead, and Ann skipped it", id)
	}
}

// After a decision one goes on down the list, past what one left undecided, and comes to that when the list is at its end.
func TestWhatFollowsIsFurtherDown(t *testing.T) {
	k := open(t)
	left, decided, below := k.submit(t), k.submit(t), k.submit(t)
	k.decide(t, decided, ann, review.Approve)
	for at, want := range map[string]string{decided: below, below: left, "no such": left} {
		f := review.Filter{Viewer: ann.ID, Except: at}
		if id, ok, err := k.Ahead(ctx, ann, f); err != nil || !ok || id != want {
			t.Errorf("behind %s comes %s, %v, %v; want %s", at, id, ok, err, want)
		}
	}
}
