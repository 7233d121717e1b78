package planted

import (
	"log/slog"
	"testing"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/hook/hooktest"
	"preceptor/internal/platform/job"
	"preceptor/internal/policy"
	"preceptor/internal/review"
)

// desk is a queue with planted checks, without our own advisor.
type desk struct {
	*review.Queue
	review.Hooks
	planted *Store
	hooks   Hooks
	in      *interaction.Store
	db      *db.DB
	jobs    *job.Queue
	clock   *dbtest.Clock
	rate    float64
	told    []Result
	reached int // calls of hooks that a planted check must never reach
}

func open(t testing.TB) *desk {
	t.Helper()
	clock := dbtest.NewClock()
	d := dbtest.NewAt(t, clock)
	log := slog.New(slog.DiscardHandler)
	jobs := job.New(d, log)
	k := &desk{db: d, jobs: jobs, clock: clock}
	k.in = interaction.New(d, jobs,
		hooktest.Late(&interaction.Hooks{Read: func(string, interaction.Consultation) interaction.Follow {
			return k.arrived
		}}), log)
	k.Queue = review.New(d, jobs, k.in, review.Policy{}, hooktest.Late(&k.Hooks), log)
	k.PolicyFor = func(*db.Tx, string) (policy.Policy, error) {
		p := policy.Default()
		p.Planted, p.SecondEyes = k.rate, nil
		return p, nil
	}
	k.Assess = func(string, *interaction.Interaction) review.Assessment { return passed }
	k.hooks = Hooks{PolicyFor: k.PolicyFor,
		Notify: func(_ *db.Tx, r Result) error { k.told = append(k.told, r); return nil }}
	k.planted = New(d, jobs, k.in, hooktest.Late(&k.hooks), log)
	count := func(_ *db.Tx, d *review.Decision) error {
		if d.Interaction != nil && d.Interaction.Planted {
			k.reached++
		}
		return nil
	}
	k.OnDecided, k.OnUndone, k.OnReleased, k.OnClosed = count, count, count, k.planted.ClosedTx
	if err := k.planted.Sync(ctx); err != nil {
		t.Fatal(err)
	}
	return k
}

var passed = review.Assessment{Label: "COMPLIANT_GUIDANCE", Passed: true, Confidence: 0.95, Source: "RULE_BASED"}

func (k *desk) arrived(tx *db.Tx, it *interaction.Interaction) error {
	if err := k.EnqueueTx(tx, it, passed); err != nil {
		return err
	}
	return k.planted.ArrivedTx(tx, it)
}
