// Package signals draws what was noticed in agents' sessions, and what people make of it.
package signals

import (
	"slices"
	"strings"
	"time"

	"preceptor/internal/pack"
	"preceptor/internal/rule"
	"preceptor/internal/signal"
	"preceptor/views/ui"
)

// Sessions is the list of sessions.
type Sessions struct {
	List   []signal.Session
	Open   map[string]int // proposals of each that wait for a person
	Agents []ui.Option
	Filter signal.Filter
	Next   string
	Now    time.Time
}

func (v Sessions) href(cursor string) string {
	return ui.Address("/learning/sessions", signal.Filter{AgentID: v.Filter.AgentID, Cursor: cursor})
}

func (v Sessions) agents() []ui.Option {
	return append([]ui.Option{{Label: "All agents"}}, v.Agents...)
}

// Summary is one session with its proposals.
type Summary struct {
	signal.Summary
	MayDecide bool
	Beside    map[string]signal.Beside // by proposal
	Now       time.Time

	// Of a form that came back.
	At string // the proposal
	signal.Edit
	Message string
	Errors  map[string]string
}

// decides reports whether the reader decides on a proposal here: another that sums it up is decided on in its place.
func (v Summary) decides(g signal.Signal) bool {
	return v.MayDecide && g.Waits() && v.Beside[g.ID].Sum == nil
}

// next is the first proposal that waits: its buttons have the keys.
func (v Summary) next() string {
	for _, g := range v.Proposals() {
		if v.decides(g) {
			return g.ID
		}
	}
	return ""
}

// edit is what the form of a proposal has: what came back of it, or the proposal as it is.
func (v Summary) edit(g signal.Signal) (signal.Edit, map[string]string) {
	if v.At == g.ID {
		return v.Edit, v.Errors
	}
	return signal.Edit{Content: g.Content, Scope: g.Scope}, nil
}

// scopes are what a rule may hold for: what was inferred, what the session's context names, the agent everywhere, and
// all agents of its pack, whom a person shares it with.
func (v Summary) scopes(g signal.Signal) (out []ui.Option) {
	list := []string{g.Scope}
	for _, other := range v.Signals {
		if other.Scope != "" {
			list = append(list, other.Scope)
		}
	}
	list = append(list, "universal", signal.EveryAgent)
	var seen []string
	for _, s := range list {
		if s != "" && !slices.Contains(seen, s) {
			seen = append(seen, s)
			out = append(out, ui.Option{Value: s, Label: scopeWords(s)})
		}
	}
	return out
}

// scopeWords is a scope as a choice, as "In go".
func scopeWords(scope string) string {
	if scope == signal.EveryAgent {
		return "Share with all agents in this domain"
	}
	return pack.Upper(rule.ScopeWords(scope))
}

// allOf are the ids of a proposal and of what it sums up.
func allOf(g signal.Signal) string { return strings.Join(append([]string{g.ID}, g.Sums()...), " ") }

// effectOf is what came of a learning in use, in a sentence.
func effectOf(g signal.Signal) string {
	if g.Shown == 0 {
		return "Not shown to the agent in a session yet."
	}
	return "Shown to the agent in " + ui.Count(g.Shown, "session") + ": followed in " +
		ui.Thousands(g.Followed()) + ", asked for again in " + ui.Thousands(g.Again) + "."
}

var categoryWords = map[string]string{"rule": "Rule", "preference": "Preference", "correction": "Correction",
	"pattern": "Pattern", "tool-usage": "Tool"}

var stateWords = map[string]string{signal.Approved: "approved", signal.Rejected: "rejected", signal.Open: "waiting",
	signal.Kept: "kept for its author", signal.Noted: "for this time only"}

var talkWords = map[string]string{signal.TalkOpen: "open", signal.TalkEnded: "being analysed", signal.TalkTold: "ended"}

func sessionName(s signal.Session) string {
	if s.Name == "" {
		return "Session of " + s.StartedAt.Format("2 January 2006 15:04")
	}
	return s.Name
}

// undecided says why a session proposes nothing.
func (v Summary) undecided() string {
	if v.Told.Corrected+v.Told.Noticed > 0 {
		return "What was noticed in this session is proposed in a user's own words already, was meant for that time " +
			"only, or doesn't say what to do. What happened is listed below."
	}
	return "Nothing happened often enough in this session to propose a rule."
}

// noticedIn are the signals of a session that nobody decides on.
func (v Summary) noticedIn() []signal.Signal {
	return slices.DeleteFunc(slices.Clone(v.Signals), func(g signal.Signal) bool {
		return g.Kind != signal.Observation && g.Kind != signal.Issue && g.Kind != signal.Abstained
	})
}

// what is a signal in a few words.
func what(g signal.Signal) string {
	if g.Kind != signal.Observation {
		return g.Content
	}
	return g.Action
}

var classWords = map[string]string{"success": "approved", "failure": "corrected", "pattern": "pattern",
	"reinforcement": "praised", "neutral": "no opinion"}

func kindWords(g signal.Signal) string {
	switch g.Kind {
	case signal.Issue:
		return g.Producer
	case signal.Abstained:
		return g.Producer + " failed"
	}
	return classWords[g.Category]
}
