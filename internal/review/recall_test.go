package review_test

import (
	"strings"
	"testing"
	"time"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/policy"
	"preceptor/internal/review"
)

// deliver decides a case and lets the hold pass.
func (k *desk) deliver(t testing.TB, id string, kind string) *review.Decision {
	t.Helper()
	dec := k.decide(t, id, ann, kind)
	k.clock.Advance(time.Minute)
	k.drain(t)
	return dec
}

func TestWhatWasDeliveredIsRecalledAndCorrected(t *testing.T) {
	k := open(t)
	recalled := 0
	k.OnRecalled = func(*db.Tx, *review.Decision) error { recalled++; return nil }
	id := k.submit(t)
	sent := k.deliver(t, id, review.Revise)
	k.submit(t, vulnerable) // stands before everything else but a correction
	if _, err := k.Recall(ctx, sent.ID, bob, " "); !fault.Is(err, fault.Invalid) {
		t.Errorf("without a reason: %v", err)
	}
	dec, err := k.Recall(ctx, sent.ID, bob, "The limit changed in April.")
	if err != nil || dec.State != review.Recalled || dec.SettledBy != bob || recalled != 1 {
		t.Fatalf("dec = %+v, %v", dec, err)
	}
	item := k.get(t, id)
	if item.State != "waiting" || !item.Correcting || item.Priority != 0 || item.BaseID != sent.ID ||
		item.Text != sent.Text || item.Claim.By != bob || item.First.ID != "" {
		t.Errorf("item = %+v", item)
	}
	in, err := k.in.Get(ctx, id)
	if err != nil || in.Status != interaction.Waiting || in.FinalText != sent.Text || !in.Recalled() {
		t.Errorf("in = %+v, %v", in, err)
	}
	page, err := k.List(ctx, review.Filter{Viewer: "bob"})
	if err != nil || len(page.Items) != 2 || page.Items[0].ID != id {
		t.Errorf("the correction is not first: %v, %v", ids(page.Items), err)
	}
	_, err = k.Recall(ctx, sent.ID, ann, "again")
	wantConflict(t, err, "Bob already recalled this")

	form := k.input(t, id, bob, review.Revise)
	form.Text = "A quarter is usually tax free, up to £268,275."
	corrected, err := k.Decide(ctx, form)
	if err != nil || corrected.BaseID != sent.ID || corrected.State != review.Held {
		t.Fatalf("corrected = %+v, %v", corrected, err)
	}
	k.clock.Advance(time.Minute)
	k.drain(t)
	if in, _ = k.in.Get(ctx, id); in.Status != interaction.Released || in.FinalText != corrected.Text ||
		in.Recalled() || !k.lastFinal.Corrects {
		t.Errorf("in = %+v, corrects %v", in, k.lastFinal.Corrects)
	}
}

// To let the recalled text go again is no revision of one's own: the text and its reason stay their author's.
func TestTheRecalledTextIsFoundRightAfterAll(t *testing.T) {
	k := open(t)
	id := k.submit(t)
	sent := k.deliver(t, id, review.Revise)
	if _, err := k.Recall(ctx, sent.ID, bob, "Is this right?"); err != nil {
		t.Fatal(err)
	}
	dec := k.decide(t, id, bob, review.Approve)
	if dec.Kind != review.Revise || dec.Text != sent.Text || dec.Reason != sent.Reason ||
		dec.Feedback != sent.Feedback || dec.By != bob || !dec.Again || dec.Words != ann ||
		dec.Verb() != "sent again unchanged" {
		t.Errorf("dec = %+v", dec)
	}
	if stored, err := k.Decision(ctx, dec.ID); err != nil || !stored.Again || stored.Words != ann {
		t.Errorf("stored = %+v, %v", stored, err)
	}
	page, err := k.List(ctx, review.Filter{State: review.Done, Viewer: "ann"})
	if err != nil || page.Outcomes[id].Kind != review.Again {
		t.Errorf("Done: %+v, %v", page.Outcomes, err)
	}
	all, err := k.Progress(ctx, []string{"bob"})
	if err != nil || all["bob"].Revised != 0 || all["bob"].Approved != 1 {
		t.Errorf("progress: %+v, %v", all["bob"], err)
	}
	if _, err := k.Undo(ctx, dec.ID, bob, ""); err != nil {
		t.Fatal(err)
	}
	if item := k.get(t, id); item.BaseID != sent.ID || !item.Correcting || item.Text != sent.Text {
		t.Errorf("after undo: %+v", item)
	}
	form := k.input(t, id, bob, review.Revise)
	form.Text = "A quarter is usually tax free." // the draft itself
	back, err := k.Decide(ctx, form)
	if err != nil || back.Kind != review.Approve || back.Text != "A quarter is usually tax free." {
		t.Errorf("back to the draft: %+v, %v", back, err)
	}
}

func TestOnlyWhatWasDeliveredIsRecalled(t *testing.T) {
	k := open(t)
	held := k.decide(t, k.submit(t), ann, review.Approve)
	pending := k.decide(t, k.submit(t, vulnerable), ann, review.Approve)
	for _, c := range []struct{ id, words string }{
		{held.ID, "Undo it instead"}, {pending.ID, "Undo it instead"},
		{k.deliver(t, k.submit(t), review.Reject).ID, "to a person"},
		{k.deliver(t, k.submit(t), review.Return).ID, "sent back"},
	} {
		if c.id == held.ID {
			if d, _ := k.Decision(ctx, held.ID); d.State != review.Held {
				continue
			}
		}
		_, err := k.Recall(ctx, c.id, bob, "why")
		wantConflict(t, err, c.words)
	}
	if _, err := k.Recall(ctx, "nope", bob, "why"); !fault.Is(err, fault.NotFound) {
		t.Errorf("unknown: %v", err)
	}
}

func TestSendingBackTakesANoteAndTheNewVersionInheritsItsGuards(t *testing.T) {
	k := open(t)
	id := k.submit(t, vulnerable)
	in := k.input(t, id, ann, review.Return)
	in.Reason = ""
	_, err := k.Decide(ctx, in)
	wantFields(t, err, "reason")
	dec := k.deliver(t, id, review.Return)
	if d := k.wantState(t, dec.ID, review.Returned); d.Reason == "" || k.status(t, id) != interaction.Returned ||
		k.lastFinal.State != review.Returned {
		t.Errorf("d = %+v", d)
	}
	revises := func(s *interaction.Submission) { s.Revises = id }
	newer := k.submit(t, revises) // without the mark of the customer, and with another text
	if item := k.get(t, newer); !item.NeedsTwo || item.TwoEyes != "vulnerable" {
		t.Errorf("the new version needs %+v", item)
	}
	for what, s := range map[string]interaction.Submission{
		"again":    {AgentID: robot.ID, AgentName: robot.Name, Revises: id},
		"other":    {AgentID: "agent-2", AgentName: "other", Revises: id},
		"waiting":  {AgentID: robot.ID, AgentName: robot.Name, Revises: newer},
		"nonsense": {AgentID: robot.ID, AgentName: robot.Name, Revises: "nope"},
	} {
		s.Guidance, s.By, s.Consultation.Question = "Text.", robot, "Q?"
		if _, err := k.in.Submit(ctx, s, nil); !fault.Is(err, fault.Invalid) ||
			fault.Fields(err)[0].Name != "/revises" {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// agreedVersion is the number of the policy that agreed makes.
const agreedVersion = 3

// agreed stores a policy that two administrators agreed on: the guards in the database ask for one.
func (k *desk) agreed(t testing.TB) {
	t.Helper()
	for _, id := range []string{"dee", "eve"} {
		k.exec(t, `INSERT INTO account (id, email, email_key, name, password_hash, created_at)
			VALUES ($1, $1, $1, $1, '', 1)`, id)
		k.exec(t, `INSERT INTO account_role (account_id, role) VALUES ($1, 'admin')`, id)
	}
	k.exec(t, `INSERT INTO approval (id, subject, version, base, state, payload, reason, proposed_by, proposed_name,
			proposed_at, kind)
		VALUES ('p', '', $1, 0, 'proposed', '{}', 'why', 'dee', 'Dee', 1, 'policy')`, agreedVersion)
	k.exec(t, `UPDATE approval SET state = 'agreed', decided_by = 'eve', decided_name = 'Eve', decided_at = 2`)
}

// sampled has the policy leave everything unread that it may.
func (k *desk) sampled(t testing.TB) {
	t.Helper()
	k.agreed(t)
	k.PolicyFor = func(*db.Tx, string) (policy.Policy, error) {
		p := policy.Default()
		p.Share, p.Version = 0, agreedVersion
		return p, nil
	}
}

func TestSamplingLetsGoWhatNothingStandsOn(t *testing.T) {
	k := open(t)
	k.sampled(t)
	id := k.submit(t)
	item := k.get(t, id)
	d := item.Decision
	if d == nil || d.Kind != review.Sampled || d.State != review.Held || d.By.ID != "" ||
		d.PolicyVersion != agreedVersion || d.Confirmation != "" || k.decided != 0 {
		t.Fatalf("decision = %+v", d)
	}
	if s := k.status(t, id); s != interaction.Held {
		t.Errorf("status %s", s)
	}
	k.clock.Advance(time.Minute)
	k.drain(t)
	if in, _ := k.in.Get(ctx, id); in.Status != interaction.Released || in.FinalText != in.Guidance || k.released != 1 {
		t.Errorf("in = %+v", in)
	}
	if n := k.count(t, `SELECT COUNT(*) FROM audit WHERE action = 'review.sampled' AND actor_kind = 'system'`); n != 1 {
		t.Errorf("%d audit rows", n)
	}
	stopped := k.submit(t)
	if _, err := k.Undo(ctx, k.get(t, stopped).Decision.ID, bob, "Let me read this."); err != nil {
		t.Fatal(err)
	}
	if item := k.get(t, stopped); item.State != "waiting" || item.Claim.By != bob {
		t.Errorf("stopped = %+v", item)
	}
	if c, err := k.Counts(ctx, "bob", false); err != nil || c.Done != 1 || c.Needs != 1 {
		t.Errorf("counts = %+v, %v", c, err)
	}
}

func TestWhatPeopleMustSeeIsNeverLeftToSampling(t *testing.T) {
	k := open(t)
	k.sampled(t)
	unclean := good
	unclean.Passed = false
	flagged := good
	flagged.Flags = []review.Flag{{Code: "X", Severity: review.Minor}}
	returned := k.deliver(t, func() string {
		k.assess = flagged
		defer func() { k.assess = good }()
		return k.submit(t)
	}(), review.Return)
	for what, c := range map[string]struct {
		a       review.Assessment
		changes []change
	}{
		"vulnerable": {good, []change{vulnerable}}, "db": {good, []change{hasDB}},
		"transfer": {good, []change{task("db_transfer")}},
		"flag":     {flagged, nil}, "not passed": {unclean, nil},
		"new version": {good, []change{func(s *interaction.Submission) { s.Revises = returned.InteractionID }}},
	} {
		k.assess = c.a
		if s := k.status(t, k.submit(t, c.changes...)); s != interaction.Waiting {
			t.Errorf("%s: %s", what, s)
		}
	}
}

func TestAPlantedCheckIsClosedAndTeachesNothing(t *testing.T) {
	for _, kind := range []string{review.Approve, review.Revise, review.Reject, review.Return} {
		k := open(t)
		closed := 0
		k.OnClosed = func(*db.Tx, *review.Decision) error { closed++; return nil }
		id := k.plant(t)
		if item := k.get(t, id); !item.Planted || item.State != "waiting" {
			t.Fatalf("item = %+v", item)
		}
		dec := k.decide(t, id, ann, kind)
		k.clock.Advance(time.Minute)
		k.drain(t)
		k.wantState(t, dec.ID, review.Closed)
		in, err := k.in.Get(ctx, id)
		if err != nil || in.Status != interaction.Closed || in.FinalText != "" || k.decided+k.released+k.undone != 0 ||
			closed != 1 {
			t.Errorf("%s: %+v, %v; hooks %d %d %d", kind, in, err, k.decided, k.released, closed)
		}
		if n := k.count(t, `SELECT COUNT(*) FROM audit WHERE action = 'guidance.released'`); n != 0 {
			t.Errorf("%s: released", kind)
		}
		if page, err := k.in.List(ctx, interaction.Filter{AgentID: robot.ID}); err != nil || len(page.Items) != 0 {
			t.Errorf("%s: its agent sees %d", kind, len(page.Items))
		}
	}
}

func (k *desk) plant(t testing.TB, changes ...change) (id string) {
	t.Helper()
	s := interaction.Submission{AgentID: robot.ID, AgentName: robot.Name, By: robot,
		Guidance:     "A quarter is usually tax free.",
		Consultation: interaction.Consultation{Question: "How much is tax free?", TaskType: "tax_free_cash"}}
	for _, c := range changes {
		c(&s)
	}
	err := k.db.Write(ctx, func(tx *db.Tx) (err error) { id, err = k.in.PlantTx(tx, s, false); return err })
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestSamplingNeverTakesAPlantedCheck(t *testing.T) {
	k := open(t)
	k.sampled(t)
	if s := k.status(t, k.plant(t)); s != interaction.Waiting {
		t.Errorf("%s", s)
	}
}

// Time on the case is held against how much there was to read.
func TestHastyDecisions(t *testing.T) {
	k := open(t)
	long := func(s *interaction.Submission) {
		s.Guidance = strings.Repeat("word ", 95)
		s.Consultation.Question = "When does State Pension begin?"
	}
	for _, c := range []struct {
		seconds int
		kind    string
		hasty   bool
	}{{9, review.Approve, true}, {10, review.Approve, false}, {1, review.Revise, false}, {1, review.Reject, false},
		{0, review.Approve, true}} {
		id := k.submit(t, long)
		if c.seconds > 0 {
			if err := k.Claim(ctx, id, ann); err != nil {
				t.Fatal(err)
			}
			k.clock.Advance(time.Minute)
		}
		in := k.input(t, id, ann, c.kind)
		in.SecondsOnCase = c.seconds
		dec, err := k.Decide(ctx, in)
		if err != nil || dec.Hasty != c.hasty || dec.Characters != 95*5+30 {
			t.Errorf("%+v: %+v, %v", c, dec, err)
		}
		if d := k.wantState(t, dec.ID, review.Held); d.Hasty != c.hasty || d.Characters != dec.Characters {
			t.Errorf("%+v: stored %+v", c, d)
		}
	}
	id := k.submit(t, long, vulnerable)
	if err := k.Claim(ctx, id, ann); err != nil {
		t.Fatal(err)
	}
	k.clock.Advance(time.Minute)
	in := k.input(t, id, ann, review.Approve)
	in.SecondsOnCase = 60
	if _, err := k.Decide(ctx, in); err != nil {
		t.Fatal(err)
	}
	dec := k.decide(t, id, bob, review.Approve) // at once
	if d := k.wantState(t, dec.ID, review.Held); d.Hasty || !d.SecondHasty {
		t.Errorf("%+v", d)
	}
}
