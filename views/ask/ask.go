// Package ask draws the page on which somebody tries the advisor, and the page on which they see their answer come.
// What the advisor drafted is never shown before a supervisor has released it.
package ask

import (
	"slices"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/views/ui"
)

// Form is what somebody asks, as they typed it.
type Form struct {
	Agent      string          `form:"agent"`  // who is asked; "" while there is none and no domain is chosen
	Domain     string          `form:"domain"` // of the agent that the question makes, where there is none
	Agents     []string        // who may be
	All        []account.Agent // and everybody, in use or put away
	Pack       *pack.Pack      // of the agent
	Facts      string          `form:"facts"` // of a pack other than pension, a line each
	Question   string          `form:"question"`
	Age        string          `form:"age"`
	Literacy   string          `form:"literacy"`
	Goal       string          `form:"goal"`
	Vulnerable bool            `form:"vulnerable"`
	Kinds      []string        `form:"pension_kind"` // of Pensions, as they are sent, and so is the next
	Values     []string        `form:"pension_value"`
	Pensions   []PensionRow
	Errors     map[string]string // by field: question, age, pension-0-value, ...
	Message    string
	Mine       []interaction.Interaction // what was asked before, newest first
	Now        time.Time
}

// PensionRow is one line of the form.
type PensionRow struct{ Kind, Value string }

// NewAgent is what the agent is called that a question makes of a domain.
func NewAgent(domain string) string { return domain + "-advisor" }

// label says what choosing a domain does.
func (v Form) label(p *pack.Pack) string {
	name := NewAgent(p.Name)
	if slices.ContainsFunc(v.All, func(a account.Agent) bool { return a.Away && a.Name == name }) {
		return p.Title + ": " + name + " is put away"
	}
	return p.Title + ": creates the agent " + name
}

// Rows are how many pensions the form has room for.
const Rows = 4

// Answer is one question and what became of it.
type Answer struct {
	In         *interaction.Interaction
	ReviewedBy bool // the viewer is a supervisor and may open the case
	Now        time.Time
}

func kinds() []ui.Option {
	return []ui.Option{{Value: "", Label: "None"}, {Value: "db", Label: "Defined benefit (final salary)"},
		{Value: "dc", Label: "Defined contribution (pot)"},
		{Value: "state", Label: "State Pension"}, {Value: "unknown", Label: "Not sure which"}}
}

func literacies() []ui.Option {
	return []ui.Option{{Value: "", Label: "Not known"}, {Value: "low", Label: "Low"},
		{Value: "medium", Label: "Medium"}, {Value: "high", Label: "High"}}
}

// step is where a question stands, from 0 to 3; failed questions stay at 0.
func step(status string) int {
	switch status {
	case interaction.Drafting, interaction.Failed:
		return 0
	case interaction.Waiting:
		return 1
	case interaction.Held:
		return 2
	default:
		return 3
	}
}

// live reports whether the page still has something to wait for.
func (v Answer) live() bool {
	s := v.In.Status
	return s != interaction.Released && s != interaction.Escalated && s != interaction.Failed
}

func statusWord(status string) (ui.Tone, string, string) {
	switch status {
	case interaction.Drafting:
		return ui.Accent, "pencil", "being drafted"
	case interaction.Waiting:
		return ui.Amber, "clock", "with a supervisor"
	case interaction.Held:
		return ui.Amber, "clock", "decided, about to be sent"
	case interaction.Released:
		return ui.Green, "check", "answered"
	case interaction.Escalated:
		return ui.Amber, "person", "with a person"
	default:
		return ui.Red, "warn", "failed"
	}
}
