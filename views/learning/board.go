package learning

import (
	"fmt"
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
	Counts    learning.Counts // of the whole board, whatever the filter
	MaySettle bool            // accept, reject and try again
	MayRecall bool            // see what agents remember
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
		label := map[string]string{learning.Accepted: "Kept", learning.Rejected: "Not kept", learning.Nothing: "Nothing new", learning.Withdrawn: "Withdrawn"}[o]
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

var originLabels = map[string]string{learning.Revise: "Revised drafts", learning.Reject: "Rejected drafts", learning.Ruling: "Rulings",
	learning.Verdict: "Critical checks", learning.Judged: "Judges", learning.Dataset: "Gold sets", learning.Outcome: "Low-scored outcomes", learning.Practice: "Practice", learning.Reflected: "Reflections", learning.Proposed: "Agents' proposals"}

func acceptWords(v Board) string {
	s := ui.Count(v.Counts.Accept, "waits for an expert", "wait for an expert")
	if !v.Counts.Oldest.IsZero() {
		s += ", oldest " + ui.Ago(v.Counts.Oldest, v.Now)
	}
	return s
}

func failedWords(v Board) string {
	s := ui.Thousands(v.Counts.Failed) + " failed"
	if !v.Counts.FailedOldest.IsZero() {
		s += ", oldest " + ui.Ago(v.Counts.FailedOldest, v.Now)
	}
	return s
}

// endedWords say how a settled lesson ended, with the reason of what was not kept.
func endedWords(l learning.Lesson) string {
	if l.State == learning.Rejected && l.Outcome != "" {
		return l.Outcome
	}
	return l.Summary()
}

func sentBack(n int) string {
	switch n {
	case 1:
		return "sent back once"
	case 2:
		return "sent back twice"
	}
	return fmt.Sprintf("sent back %d times", n)
}

func trialWords(t learning.Trying) string {
	switch {
	case t.Tried == 0:
		return fmt.Sprintf("No approved case speaks for or against it yet; %d that help would settle it.", t.Needs)
	case t.Failing:
		return fmt.Sprintf("It helped in %d of %d cases. At ten it is decided whether it stays in use.", t.Helpful, t.Tried)
	}
	return fmt.Sprintf("It helped in %d of %d cases; %d more that help would settle it.", t.Helpful, t.Tried, t.Needs)
}

// needs are the lessons that wait for somebody's sentence.
func (v Board) needs() (out []learning.Lesson) {
	for _, col := range v.Columns {
		for _, l := range col.Lessons {
			if l.State == learning.Unstated {
				out = append(out, l)
			}
		}
	}
	return out
}

// moving are a column's lessons without those, and how many there are of them.
func moving(v Board, col learning.BoardColumn) (out []learning.Lesson, total int) {
	for _, l := range col.Lessons {
		if l.State != learning.Unstated {
			out = append(out, l)
		}
	}
	total = col.Total
	if col.Stage == learning.StageReflect {
		total = max(len(out), col.Total-max(v.Counts.Unstated, len(col.Lessons)-len(out)))
	}
	return out, total
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
