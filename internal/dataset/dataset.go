// Package dataset keeps gold sets: items, what each person answered to them, and what was settled.
//
// It owns the tables dataset, dataset_item, dataset_person, dataset_mark, dataset_skip and dataset_ruling; a set is a
// set of package labelling, which has its turns and labels. Frozen versions are in dataset/version, files in
// dataset/transfer, figures of agreement in dataset/agreement, which this package feeds (Ratings).
//
// What it promises.
//   - An item is unique in its set by the hash of customer, question and guidance, and its text never changes.
//   - Every item gets Overlap independent labels: nobody can read another person's answer, or what follows from it, on
//     an item that anybody may still answer. The answers come to be seen when the item has its labels and the time in
//     which the last of them can be taken back has passed (UndoFor), or when an adjudicator opens the item, which ends
//     that time.
//   - Labelled is not final. A final label comes from the ruling of a person who did not label the item, from Overlap ≥
//     2 labels that all agree (AgreeOn says in what), or with an import or ruling that says so; it always says who and
//     why. Raters of an import count as people here do, and are named as raters of a file, whatever it calls them: who
//     labels in a set can't bring such labels. Who brings them may label afterwards, and agree with a name that they
//     made up; they could have brought a final label as well.
//   - Agreement is measured on the first label of each person, whatever was revised or ruled later.
//   - Nothing is overwritten: revisions, labels and rulings that were taken back, and skips are rows.
//   - Finding the next item costs the same with 20 items and with 20,000: the index that is walked is ordered such that
//     a person's mark on it only goes forward (turn_fill.go).
//   - Check items ("honeypots") look like any other: no type that a labeller gets tells them, and their places come
//     from a secret of the set. One's own figures move in steps of FigureStep checks, so that no single answer gives
//     one away.
//   - Counters change in the transaction of what they count.
//   - Create, change, import, rule, exclude, plant and erase are audit rows in the same transaction, without texts.
//
// Blindness is of this package's methods. Who reads the database file, or has the operator's command line, reads it
// all.
//
// Decided against: reserving one item at a time (every skip and every prefetch would write), random order (an expert
// who goes back to work should find where they stopped), a majority as final label (two of three is a disagreement that
// somebody has to look at), editing items (a label belongs to the text that was read), and claims as on the review desk
// (labels are independent, so nobody waits for anybody).
package dataset

import (
	"context"
	"time"

	"preceptor/internal/person"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/hook"
)

// UndoFor is how long the last label of an item can be taken back, and so how long the item's answers stay hidden.
const UndoFor = 10 * time.Minute

// FigureStep is how many check answers at a time move a person's own figures.
const FigureStep = 5

// Person is somebody who labels, rules or manages.
type Person = person.Person

// Operator is who has the command line, and so the file.
var Operator = person.Operator

// may asks a hook. Nobody is not the operator: a caller that forgot who asks is refused.
func may(guard person.Guard, tx *db.Tx, who Person) error {
	switch {
	case who.ID == "":
		return fault.New(fault.Unsigned, "Sign in first.")
	case who == Operator:
		return nil
	}
	return guard.May(tx, who.ID)
}

// States of a dataset.
const (
	Open   = "open"   // being labelled
	Closed = "closed" // nothing more is handed out or accepted; rulings still are
)

// Dataset is a gold set with its counters.
type Dataset struct {
	ID string
	Settings
	State     string
	Version   int // of the settings; goes up with every change
	Counts    Counts
	CreatedAt time.Time
	By        Person
}

// Counts are how many items of each state a set has; check items are in Items and Checks alone, erased ones in none.
type Counts struct {
	Items       int `json:"items"`
	Open        int `json:"open"`
	Labelled    int `json:"labelled"`
	Disputed    int `json:"disputed"`
	Adjudicated int `json:"adjudicated"`
	Excluded    int `json:"excluded"`
	Checks      int `json:"checks"`
	Final       int `json:"final"`  // with a final label
	Labels      int `json:"labels"` // standing, on items that are no checks
	Wanted      int `json:"wanted"` // labels that open items still need
}

// Member is somebody who was invited or took part.
type Member struct {
	Person
	Invited bool
	Done    int // items answered
	Skipped int // items that wait, passed over
	LastAt  time.Time
}

// Guards say who may do what; the operator may do everything.
type Guards struct {
	MayLabel, MayAdjudicate, MayManage person.Guard
	MayDecide                          person.Guard // rules on an item on which nobody who MayAdjudicate is left
}

// Store is the door to gold sets.
type Store struct {
	db *db.DB

	Guards
	hooks Hooks
	// OnErased is called in the transaction that erases an item: versions of sets are a package of their own.
	OnErased []func(tx *db.Tx, itemID string) error
}

// Hooks are what the store asks and tells others.
type Hooks struct {
	// Experts are all who may label and rule now.
	Experts func(tx *db.Tx) ([]Person, error)
	// Elsewhere finds what Gather brings in, newest first, at most Gathering.Most, without personal data, and counts
	// what it left out as of another pack.
	Elsewhere func(ctx context.Context, g Gathering) (items []NewItem, others int, err error)
	// OnUnruled is called by TellUnruled for each set: n items, if any, wait for a ruling that no expert can give.
	OnUnruled func(tx *db.Tx, d *Dataset, n int) error
}

// New makes the store.
func New(d *db.DB, g Guards, h Hooks) *Store {
	hook.Complete(h)
	return &Store{db: d, Guards: g, hooks: h}
}

// Manages is nil for who may manage sets, in tx.
func (s *Store) Manages(tx *db.Tx, who Person) error { return may(s.MayManage, tx, who) }

// GetTx is Get within a transaction.
func (s *Store) GetTx(tx *db.Tx, datasetID string) (*Dataset, error) { return getTx(tx, datasetID) }
