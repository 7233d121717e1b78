package knowledge

import (
	"strconv"
	"time"

	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/views/ui"
)

// own is the lesson by which a waiting rule is accepted; nil when it has none here.
func (v Rule) own() *learning.Lesson {
	for i, l := range v.Lessons {
		if !l.SameAs && (l.State == learning.Waiting || l.State == learning.Running || l.State == learning.Failed) {
			return &v.Lessons[i]
		}
	}
	return nil
}

// lastChange is why it says what it says, or why it left use.
func (v Rule) lastChange() string {
	if v.Rule.Status != knowledge.Active {
		return v.Rule.Reason
	}
	return v.inUse().Reason
}

// sentence is what the rule says today, or said when it left use.
func (v Rule) sentence() string {
	if v.Held != nil && v.Held.Rule != nil {
		return v.Held.Rule.Principle
	}
	return v.Rule.Principle
}

// inUse is the rule as it holds today; as it stands where it doesn't.
func (v Rule) inUse() *knowledge.Rule {
	if v.InUse != nil {
		return v.InUse
	}
	return v.Rule
}

// coming reports whether the newest version begins on a day to come, so that another one, or none, holds until then.
func (v Rule) coming() bool { return begins(v.Rule, v.Now) }

func begins(r *knowledge.Rule, now time.Time) bool {
	return r.Status == knowledge.Active && r.ValidFrom.After(now)
}

// comes says when the newest version begins, and what holds until then.
func (v Rule) comes() string {
	if v.Held == nil {
		return "It applies from " + day(v.Rule.ValidFrom) + ". Until then the advisor doesn't use it."
	}
	return "From " + day(v.Rule.ValidFrom) + " it says this instead. Until then version " +
		strconv.Itoa(v.Held.Version) +
		" applies."
}

// datedBadge is the badge of a rule or a case in use that does not hold today; ok is false for all others.
func datedBadge(status string, v knowledge.Validity, now time.Time) (tone ui.Tone, icon, word string, ok bool) {
	switch {
	case status != knowledge.Active || v.Holds(now):
		return "", "", "", false
	case v.ValidFrom.After(now):
		return ui.Accent, "clock", "from " + day(v.ValidFrom), true
	}
	return ui.Neutral, "clock", "ended on " + day(v.ValidTo.In(knowledge.UK).AddDate(0, 0, -1)), true
}

// caseStatus is a case's status in words, as a rule's is said.
func caseStatus(status string) string {
	_, _, word := statusBadge(status)
	return word
}

// versionBadge is the status of one of the versions of a rule or a case: of those in use one holds, if any.
func versionBadge(newestFirst []knowledge.Version, i int, now time.Time) (ui.Tone, string, string) {
	v := newestFirst[i]
	switch {
	case v.Status != knowledge.Active || knowledge.InForce(newestFirst, now) == &newestFirst[i]:
		return statusBadge(v.Status)
	case v.ValidFrom.After(now) && newestFirst[0].Status == knowledge.Active:
		return ui.Accent, "clock", "scheduled"
	case i > 0 && newestFirst[i-1].Status != knowledge.Active && v.ValidFrom.After(newestFirst[i-1].CreatedAt):
		return ui.Neutral, "clock", "never used"
	}
	return ui.Neutral, "clock", "replaced"
}
