// Package learning draws what is being learned: the board with its five columns, and a lesson as a story that one reads
// from the correction that started it to where the rule is used now.
package learning

import (
	"strings"
	"time"

	"github.com/a-h/templ"

	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/pack"
	"preceptor/views/statement"
	"preceptor/views/ui"
)

// Lesson is one lesson with what its page may offer.
type Lesson struct {
	Lesson    *learning.Lesson
	MayAccept bool // by role
	// the model was down when it was reflected on, and may be asked again
	MayAskAgain bool
	Undo        string            `form:"undo"` // typed: why it is taken or brought back
	Reason      string            `form:"reason"`
	Note        string            `form:"note"`   // typed, to send it back with
	To          string            `form:"to"`     // how far
	Retire      []string          `form:"retire"` // rules that say the opposite, in whose place it comes
	Except      []string          `form:"except"` // and those of which it is an exception, or they of it
	Against     statement.Against // what says the opposite
	Version     int               `form:"version"`
	Stated      string            // the rule as it was stated, where there is no Teach any more
	Rule        *Rule             // the lesson's; nil while there is none
	Teach       *statement.Editor // of its rule, or to state it; nil where the viewer may do neither
	Errors      map[string]string
	Message     string
	Beside      templ.Component // what the rule is in conflict with; nil for nothing
	Uses        []Use           // interactions whose draft was shown the rule since
	UsesMore    bool
	Case        string // the page of the review it came of; "" where the viewer has none
	Now         time.Time
}

// Instead is what was decided of rules that say the opposite.
func (v Lesson) Instead() knowledge.Instead {
	return knowledge.Instead{Retire: v.Retire, Except: v.Except}
}

// Rule is how the rule stands that came of a lesson.
type Rule struct {
	Status  string
	Version int
	Failing bool // on trial, and the cases that arrived since speak against it
}

// Use is one draft that was shown a rule.
type Use struct {
	InteractionID string
	Version       int
	Cited         bool
	At            time.Time
	Href          string // the page of its review; "" where the viewer has none
}

// Open reports whether a person can settle the lesson now.
func (v Lesson) Open() bool {
	return v.Lesson.Stage == learning.StageAccept && v.Lesson.State == learning.Waiting
}

// lost is what was typed into a form that the lesson, as it is now, doesn't have.
func (v Lesson) lost() string {
	l, typed := v.Lesson, []string{v.Stated}
	if !v.Open() {
		typed = append(typed, v.Note)
		if l.State != learning.Unstated {
			typed = append(typed, v.Reason)
		}
	}
	if !l.MayRollBack() && !l.MayBringBack() {
		typed = append(typed, v.Undo)
	}
	return strings.TrimSpace(strings.Join(typed, "\n"))
}

// StageLabel is a stage in a word.
func StageLabel(stage string) string {
	switch stage {
	case learning.StageReflect:
		return "Reflect"
	case learning.StageValidate:
		return "Validate"
	case learning.StageRefine:
		return "Refine"
	case learning.StageJudge:
		return "Judge"
	case learning.StageAccept:
		return "Accept"
	default:
		return "Case"
	}
}

// origin is where a lesson came from, as "revised by Ann".
func origin(l learning.Lesson) string {
	verb := map[string]string{learning.Approve: "approved by ", learning.Revise: "revised by ",
		learning.Reject: "rejected by ", learning.Ruling: "ruled by ",
		learning.Verdict: "found by ", learning.Judged: "failed by ", learning.Dataset: "labelled in ",
		learning.Outcome: "low score from ", learning.Practice: "practised with ", learning.Reflected: "seen by ",
		learning.Disliked: "disliked by ", learning.Proposed: "proposed by an agent, approved by "}[l.Origin]
	if l.By == "" || verb == "" {
		return strings.TrimSuffix(strings.TrimSuffix(verb, " by "), " ")
	}
	return verb + l.By
}

// Title names a lesson.
func Title(l learning.Lesson) string {
	if l.Title != "" {
		return l.Title
	}
	if l.Task != "" {
		return "A lesson: " + pack.Label(l.Task)
	}
	return "A lesson"
}

// state is how a lesson stands, as tone, sign and words.
func state(l learning.Lesson) (ui.Tone, string, string) {
	switch l.State {
	case learning.Accepted:
		if l.Stage == learning.StageCase {
			return ui.Green, "check", "saved as a case"
		}
		return statement.RuleState(l.RuleStatus)
	case learning.Rejected:
		return ui.Red, "cross", "dropped"
	case learning.Withdrawn:
		return ui.Neutral, "undo", "withdrawn"
	case learning.Failed:
		return ui.Red, "warn", "failed"
	case learning.Unstated:
		return ui.Amber, "pencil", "needs a rule"
	case learning.Nothing:
		return ui.Neutral, "info", "nothing new"
	case learning.Waiting:
		if l.Stage == learning.StageAccept {
			return ui.Amber, "person", "waiting for an expert"
		}
		return ui.Neutral, "clock", "waiting to be sent"
	default:
		return ui.Accent, "clock", "working"
	}
}

// passed reports whether the lesson is beyond a stage.
func passed(l *learning.Lesson, stage string) bool {
	at, want := -1, -1
	for i, s := range learning.Stages {
		if s == l.Stage {
			at = i
		}
		if s == stage {
			want = i
		}
	}
	return at > want || (at == want && l.State == learning.Accepted)
}

func headLabel(name string) string {
	switch name {
	case learning.HeadBoundary, "fca_boundary": // as it was called when there was one domain
		return "Compliant"
	case learning.HeadActionable:
		return "Actionable"
	case learning.HeadGeneral:
		return "General"
	case learning.HeadValue:
		return "Adds something new"
	default:
		return name
	}
}

func testLabel(c learning.CaseTest) (ui.Tone, string, string) {
	switch {
	case c.Verdict == learning.Helped && c.Kind == learning.TestMustNotFire:
		return ui.Green, "check", "correctly not applied"
	case c.Verdict == learning.Helped:
		return ui.Green, "check", "helped"
	case c.Verdict == learning.Hurt && c.Kind == learning.TestMustNotFire:
		return ui.Red, "cross", "wrongly applied"
	case c.Verdict == learning.Hurt:
		return ui.Red, "cross", "did not help"
	default:
		return ui.Neutral, "info", "not affected"
	}
}

func kindLabel(kind string) string {
	switch kind {
	case learning.TestExemplar:
		return "Guidance that people approved"
	case learning.TestMustNotFire:
		return "Customers the rule is not for"
	default:
		return "The case it came from"
	}
}

// testsOf groups the tests of a validation by kind, in a fixed order.
func testsOf(s learning.Step) (groups []testGroup) {
	for _, kind := range []string{learning.TestExemplar, learning.TestMustNotFire, learning.TestOrigin} {
		g := testGroup{Kind: kind}
		for _, c := range s.Cases {
			if c.Kind == kind {
				g.Tests = append(g.Tests, c)
			}
		}
		if len(g.Tests) > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

type testGroup struct {
	Kind  string
	Tests []learning.CaseTest
}

func took(d time.Duration) string {
	switch {
	case d <= 0:
		return ""
	case d < time.Second:
		return ui.Thousands(int(d.Milliseconds())) + " ms"
	default:
		return d.Round(100 * time.Millisecond).String()
	}
}
