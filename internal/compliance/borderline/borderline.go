// Package borderline is where compliance experts settle what the panel of judges could not.
//
// It owns the tables borderline_case, borderline_draft, borderline_ruling, borderline_rating and borderline_remark. All
// cases are one set of package labelling, which has the claims and answers: the blind answer is an expert's first,
// their last word a revision of it. A case is about one text of one interaction:
//
//	                    ┌── not of one mind: one more ──┐
//	                    v                               │
//	(enrol) <─budget─> waiting ── all asked settled ────┴──> adjudication
//	                      │  └── of one mind ──> ruled <────────┘
//	                      ├── a supervisor decided without ──> overtaken (undone: as it was)
//	                      └── no expert is left: a manager rules, or closes it as unresolved (unresolved.go)
//
// What it promises.
//   - Experts have a budget (budget.go): of an agent's last Window drafts, the policy's share, the most uncertain first
//     (compliance.Verdict.Uncertainty). A case that nobody has begun gives way to a more uncertain draft; one that an
//     expert has begun, or a supervisor sent, never does. What is held back is no case for anybody: supervisors decide
//     it, with the line that says what divided the judges. The budget clears nothing.
//   - Blind first. Until an expert has answered a case, no method of this package gives them, or anybody who may still
//     answer, the verdict, a vote, why the case is here, what a supervisor noted, or another's answer. Afterwards they
//     may keep or change their answer; both rows stay, and agreement is measured on the blind one.
//   - Other experts' answers are shown once everybody who was asked has settled. Whoever adjudicates has not answered,
//     and whoever sent a case does not answer it.
//   - Comments, on words of the text or on all of it, are written by those who have answered or may read the answers,
//     and read by others with the answers; they are withdrawn and never deleted, and an erasure empties them.
//   - A ruling is a row of its own. Answers that are of one mind make it by themselves; it then names all who gave
//     them. It can be taken back by who made it for UndoFor, while no supervisor has decided; nothing is deleted.
//   - Answers, rulings and what follows from them (hooks: the review, the lesson) are one transaction.
//   - With their last answer, or in an adjudication, experts may call findings right or wrong, for later texts (package
//     ruled).
//   - Every answer and ruling names the versions of the rubric and the taxonomy under which it was given. A new version
//     takes two people.
//   - A rating is given blind to who decided, and never by somebody who signed.
//
// Seed 000 calls the parts analyze_judge_disagreements and extract_borderline_pattern (pattern.go),
// store_borderline_case (enrol.go) and expert_quality_rating (rating.go).
//
// What it decided against: undoing a blind answer (the panel is open from then on, so a second blind answer would be
// none; "change my answer" is the way); one claim per case (two experts who work side by side are the point of asking
// two); majority rulings (a dissenting expert is worth a third person's time); rulings that change a verdict (what the
// judges said stays as they said it); telling experts in a list why a case is here.
package borderline

import (
	"log/slog"
	"time"

	"preceptor/internal/approval"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/rubric"
	"preceptor/internal/compliance/ruled"
	"preceptor/internal/interaction"
	"preceptor/internal/person"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/hook"
)

// Why a case is here.
const (
	Dissent = "dissent" // the judges disagree
	Unsure  = "unsure"  // the panel is not sure, or too few of it answered
	Sent    = "sent"    // by a supervisor
)

// States of a case.
const (
	Waiting      = "waiting"
	Adjudication = "adjudication"
	Ruled        = "ruled"
	Overtaken    = "overtaken"
)

// Steps of an answer.
const (
	Blind = "blind"
	Final = "final"
)

// How a ruling came about.
const (
	Agreed      = "agreed"
	Adjudicated = "adjudicated"
)

// Labels are what an expert can call a text, in the order of their keys 1 2 3.
var Labels = []compliance.Label{compliance.Compliant, compliance.Borderline, compliance.NonCompliant}

// Boundaries are the boundary classes of seed 000.
var Boundaries = []string{compliance.Guidance, compliance.OnTheBoundary, compliance.Advice}

// Person is who works on a case.
type Person = person.Person

// Case is a borderline case, without anything that must stay hidden before one's own answer.
type Case struct {
	ID            string
	InteractionID string
	AgentID       string
	AgentName     string
	Pack          string
	Task          string
	Who           string // who is asking, in a few words
	Opening       string // of the question
	Text          string
	TextHash      string
	State         string
	Wanted, Most  int // experts asked, and how many may be at most
	Settled       int // of them gave their last answer
	TargetAt      time.Time
	CreatedAt     time.Time
	ClosedAt      time.Time
	sentBy        Person
	cause, note   string
	Stood         string
	held          bool // with the supervisors, because more uncertain drafts fill the budget
	draftNo       int  // among its agent's
	askedMoreAt   time.Time
	verdict       compliance.Verdict
}

// Open reports whether experts are still at it.
func (c Case) Open() bool { return c.State == Waiting || c.State == Adjudication }

// Asked is the supervisor who sent it, and what they asked; nobody where the panel did.
func (c Case) Asked() (by Person, note string) { return c.sentBy, c.note }

// Late reports whether it should have been ruled before now.
func (c Case) Late(now time.Time) bool { return c.Open() && now.After(c.TargetAt) }

// Mark is an issue that an expert names, on words of the text. Start and End count code points; both 0 when nothing can
// be pointed at, as for something that is missing.
type Mark struct {
	Code  string `json:"code"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	Quote string `json:"quote"`
}

// Answer is one expert's, at one step.
type Answer struct {
	ID              string           `json:"-"`
	CaseID          string           `json:"-"`
	By              Person           `json:"-"`
	Step            string           `json:"-"`    // Blind or Final
	Kept            bool             `json:"kept"` // a final answer that is the blind one
	Label           compliance.Label `json:"-"`
	Boundary        string           `json:"boundary"`
	Marks           []Mark           `json:"marks"`
	Confidence      float64          `json:"confidence"` // 0 to 1
	Rationale       string           `json:"rationale"`
	Clicks          []ruled.Click    `json:"clicks"` // on findings; none of a blind answer
	RubricVersion   int              `json:"rubric"`
	TaxonomyVersion int              `json:"taxonomy"`
	Seconds         int              `json:"-"`
	At              time.Time        `json:"-"`
}

// Ruling is the experts' last word on a case.
type Ruling struct {
	ID              string
	CaseID          string
	InteractionID   string
	TextHash        string
	Label           compliance.Label
	Rationale       string
	How             string
	By              Person // whose act made it; Name names all who stand behind it
	Pattern         Pattern
	Clicks          []ruled.Click // of an adjudicator on findings
	RubricVersion   int
	TaxonomyVersion int
	At              time.Time
	UndoneAt        time.Time
	UndoneBy        Person // in OnRulingUndone
}

// Releases reports whether the text may go to a customer, once a supervisor agrees too.
func (r Ruling) Releases() bool { return r.Label == compliance.Compliant }

// Hook follows a ruling, in its transaction.
type Hook func(tx *db.Tx, c *Case, r *Ruling, v compliance.Verdict, answers []Answer) error

// Hooks are what the cases ask and tell others.
type Hooks struct {
	MayRule   person.Guard // answer and rule
	MayDecide person.Guard // rule or close where no expert is left
	MayAgree  person.Guard // agree to a new version of the line
	MaySend   person.Guard // send a text from the desk

	// Undecided is nil while the interaction waits for a supervisor and the text with this hash is the one under
	// review; "" is any.
	Undecided func(tx *db.Tx, interactionID, textHash string) error
	// AskFor is how many experts are asked about a case of an agent, and about what share of drafts.
	AskFor func(tx *db.Tx, agentID string) (Asked, error)
	// Experts are all who may answer and rule now.
	Experts func(tx *db.Tx) ([]Person, error)

	// OnOpened runs in the transaction that makes a case of an interaction.
	OnOpened func(tx *db.Tx, c *Case) error
	// OnRated runs in that of a rating of what went out.
	OnRated func(tx *db.Tx, interactionID string) error
	// OnRuled and OnRulingUndone run in the transaction of a ruling, or of its taking back.
	OnRuled, OnRulingUndone Hook
	// OnSentences runs after the commit of what changed which ruled sentences hold.
	OnSentences func()
	// OnRemark runs in the transaction of a comment; others are the accounts that answered the case or commented on it
	// before. An Invalid fault refuses the comment.
	OnRemark func(tx *db.Tx, c *Case, r Remark, others []string) error
	// OnClosed runs in the transaction that closes a case, however it does; late: another open case is past its target.
	OnClosed func(tx *db.Tx, c *Case, late bool) error
	// OnUnresolved runs in the transaction that closes a case without a ruling; r is why.
	OnUnresolved func(tx *db.Tx, c *Case, r Remark) error
	// OnStuck is told by TellStuck of cases that wait for an expert who is not there.
	OnStuck func(tx *db.Tx, stuck []Case) error
	// OnLate runs in the transaction that marks cases as past their target.
	OnLate func(tx *db.Tx, late []Case) error
}

// Store is the door to the borderline cases.
type Store struct {
	db            *db.DB
	hooks         Hooks
	*rubric.Store // what is ruled by
	sentences
}

// sentences are what experts say of findings.
type sentences = *ruled.Store

// New makes the store.
func New(d *db.DB, changes *approval.Store, h Hooks, log *slog.Logger) *Store {
	hook.Complete(h)
	return &Store{db: d, hooks: h, sentences: ruled.New(d, h.MayRule, UndoFor, h.OnSentences),
		Store: rubric.New(d, changes, rubric.Guards{MayPropose: h.MayRule, MayAgree: h.MayAgree}, log)}
}

// Subject is what a case is made of.
type Subject struct {
	Interaction *interaction.Interaction
	Text        string // under review: the draft, or a text that was signed once
	Verdict     compliance.Verdict
}
