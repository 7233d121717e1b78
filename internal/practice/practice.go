// Package practice lets an advisor practise with customers that don't exist (seed 000, "Virtual Training"), measures what it learned on
// others, and takes the memory apart to see which part of it helps. It owns practice_run, practice_session and practice_learned.
//
// A simulator that rewards what the rules say measures itself. So customers are made and judged apart from the memory. What a person
// must come away with, their needs, hangs on who they are and what they ask (need.go), and is settled before any draft. The judge sees
// needs, dialogue and the checks, and never rules, cases or the arm: it recognises a need by phrases of another author than the one
// whose sentences reflection may use (recognise.go). Reflection sees who missed what, never the conditions under which a need is one: it
// finds out from the customers for whom a sentence is meant (reflect.go). Situations and wordings are parted into training, validation
// and test by situation and by the wording's author (split.go).
//
// What it promises. Practice touches no interaction, review or statistic of real people. Training runs in a copy of the base; what was
// learned becomes knowledge only when an expert takes it over, by the learning path. The same seed gives the same result on any number of
// cores: a batch is answered side by side against one state of the base, and learned from in order. A run that was killed goes on without
// a session lost or doubled: a batch and what is to be learned of it are one write in the copy.
//
// Thresholds and formulas stand in outcome.go. An outcome is successful as feedback.Outcome says, the one meaning of it. Errors of seed
// 000, resolved: its expected trajectory jumps from 0.9 to 0.945 and counts "quality" without saying of what; it is shown beside the curve
// and nothing is fitted to it. It expects 52 rules after 5,000 consultations from a formula that counts every failure at the last success
// rate; the size of the bases is shown as it is. Its evaluation averages db_warning_given over those with such a pension, whatever they
// ask; here it counts where the check asks for the warning or the text gives it. Its fca_compliant and guidance_appropriate are not told
// apart: the first is that no critical issue was found, the second that no major one was and the text answers the question.
package practice

import "time"

// Kinds of runs.
const (
	Training   = "train"
	Evaluation = "evaluate"
	Ablation   = "ablate"
)

// States of a run.
const (
	Queued  = "queued"
	Running = "running"
	Paused  = "paused" // was interrupted, or a model failed: it can be resumed
	Done    = "done"
	Stopped = "stopped" // by a person, for good
)

// Run is one stretch of practice.
type Run struct {
	ID        string
	Kind      string
	State     string
	Pack      string
	AgentID   string
	AgentName string
	Seed      uint64
	Split     int
	Customers int // how many it is to have
	Done      int // how many it had
	By        string
	Nightly   bool
	Why       string // why it is paused or was stopped
	BaseSeq   int64  // the state of the base that was measured or copied: its newest version
	Copy      string // the file of the copy; "" when it is gone
	StartedAt time.Time
	UpdatedAt time.Time
	Report
}

// Report is what came of a run so far; stored as JSON.
type Report struct {
	Curve   []Point  `json:"curve,omitempty"`   // of a training
	Before  *Metrics `json:"before,omitempty"`  // on test customers without what was learned
	After   *Metrics `json:"after,omitempty"`   // and with it
	Gain    *Gain    `json:"gain,omitempty"`    // After less Before, paired
	Learned Tally    `json:"learned,omitzero"`  // of a training
	Arms    []Arm    `json:"arms,omitempty"`    // of an ablation
	Took    float64  `json:"took_s,omitempty"`  // seconds; no part of the result
	Notes   []string `json:"notes,omitempty"`   // what the reader has to know
}

// Point is a place of a training's curve.
type Point struct {
	Customers int     `json:"customers"`
	Quality   Share   `json:"quality"` // of the customers since the point before: how many consultations were successful
	Met       float64 `json:"met"`     // share of their needs that were met
	Cases     int     `json:"cases"`
	Rules     int     `json:"rules"`
}

// Tally counts what came of a training's lessons.
type Tally struct {
	Lessons  int `json:"lessons"`
	Accepted int `json:"accepted"`
	Rejected int `json:"rejected"`
	Cases    int `json:"cases"`
}
