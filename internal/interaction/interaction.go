// Package interaction holds what an agent was asked and what it answered, and what became of the answer.
//
// It owns the tables interaction, interaction_event, idempotency and held_call. An interaction comes in by Submit (an
// agent brings its text) or by Advise (our own advisor writes one, later). From then on only its status changes:
//
//	             ┌───── recall ──────┐
//	             v                   │
//	drafting ──> waiting ──> held ──>┴ released
//	    │           ^          ├───> escalated
//	    v           └─ reopen ─┼───> returned ──> (a new interaction that revises it)
//	  failed     │             └───> closed
//	             └─> withdrawn, expired
//
// Waiting until people decide, held while that decision can still be undone. The text for the customer, FinalText, is
// written by ReleaseTx alone, and only on a held interaction: there is no other way out, and triggers (00009) say so
// too. What was released and recalled keeps its FinalText, which is what the customer got, until a correction replaces
// it.
//
// An interaction that was sent back to its agent ends there. The agent answers with a new one that Revises it, at most
// one; our own advisor does so by itself (DraftAnewTx). A planted interaction tests the desk: it looks like any other
// there, no agent sees it, and it ends closed.
//
// What it promises. A submission that was acknowledged is on the disk. A submission with an idempotency key happens
// once: the key is written in the same transaction, so parallel calls and retries after a crash get the first answer.
// The key belongs to the token that sent it, so that two clients that count from 1 never meet. What a customer wrote is
// kept as it came, control characters and direction marks included: it is data, and the pages escape and isolate it.
//
// What follows from a submission (verdict, review, usage) is a hook in the same transaction: this package imports no
// domain but pack, the domains' data.
//
// What it decided against: a status that agents may set; storing the answer of a failed submission under its key (seed
// 000 has no such thing, and a client that mends its request should not need a new key); one JSON column for everything
// (what a page filters by is a column).
package interaction

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/hook"
	"preceptor/internal/platform/job"
)

// Status is where an interaction stands.
type Status = string

// The statuses; see the package comment.
const (
	Drafting  Status = "drafting"
	Waiting   Status = "waiting"
	Held      Status = "held"
	Released  Status = "released"
	Escalated Status = "escalated"
	Returned  Status = "returned" // sent back to the agent with a note
	// a planted check, decided: it was never meant for anybody; or erased before anybody decided
	Closed Status = "closed"
	Failed Status = "failed"
	// nobody decided, and nobody will: its agent took it back, or its deadline passed
	Withdrawn Status = "withdrawn"
	Expired   Status = "expired"
)

// Statuses lists them in the order in which they are passed.
var Statuses = []Status{Drafting, Waiting, Held, Released, Escalated, Returned, Withdrawn, Expired, Failed}

// The origins: how an interaction came in.
const (
	OriginAPI    = "api"
	OriginAdvise = "advise"
	OriginAsk    = "ask"
	OriginDemo   = "demo"
)

// Who told the task type.
const (
	ByAgent     = "agent"
	ByPreceptor = "preceptor"
)

// Interaction is one query and its response.
type Interaction struct {
	ID            string
	AgentID       string
	AgentName     string
	Origin        string
	Status        Status
	Consultation  Consultation // TaskType is never empty here
	TaskTypeBy    string       // ByAgent or ByPreceptor
	Guidance      string       // the draft; empty while drafting
	GuidanceHash  string       // TextHash(Guidance)
	Reasoning     string
	Model         string
	Drafter       string // which of our drafters wrote it; empty when an agent did
	KnowledgeUsed []Used
	Provenance    Provenance      // what our drafter says of its text
	Steps         json.RawMessage // nil when none were given
	Metadata      json.RawMessage // nil when none was given
	FinalText     string          // what the customer gets; empty until released
	Failure       string          // why no draft could be made
	ReleasedAt    time.Time
	CreatedAt     time.Time
	Version       int
	Revises       string // the interaction that was sent back and that this one answers anew; empty for most
	Planted       bool   // a known-bad draft that tests the desk; never delivered, shown to no agent
	Handling
	Actions  Actions   // what the agent wants to do
	NoText   bool      // Guidance only says what the actions do: no text goes to anybody
	ErasedAt time.Time // when its texts were erased; zero for most. They say so themselves, too
}

// Delivered is the text that the customer got; "" where only the agent got something to do.
func (in *Interaction) Delivered() string {
	if in.NoText {
		return ""
	}
	return in.FinalText
}

// Recalled reports whether the customer got a text that was taken back since and has not been replaced.
func (in *Interaction) Recalled() bool { return in.FinalText != "" && in.Status != Released }

// Used names one piece of knowledge that an agent was shown by recall. Version is 0 when the agent did not say.
type Used struct {
	ID      string `json:"id"`
	Version int    `json:"version,omitempty"`
}

// UnmarshalJSON reads an id alone or {"id","version"}.
func (u *Used) UnmarshalJSON(b []byte) error {
	*u = Used{}
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &u.ID)
	}
	type plain Used
	return json.Unmarshal(b, (*plain)(u))
}

// Hooks are what the store asks and tells others.
type Hooks struct {
	// PackOf tells which pack an agent works in; "" is pension.
	PackOf func(tx *db.Tx, agentID string) (string, error)
	// Read looks at a text before the transaction that stores it, because checking a long one takes a while and others
	// wait to write. It must be pure. What it returns runs in the transaction, once the interaction is waiting.
	Read func(text string, c Consultation) Follow
	// OnAsked runs when our advisor was asked, in the same transaction: it enqueues the drafting job.
	OnAsked Follow
}

// Follow is what follows for an interaction, in the transaction of its cause. An error undoes both.
type Follow func(tx *db.Tx, in *Interaction) error

// Store is the door to the interactions.
type Store struct {
	db    *db.DB
	log   *slog.Logger
	hooks Hooks
}

// New makes a store on d and registers its job with jobs, which must not have been started.
func New(d *db.DB, jobs *job.Queue, h Hooks, log *slog.Logger) *Store {
	hook.Complete(h)
	s := &Store{db: d, log: log, hooks: h}
	jobs.Periodic("interaction.prune", pruneEvery, s.prune)
	return s
}

// Get reads one interaction; NotFound when there is none.
func (s *Store) Get(ctx context.Context, id string) (*Interaction, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) (*Interaction, error) { return s.GetTx(tx, id) })
}

// TextHash is the hash of a text that forms and decisions carry: hex SHA-256.
func TextHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
