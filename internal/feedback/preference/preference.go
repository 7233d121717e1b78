// Package preference keeps pairs of answers to one question, and which of the two is the better one.
//
// It owns the table preference_pair; who judged what is in package labelling, all pairs being one set. A pair comes
// from a supervisor's revision (their text against the draft; the revision is the choice), from a person who puts two
// texts in, or from an agent. Revisions go to the export alone: they are settled, and who revised knew which text was
// whose. The others are judged blind.
//
// What it promises.
//   - Judging is blind: a judge sees two texts as A and B, and neither whose they are nor what others said. Which text
//     is A follows from pair and judge (Order), is the same after a reload, and is either with even chances over pairs.
//     Nobody judges a pair that they put in.
//   - One standing answer per judge and pair: A is better, B is better, a tie, or both are bad. What is taken back
//     stays as a row.
//   - Users whom an agent asks, by the API or a signed link, are judges like people here (choose.go), without a name,
//     and may change their mind.
//   - A revision makes a pair when its decision is settled, and loses it when the decision is undone or recalled.
//   - A pair that names an interaction names one of its agent's own (About), so that an erasure reaches the texts.
//   - Texts of revisions are pseudonymised before they are stored (Hide), since they are meant to leave the house.
//     EraseTx empties them; so does a withdrawal.
//   - The export is JSON Lines that trainers of preferences read as they are: prompt, chosen, rejected. Ties, pairs of
//     which both are bad and pairs without a majority are not in it.
//   - The ranking is a Bradley–Terry model with Davidson's ties, with intervals, and says plainly where the comparisons
//     can't carry one (strength.go).
//
// Decided against: random order at every view (a reload would swap A and B under the judge's eyes), Elo (depends on the
// order in which answers came), counting revisions in the ranking (people win them all, by construction), and an audit
// row for each answer (the answer is a row that says who and when, and stays when it is taken back).
package preference

import (
	"crypto/sha256"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/person"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/hook"
)

// Where a pair comes from.
const (
	Revision = "revision"
	Given    = "given"
	API      = "api"
)

// People are the maker of what supervisors wrote.
const People = "Supervisors"

// States of a pair.
const (
	Open      = "open"
	Withdrawn = "withdrawn" // its decision was taken back
	Erased    = "erased"
)

// What a judge says, of A and B as they stood on the screen.
const (
	ABetter = "a"
	BBetter = "b"
	Tie     = "tie"
	BothBad = "bad"
)

// Enough is how many answers take a pair off the list of those who have not answered: an odd number, so that there is a
// majority.
const Enough = 3

// Bounds, in bytes. A response is as long as guidance may be.
const (
	MaxPrompt   = 20_000
	MaxResponse = 204_800
	maxMaker    = 200
	maxSource   = 200
)

// Person is who judges, or puts a pair in: an account, or the token of an agent.
type Person = person.Person

// Pair is two answers to one prompt. Left and right are places in the store, and say nothing about a screen.
type Pair struct {
	ID            string
	Origin        string
	SourceID      string // decision, or the agent's own id of it
	AgentID       string
	InteractionID string
	Task          string
	Prompt        string
	Left, Right   Response
	Chosen        string // left or right, by a revision
	State         string
	Counter       Counter
	At            time.Time
	By            Person
}

// Response is one of the two texts.
type Response struct {
	Text  string
	Maker string // agent, prompt or model, as it is ranked
}

// Counter are the standing answers of judges.
type Counter struct {
	Answers, Lefts, Rights, Ties, Bad int
}

// Majority is the side, left or right, that more than half of all answers chose; "" when there is none.
func (t Counter) Majority() string {
	switch {
	case 2*t.Lefts > t.Answers:
		return "left"
	case 2*t.Rights > t.Answers:
		return "right"
	}
	return ""
}

// Better is the side that counts: the revision's, or the judges'; "" when neither is known.
func (p *Pair) Better() string {
	if p.Chosen != "" {
		return p.Chosen
	}
	return p.Counter.Majority()
}

// Order is which side a judge sees first: left or right.
func Order(pairID, judgeID string) string {
	sum := sha256.Sum256([]byte("preceptor preference\x00" + pairID + "\x00" + judgeID))
	if sum[0]&1 == 0 {
		return "left"
	}
	return "right"
}

// Task is a pair as a judge gets it.
type Task struct {
	PairID string
	Prompt string
	A, B   string
}

func (p *Pair) task(judgeID string) *Task {
	t := &Task{PairID: p.ID, Prompt: p.Prompt, A: p.Left.Text, B: p.Right.Text}
	if Order(p.ID, judgeID) == "right" {
		t.A, t.B = t.B, t.A
	}
	return t
}

// Store is the door to pairs.
type Store struct {
	db    *db.DB
	hooks Hooks
}

// Hooks are what the pairs ask others.
type Hooks struct {
	// Hide replaces what identifies a person, and the known values wherever they stand, in texts of revisions. It must
	// be pure.
	Hide func(text string, known ...string) string
	// About refuses an interaction that a pair of this agent can't be about: NotFound for none of theirs, Conflict for
	// one of which nothing is left.
	About func(tx *db.Tx, agentID, interactionID string) error
	// MayAsk refuses a pair that no user may be shown.
	MayAsk func(tx *db.Tx, p Pair) error
	// OnChosen follows each choice between two answers that is judged, and the end of such a pair.
	OnChosen func(tx *db.Tx, p Pair) error
}

// New makes the store.
func New(d *db.DB, h Hooks) *Store {
	hook.Complete(h)
	return &Store{db: d, hooks: h}
}

func actor(p Person, origin string) audit.Actor {
	kind := audit.Person
	if origin == API {
		kind = audit.Agent
	}
	return audit.Actor{Kind: kind, ID: p.ID, Name: p.Name}
}
