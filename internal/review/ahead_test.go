package review_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"preceptor/internal/review"
)

// What is loaded ahead is what one is handed afterwards, and looking takes nothing.
func TestAheadIsWhatClaimNextHandsOutAndTakesNothing(t *testing.T) {
	k := open(t)
	now, next, vuln := k.submit(t), k.submit(t), k.submit(t, vulnerable)
	f := review.Filter{Viewer: "ann", Behind: k.place(t, ann, vuln)}
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

// After a decision one goes on down the list, past what one left undecided, and comes to that when the list is at its
// end.
func TestWhatFollowsIsFurtherDown(t *testing.T) {
	k := open(t)
	left, decided, below := k.submit(t), k.submit(t), k.submit(t)
	behind := k.place(t, ann, decided)
	k.decide(t, decided, ann, review.Approve)
	for at, want := range map[string]string{behind: below, k.place(t, ann, decided): below,
		k.place(t, ann, below): left, k.place(t, ann, "no such"): left} {
		f := review.Filter{Viewer: ann.ID, Behind: at}
		if id, ok, err := k.Ahead(ctx, ann, f); err != nil || !ok || id != want {
			t.Errorf("behind %s comes %s, %v, %v; want %s", at, id, ok, err, want)
		}
	}
}

// The list, its next and what follows what was done are one order, whatever put a review into its group and whatever
// ends it.
func TestEveryGroupIsWorkedThroughInTheListsOrder(t *testing.T) {
	k := open(t)
	rest := k.submit(t)
	var care, mine, second []string
	for range 2 {
		care, second = append(care, k.submit(t, vulnerable)), append(second, k.submit(t, vulnerable))
	}
	for range 3 {
		mine = append(mine, k.submit(t))
		k.assign(t, mine[len(mine)-1], "ann")
	}
	mine = append(mine, k.submit(t, vulnerable))
	k.assign(t, mine[3], "ann")
	for _, id := range second {
		k.decide(t, id, bob, review.Approve)
	}
	f := review.Filter{Viewer: ann.ID}
	want := ids(k.all(t, f))
	if diff := cmp.Diff(slices.Concat(mine[3:], mine[:3], second, care, []string{rest}), want); diff != "" {
		t.Fatal(diff)
	}
	for i, id := range want[:len(want)-1] {
		n, err := k.Neighbours(ctx, id, f)
		if err != nil || n.Next != want[i+1] {
			t.Errorf("beside %d is %s, %v; want %s", i, n.Next, err, want[i+1])
		}
		f.Behind = k.place(t, ann, id)
		switch i {
		case 1: // handed on
			k.assign(t, id, "bob")
		case 2:
			k.decide(t, id, ann, review.Reject)
		default: // 0 is a first approval, which ends the assignment
			k.decide(t, id, ann, review.Approve)
		}
		if got, ok, err := k.Ahead(ctx, ann, f); err != nil || !ok || got != want[i+1] {
			t.Errorf("after %d comes %s, %v, %v; want %s", i, got, ok, err, want[i+1])
		}
	}
}

func (k *desk) place(t testing.TB, by review.Person, id string) string {
	t.Helper()
	at, err := k.Place(ctx, by, id, review.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	return at
}
