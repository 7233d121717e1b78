// Package feedback is what people say about an agent's answers, and the exemplars that come of it: seed 001's feedback
// loop, and seed 000's outcomes.
//
// It owns the tables observed, observed_key, vote, vote_history, outcome, outcome_history, query_group, query_member,
// exemplar, exemplar_source, exemplar_use and experience. What is judged is a subject: an interaction that an agent
// reported (observed), or a guidance that a person released. Subjects of a guidance have its agent's name as agent type
// and its task as topic.
//
// What it promises.
//   - One vote per user and subject; whoever isn't named is the user of the session. Another one replaces it, every
//     version is kept, and a thumb of 0 takes it back.
//   - A vote's norm lies between 0 and 1: thumbs -1, 0, 1 are 0, 0.5, 1, a rating is its tenth. Above 0.5 is positive,
//     below negative; satisfaction is positive / (positive + negative), and no number at all where there is neither.
//   - One outcome per person, channel and subject, kept as votes are.
//   - An agent calls itself what it likes (agent type), but by no other registered agent's name: what people read is
//     grouped by it.
//   - A report with an Idempotency-Key counts once. Ids of another agent's subjects are not found.
//   - An exemplar stands exactly while at least Settings.MinPositive more distinct users are for than against it, over
//     the queries of its group (Similar), and it is a released guidance or an observed answer. It falls in the
//     transaction of the vote that turned; the seed never subtracts. A group of more than Busy votes is weighed at each
//     hundredth part of them and each night.
//   - Votes on an answer that people disliked count against that answer, not against another one to the same question:
//     it becomes the exemplar's Bad.
//   - Exemplars are without personal data (Clean). Their texts never change: another answer makes another exemplar.
//   - Who asks for examples gets them as of the last commit in this process: the cache (Settings.CacheTTL) is dropped
//     with it.
//   - Every write has its audit row in the same transaction, without anybody's words. EraseTx reaches every text.
//
// What follows from a vote, an outcome or a report is a hook in the same transaction; who approved a guidance, and how
// personal data is taken out, are hooks, too: the package knows interactions and no other domain.
//
// What it decided against: promoting on votes alone what a person has to approve (two customers' thumbs are no review),
// an average of stars as a score (it hides how many there were), clustering anew (whose vote carried an exemplar must
// stay true: the first query of a group stands for it, and a query joins one group for good), and comparing a new query
// with every group ever (the Recent ones of its topic, and any with the same words).
package feedback

import (
	"context"
	"log/slog"
	"time"

	"preceptor/internal/interaction"
	"preceptor/internal/llm"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/hook"
	"preceptor/internal/platform/ttlcache"
)

// The named numbers of this package.
const (
	// Similar is the cosine from which two queries of one agent and topic ask the same.
	Similar = 0.80
	// Recent is with how many groups of a topic, last voted first, a new query is compared; and among how many of an
	// agent's reports, newest first, the spelling of a topic is looked for.
	Recent = 400
	// Busy is the number of votes on a group from which it is not weighed anew with each.
	Busy = 500
	// DefaultMinPositive is seed 001's MIN_POSITIVE_FOR_EXAMPLE.
	DefaultMinPositive = 2
	// DefaultCacheTTL is seed 001's FEEDBACK_CACHE_TTL.
	DefaultCacheTTL = 300 * time.Second
	// DefaultExamples is how many examples are given when nobody says, MaxExamples the most.
	DefaultExamples = 3
	MaxExamples     = 20
)

// The bounds of what is taken, in bytes.
const (
	MaxText     = 2_000   // of a vote's words
	MaxAnswer   = 100_000 // of a query or a response
	MaxMetadata = 64_000
	MaxName     = 200 // of an agent type, a topic, a user or session id
	MaxIssues   = 50

	MaxKnowledge = 100 // rules and cases named in a report
)

// Settings are what the configuration says.
type Settings struct {
	MinPositive int            // at least 1; DefaultMinPositive when 0
	CacheTTL    time.Duration  // DefaultCacheTTL when 0; below 0 there is no cache
	Zone        *time.Location // whose days Figures goes by: the desk's; UTC when nil
}

// Hooks are what the book asks and tells others. Those that follow run in the transaction of their cause.
type Hooks struct {
	// Clean takes personal data out of a text of the subject.
	Clean func(s Subject, text string) string
	// Registered gives the id of the agent that is registered under a name, whatever its capitals; "" when there is
	// none.
	Registered func(tx *db.Tx, name string) (agentID string, err error)
	// Names are all names of an agent where this is one of them, as an agent can be renamed; none otherwise.
	Names func(tx *db.Tx, agentID, name string) ([]string, error)
	// Withheld says why agents aren't given what these subjects, of one answer, were made into; "" where they are.
	Withheld func(tx *db.Tx, subjects []string) (why string, err error)
	// OnVote follows a vote. old is nil for the first vote of a user on a subject; the norm and time of both are set.
	OnVote func(tx *db.Tx, old *Vote, now Vote, s Subject) error
	// OnOutcome follows an outcome. old is nil for the first of a person through a channel on a subject.
	OnOutcome func(tx *db.Tx, old *Outcome, now Outcome, s Subject) error
	// OnLog follows a reported interaction.
	OnLog func(tx *db.Tx, o Observation) error
}

// Book is the door to feedback.
type Book struct {
	db           *db.DB
	interactions *interaction.Store
	embedder     llm.Embedder
	settings     Settings
	cache        *ttlcache.Cache[Ask, []Exemplar]
	watch        *db.Watch // of exemplars
	log          *slog.Logger
	hooks        Hooks
}

// New makes the book.
func New(d *db.DB, in *interaction.Store, e llm.Embedder, s Settings, h Hooks, log *slog.Logger) *Book {
	hook.Complete(h)
	if s.MinPositive <= 0 {
		s.MinPositive = DefaultMinPositive
	}
	if s.CacheTTL == 0 {
		s.CacheTTL = DefaultCacheTTL
	}
	if s.Zone == nil {
		s.Zone = time.UTC
	}
	c := ttlcache.New[Ask, []Exemplar](s.CacheTTL)
	return &Book{db: d, interactions: in, embedder: e, settings: s, cache: c, hooks: h, log: log,
		watch: d.NewWatch("examples", log, func(context.Context) error { c.Drop(); return nil })}
}

// changed has nobody be given exemplars as they were.
func (b *Book) changed(tx *db.Tx) {
	tx.Touch("examples")
	tx.AfterCommit(b.cache.Drop)
}
