// Package policy says what people must see before it leaves: how much is reviewed, what is always reviewed, what needs a
// second supervisor, and how fast the desk means to be. There is one policy for every agent, and an agent may have its own.
//
// The default is to review everything. Share may lower that for guidance on which no condition stands; the Fixed
// conditions can't be switched off by anybody.
package policy

import "time"

// Condition is something about a case that asks for people.
type Condition string

// The conditions.
const (
	RuleFlag      Condition = "rule_flag"      // a rule-based check found something
	Borderline    Condition = "borderline"     // the check could not settle it
	DBPension     Condition = "db_pension"     // the customer has a defined benefit pension
	Vulnerable    Condition = "vulnerable"     // the customer is marked vulnerable
	DBTransfer    Condition = "db_transfer"    // it is about giving up a defined benefit
	LowConfidence Condition = "low_confidence" // the check is not sure
	Revised       Condition = "revised"        // a person wrote the text; for SecondEyes
)

// Fixed conditions always lead to review, whatever a policy says.
var Fixed = []Condition{RuleFlag, Borderline, DBPension, Vulnerable}

// Facts is what is known of a case, condition by condition.
type Facts map[Condition]bool

// Policy is one version of what holds for an agent.
type Policy struct {
	AgentID     string      // "" for every agent that has none of its own
	Version     int         // 0: the built-in default, which nobody had to agree to
	Share       float64     // 0 to 1: of guidance that no condition demands, how much people review
	Always      []Condition // always reviewed, beyond Fixed
	SecondEyes  []Condition // needs a second supervisor
	Planted     float64     // 0 to 0.2: known-bad drafts mixed in, per draft that arrives
	TargetSoon  time.Duration
	TargetLate  time.Duration // past this, people are reminded
	WordsPerMin int           // reading faster than this is noted as hasty
}

// Default is what holds until two admins agree otherwise.
func Default() Policy {
	return Policy{Share: 1, Always: []Condition{LowConfidence, DBTransfer}, SecondEyes: []Condition{DBTransfer, Vulnerable},
		Planted: 0, TargetSoon: 4 * time.Hour, TargetLate: 24 * time.Hour, WordsPerMin: 600}
}
