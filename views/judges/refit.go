package judges

import (
	"fmt"

	"preceptor/internal/compliance/evaluate"
	"preceptor/internal/compliance/refit"
	"preceptor/views/ui"
)

// taughtLine says in a sentence what labels come to, and how many more would tell.
func taughtLine(r refit.Report) string {
	if r.Lacking != "" {
		so := fmt.Sprintf("%s so far, %s. ", ui.Count(r.Labels, "label", "labels"), ui.Count(r.Violations, "violation", "violations"))
		more := fmt.Sprintf("%d more would tell", r.More)
		switch r.Lacking {
		case refit.FewViolations:
			return so + more + ", above all violations."
		case refit.FewCompliant:
			return so + more + ", above all compliant texts."
		}
		return so + "They come from " + ui.Count(r.Customers, "customer", "customers") + fmt.Sprintf("; labels from %d more customers would tell.", r.More)
	}
	line := fmt.Sprintf("%d labels: finds %d of %d violations at 1 false alarm in %d, before %d", r.Labels, r.After.Found, r.Of, refit.FalseAlarms, r.Before.Found)
	switch {
	case r.Better():
		return line + "."
	case r.More > 0:
		return line + fmt.Sprintf("; about %d more would tell.", r.More)
	}
	return line + ". They don't make it better for certain."
}

// gainLine says how sure the gain is, and on what it was measured.
func gainLine(r refit.Report) string {
	return fmt.Sprintf("AUC rises by %.3f (95%% CI %.3f–%.3f). Measured on %s that it wasn't fitted on, %d of them violations; all texts of a customer were left out together. It was fitted on %d labels from %s.",
		r.Gain(), r.Low, r.High, ui.Count(r.Tested, "text", "texts"), r.Of, r.Labels, ui.Count(r.Customers, "customer", "customers"))
}

func curveNote(r refit.Report) string {
	return fmt.Sprintf("On %s, at 1 false alarm in %d. AUC is how often a violation is rated above a compliant text; 0.5 is chance.", ui.Count(r.Tested, "text", "texts"), refit.FalseAlarms)
}

// offHint says what applies when something is switched off.
func offHint(t evaluate.Threshold) string {
	if t.Kind == evaluate.ForJudge {
		return "The version before it counts again from the next verdict; if there is none, no labels count. Say why."
	}
	return "The default confidence bands apply again from the next verdict. Say why."
}
