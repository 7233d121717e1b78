package judges

import (
	"fmt"

	"preceptor/internal/compliance/evaluate"
	"preceptor/internal/compliance/refit"
	"preceptor/views/ui"
)

// taughtLine says in a sentence what labels come to, and how many more would tell.
func taughtLine(r refit.Report) string {
	labels := ui.Count(r.Labels, "label", "labels")
	switch r.Lacking {
	case refit.FewViolations:
		return few(labels, r) + "above all violations."
	case refit.FewCompliant:
		return few(labels, r) + "above all compliant texts."
	case refit.FewCustomers:
		return fmt.Sprintf("%s from %s. We can measure once labels from %d more customers are in.",
			labels, ui.Count(r.Customers, "customer", "customers"), r.More)
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
		fmt.Sprintf("Measured on %s that it wasn't fitted on, ", ui.Count(r.Tested, "text", "texts")) +
		fmt.Sprintf("%d of them violations; ", r.Of) +
		fmt.Sprintf("all texts of a customer were left out together. It was fitted on %d labels from %s.",
			r.Labels, ui.Count(r.Customers, "customer", "customers"))
}

func curveNote(r refit.Report) string {
	return fmt.Sprintf("On %s, at 1 false alarm in %d. ", ui.Count(r.Tested, "text", "texts"), refit.FalseAlarms) +
		"AUC is how often a violation is rated above a compliant text; 0.5 is chance."
}

// offHint says what applies when something is switched off.
func offHint(t evaluate.Threshold) string {
	if t.Kind == evaluate.ForJudge {
		return "The version before it counts again from the next verdict; if there is none, no labels count. Say why."
	}
	return "The default confidence bands apply again from the next verdict. Say why."
}
