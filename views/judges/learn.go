package judges

import (
	"fmt"
	"slices"

	"preceptor/internal/compliance/evaluate"
	"preceptor/internal/compliance/refit"
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
	return fmt.Sprintf("Reflect on %s and %s", ui.Count(v.Fails, "clear fail"),
		ui.Count(v.Border, "borderline text"))
}

func (v Learn) passWords() string {
	if v.More == 0 {
		return "Labelled compliant, with no issues. Read each one. What you don't select stays here."
	}
	return fmt.Sprintf("Labelled compliant, with no issues. Read each one. What you don't select stays here. %s more "+
		"come after these.", ui.Thousands(v.More))
}

// taughtLine says in a sentence what labels come to, and how many more would tell.
func taughtLine(r refit.Report) string {
	labels := ui.Count(r.Labels, "label")
	switch r.Lacking {
	case refit.FewViolations:
		return few(labels, r) + "above all violations."
	case refit.FewCompliant:
		return few(labels, r) + "above all compliant texts."
	case refit.FewCustomers:
		return fmt.Sprintf("%s from %s. We can measure once labels from %d more customers are in.",
			labels, ui.Count(r.Customers, "customer"), r.More)
	}
	line := fmt.Sprintf("%s: finds %d of %d violations at 1 false alarm in %d, %d as it counted then",
		labels, r.After.Found, r.Of, refit.FalseAlarms, r.Before.Found)
	switch {
	case r.Better():
		return line + "."
	case r.More > 0:
		return line + fmt.Sprintf("; about %d more labels would tell.", r.More)
	}
	return line + ". The difference isn't significant."
}

func few(labels string, r refit.Report) string {
	return fmt.Sprintf("%s so far, %d of them violations. We can measure once %d more are in, ",
		labels, r.Violations, r.More)
}

// gainLine says how sure the gain is, and on what it was measured.
func gainLine(r refit.Report) string {
	return fmt.Sprintf("AUC rises by %.3f (95%% CI %.3f–%.3f). ", r.Gain(), r.Low, r.High) +
		fmt.Sprintf("Measured on %s that it wasn't fitted on, ", ui.Count(r.Tested, "text")) +
		fmt.Sprintf("%d of them violations; ", r.Of) +
		fmt.Sprintf("all texts of a customer were left out together. It was fitted on %d labels from %s.",
			r.Labels, ui.Count(r.Customers, "customer"))
}

func curveNote(r refit.Report) string {
	return fmt.Sprintf("On %s, at 1 false alarm in %d. ", ui.Count(r.Tested, "text"), refit.FalseAlarms) +
		"AUC is how often a violation is rated above a compliant text; 0.5 is chance."
}

// offHint says what applies when something is switched off.
func offHint(t evaluate.Threshold) string {
	if t.Kind == evaluate.ForJudge {
		return "The version before it counts again from the next verdict; if there is none, no labels count. Say why."
	}
	return "The default confidence bands apply again from the next verdict. Say why."
}
