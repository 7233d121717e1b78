package learning

import (
	"time"

	"preceptor/internal/pension"
)

// What a lesson came from.
const (
	Approve = "approve"
	Revise  = "revise"
	Reject  = "reject"
)

// Flag is something that a check said about the text that was decided on.
type Flag struct {
	Code string `json:"code"`
	Why  string `json:"why"`
}

// Source is what a lesson is learned from: one decision, with what was on the screen. It is pseudonymised by FromDecisionTx
// before it is stored; Known is used for that and never stored.
type Source struct {
	Kind          string            `json:"kind"` // Approve, Revise or Reject
	DecisionID    string            `json:"decision_id"`
	InteractionID string            `json:"interaction_id"`
	AgentID       string            `json:"agent_id"`
	AgentName     string            `json:"agent_name"`
	Task          string            `json:"task"`
	Situation     pension.Situation `json:"situation"`
	Question      string            `json:"question"`
	AgentText     string            `json:"agent_text"`
	HumanText     string            `json:"human_text"` // the released text; the agent's own when approved, empty when rejected
	Reason        string            `json:"reason"`
	ReasonCode    string            `json:"reason_code"` // of the taxonomy, for a rejection
	Feedback      string            `json:"feedback"`    // what the reviewer told the advisor
	Flags         []Flag            `json:"flags"`
	By            string            `json:"by"` // name of the person who decided
	At            time.Time         `json:"at"`
	Reasoning     string            `json:"reasoning"` // the advisor's own
	Known         []string          `json:"-"`         // personal values to hide wherever they stand, as the customer's name
}
