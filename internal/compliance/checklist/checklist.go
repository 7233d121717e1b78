// Package checklist is where experts look after the deterministic checks: they write pattern checks of their own, try
// them on labelled texts, and switch them, and the shipped ones, on and off.
//
// It owns the tables check_version and check_trial; what was switched is rows of package approval. What is on becomes a
// compliance.Book, which the Checker adopts; no check reads the database.
//
//	write ──> wording 1, 2, 3 ... ──try──> trial ──switch on──> in force ──switch off──> kept
//	                                                  reword: the next wording, tried again, takes its place
//
// What it promises.
//   - A wording never changes, and nothing is deleted. To undo is to switch on an earlier wording, or the same check
//     off.
//   - What is on was tried: switching on takes a trial of exactly that wording, with all its own examples as they
//     should be, an expert, and a reason. A trial is at least its examples; on a gold version it counts finds, misses
//     and false alarms.
//   - A shipped check of critical severity is switched off by two people: an expert asks, another expert or an
//     administrator agrees. Such checks are the floor under every other judgement, so nobody takes one away alone; but
//     a check that is wrong (a table of figures after a Budget, say) must not stop the desk until the next release, so
//     it can be taken away. Everything else that is switched takes one expert.
//   - A change holds for every text that is checked after it, at once: one book with one version is put in place whole.
//     Verdicts carry that version, and the rows say what it held.
//   - An own check under the code of a shipped one is at most as hard as that check reports, so that the line's
//     exceptions ("never NON_COMPLIANT alone") hold for it too.
//   - No check slows the desk: the phrase language takes time in proportion to the text, and the ways in which a
//     check's phrases can be met are bounded (mostWays), as is how much all checks hold together
//     (compliance.Checker.Adopt).
//   - What an earlier release stored is never lost: plain words are translated when they are read; what can't be, and a
//     regular expression, is shown as a check that this program can't run, and the others run without it.
//   - Rows hold no texts of customers but what an expert typed as an example; a trial keeps places in items, so that an
//     erasure reaches everything.
//   - Write, try, switch, ask and answer are audit rows in the same transaction.
//
// Decided against: editing a wording in place, a second language beside that of the packs' rules, switching by
// severity, a trial that expires, and a trial as a job (the bounds on texts keep it well under a second or two).
package checklist

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"preceptor/internal/approval"
	"preceptor/internal/audit"
	"preceptor/internal/compliance"
	"preceptor/internal/dataset"
	"preceptor/internal/dataset/version"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/person"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/hook"
)

// phrases is how a wording is written: in the language of compliance.PatternCheck. Before there were plainWords and
// regular expressions.
const (
	phrases    = "phrases"
	plainWords = "words"
)

// Wording is one version of a check of one's own.
type Wording struct {
	ID        string
	CheckID   string
	Version   int // 1, 2, 3 ...
	Code      string
	Title     string
	Source    string // as it was typed; plain words are translated
	Severity  string
	Why       string
	Reference string
	syntax    string   // phrases, or what this program can't run
	Finds     []string // texts that it has to find something in
	Leaves    []string // texts that it has to leave alone
	Reason    string   // why it was written or reworded
	By        audit.Actor
	At        time.Time
}

// States of a switch.
const (
	Asked     = approval.Proposed // it takes a second person
	Done      = "done"
	Refused   = approval.Refused
	Withdrawn = approval.Withdrawn
)

// Switch is a check going on or off, or somebody asking for that.
type Switch struct {
	ID       string
	CheckID  string
	Version  int // of the wording; 0 of a shipped check
	On       bool
	State    string
	Book     int // the checklist's version from then on; 0: it never took effect
	Reason   string
	By       audit.Actor
	At       time.Time
	Answered audit.Actor // who agreed, refused or withdrew; no ID: nobody had to
	AnswerAt time.Time
	Answer   string // why not
}

// Check is a check as it stands.
type Check struct {
	ID      string // of a shipped check, its code
	Shipped bool
	Info    compliance.CheckInfo // of a shipped check
	On      bool
	InForce *Wording // what runs; nil for shipped checks and those that are off
	Newest  *Wording // nil for shipped checks
	Last    *Switch  // what made it stand so; nil: it was never switched
	Asked   *Switch  // what waits for a second person; nil: nothing
	Broken  string   // why this program can't run what is in force; "" when it can
}

// Code, Title and Severity are those in force, or else the newest. A shipped check is called as its issue is
// everywhere.
func (c Check) Code() string { return c.of(c.Info.Code, func(w *Wording) string { return w.Code }) }

// Title is what people call it.
func (c Check) Title() string {
	return c.of(pack.IssueName(c.Info.Code), func(w *Wording) string { return w.Title })
}

// Severity is the hardest that it reports.
func (c Check) Severity() string {
	return c.of(c.Info.Severity, func(w *Wording) string { return w.Severity })
}

func (c Check) of(shipped string, own func(*Wording) string) string {
	switch {
	case c.Shipped:
		return shipped
	case c.InForce != nil:
		return own(c.InForce)
	}
	return own(c.Newest)
}

// Since is when what is in force was switched on; zero: it was always on, or it is off.
func (c Check) Since() time.Time {
	switch {
	case c.Last == nil || !c.On:
		return time.Time{}
	case !c.Last.AnswerAt.IsZero():
		return c.Last.AnswerAt
	}
	return c.Last.At
}

// Guarded reports whether switching it off takes two people.
func (c Check) Guarded() bool { return c.Shipped && c.Info.Severity == compliance.Critical }

// Book is the book in which its last switch took effect; 0 when there was none.
func (c Check) Book() int {
	if c.Last == nil {
		return 0
	}
	return c.Last.Book
}

// Hooks are what the checklist asks and tells others.
type Hooks struct {
	MayWrite person.Guard // write, try and switch
	MayAgree person.Guard // agree as the second person
	// Decided says what people last decided on an interaction, as "approve", "revise", "reject" or "return"; "" when
	// nobody did.
	Decided func(ctx context.Context, interactionID string) (string, error)
	// Read gives the issues that the panel in the program finds in a text: for checks that are no rule
	// (compliance.CheckInfo.Read).
	Read func(text string, c interaction.Consultation) []compliance.Issue
}

// Store is the door to the checklist.
type Store struct {
	db           *db.DB
	approvals    *approval.Store
	checker      *compliance.Checker
	interactions *interaction.Store
	sets         *dataset.Store
	versions     *version.Store
	hooks        Hooks
	log          *slog.Logger

	loading sync.Mutex
	broken  atomic.Pointer[map[string]string] // check -> why this program can't run it
}

// New makes the store, whose switches are agreed to in approvals. Sync has to be called before texts are checked.
func New(d *db.DB, approvals *approval.Store, checker *compliance.Checker, interactions *interaction.Store,
	sets *dataset.Store, versions *version.Store, h Hooks, log *slog.Logger) *Store {
	hook.Complete(h)
	s := &Store{db: d, approvals: approvals, checker: checker, interactions: interactions, sets: sets,
		versions: versions, hooks: h, log: log}
	approvals.Handle(approval.CheckSwitch.Kind, s.handler())
	return s
}

func record(tx *db.Tx, by audit.Actor, action, checkID string, content map[string]any) error {
	tx.Touch("checks")
	return audit.Note(tx, by, action, "check", checkID, content)
}
