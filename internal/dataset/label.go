package dataset

import (
	"time"

	"preceptor/internal/platform/decimal"
)

// Task is an item as a labeller gets it: nothing in it tells what others said, or whether it is a check.
type Task struct {
	ItemID    string
	DatasetID string
	Text
	Flag    string // why I flagged it; "" when I did not
	Draft   string // what I typed and have not sent
	Skipped bool   // I passed it over before
	Mine    *Label // my standing answer; nil: none yet
	CanUndo bool   // Mine can be taken back
}

// Label is one person's answer to one item.
type Label struct {
	ID       string
	ItemID   string
	By       Person
	External bool // by somebody who has no account here
	Answer
	Revision int  // 1, 2 ...
	First    bool // agreement is measured on it
	Standing bool // neither revised nor taken back
	Late     bool // revised after the answers were there to be seen; it settles nothing
	SpentMs  int64
	At       time.Time
}

// LabelInput is an answer as it comes from the screen. Fields of its faults: label, boundary, issues, confidence,
// rationale, notes.
type LabelInput struct {
	ItemID  string
	By      Person
	Answer  Answer
	SpentMs int64 // as the page measured it; cut to MaxSpent
	// Revise says that it replaces an answer of mine. Without it a second answer is a Conflict, so that a key pressed
	// twice is one answer.
	Revise bool
}

// MaxSpent bounds the time that one answer is taken to have cost, in milliseconds: beyond it somebody had left the
// desk.
const MaxSpent = int64(30 * time.Minute / time.Millisecond)

// Why Work has no item.
const (
	AllDone      = "done"    // I answered everything that I can answer
	OnlySkipped  = "skipped" // only what I passed over is left
	OthersHaveIt = "others"  // what is open is with others, who may give it back
	SetClosed    = "closed"
	SetEmpty     = "empty" // no items yet
)

// Work is what a labeller does next.
type Work struct {
	Now   *Task  // nil: nothing, Empty says why
	Then  *Task  // the one after, to fetch ahead; nil: none, or not known yet
	Empty string // AllDone ...
}

// Progress is how far a set is, for one person.
type Progress struct {
	Mine Mine
	All  Overall
	// Left is how many texts the person can label at most; 0 in a closed set, and for who isn't invited.
	Left    int
	Percent int // of the items that are complete
}

// Overall is how far everybody is: how the labels turned out is not in it, since it would tell a labeller what others
// said.
type Overall struct {
	Items    int
	Complete int // have their labels
	Labels   int
	Wanted   int // labels still to give
	Imported int // of the complete, those whose final label came with a file
	Settling int // of the complete, those whose last label can still be undone
}

// Mine is what one person did in a set.
type Mine struct {
	Done    int
	Skipped int   // waiting, passed over
	MeanMs  int64 // per answer
}

// Share is what a person has done of what was there for them, in per cent.
func (m Mine) Share(left int) int { return decimal.PercentOf(m.Done, m.Done+left) }

// Figure is how one person labels. Of oneself, checks move in steps of FigureStep.
type Figure struct {
	Person
	Done     int
	Skipped  int
	Flagged  int
	MeanMs   int64
	MedianMs int64 // of the last 200 answers
	Checks   int   // check items answered
	Right    int   // ... with the known label
	LastAt   time.Time
}
