// Package signal is what is noticed in the turns of any agent: seeds 002 (observations and proposals), 003 (evaluators
// and notes) and 004 (learnings). Pure producers read turns (observe, evaluator, learned); this package stores turns,
// sessions and signals, and what people make of them.
//
// A turn comes by the API, MCP, the proxy or a file. Recording one costs the same however many there are: one row, its
// observation, and the issues that evaluators find which need no network; what takes a while is a job. A session ends
// by a call or after 30 idle minutes, and is then looked through once: its observations become proposals. Issues become
// notes, which expire, and which an agent gets with what it recalls. A person approves, edits or rejects a proposal;
// approved, it is a lesson (learning.FromProposalTx) and goes down the one path, with its scope as the rule's
// condition.
//
// Tables: talk (a session; "session" is where people sign in), turn, signal, codebase, agent_signal, learned_file
// (migration 00073), noted (00080), signal_shown (00127).
//
// What it promises. Nobody's signals are read with another agent's, session's or user's: detectors see one session,
// notes one agent, kept preferences one user. Nothing changes how an agent works but a proposal that a person approved,
// a note, which is switched off with the agent's settings, and a preference that its own author alone gets, where the
// settings say so. What an agent sends is pseudonymised before it becomes part of a signal. Erasing a user empties
// turns and signals.
//
// Differences from the seeds stand in the producers' package comments.
package signal

import (
	"context"
	"log/slog"
	"time"

	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/llm"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/hook"
	"preceptor/internal/platform/job"
	"preceptor/internal/privacy"
	"preceptor/internal/signal/learned"
	"preceptor/internal/signal/observe"
	"preceptor/internal/signal/trend"
)

// Kinds of signals.
const (
	Observation = "observation"
	// what an evaluator found in one step or turn; Scope is then task:NAME, Action the model, Said the query
	Issue     = "issue"
	Right     = "right"     // it found nothing
	Abstained = "abstained" // it failed, and says nothing of the step
	Proposal  = "proposal"
	Learning  = "learning"
	Reacted   = "reaction" // what a user did with a reminder; Category says what, Action what set it off
)

// States of a signal.
const (
	Noted    = "noted" // it waits for nobody
	Open     = "open"  // for a person
	Approved = "approved"
	Rejected = "rejected"
	Kept     = "kept" // for its author alone
)

// Signal is one thing that was noticed.
type Signal struct {
	ID         string
	AgentID    string
	AgentName  string
	User       string // as the agent names them
	TalkID     string
	TurnID     string
	Producer   string // Observer, an evaluator's name, or Learner
	Kind       string
	Category   string
	Scope      string // in the words of package rule: universal, language:go, project:hydra
	Action     string
	Said       string
	Content    string
	Score      *float64 // lower is worse; nil where nobody gave one
	Confidence float64
	Priority   int // 1 to 3
	Count      int
	Noted      bool     // of an issue or none: the agent was given notes at the time
	Evidence   []string // of an issue, all that the evaluator found in this step
	Context    map[string]any
	ExpiresAt  time.Time
	State      string
	LessonID   string
	DecidedBy  string
	CreatedAt  time.Time
	UpdatedAt  time.Time
	Shown      int // sessions in which an agent was given it, and in how many of those
	Again      int // its user asked for it again
}

// Producers beside evaluators.
const (
	Observer = "observer"
	Learner  = "learner"
)

// Store keeps turns and signals. It is safe for concurrent use.
type Store struct {
	d         *db.DB
	jobs      *job.Queue
	lessons   *learning.Pipeline
	kb        *knowledge.Base
	generator llm.Generator // nil without a model
	embedder  llm.Embedder
	extract   learned.Extractor
	hearing   observe.Hearing
	priv      *privacy.Pseudonymiser
	hooks     Hooks
	log       *slog.Logger

	Trend trend.Reader // what evaluators found over weeks
}

// Hooks are what the store asks of others.
type Hooks struct {
	// the domain that an agent works in
	PackOf func(tx *db.Tx, agentID string) (string, error)
	// asks an evaluator of an agent's makers
	Post func(ctx context.Context, url, secret string, body []byte) (answer []byte, err error)
	// the legal holds that stand
	Held func(tx *db.Tx) (Holds, error)
}

// Holds are legal holds as they were read.
type Holds struct {
	On   func(tx *db.Tx, user, ref string) (bool, error) // of a user or the guidance of this id; nil: no hold stands
	Last int64                                           // when the newest was set
}

// New makes the store and registers its jobs, so it must be called before the queue starts.
func New(d *db.DB, jobs *job.Queue, lessons *learning.Pipeline, kb *knowledge.Base, generator llm.Generator,
	embedder llm.Embedder, priv *privacy.Pseudonymiser, hooks Hooks, log *slog.Logger) *Store {
	hook.Complete(hooks)
	s := &Store{Trend: trend.New(d), d: d, jobs: jobs, lessons: lessons, kb: kb, generator: generator,
		embedder: embedder,
		extract:  learned.Of(generator, priv), priv: priv, hooks: hooks, log: log,
		hearing: observe.Hearing{Reader: learned.NewEmbedded(), Embedder: embedder}}
	job.Register(jobs, func(ctx context.Context, a summariseArgs) error { return s.summarise(ctx, a) })
	jobs.Periodic("signal.idle", idleEvery, s.EndIdle)
	jobs.Periodic("signal.prune", pruneEvery, s.Prune)
	job.Register(jobs, func(ctx context.Context, a behindArgs) error { return s.behind(ctx, a.TurnID) })
	return s
}
