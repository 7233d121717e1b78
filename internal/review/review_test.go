package review_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/hook/hooktest"
	"preceptor/internal/platform/job"
	"preceptor/internal/policy"
	"preceptor/internal/review"
)

var ctx = context.Background()

var (
	ann    = review.Person{ID: "ann", Name: "Ann"}
	bob    = review.Person{ID: "bob", Name: "Bob"}
	cy     = review.Person{ID: "cy", Name: "Cy"}
	robot  = audit.Actor{Kind: audit.Agent, ID: "agent-1", Name: "pension-advisor"}
	signed = pack.Of(pack.Pension).Signs.Sentence()
	good   = review.Assessment{Label: "COMPLIANT_GUIDANCE", Passed: true, Confidence: 0.95, Source: "RULE_BASED"}
)

// desk is a queue on an empty database whose clock the test moves. Hooks count themselves.
type desk struct {
	*review.Queue
	review.Hooks
	in                                 *interaction.Store
	db                                 *db.DB
	clock                              *dbtest.Clock
	jobs                               *job.Queue
	assess                             review.Assessment // of what comes in
	packOf                             string            // of every agent
	decided, undone, released          int
	lastDecided, lastUndone, lastFinal *review.Decision
}

func open(t testing.TB) *desk {
	t.Helper()
	clock := dbtest.NewClock()
	d := dbtest.NewAt(t, clock)
	log := slog.New(slog.DiscardHandler)
	jobs := job.New(d, log)
	k := &desk{db: d, clock: clock, jobs: jobs, assess: good}
	k.in = interaction.New(d, jobs, k.arriving(), log)
	k.Queue = review.New(d, jobs, k.in, review.Policy{}, hooktest.Late(&k.Hooks), log)
	k.PolicyFor = func(*db.Tx, string) (policy.Policy, error) { return policy.Default(), nil }
	k.Assess = k.asItCame
	k.OnDecided = func(_ *db.Tx, dec *review.Decision) error { k.decided++; k.lastDecided = dec; return nil }
	k.OnUndone = func(_ *db.Tx, dec *review.Decision) error { k.undone++; k.lastUndone = dec; return nil }
	k.OnReleased = func(_ *db.Tx, dec *review.Decision) error { k.released++; k.lastFinal = dec; return nil }
	k.supervisors(t, ann, bob, cy)
	return k
}

// arriving puts what comes in on the desk.
func (k *desk) arriving() interaction.Hooks {
	return hooktest.Late(&interaction.Hooks{PackOf: func(*db.Tx, string) (string, error) {
		return k.packOf, nil
	}, Read: func(text string, c interaction.Consultation) interaction.Follow {
		a := k.assess
		a.Facts = factsOf(c, text)
		return func(tx *db.Tx, it *interaction.Interaction) error { return k.EnqueueTx(tx, it, a) }
	}})
}

// factsOf are the facts of a case under a text, as the checks give them.
func factsOf(c interaction.Consultation, text string) []string {
	return c.Situation().Facts(pack.Of(c.Pack).Phrases().ReadText(text, nil))
}

// asItCame has the assessment of a draft stand, and every other text pass.
func (k *desk) asItCame(text string, it *interaction.Interaction) review.Assessment {
	if item, err := k.Get(ctx, it.ID); err == nil && text == it.Guidance {
		return item.Assessment
	}
	return review.Assessment{Passed: true, Confidence: 1, Facts: factsOf(it.Consultation, text)}
}

// supervisors gives people accounts: the guards in the database want to know who signs.
func (k *desk) supervisors(t testing.TB, people ...review.Person) {
	t.Helper()
	for _, p := range people {
		k.exec(t, `INSERT INTO account (id, email, email_key, name, password_hash, created_at)
			VALUES ($1, $1, $1, $2, '', 1)`, p.ID, p.Name)
		k.exec(t, `INSERT INTO account_role (account_id, role) VALUES ($1, 'supervisor')`, p.ID)
	}
}

func (k *desk) exec(t testing.TB, sql string, args ...any) {
	t.Helper()
	if err := k.db.Write(ctx, func(tx *db.Tx) error { _, err := tx.Exec(sql, args...); return err }); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// decideTwice has one person sign and another agree.
func (k *desk) decideTwice(t testing.TB, id string, first, second review.Person, kind string) *review.Decision {
	t.Helper()
	if dec := k.decide(t, id, first, kind); dec.State != review.Pending {
		t.Fatalf("after one signature it is %s", dec.State)
	}
	return k.decide(t, id, second, review.Approve)
}

func (k *desk) log() *slog.Logger { return slog.New(slog.DiscardHandler) }

type change func(*interaction.Submission)

func vulnerable(s *interaction.Submission) { yes := true; s.Consultation.Customer.Vulnerable = &yes }
func hasDB(s *interaction.Submission) {
	s.Consultation.Customer.Pensions = []interaction.Pension{{Kind: "db"}}
}
func task(name string) change {
	return func(s *interaction.Submission) { s.Consultation.TaskType = name }
}
func agent(id string) change {
	return func(s *interaction.Submission) { s.AgentID, s.AgentName = id, "agent "+id }
}

// submit queues one case and moves the clock on by a second, so that each has its own age.
func (k *desk) submit(t testing.TB, changes ...change) string {
	t.Helper()
	s := interaction.Submission{AgentID: robot.ID, AgentName: robot.Name, By: robot,
		Guidance:     "A quarter is usually tax free.",
		Consultation: interaction.Consultation{Question: "How much is tax free?", TaskType: "tax_free_cash"}}
	for _, c := range changes {
		c(&s)
	}
	rec, err := k.in.Submit(ctx, s, nil)
	if err != nil {
		t.Fatalf("submit: %v", err)
	}
	k.clock.Advance(time.Second)
	return rec.ID
}

func (k *desk) get(t testing.TB, id string) *review.Item {
	t.Helper()
	item, err := k.Get(ctx, id)
	if err != nil {
		t.Fatalf("get: %v", err)
	}
	return item
}

// input is a decision on the case as it stands now.
func (k *desk) input(t testing.TB, id string, by review.Person, kind string) review.Input {
	t.Helper()
	item := k.get(t, id)
	in := review.Input{ID: id, By: by, Kind: kind, Version: item.Version, TextHash: item.TextHash}
	switch kind {
	case review.Revise:
		in.Text, in.Reason, in.Feedback = "A quarter is usually tax free, up to a limit.", "The limit is missing.",
			"Mention the limit."
	case review.Reject:
		in.ReasonCode = "wrong_facts"
	case review.Return:
		in.Reason = "Say what the limit is."
	}
	return in
}

func (k *desk) decide(t testing.TB, id string, by review.Person, kind string) *review.Decision {
	t.Helper()
	dec, err := k.Decide(ctx, k.input(t, id, by, kind))
	if err != nil {
		t.Fatalf("%s: %v", kind, err)
	}
	return dec
}

func (k *desk) drain(t testing.TB) {
	t.Helper()
	if err := k.jobs.Drain(ctx); err != nil {
		t.Fatalf("drain: %v", err)
	}
}

func (k *desk) count(t testing.TB, sql string, args ...any) int {
	t.Helper()
	var n int
	if err := k.db.Reader().QueryRow(sql, args...).Scan(&n); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return n
}

func (k *desk) status(t testing.TB, id string) interaction.Status {
	t.Helper()
	in, err := k.in.Get(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	return in.Status
}

func ids(rows []review.Row) (out []string) {
	for _, r := range rows {
		out = append(out, r.ID)
	}
	return out
}

func wantConflict(t testing.TB, err error, words ...string) {
	t.Helper()
	if !fault.Is(err, fault.Conflict) {
		t.Fatalf("err = %v, want Conflict", err)
	}
	wantWords(t, err, words...)
}

func wantWords(t testing.TB, err error, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(fault.Message(err), w) {
			t.Errorf("%q does not say %q", fault.Message(err), w)
		}
	}
}

func wantFields(t testing.TB, err error, names ...string) {
	t.Helper()
	if !fault.Is(err, fault.Invalid) {
		t.Fatalf("err = %v, want Invalid", err)
	}
	var got []string
	for _, f := range fault.Fields(err) {
		got = append(got, f.Name)
	}
	if fmt.Sprint(got) != fmt.Sprint(names) {
		t.Errorf("fields %v, want %v", got, names)
	}
}
