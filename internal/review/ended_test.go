package review_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/policy"
	"preceptor/internal/review"
)

func handled(h interaction.Handling) change {
	return func(s *interaction.Submission) { s.Handling = h }
}

// ending counts what ends, by how.
func (k *desk) ending() map[string]int {
	ended := map[string]int{}
	k.OnEnded = func(_ *db.Tx, in *interaction.Interaction, _ audit.Actor) error { ended[in.Status]++; return nil }
	return ended
}

func conflicts(t *testing.T, err error, words ...string) {
	t.Helper()
	if !fault.Is(err, fault.Conflict) {
		t.Fatalf("want a conflict, got %v", err)
	}
	for _, w := range words {
		if !strings.Contains(fault.Message(err), w) {
			t.Errorf("%q doesn't say %q", fault.Message(err), w)
		}
	}
}

func TestWhatAnAgentWithdrawsCantBeApprovedAndSaysWhy(t *testing.T) {
	k := open(t)
	ended := k.ending()
	id := k.submit(t)
	if err := k.Claim(ctx, id, ann); err != nil {
		t.Fatal(err)
	}
	in := k.input(t, id, ann, review.Approve)
	if err := k.Withdraw(ctx, id, "agent-2", "Not mine.", robot); !fault.Is(err, fault.NotFound) {
		t.Errorf("another agent: %v", err)
	}
	if err := k.Withdraw(ctx, id, robot.ID, " ", robot); !fault.Is(err, fault.Invalid) {
		t.Errorf("without a reason: %v", err)
	}
	for range 2 { // again is nothing new
		if err := k.Withdraw(ctx, id, robot.ID, "The customer left the chat.", robot); err != nil {
			t.Fatal(err)
		}
	}
	_, err := k.Decide(ctx, in)
	conflicts(t, err, "withdrew this", "The customer left the chat")
	conflicts(t, k.Claim(ctx, id, bob), "withdrew this")
	conflicts(t, k.Skip(ctx, id, ann, in.Version, "Later."), "withdrew this")
	if got := k.status(t, id); got != interaction.Withdrawn || ended[interaction.Withdrawn] != 1 {
		t.Errorf("%s, %v", got, ended)
	}
	if page, err := k.List(ctx, review.Filter{State: review.Ended}); err != nil || len(page.Items) != 1 ||
		page.Items[0].EndedWhy != "The customer left the chat." {
		t.Errorf("ended: %+v, %v", page.Items, err)
	}
	for _, state := range []string{review.All, review.Done} {
		if n, err := k.Count(ctx, review.Filter{State: state}); n != 0 || err != nil {
			t.Errorf("%d in %s, %v", n, state, err)
		}
	}
	if list, err := k.in.List(ctx, interaction.Filter{Status: interaction.Withdrawn}); err != nil ||
		len(list.Items) != 1 {
		t.Errorf("listed by its status: %v, %v", list.Items, err)
	}
}

func TestADecisionThatWasConfirmedWins(t *testing.T) {
	k := open(t)
	k.ending()
	id := k.submit(t, handled(interaction.Handling{ExpiresAt: k.clock.Now().Add(time.Minute)}))
	dec := k.decide(t, id, ann, review.Approve)
	conflicts(t, k.Withdraw(ctx, id, robot.ID, "Too late.", robot), "decided")
	k.clock.Advance(2 * time.Minute)
	if err := k.Expire(ctx); err != nil {
		t.Fatal(err)
	}
	k.drain(t)
	k.wantState(t, dec.ID, review.Released)
	conflicts(t, k.Withdraw(ctx, id, robot.ID, "Too late.", robot), "released")
	if _, err := k.Recall(ctx, dec.ID, bob, "It is wrong."); err != nil {
		t.Fatal(err)
	}
	conflicts(t, k.Withdraw(ctx, id, robot.ID, "Too late.", robot), "corrected")
	if err := k.Expire(ctx); err != nil || k.status(t, id) != interaction.Waiting {
		t.Errorf("a correction expired: %v, %s", err, k.status(t, id))
	}
}

func TestAFirstSignatureIsUndoneWhereTheDraftIsWithdrawn(t *testing.T) {
	k := open(t)
	k.ending()
	id := k.submit(t, vulnerable)
	dec := k.decide(t, id, ann, review.Approve)
	k.wantState(t, dec.ID, review.Pending)
	if err := k.Withdraw(ctx, id, robot.ID, "Solved.", robot); err != nil {
		t.Fatal(err)
	}
	k.wantState(t, dec.ID, review.Undone)
}

func TestWhatExpiresClosesByItself(t *testing.T) {
	k := open(t)
	ended := k.ending()
	soon := k.submit(t, handled(interaction.Handling{ExpiresAt: k.clock.Now().Add(time.Minute)}))
	later := k.submit(t, handled(interaction.Handling{ExpiresAt: k.clock.Now().Add(time.Hour)}))
	in := k.input(t, soon, ann, review.Approve)
	k.clock.Advance(time.Minute)
	_, err := k.Decide(ctx, in) // not closed yet, and yet too late
	conflicts(t, err, "expired")
	for range 2 {
		if err := k.Expire(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if k.status(t, soon) != interaction.Expired || k.status(t, later) != interaction.Waiting ||
		ended[interaction.Expired] != 1 {
		t.Errorf("%s, %s, %v", k.status(t, soon), k.status(t, later), ended)
	}
	if err := k.Withdraw(ctx, soon, robot.ID, "Never mind.", robot); err != nil {
		t.Errorf("withdrawing what expired: %v", err)
	}
	_, err = k.in.Submit(ctx, interaction.Submission{AgentID: robot.ID, AgentName: robot.Name, By: robot,
		Guidance: "A quarter.", Consultation: interaction.Consultation{Question: "How much?"},
		Handling: interaction.Handling{ExpiresAt: k.clock.Now(), Channel: "pigeon", Urgency: "very"}}, nil)
	if fields := fault.Fields(err); len(fields) != 2 {
		t.Errorf("what can't be: %v", err)
	}
}

// A live chat isn't queued like a letter, unless the policy says so; risk orders both.
func TestWhoWaitsComesFirstWhereThePolicyLetsThem(t *testing.T) {
	k := open(t)
	letter := k.submit(t, handled(interaction.Handling{Channel: "letter"}), vulnerable)
	chat := k.submit(t, handled(interaction.Handling{Channel: "chat"}))
	frail := k.submit(t, handled(interaction.Handling{Channel: "phone"}), vulnerable)
	urgent := k.submit(t, handled(interaction.Handling{Urgency: interaction.UrgencyHigh}), hasDB)
	p := policy.Default()
	p.First = nil
	k.PolicyFor = func(*db.Tx, string) (policy.Policy, error) { return p, nil }
	plain := k.submit(t, handled(interaction.Handling{Channel: "chat", Urgency: interaction.UrgencyHigh}))
	for _, viewer := range []string{"", ann.ID} { // as a list, and in groups
		page, err := k.List(ctx, review.Filter{Viewer: viewer})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{frail, urgent, chat, letter, plain}, ids(page.Items)); diff != "" {
			t.Errorf("viewer %q: %s", viewer, diff)
		}
		if viewer != "" && (page.Items[0].Group != review.GroupFirst || page.Items[3].Group != review.GroupCare) {
			t.Errorf("groups %v %v", page.Items[0].Group, page.Items[3].Group)
		}
	}
	if page, err := k.List(ctx, review.Filter{Channel: "chat", Urgency: "high"}); err != nil ||
		len(page.Items) != 1 || page.Items[0].ID != plain {
		t.Errorf("filtered: %v, %v", ids(page.Items), err)
	}
	if c, err := k.Counts(ctx, ann.ID, false); err != nil || !c.Oldest.Equal(k.get(t, letter).CreatedAt) {
		t.Errorf("the oldest: %v, %v", c.Oldest, err)
	}
}

// What the experts and late judges are told of a review that nobody decided.
func TestUndecidedSaysWhatBecameOfWhatEnded(t *testing.T) {
	k := open(t)
	k.ending()
	asked := func(id string) error {
		return k.db.Read(ctx, func(tx *db.Tx) error { return k.Undecided(tx, id, "") })
	}
	withdrawn, erased := k.submit(t), k.submit(t)
	expired := k.submit(t, handled(interaction.Handling{ExpiresAt: k.clock.Now().Add(time.Minute)}))
	if err := asked(expired); err != nil {
		t.Errorf("while it waits: %v", err)
	}
	if err := k.Withdraw(ctx, withdrawn, robot.ID, "Solved.", robot); err != nil {
		t.Fatal(err)
	}
	if err := k.db.Write(ctx, func(tx *db.Tx) error { _, err := k.EraseTx(tx, erased); return err }); err != nil {
		t.Fatal(err)
	}
	k.clock.Advance(time.Minute)
	for range 2 { // before it is closed, and after
		conflicts(t, asked(expired), "expired")
		if err := k.Expire(ctx); err != nil {
			t.Fatal(err)
		}
	}
	conflicts(t, asked(withdrawn), "withdrew this")
	k.clock.Advance(48 * time.Hour)
	conflicts(t, asked(withdrawn), k.get(t, withdrawn).DecidedAt.Local().Format("15:04 on 2 January 2006"))
	conflicts(t, asked(expired), k.get(t, expired).ExpiresAt.Local().Format("15:04 on 2 January 2006"))
	conflicts(t, asked(erased), "erased before anyone decided")
}

func TestWhatCantBeClosedKeepsNothingElseOpen(t *testing.T) {
	k := open(t)
	until := handled(interaction.Handling{ExpiresAt: k.clock.Now().Add(time.Minute)})
	first, bad, last := k.submit(t, until), k.submit(t, until), k.submit(t, until)
	k.OnEnded = func(_ *db.Tx, in *interaction.Interaction, _ audit.Actor) error {
		if in.ID == bad {
			return errors.New("no room")
		}
		return nil
	}
	k.clock.Advance(time.Minute)
	if err := k.Expire(ctx); err == nil || !strings.Contains(err.Error(), "no room") {
		t.Errorf("the job doesn't say what failed: %v", err)
	}
	for id, want := range map[string]interaction.Status{first: interaction.Expired, bad: interaction.Waiting,
		last: interaction.Expired} {
		if got := k.status(t, id); got != want {
			t.Errorf("%s is %s, want %s", id, got, want)
		}
	}
}
