// Package credit reckons up what knowledge did: for each rule and case, whether drafts that were shown it went out
// unchanged more or less often than others of their task. A rule that surely does harm leaves recall until a person has
// looked at it.
//
// It owns credit, a line for each item that a decided draft was shown and one for the draft itself; credit_sum, the
// sums of its lines, so that a decision costs the same after many of them; and credit_key (migrations 00117 and 00030).
// What a draft was shown comes from package knowledge's ledger.
//
// How. Raw counts blame a rule for the tasks it belongs to: one about transfers looks bad because drafts on transfers
// are often revised. So what is counted is the residual: how many of the drafts that it was shown to were approved,
// less how many of the same agent and task were when it was not shown, that rate shrunk towards the agent's own (a Beta
// prior). A draft is shown several items, and its blame is not each one's: what the others are thought to do at that
// moment is taken out first, which is one step of ridge regression, made once per decision at the cost of its few items
// and no more. The sum is shrunk towards no effect by a prior worth some dozen decisions, so that three bad drafts
// condemn nothing. The result is an effect on the chance of approval with an interval. A full regression over the
// ledger was decided against: it can't run inside a decision's transaction, can't be undone with it, and a person can't
// check it by hand.
//
// Ticks ("which of these misled?") say more than outcomes where they are good, and less than nothing where they are
// not. So they weigh by what planted checks measured of who gave them: the log of how much likelier a tick is on an
// item that misleads than on one that does not, both rates taken on the careful side. Without checks they weigh
// nothing. They enter as if so much more had been seen of an item that does the harm ticks are about (tickEvidence), so
// there is one effect and one interval.
//
// What it promises. Everything is written in the transaction of its cause, once: the same outcome again changes
// nothing, and undoing a decision takes out exactly what it had put in. Practice is no evidence here: it has a file of
// its own. A quarantined rule keeps its text, its numbers and its history; a person can take it back with a reason, and
// then what spoke against it before counts no more. Undoing the decision that tipped it takes it back too.
//
// What is expected of a draft, and what ticks are worth, changes with others' drafts too: a periodic job reckons
// everything up anew (reckon.go).
//
// Cases get credit too and are never quarantined: a case is a text that a person approved.
package credit

import (
	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
)

// me is who quarantines are recorded under.
var me = audit.System("credit")

// Ledger is the door. It is safe for concurrent use.
type Ledger struct {
	d  *db.DB
	kb *knowledge.Base
	// Policy may be changed before use.
	Policy Policy
}

// New makes a ledger on the knowledge of kb.
func New(d *db.DB, kb *knowledge.Base) *Ledger { return &Ledger{d: d, kb: kb, Policy: DefaultPolicy} }

// Outcome is what became of one draft.
type Outcome struct {
	ID            string // of the decision; counted once
	InteractionID string // whose usage tells what was shown
	AgentID       string
	Task          string
	Approved      bool // went out unchanged
}

// Ticks are a person's answer to "which of these misled?" about a draft that was not approved.
type Ticks struct {
	OutcomeID string
	By        string   // account
	Asked     []string // ids of the items that were on the list
	Misled    []string // ids of those that were ticked
}

// Check is one answer about a planted item, of which the truth is known.
type Check struct {
	ID       string // counted once
	By       string // account
	Misleads bool   // the truth
	Ticked   bool
}
