// Package observe is seed 002: what an agent did and what its user said to it become observations, and what repeats in
// them becomes proposals, which a person settles. Pure: no clock, no database; a model only in Refine. It owns no
// table.
//
// An observation has a kind and a confidence by the user's words (said.go): whole words, negation by clause, short
// lists. Detect finds all matches of four detectors (detect.go); Rank keeps the best five within the budget of tokens.
// Nothing here writes English: a proposal's content is an action, as an order where its verb's form is sure, and the
// user's words as they were said; Refine asks a model for ten words or leaves them so.
//
// Where the seed contradicts itself:
//   - Detectors return the first match, and scenario 1 expects two: all are returned.
//   - Equal strings group actions, and every example's differ: actions are grouped by meaning (group.go).
//   - "exactly" approves in example 1 and is in no list of approvals: the lists of its classifier, detectors and
//     confidences are one.
//   - "too long" stands among approvals (.4 of four): a correction of an action that nobody approved marks the rule's
//     bound. It counts for the rule, as the seed's .4 does, if there are three approvals for each; a correction of an
//     approved action ends the rule.
//   - "keep it short" is a failure of .3 in the file and neutral by its words: what no key word tells, a head on the
//     encoder does (Told), and the agent's own "failure" holds where neither says anything. Its own "success" never
//     does: an agent can't approve itself.
//   - It avoids what was done where the user said what to do: an order is the rule itself (order.go). Corrections of an
//     action that names nothing ("Edit:main.go") are one only where they ask for the same, and a wish that has nothing
//     to do with the action is no correction of it, unless it is said again.
//   - Its text asks that a pattern was followed three times, and its example has two for .4: two for .4, three for .6.
//   - "All observations from the same project", and code that ignores those that name none: the code, as the narrower
//     scope reaches fewer sessions. Two projects in one language are a language; two languages are universal.
//   - "great" is explicit praise and has no confidence: .9.
//   - Praise of what is a rule anyway is the rule's evidence: the seed has the same sentence twice.
package observe

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"preceptor/internal/signal/turn"
)

// Kinds of observations.
const (
	Success       = "success"
	Failure       = "failure"
	Follow        = "pattern" // the agent says that it followed a pattern of the project
	Reinforcement = "reinforcement"
	Neutral       = "neutral"
)

// Kinds are all of them.
var Kinds = []string{Success, Failure, Follow, Reinforcement, Neutral}

// KindKey is where a turn's context has the kind that the agent itself gave, as the observation file calls it.
const KindKey = "type"

// Context is file, language, project, pattern, and any other key.
type Context map[string]any

// Observation is one thing that an agent did, and what its user said to it; with the names of seed 002's file.
type Observation struct {
	Kind       string    `json:"type"`
	Action     string    `json:"action"`
	Said       string    `json:"user"`
	Context    Context   `json:"ctx"`
	Confidence float64   `json:"conf"`
	At         time.Time `json:"ts"`
	Session    string    `json:"-"`
	User       string    `json:"-"`
	TurnID     string    `json:"-"`
	Told       string    `json:"-"` // what the encoder makes of Said: Success, Failure, or Neutral and ""
	Wish       string    `json:"-"` // what Said asks for, for the next time too
	Once       bool      `json:"-"` // Said asks for something this time only
	Aside      bool      `json:"-"` // Wish says nothing of what was done
}

// Categories of proposals.
const (
	Preference = "preference"
	Rule       = "rule"
	Correction = "correction"
	Pattern    = "pattern"
)

// Categories are all of them.
var Categories = []string{Preference, Rule, Correction, Pattern}

// Proposal is what a person may make a rule of.
type Proposal struct {
	ID           string   `json:"id"` // the same for the same category, scope and content
	Category     string   `json:"cat"`
	Scope        string   `json:"scope"` // in the words of package rule: universal, language:go, project:hydra
	Content      string   `json:"rule"`
	Evidence     []string `json:"evidence"` // three at most
	Confidence   float64  `json:"conf"`
	Priority     int      `json:"pri"` // 1 to 3
	Observations []int    `json:"-"`   // what it rests on, by index
	Orders       []string `json:"-"`   // the users' own words that Content is made of
}

// Observe makes an observation of a turn; false without an action or without a reaction. told is what the encoder makes
// of the reaction, where Unsure.
func Observe(t turn.Turn, told string) (Observation, bool) {
	o := Observation{Action: strings.TrimSpace(t.Action), Said: strings.TrimSpace(t.Reaction), Context: Context{},
		At: t.At, Session: t.Session, User: t.User, TurnID: t.ID, Told: told}
	for k, v := range t.Context {
		if k != KindKey {
			o.Context[k] = v
		}
	}
	heard := o.hear()
	o.Kind, o.Confidence = heard.kind, heard.confidence
	if own := t.Text(KindKey); Unsure(o.Said) && slices.Contains([]string{Failure, Follow, Reinforcement}, own) {
		o.Kind = own
		if own == Failure {
			o.Confidence = corrected
		}
	}
	return o, o.Action != "" && o.Said != ""
}

// text is a value of the context that is a text.
func (o Observation) text(key string) string {
	s, _ := o.Context[key].(string)
	return strings.TrimSpace(s)
}

// inTime is the order in which everything here looks at observations, whatever order they came in.
func inTime(list []Observation) []int {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := list[i], list[j]
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.TurnID, b.TurnID), cmp.Compare(a.Action, b.Action),
			cmp.Compare(a.Said, b.Said), cmp.Compare(a.text("file"), b.text("file")))
	})
	return order
}
