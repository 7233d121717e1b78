package learning

import (
	"encoding/json"
	"fmt"
	"time"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/rule"
)

// Stages of the path. StageCase is where a lesson stands that only makes a case: an approval.
const (
	StageReflect  = "reflect"
	StageValidate = "validate"
	StageRefine   = "refine"
	StageJudge    = "judge"
	StageAccept   = "accept"
	StageCase     = "case"
)

// Stages are the columns of the board, in order.
var Stages = []string{StageReflect, StageValidate, StageRefine, StageJudge, StageAccept}

// States of a lesson. Running, unstated, waiting and failed are open; the others are ends.
const (
	Running   = "running"   // a job is on its way
	Unstated  = "unstated"  // needs a sentence: a person says what should change (State); at stage reflect
	Waiting   = "waiting"   // for a person at accept, for the release at case
	Accepted  = "accepted"  // a person (or policy) let the rule in, or the case was kept
	Rejected  = "rejected"  // by validation, the judge or a person; Outcome says by whom and why
	Withdrawn = "withdrawn" // its decision was undone
	Failed    = "failed"    // a step could not be done; Outcome says why, Retry tries again
	Nothing   = "nothing"   // there was nothing to learn, or it was known already; Outcome says which
)

// States of a lesson's case, beside the path of its rule.
const (
	CaseNone      = ""
	CaseWaiting   = "waiting" // for the release
	CaseRunning   = "running"
	CaseKept      = "kept"
	CaseWithdrawn = "withdrawn"
	CaseFailed    = "failed"
)

// Domains that every pack has, by what a rule is about; the pack names the others.
const (
	RegulatoryCompliance      = "regulatory_compliance"
	RiskDisclosure            = "risk_disclosure"
	UnderstandingVerification = "understanding_verification"
)

// Domains lists those of all packs, weightiest first.
var Domains = domains()

func domains() (out []string) {
	for _, d := range pack.RuleDomains() {
		out = append(out, d.Name)
	}
	return out
}

// lightest is the domain of a pack that weighs least.
func lightest(packName string) string {
	list := pack.Of(packName).Domains
	return list[len(list)-1].Name
}

// Lesson is something that may be learned and where it stands.
type Lesson struct {
	ID            string
	Origin        string // one of Origins
	DecisionID    string // "" when its cause is none
	Cause         string // CauseDecision, CauseRuling, CauseVerdict, CauseOutcome, CauseReflection or CauseProposal
	CauseID       string // the decision's, the ruling's, the interaction's of a verdict, or the signal's of a proposal
	Code          string // of the check that a Verdict's lesson is about
	InteractionID string
	AgentID       string
	AgentName     string
	Pack          string // the agent's domain; "" is pension
	By            string // who decided
	Task          string
	Stage, State  string
	Title         string // a few words, for a card
	Outcome       string // a sentence: why it ended, failed or waits

	Problem, RootCause string
	Statement          rule.Statement // what it states; empty while nobody has said it
	Guessed            bool           // the statement is made of the difference of two texts; nobody stated it
	WithoutModel       bool           // reflected on by the embedded reasoner because the model failed
	Principle          string         // the statement in words as it was reflected
	RuleText           string         // the statement in words as it stands
	Domain             string
	Confidence         float64 // 0 to 1
	Provisional        bool    // fewer exemplars than the policy asks for
	Helpful, Tried     int     // on cases that speak for or against
	Silent             int     // cases that say nothing either way
	// of lessons from before statements: cases outside its situation on which it stayed quiet, of how many
	Held, MustNotFire int

	RuleID     string // the rule that came of it, or that said it already
	RuleNumber int
	RuleStatus string // as it is now, one of package knowledge's; "" while there is no rule
	SameAs     bool   // the rule existed; this lesson is evidence for it

	CaseState  string
	CaseID     string
	CaseNumber int

	Urgent    bool // a rule-based critical failure
	SentBack  int  // how often a person sent it back with a note
	Attempts  int  // failed tries of the present step
	CreatedAt time.Time
	UpdatedAt time.Time
	Version   int

	Steps  []Step  // Get only
	Source *Source // Get only; nil once erased
}

// Step is one thing that was done on the path, by whom, with what in and out.
type Step struct {
	Seq        int
	Name       string // a stage, or StepBack
	State      string // "done", or "failed"
	AnsweredBy string // "embedded reasoner", a model's name, or a person's
	Duration   time.Duration
	TokensIn   int // of a model that answered, as its server counted them
	TokensOut  int
	Input      json.RawMessage
	Output     json.RawMessage
	At         time.Time
	Cases      []CaseTest // of a validate step
}

// Kinds of case tests.
const (
	TestExemplar    = "exemplar"      // guidance that people approved for such a customer
	TestMustNotFire = "must_not_fire" // of lessons from before statements: a customer the rule is not for
	TestOrigin      = "origin"        // the corrected case itself
)

// Verdicts of a case test.
const (
	Helped = "helped" // what a person released does what the rule asks, and the draft did not
	Hurt   = "hurt"   // it does the opposite
	Silent = "silent" // it says nothing either way, and is not counted
)

// CaseTest is one case on which a principle was tried.
type CaseTest struct {
	CaseID  string // empty for the origin and for a made-up customer
	Number  int    // the case's number; 0 without a case
	Kind    string
	Verdict string
	Fired   bool // the rule's situation holds for this customer
	Why     string
}

// Helped reports whether the test speaks for the rule.
func (c CaseTest) Helped() bool { return c.Verdict == Helped }

// Filter narrows List; zero fields don't.
type Filter struct {
	Stage, State  string
	Open          bool // on the board: running, waiting or failed, without the approvals that wait for their release
	Ended         bool // accepted, rejected, withdrawn or nothing
	Rules         bool // only lessons on the path of a rule (not approvals)
	Settled       bool // without those whose decision can still be taken back, or was
	Domain        string
	Origin        string
	Provisional   bool // only provisional rules
	AgentID       string
	InteractionID string
	Cursor        string // Page.Next of the page before
	Limit         int    // 50 when 0, at most 200
}

// Page is one page of lessons, newest first.
type Page struct {
	Items []Lesson
	Next  string // cursor; empty on the last page
}

// Counts is the board's head.
type Counts struct {
	Reflect, Validate, Refine, Judge, Accept int // open, by column; a failed lesson counts where it stands
	Unclaimed                                int // rules that wait and have no lesson, as Unclaimed lists them
	Unstated                                 int // of Reflect: they need a sentence
	Failed                                   int
	Urgent                                   int
	Oldest                                   time.Time // of those waiting to be accepted; zero when none does
	FailedOldest                             time.Time // of those that failed; zero when none did
}

// Open is all lessons on the board.
func (c Counts) Open() int { return c.Reflect + c.Validate + c.Refine + c.Judge + c.Accept }

// Summary is the lesson in one line, as "Reflect → Validate 8/10 → Refine → Judge → Rule R-12, waiting for acceptance".
func (l Lesson) Summary() string {
	if l.Stage == StageCase {
		return l.caseSummary()
	}
	s := l.trail()
	if c := l.caseNote(); c != "" {
		s += " · " + c
	}
	return s
}

func (l Lesson) trail() string {
	validate := "Validate"
	if l.Tried > 0 {
		validate = fmt.Sprintf("Validate %d/%d", l.Helpful, l.Tried)
	} else if l.Provisional {
		validate = "Validate: unproven"
	}
	names := []string{"Reflect", validate, "Refine", "Judge"}
	at := map[string]int{StageReflect: 0, StageValidate: 1, StageRefine: 2, StageJudge: 3, StageAccept: 4}[l.Stage]
	s := ""
	for i := 0; i < at; i++ {
		s += names[i] + " → "
	}
	if at < len(names) {
		s += names[at]
		switch l.State {
		case Running:
			return s + " …"
		case Unstated:
			return "Needs a rule"
		case Rejected:
			return s + ": dropped"
		case Withdrawn:
			return s + ": withdrawn"
		case Failed:
			return s + ": failed"
		case Nothing:
			if l.SameAs {
				return s + fmt.Sprintf(": same as rule R-%d", l.RuleNumber)
			}
			return s + ": nothing to learn"
		}
		return s
	}
	s += fmt.Sprintf("Rule R-%d", l.RuleNumber)
	switch l.State {
	case Waiting:
		return s + ", waiting for acceptance"
	case Accepted:
		return s + ", " + knowledge.StatusWords(l.RuleStatus)
	case Rejected:
		return s + ", not accepted"
	case Withdrawn:
		return s + ", withdrawn"
	}
	return s
}

// CaseLabel is how people call the lesson's case, as "Case #127"; empty while there is none.
func (l Lesson) CaseLabel() string {
	if l.CaseNumber == 0 {
		return ""
	}
	return knowledge.Case{Number: l.CaseNumber}.Label()
}

func (l Lesson) caseNote() string {
	if l.CaseState == CaseKept {
		return l.CaseLabel()
	}
	return ""
}

func (l Lesson) caseSummary() string {
	switch l.CaseState {
	case CaseKept:
		return l.CaseLabel()
	case CaseRunning:
		return "Case …"
	case CaseFailed:
		return "Case: failed"
	case CaseWithdrawn:
		return "Case: withdrawn"
	}
	return "Case, once it is released"
}
