// Package planted tests the desk: known-bad drafts, mixed in among the real ones at the rate of the agent's policy,
// show how often something that should not leave is stopped.
//
// It owns the tables planted_draft (the library), planted_check (each time one is mixed in) and planted_result (what
// came of it for each person who signed). The library that comes with the program is library.json, written for it;
// nobody in it exists. Managers and administrators add their own.
//
// What it promises.
//   - Before its case is closed nothing that a supervisor can ask for tells a planted draft from a real one. It comes
//     by the same calls (interaction.PlantTx, DraftArrived), under a real agent's name, some minutes after the draft
//     that drew it, with the shape of that draft: asked of our own advisor or handed in, with a name, reasoning and
//     knowledge if that one had them. Names and sums are drawn anew each time. Some are flagged by the check and most
//     are not, as with real ones.
//   - It never leaves: review closes it at the end of the hold and runs no hook but OnClosed. Nothing is learned from
//     it, no agent sees it, no webhook tells of it, and the figures about drafts leave it out. At its end the ledger of
//     knowledge forgets it, too.
//   - Caught means: rejected, sent back, or revised so that the problem is gone. Missed means: it would have left as it
//     was, or revised with the problem still in it. Only what would have left counts: an approval that was undone in
//     the hold, or that the second supervisor overruled, is nobody's miss.
//   - What was wrong is kept with the check as it was then; a later change of the library changes no result.
//   - The person learns of it when it is closed, and of what was wrong; managers see all.
//
// Whether a problem is gone is decided by patterns on the text: words that must not be there any more, and words that
// must. They are written per draft and can err on an unusual wording; who looks at a result sees the text and can
// judge.
//
// Who can tell. Managers and administrators see the library, and administrators the audit log and the jobs: a
// supervisor who is one of them could look. That is shown on the page of the library.
//
// What it decided against: a flag on the page for trial runs (it would be looked for), planting in the transaction of
// the real draft (two cases of one millisecond tell), judging a revision by a model (a result needs no argument), and
// pausing people by their rate (a manager talks to them).
package planted

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"time"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/hook"
	"preceptor/internal/platform/job"
	"preceptor/internal/policy"
)

// The states of a check.
const (
	Due    = "due"  // drawn, not on the desk yet
	Open   = "open" // on the desk, or decided and held
	Caught = "caught"
	Missed = "missed"
)

// What is expected of the supervisor. Any way of stopping it counts as caught.
const (
	Revise = "revise"
	Reject = "reject"
	Return = "return"
)

// After how long a drawn check comes to the desk: at random between these, so that it does not come with the draft that
// drew it.
const (
	soonest = 1 * time.Minute
	latest  = 15 * time.Minute
)

// Hooks are what the planted checks ask and tell others.
type Hooks struct {
	// PolicyFor is the agent's policy in force.
	PolicyFor func(tx *db.Tx, agentID string) (policy.Policy, error)
	// Compose has our own advisor write about a consultation and record what it was shown; the text is thrown away but
	// for its frame.
	Compose func(ctx context.Context, in *interaction.Interaction) (interaction.Draft, error)
	// Recall finds up to n pieces of knowledge for an agent that says what it was shown.
	Recall func(ctx context.Context, agentID string, c interaction.Consultation, n int) ([]interaction.Used, error)
	// Answers reports whether our own advisor finds guidance for a consultation.
	Answers func(ctx context.Context, in *interaction.Interaction) (bool, error)
	// Forget takes a closed case out of the ledger of knowledge.
	Forget func(tx *db.Tx, interactionID string) error
	// Notify tells a person that a case of theirs was a planted check.
	Notify func(tx *db.Tx, r Result) error
}

// Store is the door to the planted checks.
type Store struct {
	db           *db.DB
	jobs         *job.Queue
	interactions *interaction.Store
	log          *slog.Logger
	hooks        Hooks
	lot          func() float64 // from 0 to 1, 1 excluded
}

// PlantNothingForTests leaves nothing to the lot: two desks that do the same stay the same.
func (s *Store) PlantNothingForTests() { s.lot = func() float64 { return 1 } }

// New makes the store and registers its job with jobs, which must not have been started.
func New(d *db.DB, jobs *job.Queue, interactions *interaction.Store, h Hooks, log *slog.Logger) *Store {
	hook.Complete(h)
	s := &Store{db: d, jobs: jobs, interactions: interactions, hooks: h, log: log, lot: rand.Float64}
	job.Register(jobs, s.place)
	return s
}
