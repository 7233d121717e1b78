package stats

import (
	"preceptor/internal/platform/estimate"
	"time"
)

// LearningPage is whether it gets better. Its curves begin with the first decision, whatever the range; Filter.Range
// narrows the other figures.
type LearningPage struct {
	Filter        Filter
	Consultations Figure         // count of decisions of people, ever
	Quality       []QualityPoint // approval by number of consultations, oldest first; at most 60
	Cases, Rules  []GrowthPoint  // the bases' sizes; oldest first
	Lessons       []LessonCell   // begun in the range, by origin, stage and state
	Begun         Figure         // count of lessons begun in the range
	Accepted      Figure         // count of those whose rule was accepted
	Kept          Figure         // count of those whose case was kept, accepted or not
	Origins       []Slice        // lessons begun, by origin: Figure is the share accepted
	Help, Harm    []RuleCredit   // rules with the largest help and harm by real decisions; at most 10 each
	Memory        *MemoryEffect  // nil: no control runs
}

// QualityPoint is the approval of the consultations between the point before and this one.
type QualityPoint struct {
	Consultations int // at its end
	From, To      time.Time
	Approved      Figure
	Expected      float64 // Hooks.ExpectedQuality in the middle of the point
}

// GrowthPoint is the size of a base at the end of a span, and what the seed's model expects for so many consultations
// at the share approved so far.
type GrowthPoint struct {
	At            time.Time
	Consultations int
	Size          int
	Expected      int
}

// LessonCell counts lessons.
type LessonCell struct {
	Origin, Stage, State string
	N                    int
}

// RuleCredit is what a rule did to the chance that a draft is approved, by knowledge/credit.
type RuleCredit struct {
	ID          string
	Number      int
	Text        string
	Effect      float64 // -1 to 1
	Low, High   float64 // 95 %
	Shown       int
	Quarantined bool
}

// MemoryEffect is the running control: answers with and without memory. It comes from Hooks.
type MemoryEffect struct {
	Name, ID      string // of the experiment
	With, Without estimate.Share
	Effect        float64 // With less Without
	Low, High     float64 // always valid, whenever it is looked at
	Wanted, Have  int     // outcomes per arm: planned, and of the smaller arm so far
	Agent         string  // whose control it is; "" for every agent's
	Stopped       bool
}
