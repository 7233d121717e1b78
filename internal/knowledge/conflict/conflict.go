// Package conflict finds knowledge that should not stand as it is, and has a person settle it: two rules that
// contradict each other, duplicates, a rule that adds nothing to a wider one, and rules and cases that nobody was shown
// for a long time.
//
// It owns knowledge_conflict and knowledge_conflict_check (migration 00028). Rules and cases are changed through
// package knowledge alone, so that every change has its version, author and reason.
//
// What is compared, shown and answered are the wordings in use and those that are scheduled, where both are given at
// one time: a contradiction with a scheduled one is raised at once and says from which day (Item.From).
//
// How. When a rule becomes a candidate, comes into use or gets another text, the transaction that writes it also queues
// its comparison (RuleWrittenTx); a job looks at all living rules of the same agent within a second or so. That can't
// run in the transaction itself: a model may be asked. Until it has, Pending says so, and the lesson's page shows it.
// The embedded detector compares the data of every pair; a model, if there is one, at the few that come nearest. A
// contradiction that either sees is raised: a false alarm costs a person a minute, a missed one a customer. For
// duplicates the model has the last word. When it does not answer, the embedded detector's word stands, and is named.
//
// What it promises. Nothing is retired, merged or reworded without a person. A pair of which a person kept both isn't
// raised again over the same texts; one whose answer was undone is open again. A pair whose texts changed, or of which
// one left use, ends by itself and says so. The periodic job (Consolidate) may run twice and has one effect. Merging
// and narrowing pass the gate (knowledge.Vet). Merging keeps the texts of both in their histories, and unites their
// evidence where what is kept asks for the same as before.
//
// Decided against: comparing by embeddings (the opposite of a rule is its nearest neighbour), retiring the older of two
// rules (the systems that do lose true ones), and asking a model about every pair (a thousand rules would be a thousand
// questions).
package conflict

import (
	"log/slog"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/llm"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/hook"
	"preceptor/internal/platform/job"
)

// Kinds of conflicts.
const (
	Contradiction = "contradiction" // a draft can't follow both
	Duplicate     = "duplicate"     // both say the same
	Superseded    = "superseded"    // one adds nothing to the other
	Unused        = "unused"        // nobody was shown it for long
)

// Kinds lists them, most pressing first.
var Kinds = []string{Contradiction, Duplicate, Superseded, Unused}

// States.
const (
	Open    = "open"
	Settled = "settled" // a person answered
	Gone    = "gone"    // it ended without one: a text changed, or one of both left use
)

// What a person can answer.
const (
	KeepBoth  = "keep_both"
	KeepLeft  = "keep_left"  // the right one is retired
	KeepRight = "keep_right" // the left one is retired
	Narrow    = "narrow"     // one gets a condition more, and so holds for fewer customers
	Merge     = "merge"      // one statement for both
	Keep      = "keep"       // an unused one stays, or one that rests on what a section said before
	Retire    = "retire"     // it goes

	// Exception is what a person decided who accepted one of both as the exception of the other.
	Exception = "exception"
)

// Kinds of items.
const (
	OfRules = "rule"
	OfCases = "case"
	OfBoth  = "both" // left a rule, right a section
)

// Sides.
const (
	Left  = "left"
	Right = "right"
)

// Conflict is a pair to settle, or a single item that nobody was shown.
type Conflict struct {
	ID         string
	Kind       string
	ItemKind   string // OfRules, OfCases or OfBoth
	LeftID     string
	RightID    string // "" for Unused
	Narrower   string // of Superseded: Left or Right
	Confidence float64
	Why        string
	FoundBy    string
	FoundAt    time.Time
	State      string
	Outcome    string // what was answered; of an open one, what was answered before it came back
	Note       string
	By         string // name of who answered
	ClosedAt   time.Time
	Version    int

	Left, Right Item // as they stand now

	leftText, rightText string
}

// Item is a rule or a case of a conflict, with the wording that is in it; neither where there is none on the right.
type Item struct {
	*knowledge.Rule
	Case  *knowledge.Case
	From  time.Time // when this wording comes into use; zero: it is in use
	Later time.Time // when another wording takes this one's place; zero: none is scheduled
	Now   string    // the wording in use until From
	Next  string    // the wording from Later on
}

// From is the day from which both are given; zero: now.
func (c Conflict) From() time.Time {
	if c.Left.From.After(c.Right.From) {
		return c.Left.From
	}
	return c.Right.From
}

// Sure reports whether who found it is sure of it: that two rules ask for another value doesn't say that they can't
// both hold.
func (c Conflict) Sure() bool { return c.Confidence > unsure }

// Reopened reports whether it is open although it was answered: the answer was undone.
func (c Conflict) Reopened() bool { return c.State == Open && c.Outcome != "" }

// Label is how people call it.
func (i Item) Label() string {
	switch {
	case i.Rule != nil:
		return i.Rule.Label()
	case i.Case != nil:
		return i.Case.Label()
	}
	return ""
}

// Version is the one that stands; 0 for none.
func (i Item) Version() int {
	switch {
	case i.Rule != nil:
		return i.Rule.Version
	case i.Case != nil:
		return i.Case.Version
	}
	return 0
}

// Choices are the answers that a person has.
func (c Conflict) Choices() []string {
	switch {
	case c.Kind == Unused, c.rests():
		return []string{Keep, Retire}
	case c.ItemKind != OfRules:
		return []string{KeepBoth, KeepLeft, KeepRight}
	case c.Left.Rule != nil && c.Right.Rule != nil && (c.Left.Statement.Empty() || c.Right.Statement.Empty()):
		return []string{KeepBoth, KeepLeft, KeepRight} // there is no data to change
	case !c.Left.Later.IsZero() || !c.Right.Later.IsZero() || !c.From().IsZero():
		// the scheduled wording would undo the change, or is what is changed
		return []string{KeepBoth, KeepLeft, KeepRight}
	case c.Kind == Contradiction:
		// what speaks for one of two opposites speaks against the other
		return []string{KeepBoth, KeepLeft, KeepRight, Narrow}
	}
	return []string{Merge, KeepBoth, KeepLeft, KeepRight}
}

// me is who the package's own changes are recorded under.
var me = audit.System("conflict")

// Policy is when knowledge counts as unused.
type Policy struct {
	UnusedFor time.Duration // nobody was shown it for so long, and it is as old
	Others    int           // while others of its domain or task were shown to so many drafts
	KeptFor   time.Duration // how long a person's "keep" holds
}

// DefaultPolicy is used by New.
var DefaultPolicy = Policy{UnusedFor: 90 * 24 * time.Hour, Others: 20, KeptFor: 180 * 24 * time.Hour}

// Store is the door. It is safe for concurrent use.
type Store struct {
	d        *db.DB
	jobs     *job.Queue
	kb       *knowledge.Base
	embedded *Embedded
	model    Detector // nil without one
	hooks    Hooks
	log      *slog.Logger

	// Policy may be changed before use.
	Policy Policy
}

// Hooks are what the store tells others, in the transaction of the cause.
type Hooks struct {
	// a new one
	OnFound func(tx *db.Tx, c Conflict) error
	// it is open no more; others reports whether more of its kind are
	OnClosed func(tx *db.Tx, c Conflict, others bool) error
	// a person took r out, merged into another one or not
	OnEnded func(tx *db.Tx, r knowledge.Rule, into *knowledge.Rule, reason string, by knowledge.Person) error
	// a person narrowed or merged into r
	OnReworded func(tx *db.Tx, r knowledge.Rule, by knowledge.Person) error
}

// New makes the store and registers its jobs; model may be nil. It must be called before the queue starts. The rules
// that kb writes have to reach it: RuleWrittenTx, RulesChangedTx.
func New(d *db.DB, jobs *job.Queue, kb *knowledge.Base, meanings llm.Embedder, model Detector, h Hooks,
	log *slog.Logger) *Store {
	hook.Complete(h)
	s := &Store{d: d, jobs: jobs, kb: kb, embedded: &Embedded{kb.Compare, meanings}, model: model, hooks: h, log: log,
		Policy: DefaultPolicy}
	job.Register(jobs, s.check)
	job.Register(jobs, s.scan)
	jobs.Periodic("knowledge.consolidate", consolidateEvery, s.Consolidate)
	return s
}
