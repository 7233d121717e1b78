package signals

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"preceptor/internal/signal"
	"preceptor/internal/signal/learned"
	"preceptor/internal/signal/trend"
	"preceptor/internal/signal/turn"
	"preceptor/views/ui"
)

// Agent is what is noticed in one agent's turns.
type Agent struct {
	ID, Name   string
	Set        signal.Settings
	Evaluators []string          // that ship with the program
	Notes      string            // as the agent would be given them now
	SQLTools   string            // where the settings name none
	Failing    map[string]string // why evaluators gave nothing the last time
	Reminders  []learned.Slice
	Weeks      []trend.Week
	Effects    []trend.Effect
	MayChange  bool
	New        NewEvaluator
	Typed      url.Values // of a form that can't be taken
	Message    string
	Errors     map[string]string
}

// NewEvaluator is one that a person adds: an instruction or an address.
type NewEvaluator struct {
	Name   string   `form:"name"`
	Prompt string   `form:"prompt"`
	URL    string   `form:"url"`
	Whole  bool     `form:"whole"` // it looks at sessions
	Drop   []string `form:"drop"`  // names of those that go
}

// number is what stands in a field: as it was typed, or as it is set.
func (v Agent) number(field string, set int) string {
	if typed := v.Typed[field]; len(typed) > 0 {
		return typed[0]
	}
	return strconv.Itoa(set)
}

// toolWords say which tool calls wait and which pass.
func toolWords(set signal.Settings) string {
	names, others := strings.Join(turn.Listed(set.ToolNames), ", "), "All calls wait."
	switch pass := set.ToolRule == signal.ToolsPass; {
	case names == "" && pass:
		others = "All calls pass."
	case pass:
		others = "Calls of " + names + " wait; all others pass."
	case names != "":
		others = "Calls of " + names + " pass; all others wait."
	}
	return "Their names, separated by commas. Saved now: " + others + " Calls that pass are shown as steps of the " +
		"agent's next draft. A call always waits if the agent forces it (tool_choice), or beside one that waits."
}

// effectWords is an effect in a sentence.
func effectWords(e trend.Effect) string {
	part := func(s trend.Share) string {
		if s.N == 0 {
			return "no step yet"
		}
		return "an issue in " + share(s)
	}
	return e.Evaluator + ": with notes, " + part(e.With) + "; without, " + part(e.Without) + "."
}

// looks is what an evaluator that people added looks at.
func looks(trajectory bool) string {
	if trajectory {
		return "whole sessions"
	}
	return "each step"
}

// share is a share with its interval, as "12% of 50 (95% CI 6–24%)".
func share(s trend.Share) string {
	return fmt.Sprintf("%s of %d (95%% CI %.0f–%s)", ui.Percent(float64(s.K)/float64(max(s.N, 1))), s.N, 100*s.Low,
		ui.Percent(s.High))
}
