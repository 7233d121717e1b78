package knowledge

import (
	"time"

	"preceptor/internal/knowledge/transfer"
	run "preceptor/internal/platform/table/imports"
	"preceptor/views/imports"
	"preceptor/views/ui"
)

// File is export and import of the whole base.
type File struct {
	Run    *run.Run // the import that runs, or ran last; nil when there was none
	Report transfer.Report
	Reason string
	Error  string
	Errors map[string]string
	Now    time.Time
}

// outcome is what the import came to.
func (v File) outcome() imports.Outcome {
	r := v.Report
	if r.Bad > 0 {
		return imports.Outcome{Stopped: "Nothing was imported",
			Line: "Export it again at the source and don't edit the file.", Label: "Problems", Problems: r.Problems,
			All: r.Bad}
	}
	o := imports.Outcome{Title: ui.Count(r.Added, "item imported", "items imported"), Label: "Notes", Problems: r.Notes,
		All: r.Noted,
		Line: ui.Thousands(r.Changed) + " got a new version, " + ui.Count(r.Known, "was", "were") + " already here, " +
			ui.Count(r.Kept, "isn't in use here and stays as it is", "aren't in use here and stay as they are") + ", " +
			ui.Count(r.Renumbered, "was", "were") + " renumbered, " + ui.Count(r.Waiting, "rule is", "rules are") +
			" waiting for an expert."}
	if v.Run.Failure != "" {
		o.Line = "What was already imported is complete and kept: " + ui.Count(r.Added+r.Changed, "item") +
			". Import the file again to complete it."
	}
	return o
}
