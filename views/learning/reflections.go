package learning

import (
	"fmt"
	"strings"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/learning"
	"preceptor/internal/learning/stream"
	"preceptor/internal/pack"
	"preceptor/views/ui"
)

// Reflections is what agents remember and what was seen in it from a distance.
type Reflections struct {
	Filter    stream.Filter
	Memories  bool   // the memories are asked for, and not the reflections
	View      string `form:"view"`
	Query     string `form:"q"`
	Agents    []ui.Option
	Standings []AgentStanding
	Threshold int
	Bands     bool // the confidence of verdicts is learned from

	List    []stream.Reflection
	Lessons map[string]*learning.Lesson // that insights proposed, by id
	Shown   map[string]Shown            // knowledge that insights speak of, by id
	Found   []stream.Recalled           // with a query
	Stream  []stream.Memory
	Next    string
	MayOpen bool // cases on the desk
	Now     time.Time
}

// AgentStanding is how far an agent is from its next reflection.
type AgentStanding struct {
	Name string
	stream.Standing
}

// Shown is a rule or a case of the knowledge base.
type Shown struct{ Label, Href string }

// Href is where the page stands with these choices and another cursor.
func (v Reflections) Href(memories bool, cursor string) string {
	if !memories {
		return ui.Address("/learning/reflections", stream.Filter{AgentID: v.Filter.AgentID, Cursor: cursor})
	}
	v.Filter.Cursor, v.View = cursor, "memories"
	return ui.Address("/learning/reflections", v.Filter, v)
}

func (v Reflections) tabs() []ui.Tab {
	return []ui.Tab{{Label: "Reflections", Href: v.Href(false, ""), Count: -1, Current: !v.Memories},
		{Label: "Memories", Href: v.Href(true, ""), Count: -1, Current: v.Memories}}
}

func (v Reflections) agents() []ui.Option {
	return append([]ui.Option{{Value: "", Label: "Every agent"}}, v.Agents...)
}

func (v Reflections) agentName(id string) string {
	for _, a := range v.Agents {
		if a.Value == id {
			return a.Label
		}
	}
	return "an agent"
}

var kindLabels = map[string]string{stream.Decision: "Decisions", stream.Ruling: "Rulings", stream.Verdict: "Verdicts",
	stream.Outcome: "Outcomes", stream.Insights: "Insights"}

func kindOptions() []ui.Option {
	out := []ui.Option{{Value: "", Label: "Every kind"}}
	for _, k := range stream.Kinds {
		out = append(out, ui.Option{Value: k, Label: kindLabels[k]})
	}
	return out
}

var bandLabels = map[compliance.Band]string{compliance.Clarify: "Boundary clarification",
	compliance.Ambiguous:       "Ambiguous language",
	compliance.NegativeExample: "Possible bad example", compliance.ExemplarOffer: "Possible good example"}

var bandHelp = map[compliance.Band]string{compliance.Clarify: "below 0.7: unclear where the boundary is",
	compliance.Ambiguous:       "0.7 to 0.9: ambiguous wording",
	compliance.NegativeExample: "from 0.9, failed: what not to write",
	compliance.ExemplarOffer:   "from 0.9, passed: an example, once a person approves it"}

// memoryTitle is what a memory is, in a few words.
func memoryTitle(m stream.Memory) string {
	what := map[string]string{learning.Approve: "Approved", learning.Revise: "Revised",
		learning.Reject: "Rejected"}[m.What]
	switch m.Kind {
	case stream.Decision:
	case stream.Ruling:
		what = "Ruling"
	case stream.Verdict:
		what = bandLabels[compliance.Band(m.What)]
	case stream.Outcome:
		what = "Outcome"
	case stream.Insights:
		what = "Insight"
	}
	if what == "" {
		what = "Memory"
	}
	if m.Task != "" {
		what += " · " + pack.Label(m.Task)
	}
	return what
}

func (v Reflections) caseHref(m stream.Memory) string {
	if !v.MayOpen || m.InteractionID == "" {
		return ""
	}
	return "/reviews/" + m.InteractionID
}

// about is the knowledge that an insight speaks of, where it does.
func (v Reflections) about(in stream.Insight) (Shown, bool) {
	id, ok := strings.CutPrefix(in.Theme, "shown:")
	s, known := v.Shown[id]
	return s, ok && known
}

func weighs(m stream.Memory) string {
	return fmt.Sprintf("weighs %d of 10 (%s)", m.Importance, m.ScoredBy)
}

func scores(r stream.Recalled) string {
	return fmt.Sprintf(", score %.2f: recency %.2f × importance %.1f × relevance %.2f", r.Score, r.Recency,
		stream.Weight(r.Importance), r.Relevance)
}

// ofThreshold is how much of what a reflection takes has come together.
func ofThreshold(s AgentStanding, threshold int) string {
	return fmt.Sprintf("%.0f%%", 100*min(1, float64(s.Total)/float64(max(1, threshold))))
}
