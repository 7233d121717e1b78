package review_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/policy"
	"preceptor/internal/review"
)

// asRoles has MayDecide read the accounts, as the program does.
func (k *desk) asRoles() {
	k.MayDecide = func(tx *db.Tx, id string) error {
		var n int
		err := tx.QueryRow(`SELECT count(*) FROM account a JOIN account_role r ON r.account_id = a.id
			WHERE a.id = $1 AND r.role = 'supervisor' AND a.disabled_at = 0`, id).Scan(&n)
		if err == nil && n == 0 {
			return fault.New(fault.Denied, "Not a supervisor.")
		}
		return err
	}
}

func (k *desk) wantState(t testing.TB, decision, state string) *review.Decision {
	t.Helper()
	d, err := k.Decision(ctx, decision)
	if err != nil || d.State != state {
		t.Fatalf("decision is %+v, %v; want %s", d, err, state)
	}
	return d
}

func TestTwoSupervisorsSignOneDecision(t *testing.T) {
	k := open(t)
	id := k.submit(t, vulnerable)
	if item := k.get(t, id); !item.NeedsTwo || item.TwoEyes != "vulnerable" || item.Base != nil ||
		item.Text != "A quarter is usually tax free." {
		t.Fatalf("item = %+v", item)
	}
	if err := k.Claim(ctx, id, ann); err != nil {
		t.Fatal(err)
	}
	k.clock.Advance(90 * time.Second)
	first := k.decide(t, id, ann, review.Revise)
	if first.State != review.Pending || !first.NeedsSecond || first.SecondsOnCase != 90 || !first.HeldUntil.IsZero() ||
		k.decided != 0 {
		t.Errorf("first = %+v, %d hooks", first, k.decided)
	}
	item := k.get(t, id)
	if item.State != "waiting" || item.Version != 2 || item.First != ann || item.BaseID != first.ID ||
		item.Base.State != review.Pending ||
		item.Text != first.Text || item.TextHash != interaction.TextHash(first.Text) || item.Decision != nil ||
		item.Claim.By.ID != "" {
		t.Errorf("item = %+v", item)
	}
	if s := k.status(t, id); s != interaction.Waiting || k.count(t, `SELECT COUNT(*) FROM river_job
		WHERE kind = 'review.release'`) != 0 {
		t.Errorf("status %s with one signature", s)
	}
	k.refusesItsFirstSigner(t, id)
	if err := k.Claim(ctx, id, bob); err != nil {
		t.Fatal(err)
	}
	k.clock.Advance(5 * time.Second)
	dec := k.decide(t, id, bob, review.Approve)
	if dec.ID != first.ID || dec.State != review.Held || dec.By != ann || dec.Second != bob || dec.SecondSeconds != 5 ||
		dec.SecondConfirmation != signed ||
		!dec.HeldUntil.Equal(k.clock.Now().Add(30*time.Second)) || k.decided != 1 || k.lastDecided.By != ann ||
		k.lastDecided.Interaction.Status != interaction.Held {
		t.Errorf("dec = %+v, %d hooks", dec, k.decided)
	}
	wantConflict(t, k.Claim(ctx, id, review.Person{ID: "cleo", Name: "Cleo"}),
		bob.Name+" already decided this: approved second, at "+k.clock.Now().Local().Format("15:04"))
	if stored := k.wantState(t, dec.ID, review.Held); stored.Second != bob || stored.SecondSeconds != 5 ||
		stored.Confirmation != signed || stored.FinalHash != interaction.TextHash(dec.Text) {
		t.Errorf("stored = %+v", stored)
	}
	k.clock.Advance(30 * time.Second)
	k.drain(t)
	in, err := k.in.Get(ctx, id)
	if err != nil || in.Status != interaction.Released || in.FinalText != first.Text || k.released != 1 {
		t.Errorf("in = %+v, %v", in, err)
	}
	for action, by := range map[string]string{"review.revised": "ann", "review.seconded": "bob"} {
		if n := k.count(t, `SELECT COUNT(*) FROM audit
			WHERE action = $1 AND actor_id = $2 AND object_id = $3`, action, by, id); n != 1 {
			t.Errorf("%d rows of %s by %s", n, action, by)
		}
	}
}

// refusesItsFirstSigner tries everything with which ann, who signed, could be the second.
func (k *desk) refusesItsFirstSigner(t *testing.T, id string) {
	t.Helper()
	for _, kind := range []string{review.Approve, review.Revise, review.Reject, review.Return} {
		_, err := k.Decide(ctx, k.input(t, id, ann, kind))
		wantConflict(t, err, "You approved this")
	}
	wantConflict(t, k.Claim(ctx, id, ann), "second supervisor must review")
	wantConflict(t, k.Skip(ctx, id, ann, k.get(t, id).Version, "why"), "You approved this")
	if next, ok, err := k.ClaimNext(ctx, ann, review.Filter{}); err != nil || ok {
		t.Errorf("ClaimNext hands out %q, %v", next, err)
	}
}

func TestTheSecondSupervisorRevises(t *testing.T) {
	k := open(t)
	id := k.submit(t, vulnerable)
	first := k.decide(t, id, ann, review.Approve)
	second := k.decide(t, id, bob, review.Revise)
	if d := k.wantState(t, first.ID, review.Overruled); d.SettledBy != bob || d.SettledWhy == "" {
		t.Errorf("first = %+v", d)
	}
	if second.State != review.Pending || second.BaseID != first.ID || second.By != bob || second.Kind != review.Revise {
		t.Errorf("second = %+v", second)
	}
	_, err := k.Decide(ctx, k.input(t, id, bob, review.Approve)) // nobody is the second of their own revision
	wantConflict(t, err, "You approved this")
	if dec := k.decide(t, id, ann, review.Approve); dec.ID != second.ID || dec.State != review.Held || dec.By != bob ||
		dec.Second != ann {
		t.Errorf("dec = %+v", dec)
	}
}

func TestTheSecondSupervisorKeepsItBack(t *testing.T) {
	for kind, want := range map[string]interaction.Status{review.Reject: interaction.Escalated,
		review.Return: interaction.Returned} {
		t.Run(kind, func(t *testing.T) {
			k := open(t)
			id := k.submit(t, vulnerable)
			first := k.decide(t, id, ann, review.Approve)
			dec := k.decide(t, id, bob, kind)
			if dec.State != review.Held || dec.Text != "" || dec.NeedsSecond || k.decided != 1 {
				t.Errorf("dec = %+v", dec)
			}
			k.wantState(t, first.ID, review.Overruled)
			k.clock.Advance(time.Minute)
			k.drain(t)
			if s := k.status(t, id); s != want || k.released != 1 || k.lastFinal.State != string(want) {
				t.Errorf("status %s", s)
			}
		})
	}
}

func TestAFirstSignatureIsWithdrawn(t *testing.T) {
	k := open(t)
	id := k.submit(t, vulnerable)
	before := k.get(t, id)
	first := k.decide(t, id, ann, review.Revise)
	_, err := k.Undo(ctx, first.ID, bob, "I disagree.")
	if !fault.Is(err, fault.Denied) {
		t.Errorf("Bob withdrew Ann's signature: %v", err)
	}
	k.clock.Advance(time.Hour) // there is no hold to pass
	if _, err := k.Undo(ctx, first.ID, ann, ""); err != nil {
		t.Fatal(err)
	}
	item := k.get(t, id)
	if item.First.ID != "" || item.Base != nil || item.TextHash != before.TextHash || item.Version != 3 ||
		item.Claim.By != ann || !item.NeedsTwo {
		t.Errorf("item = %+v", item)
	}
	if c, err := k.Counts(ctx, "bob", false); err != nil || c.Needs+c.Others != 1 || c.Done != 0 {
		t.Errorf("counts %+v, %v", c, err)
	}
	k.decideTwice(t, id, ann, cy, review.Approve)
}

// While the second reads, the first withdraws: the second keeps the case, and their form is stale.
func TestAWithdrawalLeavesTheCaseToWhoeverReadsIt(t *testing.T) {
	k := open(t)
	id := k.submit(t, vulnerable)
	first := k.decide(t, id, ann, review.Approve)
	if err := k.Claim(ctx, id, bob); err != nil {
		t.Fatal(err)
	}
	stale := k.input(t, id, bob, review.Approve)
	if _, err := k.Undo(ctx, first.ID, ann, ""); err != nil {
		t.Fatal(err)
	}
	if item := k.get(t, id); item.Claim.By != bob {
		t.Errorf("claimed by %+v", item.Claim.By)
	}
	_, err := k.Decide(ctx, stale)
	wantConflict(t, err, "Ann withdrew the approval")
}

// Taking back what overruled a signature brings the signature back.
func TestUndoReinstatesTheSignatureThatWasOverruled(t *testing.T) {
	k := open(t)
	id := k.submit(t, vulnerable)
	first := k.decide(t, id, ann, review.Approve)
	wrong := k.decide(t, id, bob, review.Reject)
	if _, err := k.Undo(ctx, wrong.ID, bob, ""); err != nil {
		t.Fatal(err)
	}
	if d := k.wantState(t, first.ID, review.Pending); d.SettledBy.ID != "" || !d.SettledAt.IsZero() ||
		d.SettledWhy != "" {
		t.Errorf("first = %+v", d)
	}
	item := k.get(t, id)
	if item.First != ann || item.BaseID != first.ID || item.Claim.By != bob || k.status(t, id) != interaction.Waiting {
		t.Errorf("item = %+v", item)
	}
	if dec := k.decide(t, id, bob, review.Approve); dec.ID != first.ID || dec.State != review.Held {
		t.Errorf("dec = %+v", dec)
	}
}

// The first takes back the text that both signed.
func TestTheFirstSignerUndoesWithinTheHold(t *testing.T) {
	k := open(t)
	id := k.submit(t, vulnerable)
	dec := k.decideTwice(t, id, ann, bob, review.Approve)
	if _, err := k.Undo(ctx, dec.ID, ann, ""); err != nil {
		t.Fatal(err)
	}
	item := k.get(t, id)
	if item.First.ID != "" || item.Base != nil || item.State != "waiting" || k.undone != 1 {
		t.Errorf("%+v", item)
	}
	k.decideTwice(t, id, ann, bob, review.Approve) // both sign anew
}

// The second takes back only their own signature: the first one's text, reason and signature wait for another.
func TestUndoOfASecondSignatureLeavesTheFirst(t *testing.T) {
	for _, kind := range []string{review.Approve, review.Revise} {
		k := open(t)
		id := k.submit(t, vulnerable)
		dec := k.decideTwice(t, id, ann, bob, kind)
		before, err := k.Counts(ctx, "bob", false)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := k.Undo(ctx, dec.ID, bob, ""); err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		k.wantState(t, dec.ID, review.Undone)
		item := k.get(t, id)
		if item.State != "waiting" || item.First != ann || item.Base == nil || item.Text != dec.Text ||
			item.TextHash != dec.FinalHash || item.Claim.By != bob {
			t.Fatalf("%s: %+v", kind, item)
		}
		if b := item.Base; b.State != review.Pending || b.Kind != kind || b.By != ann || b.Second.ID != "" ||
			b.Reason != dec.Reason || !b.DecidedAt.Equal(dec.DecidedAt) {
			t.Errorf("%s: base %+v", kind, b)
		}
		if c, err := k.Counts(ctx, "bob", false); err != nil || c.Done != before.Done-1 {
			t.Errorf("%s: counts %+v, %v", kind, c, err)
		}
		k.refusesItsFirstSigner(t, id)
		again := k.decide(t, id, bob, review.Approve)
		if again.ID != item.BaseID || again.State != review.Held || again.Text != dec.Text {
			t.Errorf("%s: again = %+v", kind, again)
		}
		k.clock.Advance(time.Minute)
		k.drain(t)
		if k.status(t, id) != interaction.Released || k.released != 1 {
			t.Errorf("%s: %s", kind, k.status(t, id))
		}
	}
}

// What is left of a decision whose second signature was taken back can be withdrawn by its author as before.
func TestAFirstSignatureThatIsLeftIsWithdrawn(t *testing.T) {
	k := open(t)
	id := k.submit(t, vulnerable)
	before := k.get(t, id)
	dec := k.decideTwice(t, id, ann, bob, review.Revise)
	if _, err := k.Undo(ctx, dec.ID, bob, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Undo(ctx, k.get(t, id).BaseID, ann, ""); err != nil {
		t.Fatal(err)
	}
	if item := k.get(t, id); item.First.ID != "" || item.Base != nil || item.TextHash != before.TextHash {
		t.Errorf("%+v", item)
	}
}

func TestWhoAskedIsNotTheOnlyOneToApprove(t *testing.T) {
	k := open(t)
	asks := func() string {
		id, err := k.in.Advise(ctx, interaction.Consultation{Question: "How much is tax free?",
			TaskType: "tax_free_cash"}, "agent-1", "advisor", interaction.OriginAsk, ann.Actor(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := k.in.DraftArrived(ctx, id,
			interaction.Draft{Text: "A quarter is usually tax free.", Drafter: "embedded advisor"}); err != nil {
			t.Fatal(err)
		}
		return id
	}
	id := asks()
	if item := k.get(t, id); item.AskedBy != "ann" || item.NeedsTwo {
		t.Errorf("item = %+v", item)
	}
	k.refusedSQL(t, "two supervisors", forge+`) SELECT 'x', '`+id+
		`', 'approve', 'held', 'ann', 'Ann', 'Mine.', '', 1, '', '', '', '', '[]', 1, 1, 1`)
	if dec := k.decide(t, id, ann, review.Approve); dec.State != review.Pending ||
		k.get(t, id).TwoEyes != review.OwnQuestion {
		t.Errorf("dec = %+v", dec)
	}
	k.decide(t, id, bob, review.Approve)
	if dec := k.decide(t, asks(), bob, review.Approve); dec.State != review.Held {
		t.Errorf("somebody else's approval is %s", dec.State)
	}
}

func TestThePolicyInForceSaysWhatTakesTwo(t *testing.T) {
	k := open(t)
	p := policy.Default()
	p.SecondEyes, p.Version = []policy.Condition{policy.Revised}, 7
	k.PolicyFor = func(*db.Tx, string) (policy.Policy, error) { return p, nil }
	if dec := k.decide(t, k.submit(t, vulnerable), ann, review.Approve); dec.State != review.Held ||
		dec.PolicyVersion != 7 {
		t.Errorf("approved = %+v", dec)
	}
	id := k.submit(t)
	if dec := k.decide(t, id, ann, review.Revise); dec.State != review.Pending || k.get(t, id).TwoEyes != "revised" {
		t.Errorf("revised = %+v", dec)
	}
	p.SecondEyes = nil // a policy that asks for less does not lower what was asked for
	k.decide(t, id, bob, review.Approve)
	later := k.submit(t)
	p.SecondEyes = []policy.Condition{policy.RuleFlag}
	k.Assess = func(text string, in *interaction.Interaction) review.Assessment {
		a := good
		a.Flags = []review.Flag{{Code: "TONE", Severity: review.Minor}}
		return a
	}
	if dec := k.decide(t, later, ann, review.Approve); dec.State != review.Pending {
		// asked of the text that goes out, at the decision
		t.Errorf("a flag at the decision: %+v", dec)
	}
}

func (k *desk) needTwo(agentID string) error {
	return k.db.Write(ctx, func(tx *db.Tx) error { return k.NeedTwoTx(tx, agentID) })
}

// A policy that asks for more than when a draft arrived is told in the queue and on the review before the decision,
// also of one that waits again; one that asks for less takes nothing away.
func TestAStricterPolicyIsToldBefore(t *testing.T) {
	k, p := open(t), policy.Default()
	k.PolicyFor = func(*db.Tx, string) (policy.Policy, error) { return p, nil }
	agree := func(list ...policy.Condition) {
		if p.SecondEyes = list; k.needTwo("") != nil {
			t.Fatal("the policy")
		}
	}
	told := func(id, want string) {
		t.Helper()
		page, err := k.List(ctx, review.Filter{State: review.All, Eyes: review.TwoEyes})
		if err != nil {
			t.Fatal(err)
		}
		listed := slices.ContainsFunc(page.Items, func(r review.Row) bool { return r.ID == id && r.NeedsTwo })
		item := k.get(t, id)
		if item.TwoEyes != want || item.TwoFor("ann", item.Assessment, false) != want || listed != (want != "") {
			t.Errorf("two for %q, listed %v; want %q", item.TwoEyes, listed, want)
		}
	}
	agree()
	id, plain := k.submit(t, hasDB), k.submit(t)
	back := k.decide(t, k.submit(t, hasDB), ann, review.Approve)
	told(id, "")
	agree(policy.DBPension)
	told(id, "db_pension")
	told(plain, "")
	if _, err := k.Undo(ctx, back.ID, ann, ""); err != nil {
		t.Fatal(err)
	}
	told(back.InteractionID, "db_pension")
	agree()
	told(id, "db_pension")
	if dec := k.decide(t, id, ann, review.Approve); dec.State != review.Pending {
		t.Errorf("it was waived: %+v", dec)
	}
	agree(policy.Revised)
	if item := k.get(t, plain); item.NeedsTwo || item.TwoFor("ann", item.Assessment, true) != "revised" {
		t.Errorf("revised: %+v", item.Row)
	}
}

// What waits is asked of the agents that the policy is for.
func TestAPolicyAsksOfItsOwnAgentsAlone(t *testing.T) {
	k, own := open(t), "other"
	for range 3 {
		k.submit(t, hasDB)
	}
	theirs := k.submit(t, hasDB)
	k.exec(t, `UPDATE review SET agent_id = 'other' WHERE id = $1`, theirs)
	k.PolicyFor = func(_ *db.Tx, agentID string) (policy.Policy, error) {
		p := policy.Default()
		if p.SecondEyes = []policy.Condition{policy.DBPension}; agentID == own {
			p.AgentID = own
		}
		return p, nil
	}
	two := func() (n int) {
		t.Helper()
		page, err := k.List(ctx, review.Filter{State: review.All, Eyes: review.TwoEyes})
		if err != nil {
			t.Fatal(err)
		}
		return len(page.Items)
	}
	for _, step := range []struct {
		agent string
		want  int
	}{{"nobody", 0}, {"", 3}, {"other", 4}} {
		if err := k.needTwo(step.agent); err != nil || two() != step.want {
			t.Errorf("after the policy of %q %d need two, not %d: %v", step.agent, two(), step.want, err)
		}
	}
}

// The agent's label can't get a question about a transfer around its second pair of eyes.
func TestAWrongLabelIsNoWayAround(t *testing.T) {
	k := open(t)
	id := k.submit(t, task("state_pension"), func(s *interaction.Submission) {
		s.Consultation.Question = "Should I move my final salary pension into a personal one?"
	})
	if item := k.get(t, id); !item.NeedsTwo || item.TwoEyes != "db_transfer" ||
		!strings.Contains(item.Why, "DB pension") {
		t.Errorf("item = %+v", item)
	}
}

// Role change in between: a first signature counts only while its author may decide.
func TestASignerWhoLostTheRoleDoesNotCount(t *testing.T) {
	for what, lose := range map[string]string{
		"role":     `DELETE FROM account_role WHERE account_id = 'ann'`,
		"disabled": `UPDATE account SET disabled_at = 1 WHERE id = 'ann'`,
	} {
		t.Run(what, func(t *testing.T) {
			k := open(t)
			k.asRoles()
			id := k.submit(t, vulnerable)
			first := k.decide(t, id, ann, review.Revise)
			k.exec(t, lose)
			dec := k.decide(t, id, bob, review.Approve)
			if dec.ID == first.ID || dec.State != review.Pending || dec.By != bob || dec.Text != first.Text ||
				dec.Kind != review.Revise || dec.Reason != first.Reason {
				t.Errorf("dec = %+v", dec)
			}
			if d := k.wantState(t, first.ID, review.Undone); !strings.Contains(d.SettledWhy,
				"Ann can no longer decide") {
				t.Errorf("first = %+v", d)
			}
			if _, err := k.Decide(ctx, k.input(t, id, ann, review.Approve)); !fault.Is(err, fault.Denied) {
				t.Errorf("Ann decides: %v", err)
			}
			if _, err := k.Undo(ctx, dec.ID, ann, "mine"); !fault.Is(err, fault.Denied) {
				t.Errorf("Ann undoes: %v", err)
			}
			k.decide(t, id, cy, review.Approve)
		})
	}
}

// What a signer who lost the role during the hold decided goes back to the queue.
func TestTheEndOfTheHoldLooksAtTheSignersAgain(t *testing.T) {
	for _, gone := range []review.Person{ann, bob} {
		k := open(t)
		k.asRoles()
		id := k.submit(t, vulnerable)
		dec := k.decideTwice(t, id, ann, bob, review.Approve)
		k.exec(t, `UPDATE account SET disabled_at = 1 WHERE id = $1`, gone.ID)
		k.clock.Advance(time.Minute)
		k.drain(t)
		d := k.wantState(t, dec.ID, review.Undone)
		if item := k.get(t, id); item.State != "waiting" || item.Claim.By.ID != "" ||
			!strings.Contains(d.SettledWhy, gone.Name) {
			t.Errorf("%s: %+v, %+v", gone.Name, item, d)
		}
		if k.status(t, id) != interaction.Waiting || k.released != 0 || k.undone != 1 {
			t.Errorf("%s: released after all", gone.Name)
		}
		if n := k.count(t, `SELECT COUNT(*) FROM audit
			WHERE action = 'review.undone' AND actor_kind = 'system'`); n != 1 {
			t.Errorf("%d audit rows", n)
		}
	}
}
