// Package experiment compares two ways of answering on real work: with and without memory, with and without one rule,
// two prompt versions, two models.
//
// It owns the tables experiment, experiment_subject and experiment_look.
//
// What it promises.
//   - The plan (metric, smallest effect that matters, error rates, size) stands before the start and never changes
//     afterwards.
//   - Who gets which arm follows from the experiment and the person alone (ArmOf), so that nobody meets both, and
//     nothing needs to be looked up.
//   - Peeking is safe. The interval may be looked at after every outcome, and the chance that it ever excludes "no
//     difference" when there is none is at most alpha, whenever one looks and however often (boundary.go says how, and
//     what that costs in size). There is no look after the planned size: the experiment ends itself there, or earlier
//     when a stop rule holds (Look).
//   - One person counts once: the first outcome of each. Later ones are kept and do not count, because they are not
//     independent.
//   - A subject belongs to the agent that named it: nobody else gives its outcome, and two agents may use one name.
//   - An outcome is recorded once per subject, in the transaction of its cause; a second one changes nothing.
//   - Compliance knowledge is never withheld from anybody: an experiment on a rule that is protected is refused when it
//     is made and when it starts, it ends at once when its rule comes to be so, and knowledge refuses again at every
//     recall.
//   - People are in it as hashes keyed by the experiment. No text is kept.
//   - Create, start and stop are audit rows.
//
// At most one experiment runs per agent, so that no result is confounded by another.
//
// Decided against: a confidence sequence without an end (Robbins' mixture; it needs about 1.6 times the fixed size for
// the same power, where this needs about 1.18), stopping rules that a person can change on the way, multi-armed bandits
// (they answer another question, and their estimates are biased), counting all outcomes of a person, and showing the
// arm on the desk (who decides must not know).
package experiment

import (
	"time"

	"preceptor/internal/person"
	"preceptor/internal/platform/db"
)

// Purposes: what differs between the arms. The first arm named is the treatment.
const (
	Memory = "memory" // with what was learned from people; without
	Rule   = "rule"   // with one rule; without
	Prompt = "prompt" // the agent's new prompt; its old one
	Model  = "model"  // another model; the present one
)

// Purposes in the order in which they are offered.
var Purposes = []string{Memory, Rule, Prompt, Model}

// Metrics: what a good outcome is. Each is yes or no, once per subject.
const (
	Approved     = "approved"     // a supervisor approved the draft unchanged
	Vote         = "vote"         // the first vote was positive
	Satisfaction = "satisfaction" // the outcome's satisfaction was above feedback.Middle
)

// Metrics in the order in which they are offered.
var Metrics = []string{Approved, Vote, Satisfaction}

// Arms.
const (
	Treatment = "treatment"
	Control   = "control"
)

// States of an experiment.
const (
	Planned = "planned"
	Running = "running"
	Stopped = "stopped"
)

// Why an experiment ended.
const (
	Better   = "better" // the interval lies above zero
	Worse    = "worse"  // ... below zero
	Futile   = "futile" // the interval excludes the effect that was sought, and a fall as large
	Full     = "full"   // the planned size is reached
	ByPerson = "person" // somebody stopped it
	Barred   = "barred" // its rule became one for compliance, or left use
)

// Person is who plans, starts and stops.
type Person = person.Person

// Experiment is a plan, and how far it has come.
type Experiment struct {
	ID string
	Input
	Plan
	Counts    Counts
	Assigned  [2]int // subjects: treatment, control
	State     string
	Ended     string // why; "" until it is stopped
	Note      string
	Version   int
	By        Person
	CreatedAt time.Time
	StartedAt time.Time // zero: not yet
	StoppedAt time.Time
}

// Look is what the outcomes so far say.
func (e *Experiment) Look() Look { return e.Plan.Look(e.Counts) }

// RuleFacts are what an experiment has to know of a rule.
type RuleFacts struct {
	Label     string
	Protected bool // compliance: never withheld
	Active    bool
}

// Store is the door to experiments.
type Store struct {
	db    *db.DB
	rule  RuleFinder
	ended func(tx *db.Tx, e *Experiment) error
}

// RuleFinder finds a rule; a NotFound when there is none.
type RuleFinder func(tx *db.Tx, id string) (RuleFacts, error)

// New makes the store. ended, if set, is told of every experiment that nobody stopped.
func New(d *db.DB, rule RuleFinder, ended func(tx *db.Tx, e *Experiment) error) *Store {
	return &Store{db: d, rule: rule, ended: ended}
}
