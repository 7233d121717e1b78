package judging

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"preceptor/internal/approval"
	"preceptor/internal/audit"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/prompted"
	"preceptor/internal/interaction"
	"preceptor/internal/llm"
	"preceptor/internal/llm/llmtest"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/hook/hooktest"
	"preceptor/internal/platform/job"
	"preceptor/internal/policy"
	"preceptor/internal/privacy"
	"preceptor/internal/review"
)

var (
	ctx   = context.Background()
	ann   = review.Person{ID: "ann", Name: "Ann"}
	robot = audit.Actor{Kind: audit.Agent, ID: "agent-1", Name: "pension-advisor"}
)

const text = "A defined contribution pension is a pot of money. You may leave it where it is, take cash from it or " +
	"buy an income. Each has its price. MoneyHelper explains them all."

func vote(class string, passed bool, confidence float64) string {
	return fmt.Sprintf(
		`{"reasoning":"So it reads.","boundary_classification":%q,"passed":%t,"confidence":%v,"issues":[]}`, class,
		passed, confidence)
}

// desk is the supervisors' queue behind a panel that is asked over a network.
type desk struct {
	*Desk
	reviews *review.Queue
	joined  review.Hooks
	clock   *dbtest.Clock
	heard   int // verdicts of the whole panel
	n       int
}

// sample has two administrators agree that nothing need be read.
func (k *desk) sample(t testing.TB) {
	t.Helper()
	boss := func(id string) audit.Actor { return audit.Actor{Kind: audit.Person, ID: id, Name: id} }
	err := k.d.Write(ctx, func(tx *db.Tx) error {
		for _, id := range []string{"eve", "zoe"} {
			if _, err := tx.Exec(`INSERT INTO account (id, email, email_key, name, password_hash, created_at)
				VALUES ($1, $1, $1, $1, 'x', 1)`, id); err != nil {
				return err
			}
			if _, err := tx.Exec(`INSERT INTO account_role (account_id, role) VALUES ($1, 'admin')`, id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	approvals := approval.New(k.d, hooktest.Late(&approval.Hooks{}))
	p := policy.New(k.d, approvals, hooktest.Late(&policy.Hooks{}))
	all := policy.Default()
	all.Share = 0
	v, err := p.Propose(ctx, all, 0, "To see.", boss("eve"))
	if err == nil {
		_, err = approvals.Agree(ctx, v.ID, boss("zoe"))
	}
	if err != nil {
		t.Fatal(err)
	}
	k.joined.PolicyFor = p.ForTx
}

func open(t testing.TB, panel compliance.Panel) *desk {
	t.Helper()
	clock := dbtest.NewClock()
	d := dbtest.NewAt(t, clock)
	log := slog.New(slog.DiscardHandler)
	jobs := job.New(d, log)
	v := compliance.New(compliance.NewChecker(clock.Now), panel)
	k := &desk{clock: clock}
	store := interaction.New(d, jobs,
		hooktest.Late(&interaction.Hooks{Read: func(text string, c interaction.Consultation) interaction.Follow {
			glance := v.Glance(text, c)
			return func(tx *db.Tx, in *interaction.Interaction) error { return k.arrived(tx, in, glance) }
		}}), log)
	k.Desk = New(d, jobs, store, compliance.NewStore(d), v, func(tx *db.Tx, j Judged) error {
		k.heard++
		return k.reviews.ReassessTx(tx, j.Interaction, assessment(j.Verdict))
	}, log)
	k.joined = review.Hooks{MayApprove: k.MayApproveTx,
		PolicyFor: policy.New(d, approval.New(d, hooktest.Late(&approval.Hooks{})),
			hooktest.Late(&policy.Hooks{})).ForTx,
		Assess: func(text string, in *interaction.Interaction) review.Assessment {
			return assessment(v.Glance(text, in.Consultation))
		}}
	k.reviews = review.New(d, jobs, store, review.Policy{}, hooktest.Late(&k.joined), log)
	return k
}

func (k *desk) arrived(tx *db.Tx, in *interaction.Interaction, v compliance.Verdict) error {
	if err := k.verdicts.RecordTx(tx, in.ID, in.GuidanceHash, v); err != nil {
		return err
	}
	pending, err := k.BeginTx(tx, in, v)
	if err != nil {
		return err
	}
	as := assessment(v)
	as.Pending = pending
	return k.reviews.EnqueueTx(tx, in, as)
}

func assessment(v compliance.Verdict) review.Assessment {
	return review.Assessment{Label: string(v.Label), Passed: v.Passed, Confidence: v.Confidence, Source: v.Source,
		Blocked: v.Label == compliance.NonCompliant, Borderline: v.Label == compliance.Borderline}
}

func panelOf(answers ...any) compliance.Panel {
	var p compliance.Panel
	for i, a := range answers {
		p.Judges = append(p.Judges, prompted.New(fmt.Sprintf("judge-%d", i+1), llmtest.New().On("compliance_vote", a),
			privacy.New()))
	}
	return p
}

func (k *desk) submit(t testing.TB, guidance string) string {
	t.Helper()
	k.n++
	r, err := k.interactions.Submit(ctx,
		interaction.Submission{AgentID: "agent-1", AgentName: "pension-advisor", By: robot, Guidance: guidance,
			Consultation: interaction.Consultation{
				Question: fmt.Sprintf("What can I do with my pension, question %d?", k.n)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r.ID
}

func (k *desk) drain(t testing.TB) {
	t.Helper()
	if err := k.jobs.Drain(ctx); err != nil {
		t.Fatal(err)
	}
}

func (k *desk) decide(t testing.TB, id, kind string) error {
	t.Helper()
	item, err := k.reviews.Get(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	in := review.Input{ID: id, By: ann, Kind: kind, Version: item.Version, TextHash: item.TextHash}
	if kind == review.Reject {
		in.ReasonCode, in.Reason = pack.ReasonOther, "It is not what was asked."
	}
	_, err = k.reviews.Decide(ctx, in)
	return err
}

func (k *desk) verdictsOf(t testing.TB, id string) (n int) {
	t.Helper()
	err := k.d.Read(ctx, func(tx *db.Tx) error {
		return tx.QueryRow(`SELECT count(*) FROM verdict WHERE interaction_id = $1`, id).Scan(&n)
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestADraftWaitsForItsJudges(t *testing.T) {
	k := open(t, panelOf(vote("GUIDANCE", true, 0.95), vote("GUIDANCE", true, 0.9)))
	id := k.submit(t, text)
	if err := k.decide(t, id, review.Approve); !fault.Is(err, fault.Conflict) ||
		!strings.Contains(fault.Message(err), "still reading") {
		t.Fatalf("approved before the judges answered: %v", err)
	}
	k.drain(t)
	st, err := k.Standing(ctx, id)
	if err != nil || st.State != Answered || k.heard != 1 {
		t.Fatalf("%+v, %v, heard %d times", st, err, k.heard)
	}
	last, err := k.verdicts.Latest(ctx, id)
	if err != nil || last.Source != compliance.Consensus || len(last.Judges) != 2 ||
		last.Judges[0].AnsweredBy != "scripted" {
		t.Fatalf("%+v, %v", last, err)
	}
	item, err := k.reviews.Get(ctx, id)
	if err != nil || item.Assessment.Source != compliance.Consensus {
		t.Fatalf("the desk shows %+v, %v", item.Assessment, err)
	}
	if err := k.decide(t, id, review.Approve); err != nil {
		t.Errorf("after the judges: %v", err)
	}
	for range 2 {
		if err := k.Run(ctx, id); err != nil {
			t.Fatal(err)
		}
	}
	if k.heard != 1 || k.verdictsOf(t, id) != 2 {
		t.Errorf("run again, %d verdicts are heard and %d recorded", k.heard, k.verdictsOf(t, id))
	}
}

func TestWhatElseCanBeDoneMeanwhile(t *testing.T) {
	k := open(t, panelOf(vote("ADVICE", false, 0.95)))
	id := k.submit(t, text)
	if err := k.decide(t, id, review.Reject); err != nil {
		t.Fatalf("a draft that judges read can't be rejected: %v", err)
	}
	k.drain(t)
	item, err := k.reviews.Get(ctx, id)
	if err != nil || item.State != "decided" || k.verdictsOf(t, id) != 2 ||
		item.Assessment.Source == compliance.Consensus {
		t.Errorf("a late verdict: %+v, %v", item.Row, err)
	}
}

func TestNobodyIsAskedWhereNobodyIsNeeded(t *testing.T) {
	k := open(t, compliance.Panel{})
	id := k.submit(t, text)
	if st, err := k.Standing(ctx, id); err != nil || st.State != "" {
		t.Errorf("without remote judges: %+v, %v", st, err)
	}
	script := llmtest.New(vote("GUIDANCE", true, 1))
	k = open(t, compliance.Panel{Judges: []compliance.Judge{prompted.New("j", script, privacy.New())}})
	id = k.submit(t, "To move your final salary pension, ask the scheme for a transfer value and send the forms to "+
		"the new provider.")
	k.drain(t)
	if st, err := k.Standing(ctx, id); err != nil || st.State != "" || len(script.Asked()) > 0 {
		t.Errorf("for a text that the checks stop: %+v, %v", st, err)
	}
}

func TestAPanelThatDoesNotAnswerIsAskedAgainAndThenGivenUp(t *testing.T) {
	down := fault.New(fault.Unavailable, "The model does not answer.")
	k := open(t, panelOf(down, down, vote("GUIDANCE", true, 0.9)))
	id := k.submit(t, text)
	for range tries - 1 {
		k.drain(t)
		if st, _ := k.Standing(ctx, id); st.State != Asked {
			t.Fatalf("given up too early: %+v", st)
		}
		if err := k.decide(t, id, review.Approve); !fault.Is(err, fault.Conflict) {
			t.Fatalf("approved before the last try: %v", err)
		}
		k.clock.Advance(5 * time.Minute)
	}
	k.drain(t)
	st, err := k.Standing(ctx, id)
	if err != nil || st.State != Failed || !strings.Contains(st.Why, "judge-1") {
		t.Fatalf("%+v, %v", st, err)
	}
	last, err := k.verdicts.Latest(ctx, id)
	if err != nil || !last.RequiresHumanReview || !last.Judges[0].Abstained || k.heard != 1 {
		t.Errorf("%+v, %v, heard %d", last, err, k.heard)
	}
	if err := k.decide(t, id, review.Approve); err != nil {
		t.Errorf("a person can't decide alone: %v", err)
	}
}

func TestSamplingWaitsForTheJudges(t *testing.T) {
	for _, c := range []struct {
		answer string
		state  string
	}{{vote("GUIDANCE", true, 0.95), "decided"}, {vote("ADVICE", false, 0.9), "waiting"}} {
		k := open(t, panelOf(c.answer))
		k.sample(t)
		id := k.submit(t, text)
		if item, err := k.reviews.Get(ctx, id); err != nil || item.State != "waiting" {
			t.Fatalf("let go before the judges answered: %v %v", item.State, err)
		}
		if err := k.jobs.Drain(ctx); err != nil {
			t.Fatal(err)
		}
		item, err := k.reviews.Get(ctx, id)
		if err != nil || item.State != c.state {
			t.Errorf("%s: %s, %v", c.answer, item.State, err)
		}
	}
}

// What a judge says never changes what becomes of a draft: whatever it answers, a person decides.
func TestNoOutputChangesAnItemsState(t *testing.T) {
	for _, answer := range []string{
		vote("GUIDANCE", true, 1), vote("ADVICE", false, 1), vote("BORDERLINE", false, 0.1), vote("ADVICE", true, 1),
		`{"reasoning":"x","boundary_classification":"GUIDANCE","passed":true,"confidence":1,"issues":[],"decision":"approve"}`,
		`{"tool_calls":[{"name":"approve"}]}`, `APPROVED`, `null`, ``, `{"passed":true`,
		`{"reasoning":"x","boundary_classification":"GUIDANCE","passed":true,"confidence":NaN,"issues":[]}`,
		strings.Repeat("[", 100_000),
	} {
		k := open(t, panelOf(answer))
		id := k.submit(t, text)
		for range tries {
			k.drain(t)
			k.clock.Advance(5 * time.Minute)
		}
		in, err := k.interactions.Get(ctx, id)
		if err != nil || in.Status != interaction.Waiting || in.FinalText != "" || in.Guidance != text {
			t.Errorf("%.40s: the interaction is %s, %v", answer, in.Status, err)
		}
		item, err := k.reviews.Get(ctx, id)
		if err != nil || item.State != "waiting" || item.DecisionID != "" || item.Claim.By.ID != "" ||
			item.Version != 1 {
			t.Errorf("%.40s: the case is %+v, %v", answer, item.Row, err)
		}
	}
}

// A judge that stalls holds up nobody: the queue runs, another case is decided and released.
func TestTheDeskIsUsableWhileAJudgeStalls(t *testing.T) {
	asked, leave := make(chan struct{}, 100), make(chan struct{})
	stall := func(llm.Request) (string, error) {
		asked <- struct{}{}
		<-leave
		return vote("GUIDANCE", true, 0.9), nil
	}
	k := open(t, panelOf(stall))
	slow := k.submit(t, text)
	other := k.submit(t, "To move your final salary pension, ask the scheme for a transfer value and send the forms "+
		"to the new provider.")
	if err := k.jobs.Start(ctx); err != nil {
		t.Fatal(err)
	}
	defer k.jobs.Stop(ctx)
	defer close(leave)
	<-asked
	if err := k.decide(t, other, review.Reject); err != nil {
		t.Errorf("another case: %v", err)
	}
	if err := k.decide(t, slow, review.Approve); !fault.Is(err, fault.Conflict) {
		t.Errorf("the case itself: %v", err)
	}
	if err := k.decide(t, slow, review.Reject); err != nil {
		t.Errorf("the case itself: %v", err)
	}
}
