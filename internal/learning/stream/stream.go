// Package stream is what each agent lived through, and what is seen in it from a distance: seed 000's memory stream and
// its reflection.
//
// A memory is one thing that happened to an agent's work: a decision, a ruling, the verdict of the checks and the panel
// with what its confidence says, an outcome. It weighs from 1 to 10. When what an agent lived through in 24 hours
// weighs 150 together, a reflection is due: insights are written that cite the memories they rest on. They give counts
// and quotes. A finding that people keep correcting opens one lesson, which waits for an expert's sentence. Insights
// are memories too.
//
// It owns the tables memory, reflection, insight and insight_memory (migration 00032).
//
// What it promises. A memory is written in the transaction of its cause, pseudonymised, once per cause; undoing the
// cause takes it back. The reflection falls due in the same transaction as the memory that makes it so, once per window
// (a unique key), and its insights, their citations, their memories and the lessons are one write guarded by its state:
// work that is killed or runs twice has one effect. A citation is looked up in that write; an insight that cites fewer
// than two living memories is not kept. No model is asked in a transaction. Where a model is set up and does not
// answer, the embedded way is taken and named. Erasing an interaction empties its memories, and what a model wrote
// about them.
//
// Confidence as a signal (confidence.go) is seed 000's use_confidence_for_learning. It makes memories, and through
// reflection proposals; it never makes a case, a rule or a lesson by itself, because a score approves nothing here. It
// can be switched off.
//
// Differences from the seed, on purpose. A window that was reflected on is used up: the seed's condition would hold
// again at the very next memory. Insights don't count towards the next reflection, so that an agent is moved by what
// happens and not by its own thoughts. Recency counts from when a memory was written and not from when it was last
// read: reading writes nothing.
//
// Decided against: stored vectors of memories (a few hundred are embedded on the spot, by the embedder that needs no
// network), reflecting inside the decision's transaction, and text of customers or drafts in a memory.
package stream

import (
	"log/slog"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/learning"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/job"
	"preceptor/internal/privacy"
)

// Kinds of memories.
const (
	Decision = "decision"
	Ruling   = "ruling"
	Verdict  = "verdict"
	Outcome  = "outcome"
	Insights = "insight"
)

// Kinds lists them, in the order of the page's filter.
var Kinds = []string{Decision, Ruling, Verdict, Outcome, Insights}

// Memory is one thing that an agent lived through.
type Memory struct {
	Seq           int64
	ID            string
	AgentID       string
	Kind          string
	What          string // of a decision its kind, of a ruling its label, of a verdict its band
	CauseID       string
	InteractionID string
	Task          string
	Codes         []string // of the checks, or the reason that a person chose
	Shown         []string // ids of the rules and cases that the draft was shown
	Situation     pack.Situation
	Text          string
	Importance    int // 1 to 10
	ScoredBy      string
	At            time.Time
	Withdrawn     bool
}

// corrected reports whether people did not let the draft go as it was.
func (m Memory) corrected() bool {
	switch m.Kind {
	case Decision:
		return m.What == learning.Revise || m.What == learning.Reject
	case Ruling:
		return m.What != "COMPLIANT_GUIDANCE"
	}
	return false
}

// Reflection is one look from a distance.
type Reflection struct {
	ID         string
	AgentID    string
	AgentName  string
	State      string // Due or Done
	Total      int    // summed importance of the memories that called for it
	Memories   int
	AnsweredBy string
	DueAt      time.Time
	DoneAt     time.Time
	Insights   []Insight

	from, to int64
}

// States of a reflection.
const (
	Due  = "due"
	Done = "done"
)

// Insight is one thing that was seen.
type Insight struct {
	ID         string
	Theme      string
	Text       string
	Importance int
	Principle  string // of insights from before statements
	LessonID   string // "" where none was proposed
	Again      bool   // an earlier insight on the same theme proposed it
	Cites      []Cite
}

// Cite is a memory that an insight rests on.
type Cite struct {
	Memory
	Earlier bool // from before the window, recalled
}

// me is who the stream's own acts are recorded under.
var me = audit.System("stream")

// Policy is what people may set. The zero value of a field means its default.
type Policy struct {
	Threshold        int           // summed importance at which a reflection is due; ReflectionThreshold
	Window           time.Duration // over how long it is summed; 24 hours
	IgnoreConfidence bool          // the off switch of seed 000's use_confidence_for_learning
}

func (p Policy) withDefaults() Policy {
	if p.Threshold <= 0 {
		p.Threshold = ReflectionThreshold
	}
	if p.Window <= 0 {
		p.Window = window
	}
	return p
}

// Store keeps the streams and reflects on them. It is safe for concurrent use.
type Store struct {
	d        *db.DB
	jobs     *job.Queue
	lessons  *learning.Pipeline
	priv     *privacy.Pseudonymiser
	near     *embedded.Embedder
	embedded *Embedded
	model    *Prompted // nil without one
	policy   Policy
	log      *slog.Logger
}

// reflectEvery is how soon a reflection that is due is made.
const reflectEvery = time.Minute

// New makes the store and registers its jobs, so it must be called before the queue starts. model may be nil.
func New(d *db.DB, jobs *job.Queue, lessons *learning.Pipeline, model *Prompted, priv *privacy.Pseudonymiser,
	policy Policy, log *slog.Logger) *Store {
	s := &Store{d: d, jobs: jobs, lessons: lessons, priv: priv, near: embedded.New(), embedded: NewEmbedded(),
		model: model, policy: policy.withDefaults(), log: log}
	job.Register(jobs, s.score)
	jobs.Periodic("learning.reflection", reflectEvery, s.ReflectDue)
	return s
}

// UsesConfidence reports whether the confidence of verdicts makes memories.
func (s *Store) UsesConfidence() bool { return !s.policy.IgnoreConfidence }

// Threshold is the summed importance at which a reflection is due.
func (s *Store) Threshold() int { return s.policy.Threshold }
