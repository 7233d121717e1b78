package borderline

import (
	"hash/fnv"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/pack"
)

// Asked is how many experts answer a case, by when, and how many drafts they can take: the review policy says so
// (Hooks.AskFor).
type Asked struct {
	Share float64 // of an agent's drafts, 0 to 1
	First int     // at first
	Hard  int     // at first, where judges disagree about somebody with a guarantee to lose, or who is vulnerable
	Most  int     // at most; then somebody adjudicates

	Target time.Duration // from enrolment to ruling
}

// What governs the experts' work beside the review policy. Change it here and nowhere else.
const (
	ClaimFor     = 10 * time.Minute // without activity
	KeepAfter    = 2 * time.Hour    // an answer that nobody kept or changed counts as kept
	UndoFor      = 30 * time.Minute // a ruling can be taken back, while no supervisor has decided
	ratedPercent = 5                // of the texts that supervisors let go, for an expert's quality rating

	maxRationale = 4000 // characters, as of a note
	maxNote      = 2000
	maxMarks     = 20
	maxDraft     = 100_000 // bytes of the form that is kept: room for either
	maxSeconds   = 24 * 60 * 60
)

// expertsFor is how many experts are asked about a case, at first and at most.
func (a Asked) expertsFor(cause string, s pack.Situation) (wanted, most int) {
	if cause == Dissent && (s.HoldsSafeguarded() || s.Fragile()) {
		return a.Hard, max(a.Hard, a.Most)
	}
	return a.First, max(a.First, a.Most)
}

// causeOf is why a panel's verdict needs experts; "" when it does not. A deterministic check that blocks needs none:
// that is seed 000's case 1. Without a panel the supervisors are the people who look.
func causeOf(v compliance.Verdict) string {
	if v.Critical() || !v.RequiresHumanReview || len(v.Judges) == 0 {
		return ""
	}
	if v.Dissent() {
		return Dissent
	}
	return Unsure
}

// Learns tells what a verdict teaches by itself: "urgent" for a deterministic critical failure (seed 000, case 1),
// "judges" for a panel that fails a text and is sure of it (case 3), "" for the rest.
func Learns(v compliance.Verdict) string {
	switch {
	case v.Critical():
		return Urgent
	case compliance.ByPanel(v.Source) && !v.Passed && !v.RequiresHumanReview:
		return Judges
	}
	return ""
}

// What a verdict teaches by itself.
const (
	Urgent = "urgent"
	Judges = "judges"
)

// sampledForRating is a draw that depends on the decision's id alone, so that nobody can steer it and a restart changes
// nothing.
func sampledForRating(decisionID string) bool {
	h := fnv.New32a()
	h.Write([]byte(decisionID))
	return h.Sum32()%100 < ratedPercent
}
