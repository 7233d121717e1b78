package review_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/review"
)

func TestApproveIsHeldAndThenReleased(t *testing.T) {
	k := open(t)
	id := k.submit(t)
	if err := k.Claim(ctx, id, ann); err != nil {
		t.Fatal(err)
	}
	k.clock.Advance(42 * time.Second)
	dec := k.decide(t, id, ann, review.Approve)
	if dec.State != review.Held || dec.Text != "A quarter is usually tax free." || dec.SecondsOnCase != 42 ||
		dec.Confirmation != signed {
		t.Errorf("decision = %+v", dec)
	}
	if got := dec.HeldUntil.Sub(dec.DecidedAt); got != 30*time.Second {
		t.Errorf("held for %v", got)
	}
	if dec.Interaction == nil || dec.Interaction.Status != interaction.Held {
		t.Errorf("hooks see %+v", dec.Interaction)
	}
	k.clock.Advance(30*time.Second - time.Millisecond)
	k.drain(t)
	if s := k.status(t, id); s != interaction.Held || k.released != 0 {
		t.Fatalf("status %s a moment before the hold ends", s)
	}
	k.clock.Advance(time.Millisecond)
	k.drain(t)
	in, err := k.in.Get(ctx, id)
	if err != nil || in.Status != interaction.Released || in.FinalText != dec.Text ||
		!in.ReleasedAt.Equal(dec.HeldUntil) {
		t.Errorf("in = %+v, %v", in, err)
	}
	if k.decided != 1 || k.released != 1 || k.lastFinal.State != review.Released ||
		!k.lastFinal.SettledAt.Equal(dec.HeldUntil) {
		t.Errorf("hooks: %d decided, %d released, %+v", k.decided, k.released, k.lastFinal)
	}
	stored, err := k.Decision(ctx, dec.ID)
	if err != nil || stored.State != review.Released || stored.Confirmation != signed ||
		stored.Opening != "How much is tax free?" {
		t.Errorf("stored = %+v, %v", stored, err)
	}
}

func TestReviseSendsTheHumanText(t *testing.T) {
	k := open(t)
	id := k.submit(t)
	if err := k.Claim(ctx, id, ann); err != nil {
		t.Fatal(err)
	}
	k.clock.Advance(2 * time.Minute)
	in := k.input(t, id, ann, review.Revise)
	in.Text = "A quarter is usually tax free,\r\nup to a limit.\r\n"
	in.SecondsOnCase = 77
	dec, err := k.Decide(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	if dec.SecondsOnCase != 77 {
		t.Errorf("%d seconds", dec.SecondsOnCase)
	}
	k.clock.Advance(30 * time.Second)
	k.drain(t)
	got, err := k.in.Get(ctx, id)
	if err != nil || got.FinalText != "A quarter is usually tax free,\nup to a limit.\n" ||
		got.Guidance != "A quarter is usually tax free." {
		t.Errorf("got = %+v, %v", got, err)
	}
}

func TestRejectEscalates(t *testing.T) {
	k := open(t)
	id := k.submit(t)
	dec := k.decide(t, id, ann, review.Reject)
	if dec.Text != "" || dec.Confirmation != "" || dec.ReasonCode != "wrong_facts" {
		t.Errorf("decision = %+v", dec)
	}
	k.clock.Advance(30 * time.Second)
	k.drain(t)
	in, err := k.in.Get(ctx, id)
	if err != nil || in.Status != interaction.Escalated || in.FinalText != "" {
		t.Errorf("in = %+v, %v", in, err)
	}
	if k.released != 1 || k.lastFinal.State != review.Escalated {
		t.Errorf("hooks saw %+v", k.lastFinal)
	}
	var kinds []string
	events, err := k.in.History(ctx, id)
	for _, e := range events {
		kinds = append(kinds, e.Kind)
	}
	if got := strings.Join(kinds, " "); err != nil || got != "submitted rejected escalated" {
		t.Errorf("history %q, %v", got, err)
	}
}

func TestDecideRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		kind   string
		bad    func(*review.Input)
		fields []string
	}{
		"no kind": {"send", func(*review.Input) {}, []string{"kind"}},
		"revise with nothing": {review.Revise, func(in *review.Input) {
			in.Text, in.Reason, in.Feedback = " ", "\n", ""
		}, []string{"text", "reason"}},
		"revise unchanged": {review.Revise, func(in *review.Input) {
			in.Text = "A quarter is usually tax free."
		}, []string{"text"}},
		"revise too long": {review.Revise, func(in *review.Input) {
			in.Text = strings.Repeat("x", interaction.MaxGuidance+1)
		}, []string{"text"}},
		"long reason": {review.Revise, func(in *review.Input) {
			in.Reason = strings.Repeat("x", 10_001)
		}, []string{"reason"}},
		"reject no code": {review.Reject, func(in *review.Input) { in.ReasonCode = "" }, []string{"reason_code"}},
		"reject unknown code": {review.Reject, func(in *review.Input) {
			in.ReasonCode = "dislike"
		}, []string{"reason_code"}},
		"reject other": {review.Reject, func(in *review.Input) {
			in.ReasonCode = pack.ReasonOther
		}, []string{"reason"}},
		"approve long words": {review.Approve, func(in *review.Input) {
			in.Feedback = strings.Repeat("x", 10_001)
		}, []string{"feedback"}},
	} {
		t.Run(name, func(t *testing.T) {
			k := open(t)
			id := k.submit(t)
			in := k.input(t, id, ann, c.kind)
			c.bad(&in)
			_, err := k.Decide(ctx, in)
			wantFields(t, err, c.fields...)
			if n := k.count(t, `SELECT COUNT(*) FROM decision`); n != 0 || k.status(t, id) != interaction.Waiting {
				t.Errorf("%d decisions stored", n)
			}
		})
	}
	k := open(t)
	in := k.input(t, k.submit(t), review.Person{}, review.Approve)
	if _, err := k.Decide(ctx, in); !fault.Is(err, fault.Unsigned) {
		t.Errorf("nobody decided: %v", err)
	}
	in.By, in.ID = ann, "nope"
	if _, err := k.Decide(ctx, in); !fault.Is(err, fault.NotFound) {
		t.Errorf("unknown case: %v", err)
	}
}

// Text that was not seen can't be decided on.
func TestDecideNeedsWhatWasOnTheScreen(t *testing.T) {
	k := open(t)
	id := k.submit(t)
	for _, bad := range []func(*review.Input){
		func(in *review.Input) { in.Version = 0 },
		func(in *review.Input) { in.Version++ },
		func(in *review.Input) { in.TextHash = interaction.TextHash("another text") },
		func(in *review.Input) { in.TextHash = "" },
	} {
		in := k.input(t, id, ann, review.Approve)
		bad(&in)
		_, err := k.Decide(ctx, in)
		wantConflict(t, err, "changed since you opened it")
	}
	if n := k.count(t, `SELECT COUNT(*) FROM decision`); n != 0 {
		t.Errorf("%d decisions stored", n)
	}
}

func TestClaimIsCheckedAtDecide(t *testing.T) {
	k := open(t)
	id := k.submit(t)
	if err := k.Claim(ctx, id, ann); err != nil {
		t.Fatal(err)
	}
	_, err := k.Decide(ctx, k.input(t, id, bob, review.Approve))
	wantConflict(t, err, "Ann is reviewing this")
	k.clock.Advance(time.Hour) // Ann's claim ran out and nobody took the case
	dec := k.decide(t, id, ann, review.Approve)
	if dec.SecondsOnCase != 3600 {
		t.Errorf("%d seconds, want the hour since her claim", dec.SecondsOnCase)
	}
}

func TestClaimThatRanOutAndWasTaken(t *testing.T) {
	k := open(t)
	id := k.submit(t)
	if err := k.Claim(ctx, id, ann); err != nil {
		t.Fatal(err)
	}
	k.clock.Advance(11 * time.Minute)
	if err := k.Claim(ctx, id, bob); err != nil {
		t.Fatal(err)
	}
	_, err := k.Decide(ctx, k.input(t, id, ann, review.Approve))
	wantConflict(t, err, "Bob is reviewing this")
}

// What changes between the check of the text and the transaction is caught by the transaction itself.
func TestDecideComparesAndSets(t *testing.T) {
	for name, sql := range map[string]string{
		"text":    `UPDATE review SET text_hash = 'other'`,
		"version": `UPDATE review SET version = version + 1`,
		"claim":   `UPDATE review SET claimed_by = 'bob', claimed_name = 'Bob', claimed_until = 9000000000000`,
	} {
		t.Run(name, func(t *testing.T) {
			k := open(t)
			in := k.input(t, k.submit(t), ann, review.Approve)
			k.Assess = func(string, *interaction.Interaction) review.Assessment {
				if err := k.db.Write(ctx, func(tx *db.Tx) error { _, err := tx.Exec(sql); return err }); err != nil {
					t.Error(err)
				}
				return good
			}
			_, err := k.Decide(ctx, in)
			wantConflict(t, err)
			if n := k.count(t, `SELECT COUNT(*) FROM decision`); n != 0 || k.decided != 0 {
				t.Errorf("%d decisions", n)
			}
		})
	}
}

// The page measures better, but can't claim more time than there was.
func TestSecondsOnCase(t *testing.T) {
	k := open(t)
	for said, want := range map[int]int{0: 60, 45: 45, 1000: 60, -5: 60} {
		id := k.submit(t)
		if err := k.Claim(ctx, id, ann); err != nil {
			t.Fatal(err)
		}
		k.clock.Advance(time.Minute)
		in := k.input(t, id, ann, review.Approve)
		in.SecondsOnCase = said
		if dec, err := k.Decide(ctx, in); err != nil || dec.SecondsOnCase != want {
			t.Errorf("said %d: %+v, %v; want %d", said, dec, err, want)
		}
	}
}

func TestUnclaimedCaseCanBeDecided(t *testing.T) {
	k := open(t)
	if dec := k.decide(t, k.submit(t), ann, review.Approve); dec.SecondsOnCase != 0 || !dec.Hasty {
		t.Errorf("a short text in no time: %+v", dec)
	}
	id := k.submit(t, func(s *interaction.Submission) { s.Guidance = strings.Repeat("word ", 51) })
	k.clock.Advance(48 * time.Hour)
	in := k.input(t, id, ann, review.Approve)
	in.SecondsOnCase = 23 * 60 * 60 // nothing but the request says so
	if dec, err := k.Decide(ctx, in); err != nil || dec.SecondsOnCase != 0 || !dec.Hasty {
		t.Errorf("a long text without a claim: %+v, %v", dec, err)
	}
}

func TestSecondDeciderIsToldWhoAndWhat(t *testing.T) {
	k := open(t)
	id := k.submit(t)
	late := k.input(t, id, bob, review.Approve)
	k.decide(t, id, ann, review.Reject)
	_, err := k.Decide(ctx, late)
	wantConflict(t, err, "Ann", "rejected")
}

// Acceptance: 1,000 times two supervisors decide the same case at once; one wins, one learns who did, and there is one
// of everything. The cases stand in one desk, which is what makes a thousand of them quick.
func TestThousandTimesTwoDecideAtOnce(t *testing.T) {
	rounds := 1000
	if testing.Short() {
		rounds = 100
	}
	k := open(t)
	for range rounds {
		id := k.submit(t)
		before := k.decided
		inputs := []review.Input{k.input(t, id, ann, review.Approve), k.input(t, id, bob, review.Reject)}
		errs := make([]error, 2)
		var wg sync.WaitGroup
		start := make(chan struct{})
		for i := range inputs {
			wg.Go(func() {
				<-start
				_, errs[i] = k.Decide(ctx, inputs[i])
			})
		}
		close(start)
		wg.Wait()
		winner, loser := "Ann", errs[1]
		if errs[0] != nil {
			winner, loser = "Bob", errs[0]
		}
		if (errs[0] == nil) == (errs[1] == nil) {
			t.Fatalf("errs = %v", errs)
		}
		wantConflict(t, loser, winner, map[string]string{"Ann": "approved", "Bob": "rejected"}[winner])
		if got := k.decided - before; got != 1 {
			t.Fatalf("the learning hook ran %d times", got)
		}
	}
	for what, sql := range map[string]string{
		"decisions": `SELECT COUNT(*) FROM decision`,
		"audit rows": `SELECT COUNT(*) FROM audit
			WHERE action IN ('review.approved', 'review.rejected', 'review.revised')`,
		"release jobs": `SELECT COUNT(*) FROM river_job WHERE kind = 'review.release'`,
		"cases":        `SELECT COUNT(*) FROM review WHERE state = 'decided'`,
		"held":         `SELECT COUNT(*) FROM interaction WHERE status = 'held'`,
	} {
		if n := k.count(t, sql); n != rounds {
			t.Errorf("%d %s, want %d", n, what, rounds)
		}
	}
}

func TestApproveWaitsForAPassingText(t *testing.T) {
	for name, a := range map[string]review.Assessment{
		"blocked": {Label: "NON_COMPLIANT", Blocked: true,
			Flags: []review.Flag{{Code: "PERSONAL_RECOMMENDATION", Severity: review.Critical,
				Why: "It tells them what to do."}}},
		"borderline":   {Label: "BORDERLINE", Borderline: true},
		"not assessed": {},
		"both":         {Passed: true, Borderline: true},
	} {
		t.Run(name, func(t *testing.T) {
			k := open(t)
			k.assess = a
			id := k.submit(t)
			_, err := k.Decide(ctx, k.input(t, id, ann, review.Approve))
			if !fault.Is(err, fault.Invalid) || fault.Fields(err)[0].Name != "text" {
				t.Fatalf("err = %v", err)
			}
			wantWords(t, err, "ruling", "Revise it")
			if len(a.Flags) > 0 && !strings.Contains(fault.Fields(err)[0].Msg,
				"Personal recommendation: It tells them what to do.") {
				t.Errorf("fields = %v", fault.Fields(err))
			}
			dec := k.decide(t, id, ann, review.Revise)
			if len(dec.Flags) != len(a.Flags) {
				t.Errorf("the decision keeps flags %v", dec.Flags)
			}
		})
	}
}

func TestRevisedTextIsAssessedAgain(t *testing.T) {
	k := open(t)
	k.Assess = func(text string, in *interaction.Interaction) review.Assessment {
		if strings.Contains(text, "you should") {
			return review.Assessment{Label: "NON_COMPLIANT", Blocked: true,
				Flags: []review.Flag{{Code: "PERSONAL_RECOMMENDATION", Why: "It recommends."}}}
		}
		return good
	}
	id := k.submit(t)
	in := k.input(t, id, ann, review.Revise)
	in.Text = "I think you should transfer."
	_, err := k.Decide(ctx, in)
	wantFields(t, err, "text")
	wantWords(t, err, "blocked")
	if a, err := k.Check(ctx, id, in.Text); err != nil || !a.Blocked {
		t.Errorf("the live check says %+v, %v", a, err)
	}
	if a, err := k.Check(ctx, id, "All fine."); err != nil || !a.Passed {
		t.Errorf("the live check says %+v, %v", a, err)
	}
	k.decide(t, id, ann, review.Revise)
}

// A check that was improved since the submission counts, in both directions.
func TestApproveGoesByTheCheckOfToday(t *testing.T) {
	k := open(t)
	k.assess = review.Assessment{Label: "BORDERLINE", Borderline: true}
	id := k.submit(t)
	k.Assess = func(string, *interaction.Interaction) review.Assessment { return good }
	k.decide(t, id, ann, review.Approve)
}

func TestFailingHookUndoesTheDecision(t *testing.T) {
	k := open(t)
	id := k.submit(t)
	boom := errors.New("boom")
	k.OnDecided = func(*db.Tx, *review.Decision) error { return boom }
	if _, err := k.Decide(ctx, k.input(t, id, ann, review.Approve)); !errors.Is(err, boom) {
		t.Errorf("err = %v", err)
	}
	if k.count(t, `SELECT COUNT(*) FROM decision`)+k.count(t, `SELECT COUNT(*) FROM river_job`) != 0 ||
		k.get(t, id).State != "waiting" {
		t.Error("half a decision was stored")
	}
}
