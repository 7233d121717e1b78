package review_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"preceptor/internal/platform/fault"
	"preceptor/internal/review"
)

func TestClaim(t *testing.T) {
	k := open(t)
	id := k.submit(t)
	if err := k.Claim(ctx, id, ann); err != nil {
		t.Fatal(err)
	}
	c := k.get(t, id).Claim
	if c.By != ann || !c.Active(k.clock.Now()) || !c.HeldByOther("bob", k.clock.Now()) ||
		c.HeldByOther("ann", k.clock.Now()) {
		t.Errorf("claim = %+v", c)
	}
	wantConflict(t, k.Claim(ctx, id, bob), "Ann is reviewing this")
	if err := k.Claim(ctx, id, ann); err != nil {
		t.Errorf("claiming what is mine: %v", err)
	}
	if err := k.Claim(ctx, "nope", ann); !fault.Is(err, fault.NotFound) {
		t.Errorf("unknown case: %v", err)
	}
	k.decide(t, id, ann, review.Approve)
	wantConflict(t, k.Claim(ctx, id, bob), "Ann", "approved")
}

func TestClaimRunsOutAndIsRenewed(t *testing.T) {
	k := open(t)
	id := k.submit(t)
	if err := k.Claim(ctx, id, ann); err != nil {
		t.Fatal(err)
	}
	for range 5 { // active: the claim never ends
		k.clock.Advance(9 * time.Minute)
		if err := k.Renew(ctx, id, ann); err != nil {
			t.Fatal(err)
		}
		wantConflict(t, k.Claim(ctx, id, bob), "Ann")
	}
	k.clock.Advance(10*time.Minute + time.Millisecond)
	if err := k.Renew(ctx, id, ann); err != nil {
		t.Errorf("a claim that ran out and that nobody took is renewed: %v", err)
	}
	k.clock.Advance(10 * time.Minute)
	if err := k.Claim(ctx, id, bob); err != nil {
		t.Errorf("after ten idle minutes: %v", err)
	}
	wantConflict(t, k.Renew(ctx, id, ann), "Bob")
}

func TestRenewAfterOnesOwnDecision(t *testing.T) {
	k := open(t)
	id := k.submit(t)
	if err := k.Claim(ctx, id, ann); err != nil {
		t.Fatal(err)
	}
	k.decide(t, id, ann, review.Approve)
	if err := k.Renew(ctx, id, ann); err != nil {
		t.Errorf("a renewal that lost the race with one's own decision: %v", err)
	}
	wantConflict(t, k.Renew(ctx, id, bob), "Ann")
}

func TestRenewOfWhatWasGivenBack(t *testing.T) {
	k := open(t)
	id := k.submit(t)
	wantConflict(t, k.Renew(ctx, id, ann), "no longer reviewing this")
	if err := k.Claim(ctx, id, ann); err != nil {
		t.Fatal(err)
	}
	if err := k.Unclaim(ctx, id, bob); err != nil || k.get(t, id).Claim.By != ann {
		t.Errorf("Bob gave back what is Ann's: %v", err)
	}
	if err := k.Unclaim(ctx, id, ann); err != nil {
		t.Fatal(err)
	}
	wantConflict(t, k.Renew(ctx, id, ann), "Start it again")
	if err := k.Claim(ctx, id, bob); err != nil {
		t.Errorf("a case given back is free: %v", err)
	}
}

func TestClaimNext(t *testing.T) {
	k := open(t)
	plain := k.submit(t)
	frail := k.submit(t, vulnerable)
	next := func(by review.Person, f review.Filter) string {
		t.Helper()
		id, ok, err := k.ClaimNext(ctx, by, f)
		if err != nil || ok != (id != "") {
			t.Fatalf("next = %q, %v, %v", id, ok, err)
		}
		return id
	}
	if got := next(ann, review.Filter{Task: "annuity"}); got != "" {
		t.Errorf("no annuity waits, got %s", got)
	}
	if got := next(ann, review.Filter{}); got != frail {
		t.Errorf("Ann got %s, want the first of the queue", got)
	}
	if got := next(bob, review.Filter{}); got != plain {
		t.Errorf("Bob got %s, want the one that Ann does not hold", got)
	}
	if got := next(ann, review.Filter{}); got != frail {
		t.Errorf("Ann got %s, want what she has not finished", got)
	}
	if got := next(ann, review.Filter{Behind: k.place(t, ann, frail)}); got != "" {
		t.Errorf("Ann got %s: Bob holds the rest", got)
	}
	k.clock.Advance(11 * time.Minute)
	if got := next(ann, review.Filter{Behind: k.place(t, ann, frail)}); got != plain {
		t.Errorf("Ann got %q, want what Bob let run out", got)
	}
}

func TestParallelClaimNextNeverSharesACase(t *testing.T) {
	k := open(t)
	const n = 30
	for range n {
		k.submit(t)
	}
	var mu sync.Mutex
	taken := map[string]string{}
	var wg sync.WaitGroup
	for w := range 6 {
		who := review.Person{ID: fmt.Sprint("p", w), Name: "P"}
		wg.Go(func() {
			last := ""
			for range n / 6 {
				id, ok, err := k.ClaimNext(ctx, who, review.Filter{})
				if err != nil || !ok {
					t.Errorf("%s: %v, %v", who.ID, ok, err)
					return
				}
				mu.Lock()
				if by, twice := taken[id]; twice {
					t.Errorf("%s and %s both got %s (last %s)", by, who.ID, id, last)
				}
				taken[id], last = who.ID, id
				mu.Unlock()
				in := review.Input{ID: id, By: who, Kind: review.Reject, ReasonCode: "wrong_facts", Version: 1,
					TextHash: k.get(t, id).TextHash}
				if _, err := k.Decide(ctx, in); err != nil {
					t.Errorf("decide: %v", err)
				}
			}
		})
	}
	wg.Wait()
	if len(taken) != n {
		t.Errorf("%d cases handed out, want %d", len(taken), n)
	}
}

func TestSkip(t *testing.T) {
	k := open(t)
	first, second := k.submit(t), k.submit(t)
	if id, _, err := k.ClaimNext(ctx, ann, review.Filter{}); err != nil || id != first {
		t.Fatalf("%s, %v", id, err)
	}
	before := k.get(t, first)
	if err := k.Skip(ctx, first, ann, before.Version, "  I know the customer. "); err != nil {
		t.Fatal(err)
	}
	after := k.get(t, first)
	if after.Version != before.Version || after.State != "waiting" || after.Claim.By.ID != "" ||
		k.status(t, first) != "waiting" {
		t.Errorf("a skip changed the case: %+v", after)
	}
	if len(after.Skips) != 1 || after.Skips[0].Reason != "I know the customer." || after.Skips[0].By != ann {
		t.Errorf("skips = %+v", after.Skips)
	}
	if id, _, err := k.ClaimNext(ctx, ann, review.Filter{}); err != nil || id != second {
		t.Errorf("Ann gets %s next (%v), want the one she did not skip", id, err)
	}
	if id, _, err := k.ClaimNext(ctx, bob, review.Filter{}); err != nil || id != first {
		t.Errorf("Bob gets %s (%v), want what Ann skipped", id, err)
	}
	if err := k.Unclaim(ctx, first, bob); err != nil {
		t.Fatal(err)
	}
	if c, err := k.Counts(ctx, "ann", false); err != nil || c.Needs != 2 || c.Skipped != 1 {
		t.Errorf("counts = %+v, %v", c, err)
	}
	if page, err := k.List(ctx, review.Filter{Viewer: "ann"}); err != nil || !page.Items[0].Skipped ||
		page.Items[1].Skipped {
		t.Errorf("list = %+v, %v", page.Items, err)
	}
	if id, _, err := k.ClaimNext(ctx, ann, review.Filter{WithSkipped: true}); err != nil || id != first {
		t.Errorf("with what she skipped, Ann gets %s, %v", id, err)
	}
	if n := k.count(t, `SELECT COUNT(*) FROM audit WHERE action = 'review.skipped'`); n != 1 {
		t.Errorf("%d audit rows", n)
	}
	k.decide(t, first, ann, review.Approve) // skipping binds nobody
}

func TestSkipRefusals(t *testing.T) {
	k := open(t)
	id := k.submit(t)
	wantFields(t, k.Skip(ctx, id, ann, 1, " "), "reason")
	wantConflict(t, k.Skip(ctx, id, ann, 2, "x"), "changed")
	if err := k.Skip(ctx, "nope", ann, 1, "x"); !fault.Is(err, fault.NotFound) {
		t.Errorf("unknown: %v", err)
	}
	k.decide(t, id, bob, review.Approve)
	wantConflict(t, k.Skip(ctx, id, ann, 1, "x"), "Bob", "approved")
}
