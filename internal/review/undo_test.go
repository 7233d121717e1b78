package review_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/hook/hooktest"
	"preceptor/internal/platform/job"
	"preceptor/internal/review"
)

func TestUndoWithinTheHold(t *testing.T) {
	k := open(t)
	id := k.submit(t)
	dec := k.decide(t, id, ann, review.Approve)
	k.clock.Advance(30*time.Second - time.Millisecond)
	undone, err := k.Undo(ctx, dec.ID, ann, "")
	if err != nil {
		t.Fatal(err)
	}
	if undone.State != review.Undone || undone.SettledBy.ID != "ann" || k.undone != 1 ||
		k.lastUndone.Interaction.Status != interaction.Waiting {
		t.Errorf("undone = %+v", undone)
	}
	item := k.get(t, id)
	if item.State != "waiting" || item.Version != 3 || item.Decision != nil || item.Claim.By != ann ||
		k.status(t, id) != interaction.Waiting {
		t.Errorf("item = %+v", item)
	}
	k.clock.Advance(time.Hour)
	k.drain(t) // the release job finds nothing to release
	if s := k.status(t, id); s != interaction.Waiting || k.released != 0 {
		t.Errorf("status %s after the undone decision's job", s)
	}
	if again := k.decide(t, id, bob, review.Reject); again.Version != 3 {
		t.Errorf("again = %+v", again)
	}
	list, err := k.DecisionsFor(ctx, id)
	if err != nil || len(list) != 2 || list[0].State != review.Undone || list[1].State != review.Held {
		t.Errorf("decisions = %+v, %v", list, err)
	}
}

func TestUndoRefusals(t *testing.T) {
	k := open(t)
	dec := k.decide(t, k.submit(t), ann, review.Approve)
	_, err := k.Undo(ctx, dec.ID, bob, " ") // somebody else's takes a reason
	wantFields(t, err, "reason")
	if _, err := k.Undo(ctx, "nope", ann, ""); !fault.Is(err, fault.NotFound) {
		t.Errorf("unknown: %v", err)
	}
	k.clock.Advance(30 * time.Second) // not released yet, and too late all the same
	_, err = k.Undo(ctx, dec.ID, ann, "")
	wantConflict(t, err, "too late to undo")
	k.drain(t)
	_, err = k.Undo(ctx, dec.ID, ann, "")
	wantConflict(t, err, "already been sent")
	other := k.decide(t, k.submit(t), ann, review.Reject)
	if _, err := k.Undo(ctx, other.ID, ann, ""); err != nil {
		t.Fatal(err)
	}
	_, err = k.Undo(ctx, other.ID, ann, "")
	wantConflict(t, err, "already been undone")
	rejected := k.decide(t, k.submit(t), ann, review.Reject)
	k.clock.Advance(30 * time.Second)
	k.drain(t)
	_, err = k.Undo(ctx, rejected.ID, ann, "")
	wantConflict(t, err, "to a person")
	if k.undone != 1 {
		t.Errorf("the undo hook ran %d times", k.undone)
	}
}

// The rule that nobody else can stop a held release is over: any supervisor may, who says why.
func TestOthersStopAHoldWithAReason(t *testing.T) {
	k := open(t)
	dec := k.decide(t, k.submit(t), ann, review.Approve)
	stopped, err := k.Undo(ctx, dec.ID, bob, "  The figure is last year's. ")
	if err != nil {
		t.Fatal(err)
	}
	if stopped.SettledBy != bob || stopped.SettledWhy != "The figure is last year's." ||
		k.get(t, dec.InteractionID).Claim.By != bob {
		t.Errorf("stopped = %+v", stopped)
	}
	k.clock.Advance(time.Hour)
	k.drain(t)
	if s := k.status(t, dec.InteractionID); s != interaction.Waiting || k.released != 0 || k.undone != 1 {
		t.Errorf("status %s, %d released, %d undone", s, k.released, k.undone)
	}
	if n := k.count(t, `SELECT COUNT(*) FROM audit WHERE action = 'review.undone' AND actor_id = 'bob'`); n != 1 {
		t.Errorf("%d audit rows", n)
	}
}

func TestUndoMakesOldFormsStale(t *testing.T) {
	k := open(t)
	id := k.submit(t)
	old := k.input(t, id, ann, review.Approve)
	dec := k.decide(t, id, ann, review.Approve)
	if _, err := k.Undo(ctx, dec.ID, ann, ""); err != nil {
		t.Fatal(err)
	}
	_, err := k.Decide(ctx, old) // a second tab
	wantConflict(t, err, "took the decision back")
}

func TestReleaseTwiceHasOneEffect(t *testing.T) {
	k := open(t)
	dec := k.decide(t, k.submit(t), ann, review.Approve)
	if err := k.ReleaseForTest(ctx, dec.ID); !fault.Is(err, fault.Unavailable) ||
		fault.RetryAfter(err) != 30*time.Second {
		t.Errorf("too early: %v", err)
	}
	k.clock.Advance(time.Minute)
	for range 3 {
		if err := k.ReleaseForTest(ctx, dec.ID); err != nil {
			t.Fatal(err)
		}
	}
	k.drain(t)
	if n := k.count(t, `SELECT COUNT(*) FROM audit WHERE action = 'guidance.released'`); n != 1 || k.released != 1 {
		t.Errorf("%d audit rows, %d hook calls", n, k.released)
	}
}

func TestRecent(t *testing.T) {
	k := open(t)
	var want []string
	for range 4 {
		dec := k.decide(t, k.submit(t), ann, review.Approve)
		k.decide(t, k.submit(t), bob, review.Reject)
		want = append([]string{dec.ID}, want...)
	}
	list, err := k.Recent(ctx, ann, 3)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range list {
		got = append(got, d.ID)
	}
	if diff := cmp.Diff(want[:3], got); diff != "" {
		t.Error(diff)
	}
	both := k.submit(t, vulnerable)
	k.decide(t, both, bob, review.Approve)
	k.clock.Advance(time.Second)
	k.decide(t, k.submit(t), ann, review.Approve)
	k.clock.Advance(time.Second)
	second := k.decide(t, both, ann, review.Approve)
	if list, err = k.Recent(ctx, ann, 3); err != nil || len(list) != 3 || list[0].ID != second.ID ||
		!list[0].SignedAt(ann.ID).After(list[1].SignedAt(ann.ID)) {
		t.Errorf("the second approval is not the newest: %+v, %v", list, err)
	}
}

func TestNoHold(t *testing.T) {
	k := open(t)
	k.Queue = review.New(k.db, job.New(k.db, k.log()), k.in, review.Policy{Hold: -1}, hooktest.Late(&k.Hooks), k.log())
	dec := k.decide(t, k.submit(t), ann, review.Approve)
	if !dec.HeldUntil.Equal(dec.DecidedAt) {
		t.Errorf("held until %v", dec.HeldUntil)
	}
	if err := k.ReleaseForTest(ctx, dec.ID); err != nil || k.status(t, dec.InteractionID) != interaction.Released {
		t.Errorf("release: %v", err)
	}
}

// A signature that counts again is on record, and people are told as when it was made.
func TestASignatureThatCountsAgainIsTold(t *testing.T) {
	k := open(t)
	id := k.submit(t, vulnerable)
	first := k.decide(t, id, ann, review.Approve)
	second := k.decide(t, id, bob, review.Revise)
	var signed []*review.Decision
	k.OnSigned = func(_ *db.Tx, d *review.Decision) error { signed = append(signed, d); return nil }
	if _, err := k.Undo(ctx, second.ID, bob, ""); err != nil {
		t.Fatal(err)
	}
	k.wantState(t, first.ID, review.Pending)
	if len(signed) != 1 || signed[0].ID != first.ID || signed[0].State != review.Pending || signed[0].SettledWhy != "" {
		t.Errorf("signed = %+v", signed)
	}
	if n := k.count(t, `SELECT COUNT(*) FROM audit
		WHERE action = 'review.reinstated' AND actor_id = 'bob' AND object_id = $1`, id); n != 1 {
		t.Errorf("%d audit rows", n)
	}
	if n := k.count(t, `SELECT COUNT(*) FROM interaction_event
		WHERE kind = 'reinstated' AND interaction_id = $1`, id); n != 1 {
		t.Errorf("%d lines of history", n)
	}
}

// Whoever signs first loses their assignment, on record, and has it back with their signature.
func TestAFirstSignatureEndsAnAssignment(t *testing.T) {
	k := open(t)
	id := k.submit(t, vulnerable)
	if _, err := k.Assign(ctx, review.Assignment{IDs: []string{id}, To: "ann", By: ann}); err != nil {
		t.Fatal(err)
	}
	dec := k.decide(t, id, ann, review.Approve)
	if to := k.get(t, id).AssignedTo.ID; to != "" || k.count(t, `SELECT COUNT(*) FROM audit
		WHERE action = 'review.unassigned' AND actor_id = 'ann'`) != 1 {
		t.Errorf("assigned to %q", to)
	}
	if next, ok, err := k.ClaimNext(ctx, bob, review.Filter{}); err != nil || !ok || next != id {
		t.Errorf("the case is kept from others: %q, %v, %v", next, ok, err)
	}
	k.clock.Advance(time.Second)
	if _, err := k.Undo(ctx, dec.ID, ann, ""); err != nil {
		t.Fatal(err)
	}
	if to := k.get(t, id).AssignedTo; to != ann || k.count(t, `SELECT COUNT(*) FROM audit
		WHERE action = 'review.assigned'`) != 2 {
		t.Errorf("assigned to %+v", to)
	}
	plain := k.submit(t, vulnerable) // nobody's before is nobody's after
	dec = k.decide(t, plain, ann, review.Approve)
	if _, err := k.Undo(ctx, dec.ID, ann, ""); err != nil || k.get(t, plain).AssignedTo.ID != "" {
		t.Errorf("%+v, %v", k.get(t, plain).AssignedTo, err)
	}
}

// What the second supervisor writes to the advisor is kept.
func TestTheSecondsFeedbackIsKept(t *testing.T) {
	k := open(t)
	id := k.submit(t, vulnerable)
	k.decide(t, id, ann, review.Approve)
	in := k.input(t, id, bob, review.Approve)
	in.Feedback = "Name the limit next time."
	if _, err := k.Decide(ctx, in); err != nil {
		t.Fatal(err)
	}
	if n := k.count(t, `SELECT COUNT(*) FROM interaction_event
		WHERE kind = 'seconded' AND note LIKE '%Name the limit%'`); n != 1 {
		t.Errorf("%d lines of history", n)
	}
	if n := k.count(t, `SELECT COUNT(*) FROM audit a JOIN audit_content c ON c.seq = a.seq
		WHERE a.action = 'review.seconded' AND c.content LIKE '%Name the limit%'`); n != 1 {
		t.Errorf("%d audit rows", n)
	}
}

// A second signature that its author takes back leaves the first one's author one decision that waits, not a stopped one
// beside it; the other one keeps theirs, undone.
func TestRecentAfterTheSecondIsTakenBack(t *testing.T) {
	k := open(t)
	both := k.submit(t, vulnerable)
	k.decide(t, both, bob, review.Approve)
	k.clock.Advance(time.Second)
	second := k.decide(t, both, ann, review.Approve)
	if _, err := k.Undo(ctx, second.ID, ann, ""); err != nil {
		t.Fatal(err)
	}
	for who, want := range map[review.Person]string{bob: review.Pending, ann: review.Undone} {
		if list, err := k.Recent(ctx, who, 9); err != nil || len(list) != 1 || list[0].State != want {
			t.Errorf("%s: %+v, %v", who.Name, list, err)
		}
	}
}
