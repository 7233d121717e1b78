package learning

import (
	"time"

	"preceptor/internal/pack"
	"preceptor/internal/rule"
)

// What a lesson came from.
const (
	Approve = "approve"
	Revise  = "revise"
	Reject  = "reject"

	Ruling  = "ruling"  // of the compliance experts
	Verdict = "verdict" // a deterministic critical failure: seed 000, "Compliance Feedback Loop", case 1
	Judged  = "judges"  // a panel that fails a text and is sure of it: case 3

	// an item of a gold set's version, when an expert has the version teach; ruled, as far as reasoners go
	Dataset = "dataset"
	Outcome = "outcome" // a low score of the outcome: seed 000, reflect_on_failure

	// an outcome of practice with a virtual customer: seed 000, "Virtual Training"; an Outcome, as far as reasoners go
	Practice = "practice"

	Reflected = "reflection" // an insight over many memories: seed 000, "Reflection Frequency"

	Disliked = "dislike" // several answers that users disliked, and said why: seed 001, "Analyze Failure"

	Proposed = "proposal" // what a detector proposed and a person approved: seed 002
)

// Origins are where the lessons of the board may come from, in the order of its filter.
var Origins = []string{Revise, Reject, Ruling, Verdict, Judged, Dataset, Outcome, Practice, Reflected, Disliked,
	Proposed}

// Kinds of causes: what a lesson hangs on. A decision's lesson follows the decision, whatever its origin.
const (
	CauseDecision = "decision"
	CauseRuling   = "ruling"
	CauseVerdict  = "verdict"
	CauseOutcome  = "outcome"

	CauseReflection = "reflection"
	CauseProposal   = "proposal"
)

// causeOf is the kind of cause that an origin has.
func causeOf(origin string) string {
	switch origin {
	case Ruling:
		return CauseRuling
	case Verdict, Judged:
		return CauseVerdict
	case Outcome:
		return CauseOutcome
	case Reflected, Disliked:
		return CauseReflection
	case Proposed:
		return CauseProposal
	}
	return CauseDecision
}

// Flag is something that a check said about the text that was decided on.
type Flag struct {
	Code  string `json:"code"`
	Why   string `json:"why"`
	Quote string `json:"quote,omitempty"` // the words of the text that it is about
}

// Voice is what one judge of the panel said about the text.
type Voice struct {
	Judge      string  `json:"judge"`
	Passed     bool    `json:"passed"`
	Confidence float64 `json:"confidence"`
	Boundary   string  `json:"boundary"`
	Reasoning  string  `json:"reasoning"`
	Issues     []Flag  `json:"issues,omitempty"`
}

// Scores are how an outcome was rated, each from 0 to 10.
type Scores struct {
	Satisfaction  float64 `json:"satisfaction"`
	Comprehension float64 `json:"comprehension"`
	GoalAlignment float64 `json:"goal_alignment"`
}

// Note is what a person said when they sent a lesson back: material for the step it went to.
type Note struct {
	By   string    `json:"by"`
	Text string    `json:"text"` // pseudonymised
	To   string    `json:"to"`   // StageReflect; StageRefine in notes from before statements
	Rule string    `json:"rule"` // as it stood, or the principle where there was no rule yet
	At   time.Time `json:"at"`
}

// origin is where the lesson of s comes from.
func (s Source) origin() string {
	if s.Origin != "" {
		return s.Origin
	}
	return s.Kind
}

// note is the last note, if it was meant for a stage.
func (s Source) note(stage string) (Note, bool) {
	if n := len(s.Notes); n > 0 && s.Notes[n-1].To == stage {
		return s.Notes[n-1], true
	}
	return Note{}, false
}

// Source is what a lesson is learned from: one decision, with what was on the screen, or a ruling or verdict. It is
// pseudonymised by FromDecisionTx and FromVerdictTx before it is stored; Known is used for that and never stored.
type Source struct {
	// Approve, Revise, Reject, Ruling, Verdict, Judged, Outcome, Reflected, Disliked or Proposed
	Kind string `json:"kind"`
	// where it comes from, where that is not its kind: Dataset or Practice
	Origin        string         `json:"origin,omitempty"`
	DecisionID    string         `json:"decision_id"`
	InteractionID string         `json:"interaction_id"`
	AgentID       string         `json:"agent_id"`
	AgentName     string         `json:"agent_name"`
	Task          string         `json:"task"`
	Situation     pack.Situation `json:"situation"`
	Question      string         `json:"question"`
	// the newest of what was said before the question, which it may mean nothing without
	Before    []pack.Message `json:"before,omitempty"`
	AgentText string         `json:"agent_text"`
	// the released text; the agent's own when approved, empty when rejected
	HumanText  string `json:"human_text"`
	Reason     string `json:"reason"`
	ReasonCode string `json:"reason_code"` // of the taxonomy, for a rejection
	Feedback   string `json:"feedback"`    // what the reviewer told the advisor
	Flags      []Flag `json:"flags"`
	// what the person stated; each becomes a lesson and a rule of its own
	Statements []rule.Statement `json:"statements,omitempty"`
	// why no judge stands behind the text that was approved
	NotJudged string `json:"not_judged,omitempty"`
	Unread    bool   `json:"unread,omitempty"` // and judges should: they could not read it
	// the change is for this customer alone: it teaches nothing
	Private  bool   `json:"private,omitempty"`
	By       string `json:"by"`                  // name of the person who decided
	StatedBy string `json:"stated_by,omitempty"` // who stated them, where that is not who decided
	// of Proposed: the id of By, who let the statement in as it stands
	Approver  string    `json:"approver,omitempty"`
	At        time.Time `json:"at"`
	Reasoning string    `json:"reasoning"` // the advisor's own

	// Of a ruling or a verdict: its id, what was made of the text, what the judges said, and the words that divided
	// them or that an expert marked. Reason is then the experts' rationale.
	CauseID string   `json:"cause_id,omitempty"`
	From    []string `json:"from,omitempty"` // of Disliked: ids of the votes, and of what they are on
	Label   string   `json:"label,omitempty"`
	Voices  []Voice  `json:"voices,omitempty"`
	Phrases []string `json:"phrases,omitempty"`

	Scores *Scores `json:"scores,omitempty"` // of an Outcome
	Notes  []Note  `json:"notes,omitempty"`  // with which people sent the lesson back, oldest first

	Own   *string  `json:"own,omitempty"` // HumanText without what comes from saved replies; nil: all of it
	Known []string `json:"-"`             // personal values to hide wherever they stand, as the customer's name
}
