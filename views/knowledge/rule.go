package knowledge

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/platform/estimate"
	"preceptor/views/statement"
	"preceptor/views/ui"
)

// decimal is a count that need not be whole.
func decimal(x float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0") }

// points is a change of a chance in whole points with its sign.
func points(x float64) string {
	n := int(math.Round(x * 100))
	switch {
	case n < 0:
		return fmt.Sprintf("−%d", -n)
	case n > 0:
		return fmt.Sprintf("+%d", n)
	}
	return "0"
}

// significant reports whether an interval leaves no doubt on which side of 0 an effect is.
func significant(low, high float64) string {
	if low > 0 || high < 0 {
		return "significant"
	}
	return "not significant"
}

// blamed reports whether users' votes are worse with the rule than without it by more than chance.
func (v Rule) blamed() bool { return v.Votes != nil && v.Votes.Suspect }

func (v Rule) votesSay() string {
	return "Positive votes: " + voteShare(v.Votes.With) + " with it, " + voteShare(v.Votes.Without) +
		" " + v.Votes.Beside() + ", on the same topics. Significant."
}

// votesSince says of when and what votes are.
func votesSince(earlier bool) string {
	if earlier {
		return "Positive votes on the same topics. Few people voted on other answers since it came into use, so " +
			"votes from before are counted too."
	}
	return "Positive votes since it came into use, on the same topics."
}

func (v Rule) votesDiffer() string {
	w, o := v.Votes.With, v.Votes.Without
	switch {
	case w.Whole < fewVotes || o.Whole < fewVotes:
		return "Too few votes to compare"
	case w.High < o.Low || w.Low > o.High:
		return "The difference is significant"
	}
	return "The difference is not significant"
}

// fewVotes is below how many two shares are not compared.
const fewVotes = 30

// voteShare is "28% of 40 votes (95% CI 16–43%)".
func voteShare(s estimate.Share) string {
	if s.Whole == 0 {
		return "no votes"
	}
	pct := func(x float64) int { return int(math.Round(x * 100)) }
	return fmt.Sprintf("%d%% of %s (95%% CI %d–%d%%)", pct(s.Value()), ui.Count(s.Whole, "vote"), pct(s.Low),
		pct(s.High))
}

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

// versionBadge is the status of one of the versions of a rule or a case: of those in use one holds, if any.
func versionBadge(newestFirst []knowledge.Version, i int, now time.Time) (ui.Tone, string, string) {
	v := newestFirst[i]
	switch {
	case v.Status != knowledge.Active || knowledge.InForce(newestFirst, now) == &newestFirst[i]:
		return statement.RuleState(v.Status)
	case v.ValidFrom.After(now) && newestFirst[0].Status == knowledge.Active:
		return ui.Accent, "clock", "scheduled"
	case i > 0 && newestFirst[i-1].Status != knowledge.Active && v.ValidFrom.After(newestFirst[i-1].CreatedAt):
		return ui.Neutral, "clock", "never used"
	}
	return ui.Neutral, "clock", "replaced"
}

// RuleEdit is a rule in the form by which it is changed.
type RuleEdit struct {
	Rule    *knowledge.Rule // as it stands
	Typed   knowledge.RuleEdit
	Teach   *statement.Editor
	Errors  map[string]string
	Message string
	Changed bool // meanwhile, by somebody else
}

// mayGoBack reports whether the page offers to go back to a version.
func (v Rule) mayGoBack(ver knowledge.Version) bool {
	return v.MaySettle && ver.Version != v.Rule.Version && ver.ErasedAt.IsZero() && v.Rule.ErasedAt.IsZero() &&
		v.Rule.Status != knowledge.Candidate
}

// mayEdit reports whether the page offers to change the rule.
func (v Rule) mayEdit() bool {
	return v.MaySettle && (v.Rule.Status == knowledge.Active || v.Rule.Status == knowledge.Quarantined)
}

func (v Rule) backError(ver knowledge.Version) string {
	if v.RollbackTo == ver.Version {
		return v.Errors["rollback"]
	}
	return ""
}

func (v Rule) backReason(ver knowledge.Version) string {
	if v.RollbackTo == ver.Version {
		return v.RollbackReason
	}
	return ""
}
