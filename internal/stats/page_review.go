package stats

import "time"

// ReviewPage is the desk's work. A decision counts in the local day on which it was made (of its first signature), once
// it has all signatures, and as long as it was not undone, overruled or recalled; how long it took and whether it was
// hasty is kept of recalled ones too. Releases by sampling and planted checks count in their own figures alone.
type ReviewPage struct {
	Filter    Filter
	Decisions Figure // count
	Approved  Figure // human_approval_rate: went out unchanged, of all decisions
	Revised   Figure // revision_needed_rate
	Escalated Figure // escalation_rate: rejected, which hands the customer to a person
	Person    Figure // count: escalated customers whom a person was done with, by when
	Answered  Figure // median seconds from their question to that; exact
	Returned  Figure // sent back to the agent
	Sampled   Figure // count: let go by an agreed policy, read by nobody
	Expired   Figure // count: nobody decided before the deadline
	Withdrawn Figure // count: its agent took it back first
	Rating    Figure // expert_quality_rating: mean of 1 to 5
	Queue     Queue
	Waited    Figure // median seconds from arrival to decision
	WaitedP90 Figure // nine of ten within this
	SLA       Figure // decided within the policy's later target
	OnCase    Figure // median seconds on a case, by its author
	OnCaseP90 Figure
	Hasty     Figure   // of approvals: faster than the text can be read
	Recalled  Figure   // of approvals and revisions: recalled after delivery
	Edit      Figure   // mean share of words that a revision changed: word edit distance / words of the longer text
	Rewritten Figure   // of revisions: more than half of the words changed
	Agreement Figure   // of cases that two supervisors looked at: the second one agreed with the first
	Caught    Figure   // of closed planted checks
	Series    []Series // approved, revised, escalated, over time
	Volume    Series   // decisions over time
	Edits     Series   // Edit over time
	Catches   Series   // Caught over time
	Agents    []Slice  // Approved by agent
	Tasks     []Slice  // Approved by task
	People    []PersonRow
}

// Queue is what waits now, seeded checks and all, as the queue lists it. Series is how much guidance waited at the end
// of each span, as if a case that was undone or recalled since had waited all along.
type Queue struct {
	Agent  string // id of the one that the filter names
	Length Figure
	Oldest time.Time // zero when nothing waits
	Late   Figure    // count: past the later target of the policy in force
	Series Series
}

// PersonRow are one person's figures, for that person and for managers. Rows are in the order of names, and nothing is
// ranked.
type PersonRow struct {
	ID, Name  string
	Decisions Figure // first signatures
	Seconds   Figure // second signatures
	Approved  Figure
	OnCase    Figure
	Hasty     Figure
	Caught    Figure // of the planted checks that they signed
	Signals   []Signal
}

// Signal is a sign of approving without reading. It is named only where the intervals of the person and of everybody
// else have nothing in common.
type Signal struct {
	// hasty: approves faster than can be read; unchanged: approves more often; misses: catches fewer planted checks
	Code   string
	Mine   Figure
	Others Figure
}
