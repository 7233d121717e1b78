package learning

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/views/layout"
	"preceptor/views/ui"
)

// Board is everything on the path, and what came to an end lately.
type Board struct {
	learning.Board
	Filter    learning.BoardFilter
	Agents    []ui.Option
	Unclaimed []knowledge.Rule // that wait and have no lesson
	Settled   []learning.Lesson
	Outcome   string          `form:"outcome"` // a state, of the settled ones; "" for all
	Next      string          // cursor of more settled lessons
	Cursor    string          `form:"cursor"`
	Counts    learning.Counts // of what the filter leaves
	MaySettle bool            // accept, reject and try again
	Bulk      Several
	Now       time.Time
}

func (v Board) empty() bool {
	if v.Counts.Open() > 0 || len(v.Settled) > 0 || v.Outcome != "" || v.Cursor != "" || v.Filter.Narrow() {
		return false
	}
	return len(v.Cases) == 0 && len(v.Trial) == 0
}

// query is what was chosen, with other settled ones.
func (v Board) query(outcome, cursor string) string {
	return ui.Address("/learning", v.Filter, Board{Outcome: outcome, Cursor: cursor})
}

func (v Board) href(cursor string) string { return v.query(v.Outcome, cursor) }

func (v Board) first() string {
	if v.Cursor == "" {
		return ""
	}
	return v.href("")
}

func (v Board) next() string {
	if v.Next == "" {
		return ""
	}
	return v.href(v.Next)
}

// Outcomes are the ends that the settled lessons can be filtered by.
var Outcomes = []string{learning.Accepted, learning.Rejected, learning.Nothing, learning.Withdrawn}

func (v Board) outcomes() []ui.Tab {
	tabs := []ui.Tab{{Label: "All", Href: v.query("", ""), Count: -1, Current: v.Outcome == ""}}
	for _, o := range Outcomes {
		label := map[string]string{learning.Accepted: "Accepted", learning.Rejected: "Dropped",
			learning.Nothing: "Nothing new", learning.Withdrawn: "Withdrawn"}[o]
		tabs = append(tabs, ui.Tab{Label: label, Href: v.query(o, ""), Count: -1, Current: v.Outcome == o})
	}
	return tabs
}

func (v Board) agents() []ui.Option {
	return append([]ui.Option{{Value: "", Label: "Every agent"}}, v.Agents...)
}

func domainOptions(f layout.Frame) []ui.Option {
	return append([]ui.Option{{Value: "", Label: "All domains"}}, f.Domains()...)
}

func originOptions() []ui.Option {
	out := []ui.Option{{Value: "", Label: "Every origin"}}
	for _, o := range learning.Origins {
		out = append(out, ui.Option{Value: o, Label: originLabels[o]})
	}
	return out
}

var originLabels = map[string]string{learning.Revise: "Revised drafts", learning.Reject: "Rejected drafts",
	learning.Ruling:  "Rulings",
	learning.Verdict: "Critical checks", learning.Judged: "Judges", learning.Dataset: "Gold sets",
	learning.Outcome: "Low-scored outcomes", learning.Practice: "Practice", learning.Reflected: "Reflections",
	learning.Disliked: "Dislikes", learning.Proposed: "Agents' proposals"}

// endedWords say how a settled lesson ended, with the reason of what was not kept.
func endedWords(l learning.Lesson) string {
	if l.State == learning.Rejected && l.Outcome != "" {
		return l.Outcome
	}
	return l.Summary()
}

func trialWords(t learning.Trying) string {
	switch {
	case t.Tried == 0:
		return fmt.Sprintf("No approved case supports or contradicts it yet; %s would decide it.",
			ui.Count(t.Needs, "that helps", "that help"))
	case t.Failing:
		return fmt.Sprintf("It helped in %d of %s. With ten cases it either stays in use or goes into quarantine.",
			t.Helpful, ui.Count(t.Tried, "case"))
	}
	return fmt.Sprintf("It helped in %d of %s; %s would decide it.", t.Helpful, ui.Count(t.Tried, "case"),
		ui.Count(t.Needs, "more that helps", "more that help"))
}

// accept is the column of rules that wait for a person.
func (v Board) accept() learning.BoardColumn {
	for _, col := range v.Columns {
		if col.Stage == learning.StageAccept {
			return col
		}
	}
	return learning.BoardColumn{Stage: learning.StageAccept}
}

// needs are the lessons that wait for somebody's rule.
func (v Board) needs() []learning.Lesson {
	return v.of(func(l learning.Lesson) bool { return l.State == learning.Unstated })
}

// failed are those with a step that could not be done, or whose case could not be made.
func (v Board) failed() []learning.Lesson {
	return v.of(func(l learning.Lesson) bool {
		return l.State == learning.Failed || l.CaseState == learning.CaseFailed
	})
}

func (v Board) of(is func(learning.Lesson) bool) []learning.Lesson {
	return slices.DeleteFunc(v.Needs(), func(l learning.Lesson) bool { return !is(l) })
}

// moving are the lessons that wait for nobody.
func (v Board) moving() (out []learning.Lesson) {
	for _, col := range v.Columns {
		for _, l := range col.Lessons {
			if l.State == learning.Running || l.State == learning.Waiting && l.Stage != learning.StageAccept {
				out = append(out, l)
			}
		}
	}
	return out
}

// About is what a lesson is about, in one line: the words it began with, while nobody has stated a rule.
func About(l learning.Lesson) string {
	switch {
	case l.State != learning.Unstated && l.RuleText != "":
		return l.RuleText
	case l.Problem != "":
		return l.Problem
	}
	return l.Outcome
}

// NeedLabel is what a lesson needs of a person.
func NeedLabel(l learning.Lesson) string {
	switch {
	case l.State == learning.Unstated:
		return "Correction without a rule"
	case l.State == learning.Failed || l.CaseState == learning.CaseFailed:
		return "Failed step"
	}
	return "Rule to accept"
}

// Several is one act on the lessons that are selected on the board.
type Several struct {
	Ticked  []learning.Seen
	Ticks   []string        `form:"id"` // as they are sent: an id and the version that was on the screen
	Act     string          `form:"act"`
	Reason  string          `form:"reason"`
	Done    string          // what the act before did
	Left    []learning.Left // what it left as it was
	Errors  map[string]string
	Message string
}

// Preview is what an act would accept.
type Preview struct {
	Rules []learning.Lesson
	Left  []learning.Left
}

// seen is a lesson as it stands on the page.
func seen(l learning.Lesson) string { return l.ID + ":" + strconv.Itoa(l.Version) }

func (v Several) ticked(l learning.Lesson) bool {
	return slices.ContainsFunc(v.Ticked, func(s learning.Seen) bool { return s.ID == l.ID })
}

// settleable reports whether the act on several can be done with a lesson of the board.
func (v Board) settleable(l learning.Lesson) bool {
	return v.MaySettle && (l.State == learning.Failed || l.CaseState == learning.CaseFailed ||
		l.State == learning.Waiting && l.Stage == learning.StageAccept)
}

func triedWords(l learning.Lesson) string {
	return fmt.Sprintf("helped in %d of %s", l.Helpful, ui.Count(l.Tried, "case"))
}
