package judges

import (
	"fmt"
	"slices"

	"preceptor/internal/compliance/evaluate"
	"preceptor/views/ui"
)

// Learn is what a version has to teach, and what was ticked so far.
type Learn struct {
	evaluate.Teaching
	Agents  []ui.Option
	Agent   string   `form:"agent"`
	Ticked  []string `form:"approve"` // ids of Passes
	Seen    []string `form:"shown"`   // likewise, on the page that was sent
	Lessons bool     `form:"lessons"`
	Act     string   `form:"act"`
	Error   string
}

func (v Learn) ticked(id string) bool { return slices.Contains(v.Ticked, id) }

func (v Learn) nothing() bool { return len(v.Passes) == 0 && v.Fails == 0 && v.Border == 0 }

func (v Learn) taughtWords() string {
	if v.Taught == 0 {
		return "None of its texts has been used for learning yet."
	}
	return ui.Count(v.Taught, "of its texts has been used or skipped already.",
		"of its texts have been used or skipped already.")
}

func (v Learn) lessonWords() string {
	return fmt.Sprintf("Reflect on %s and %s", ui.Count(v.Fails, "clear fail", "clear fails"),
		ui.Count(v.Border, "borderline text", "borderline texts"))
}

func (v Learn) passWords() string {
	if v.More == 0 {
		return "Labelled compliant, with no issues. Read each one. What you don't select stays here."
	}
	return fmt.Sprintf("Labelled compliant, with no issues. Read each one. What you don't select stays here. %s more "+
		"come after these.", ui.Thousands(v.More))
}
