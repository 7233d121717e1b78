// Package review is the supervisors' queue: claims, decisions, and the hold before a text leaves.
//
// It owns the tables review, review_field, review_column, decision, overruling, review_skip, review_draft and
// review_count. A review stands under its interaction's id, one each, so the same case can't be queued twice. It is
// waiting or decided; what became of a decision stands on the decision:
//
//	pending ──> held ──> released ──> recalled
//	   │          ├────> escalated, returned, closed
//	   │          └────> undone
//	   └───────────────> undone, overruled
//
// What waits can end without a decision: its agent withdraws it, its deadline passes, or its texts are erased.
//
// What it promises.
//   - A claim is one statement: two people never get the same case from ClaimNext. It runs out after ClaimFor without
//     activity; then others may take it, but while nobody did, whoever held it still decides.
//   - A decision is one write transaction: it is held against state, version, the hash of the text that was on the
//     screen, and the claim; then come the decision, the interaction's hold, one audit row, the release job and the
//     hooks. Of two deciders one wins and the other gets a Conflict that names who and what. At most one decision
//     stands (a unique index says so too).
//   - The text under review is the agent's draft, or that of the decision that base_id names: a first signature, or
//     what was recalled. Version and hash on a form are about that text, so nobody signs what they did not see.
//   - A second pair of eyes. Where the policy asks for it, or the person who approves asked for the draft themselves, a
//     text leaves with the signatures of two people, who may decide when the second is given and again when the hold
//     ends. A first signature is a pending decision; somebody else's Approve completes the same row, anything else
//     overrules it. A decision is one row with two signatures and not two rows, so that the text both agreed to can't
//     differ. What asks for it is looked at when the case arrives, when the policy changes and when it is decided, by
//     one function that pages use too, and is never lowered (two_eyes); a new version of what was sent back inherits
//     it. Triggers (00009) hold all this against direct SQL.
//   - Nothing is released without a standing decision whose hold has passed. Until held_until undo works, from then on
//     release does; there is no moment for both. Those who signed undo freely, other supervisors with a reason. To take
//     back leaves the case as it was: an overruled signature counts again.
//   - What was delivered can be recalled by any supervisor with a reason, and is then first in the queue. What the
//     customer has stays on record until a correction replaces it.
//   - Sampling lets go unread only what no condition of the policy stands on, what passes the check cleanly, what is no
//     seeded check and no new version, and what takes no second pair of eyes; held like all else, so it can be stopped.
//   - A seeded check is a case like any other until its hold ends. Then it is closed: no text leaves, and no hook runs
//     but OnClosed.
//   - A text that compliance experts have, or ruled against, is not sent; one that they ruled compliant may be approved
//     whatever the check says. What they say is asked before the transaction and must be the same in it.
//   - What a check stops goes out only when a person overrules every finding that stops it, with a reason, and a second
//     supervisor signs; the pack names the codes that nobody overrules. It holds for that very text, and goes with the
//     decision.
//   - A skip changes nothing about the case and is remembered; the case is not handed to the same person next.
//   - Counts are kept in the transaction of what they count.
//
// What a decision leads to (learning, delivery) is a hook in its transaction; this package imports no domain that
// learns. The check of a text is the hook Assess, a pure function: it runs before the transaction and calls no model.
//
// Priority: what the policy lets come first, since a customer waits or its agent asks for haste; in it and in the rest
// a draft that can't be approved as it is, then vulnerable customers, then DB pensions, then low confidence and other
// flags, then the rest; oldest first within each. The number is fixed when the case is queued, so
// that the queue is one walk along one index.
//
// What it decided against: a lock token (the account holds the claim, so a second tab of the same person is no
// stranger); claims that block deciding after they ran out (a slow reader loses nothing); raising the version on a
// claim (the text under it did not change); deleting undone decisions (they happened); a table of claims (two rows to
// keep in step); a state of the review for a first signature (it waits like any other, for somebody else); that an
// undone second signature leaves the first standing (who takes back wants the case open, and a new first signature is
// one key).
package review

import (
	"context"
	"log/slog"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/person"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/hook"
	"preceptor/internal/platform/job"
	"preceptor/internal/policy"
	"preceptor/internal/rule"
)

// The kinds of decision.
const (
	Approve = "approve"
	Revise  = "revise"
	Reject  = "reject"
	Return  = "return"  // sent back to the agent with a note
	Sampled = "sampled" // let go by a policy that two admins agreed on; read by nobody
)

// Again is what somebody did who sent a recalled text again unchanged; see Decision.Did.
const Again = "again"

// The states of a decision.
const (
	Pending   = "pending" // signed once; waits for a second supervisor
	Held      = "held"
	Released  = "released"
	Escalated = "escalated"
	Returned  = "returned"
	Closed    = "closed" // of a seeded check
	Undone    = "undone"
	Overruled = "overruled" // the second supervisor decided differently
	Recalled  = "recalled"  // taken back after delivery, to be corrected
)

// The states that a list can be asked for.
const (
	Needs  = "needs"  // waiting, and free or mine
	Others = "others" // waiting, and somebody else works on it
	Signed = "signed" // waiting for a second supervisor, after me
	Done   = "done"   // decided
	Ended  = "ended"  // withdrawn or expired before anyone decided
)

// Policy are the times and thresholds of the desk. Zero values mean the defaults.
type Policy struct {
	Hold     time.Duration // how long a decision can be undone; 30 s. Negative: none
	ClaimFor time.Duration // how long a claim lasts without activity; 10 min
}

func (p Policy) withDefaults() Policy {
	if p.Hold == 0 {
		p.Hold = 30 * time.Second
	}
	p.Hold = max(p.Hold, 0)
	if p.ClaimFor <= 0 {
		p.ClaimFor = 10 * time.Minute
	}
	return p
}

// Person is who works on a case.
type Person = person.Person

// Hook follows a decision, in its transaction. dec.Interaction is the interaction as it stands then.
type Hook func(tx *db.Tx, dec *Decision) error

// Hooks are what the queue asks and tells others.
type Hooks struct {
	// MayDecide passes an enabled account with the role of a supervisor. It is asked at every decision, of both
	// signatures when the second is given, and again when the hold ends.
	MayDecide person.Guard
	// MayApprove is nil for a draft that may be approved as it stands: nobody is still to say something about it. It is
	// asked at the approval of the agent's own words.
	MayApprove func(tx *db.Tx, id string) error
	// Moved names what of that on which a draft rests changed since it was made; "" for nothing. A text is sent only by
	// somebody who was shown that.
	Moved func(tx *db.Tx, id string) (string, error)
	// MayReturn is nil for a draft whose author can act on a note, and so be sent it back.
	MayReturn func(in *interaction.Interaction) error
	// Assess checks a text for an interaction: at a decision, and while somebody revises.
	Assess func(text string, in *interaction.Interaction) Assessment
	// Rules names all that Assess goes by beside the text and the case. A draft that was assessed under the same name
	// is not assessed again when it is decided. "": every text is.
	Rules func() string
	// PolicyFor is the agent's policy in force.
	PolicyFor func(tx *db.Tx, agentID string) (policy.Policy, error)
	// Experts is what compliance experts say about a text of a case, by interaction.TextHash.
	Experts func(tx *db.Tx, id, textHash string) (Expert, error)
	// TeamsOf are the keys ("team:<id>") of the teams that a person belongs to.
	TeamsOf func(tx *db.Tx, personID string) ([]string, error)
	// Assignee is the name under which a case can be assigned to an account or a team now, or why it can't be.
	Assignee func(tx *db.Tx, key string) (name string, err error)

	// OnAssigned runs after cases were assigned, in the transaction.
	OnAssigned func(tx *db.Tx, a Assigned) error
	// What follows a decision is in app/events.go.
	//
	// OnDecided runs when what a person decided becomes held, with all signatures it needs; OnUndone when a decision is
	// taken back; OnReleased when the hold ends: released, escalated or returned; OnRecalled when a delivered text is
	// taken back, to be corrected. Each runs in the transaction of its cause. None runs for a seeded check but
	// OnClosed, at the end of its hold; OnDecided does not run for what sampling let go.
	OnDecided, OnUndone, OnReleased, OnRecalled, OnClosed Hook
	// OnSigned runs when a first signature waits for a second one, and OnSettled when a decision does not stand any
	// more: undone, overruled or recalled. They are for telling people, run for seeded checks too, and may have no
	// Interaction.
	OnSigned, OnSettled Hook
	// OnEnded runs when what waited is withdrawn or expires, or was being drafted; in is as it stands then, by who
	// ended it.
	OnEnded func(tx *db.Tx, in *interaction.Interaction, by audit.Actor) error
	// OnLate runs in the transaction that marks cases as past their target.
	OnLate func(tx *db.Tx, late []Overdue) error
}

// Queue is the door to the reviews.
type Queue struct {
	db           *db.DB
	jobs         *job.Queue
	interactions *interaction.Store
	policy       Policy
	hooks        Hooks
	log          *slog.Logger
}

// New makes the queue and registers its job with jobs, which must not have been started.
func New(d *db.DB, jobs *job.Queue, interactions *interaction.Store, policy Policy, h Hooks, log *slog.Logger) *Queue {
	hook.Complete(h)
	q := &Queue{db: d, jobs: jobs, interactions: interactions, policy: policy.withDefaults(), hooks: h, log: log}
	job.Register(jobs, q.release)
	jobs.Periodic("review.expire", expireEvery, q.Expire)
	jobs.Periodic("review.drafts", 24*time.Hour, q.pruneDrafts)
	return q
}

// Policy is the policy in force, defaults filled in.
func (q *Queue) Policy() Policy { return q.policy }

// Returnable reports whether a case can be sent back to who wrote it.
func (q *Queue) Returnable(in *interaction.Interaction) bool { return q.hooks.MayReturn(in) == nil }

// Row is a case as the queue shows it.
type Row struct {
	ID         string // of the interaction too
	AgentID    string
	AgentName  string
	Task       string
	State      string              // waiting or decided
	Priority   int                 // 0 first
	Why        string              // why it is here, in a few words; "" when nothing stands out
	Who        string              // who is asking, in a few words
	Fields     []interaction.Field // of the metadata, those that lists show
	Opening    string              // the first words of the question
	Assessment Assessment
	TextHash   string
	Claim      Claim
	Skipped    bool   // by the viewer; ClaimNext passes over it
	DecisionID string // the standing decision; "" while waiting
	DecidedAt  time.Time
	CreatedAt  time.Time // when the customer asked, whatever was sent back since
	Version    int

	NeedsTwo   bool   // its text leaves only with two supervisors' signatures
	TwoEyes    string // the conditions that ask for a second supervisor, separated by commas; "" when one suffices
	BaseID     string // the decision whose text is under review; "": the agent's draft
	First      Person // who signed first, while a second is awaited; they can't be the second
	AskedBy    string // account that asked our own advisor; can't be the only one to approve
	Correcting bool   // it, or a version before it, was delivered and recalled
	AssignedTo Person
	DecidedBy  string // account, of the standing decision
	Planted    bool   // a known-bad draft that tests the desk; no page may show it before the decision
	interaction.Handling
	Ended    string // interaction.Withdrawn or Expired, at DecidedAt; "" where it waits or a person decided
	EndedWhy string // what its agent said

	Thread string // the agent's id of the conversation; "" for most
	Turn   int    // which of the customer's messages it answers, from 1
	// the customer wrote again since, so that another draft answers them. Set in lists
	Overtaken bool

	Group Group // in a list that comes in groups
	Alike bool  // see MarkAlike
}

// Claim says who works on a case. The zero value: nobody.
type Claim struct {
	By    Person
	Since time.Time
	Until time.Time // past this it may be taken by another
}

// Active reports whether somebody works on the case at now.
func (c Claim) Active(now time.Time) bool { return c.By.ID != "" && now.Before(c.Until) }

// HeldByOther reports whether somebody other than viewer works on the case at now.
func (c Claim) HeldByOther(viewer string, now time.Time) bool {
	return c.Active(now) && c.By.ID != viewer
}

// Item is a case with the decision that stands.
type Item struct {
	Row
	Decision *Decision // nil while waiting
	Base     *Decision // whose text is under review; nil: the agent's draft. Pending when a second signature is awaited
	Text     string    // under review: Base's, or the draft
	Skips    []Skip    // oldest first

	Interaction *interaction.Interaction // the question and the draft

	policy policy.Policy // in force; of a case that waits for a first decision
}

// Decision is what a person decided about a case.
type Decision struct {
	ID            string
	InteractionID string
	Kind          string
	State         string
	By            Person              // the author; no account for Sampled
	Text          string              // what goes to the customer; "" for a rejection
	Actions       interaction.Actions // what the agent may do, and what was refused; none for a rejection
	TextHash      string              // of the text that was on the screen
	Version       int                 // of the review that was on the screen
	Reason        string              // of a Return: the note to the agent
	ReasonCode    string              // of a pack's reasons; "" unless rejected
	Feedback      string
	// the sentence agreed to, as the pack had it then; "" for a rejection, and where the pack has none
	Confirmation  string
	Flags         []Flag // what the check said of the draft
	SecondsOnCase int
	DecidedAt     time.Time
	HeldUntil     time.Time // until then it can be undone
	SettledAt     time.Time // when it was released, escalated, undone ...
	SettledBy     Person    // who undid, overruled or recalled it
	SettledWhy    string

	FinalHash          string // of Text: what the signatures are for
	BaseID             string // the decision whose text was on the screen; "": the agent's draft
	NeedsSecond        bool
	Second             Person // the second supervisor; never By
	SecondAt           time.Time
	SecondSeconds      int
	SecondHasty        bool
	SecondConfirmation string
	PolicyVersion      int
	Statements         []rule.Statement // as Input.Statements
	OnlyCustomer       bool
	Overrulings        []Overruling // the checks that stopped Text
	Misled             string       // as Input.Misled
	Again              bool         // a recalled text is sent again unchanged
	Words              Person       // who wrote the text and the reason; nobody: By, or the agent
	Characters         int          // of question and text: what there was to read
	Hasty              bool         // decided faster than that can be read

	// Opening are the first words of the question, for lists.
	Opening string
	// Interaction is set for hooks, and nil in lists.
	Interaction *interaction.Interaction
	// NotJudged is set for OnDecided: why no judge stands behind the draft, "" where one does; Unread, that judges
	// should have read it and couldn't.
	NotJudged string
	Unread    bool
	// Corrects is set for OnReleased: something of this case was delivered before and recalled.
	Corrects bool
}

// Did is what its author did: Kind says how the text differs from the draft, which may be somebody else's work.
func (d *Decision) Did() string {
	switch {
	case d.Again:
		return Again
	case d.Words.ID != "":
		return Approve
	}
	return d.Kind
}

// didSQL is Did of a decision d.
const didSQL = `CASE WHEN d.again = 1 THEN 'again' WHEN d.words_by <> '' THEN 'approve' ELSE d.kind END`

// Author is who wrote the text and the reason, where a person did.
func (d *Decision) Author() Person {
	if d.Words.ID != "" {
		return d.Words
	}
	return d.By
}

// Verb is what was done, as in "Ann approved it".
func (d *Decision) Verb() string { return verbs[d.Did()] }

var verbs = map[string]string{Again: "sent again unchanged",
	Approve: "approved", Revise: "revised", Reject: "rejected", Return: "sent back",
	Sampled: "sent without review"}

// Skip is a case passed over, and why.
type Skip struct {
	ID            string
	InteractionID string
	By            Person
	Reason        string
	At            time.Time
}

// Get reads one case; NotFound when there is none.
func (q *Queue) Get(ctx context.Context, id string) (*Item, error) {
	return db.Read(ctx, q.db, func(tx *db.Tx) (*Item, error) { return q.getTx(tx, id) })
}
