// Package exports draws the page from which decisions and skips are taken along as files.
package exports

import (
	"preceptor/internal/review/export"
	"preceptor/views/ui"
)

// View is the page. Own is set for somebody who may only have their own decisions.
type View struct {
	Own    bool
	Agents []ui.Option // "all agents" first; empty when there is only one
	People []ui.Option // "everyone" first; empty with Own
	Form   Form
	Zone   string // of the days
	Error  string
	Errors map[string]string
}

// Form is what was chosen.
type Form struct {
	Set     string `form:"set"`
	Format  string `form:"format"`
	From    string `form:"from"`
	To      string `form:"to"`
	Agent   string `form:"agent"`
	Person  string `form:"person"`
	Kind    string `form:"kind"`
	Planted string `form:"planted"`
}

var (
	sets = []ui.Option{
		{Value: string(export.Decisions), Label: "Decisions",
			Hint: "Draft, final text, difference, reasons, comments, skips, times and both approvals; one row each."},
		{Value: string(export.Skips), Label: "Skips", Hint: "Who skipped which review, and why."},
	}
	formats = []ui.Option{
		{Value: string(export.CSV), Label: "CSV",
			Hint: "For spreadsheets. Cells that would run as a formula get an apostrophe in front."},
		{Value: string(export.JSONL), Label: "JSON Lines", Hint: "For programs. Every text exactly as it was stored."},
	}
	kinds = []ui.Option{
		{Value: "", Label: "all kinds"}, {Value: "approve", Label: "approved"}, {Value: "revise", Label: "revised"},
		{Value: "reject", Label: "rejected"},
		{Value: "return", Label: "sent back"}, {Value: "sampled", Label: "sent without review"},
	}
	plantedChoices = []ui.Option{
		{Value: export.WithoutPlanted, Label: "leave them out"},
		{Value: export.WithPlanted, Label: "include them, marked"}, {Value: export.OnlyPlanted, Label: "only them"},
	}
)
