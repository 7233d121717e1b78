package stats

import (
	"fmt"
	"strings"

	"preceptor/internal/compliance"
	"preceptor/internal/stats"
	"preceptor/views/chart"
	"preceptor/views/ui"
)

// Line is the page of compliance: how the line between guidance and advice was kept, and who saw where it was crossed.
type Line struct {
	Scope
	stats.CompliancePage
}

// Charts are the charts of the page.
func (v Line) Charts() []chart.Chart {
	rate := chart.Chart{ID: "rate", Title: "Drafts judged compliant over time",
		Says: stands("The rate", v.Rate, "drafts"),
		Note: "By the newest verdict on each draft's text and the day it arrived. A draft judged " +
			"compliant can still have flags.",
		Line: new(line(v.Period, v.Series))}
	if f, ok := look(v.Period, v.Series, 1); ok {
		rate.Says = f.sentence("The rate of compliant drafts")
		rate.Marks = []chart.Mark{f.mark(true)}
	}
	panel := chart.Chart{ID: "panel", Title: "Judges against experts over time",
		Says: stands("The panel's agreement with experts", v.Panel, "rulings"),
		Note: "How often the panel had given the same label as the experts' ruling. Only cases the panel couldn't " +
			"settle are counted, so it is lower than for all drafts.",
		Line: new(line(v.Period, v.PanelSeries))}
	if v.Panel.Known {
		panel.Says = fmt.Sprintf("The panel agreed with the experts in %s of %s (%s).", text(v.Panel),
			ui.Count(v.Panel.N, "ruling"), intervalText(v.Panel))
	}
	volume := chart.Chart{ID: "borderline", Title: "Borderline cases over time", Says: borderlineSays(v),
		Line: new(line(v.Period, v.Volume))}
	judges := v.parts("judges", "Each judge against experts", "Judge", "rulings", v.Judges, nil)
	judges.Note = strings.TrimSpace("A judge is right if it passed what experts ruled compliant and flagged the " +
		"rest. The panel must give the same of three labels, so its figure is lower. " + judges.Note)
	return []chart.Chart{v.files(rate), v.files(panel), v.files(volume), judges,
		v.parts("tasks", "Drafts judged compliant, by task", "Task", "drafts", v.Tasks, v.byTopic),
		v.parts("agents", "Drafts judged compliant, by agent", "Agent", "drafts", v.Agents, v.byAgent)}
}

func borderlineSays(v Line) string {
	return fmt.Sprintf("%s went to experts, by the panel or a supervisor%s; %s waiting now.",
		ui.Count(v.Borderline.N, "case"), suffix(change(v.Borderline)), ui.Count(v.Open.N, "is", "are"))
}

// checked are the figures on what verdicts got wrong.
func (v Line) checked() []named {
	return []named{{"Missed: found later in drafts with no flags", v.Missed},
		{"No flags, and changed or not sent for another reason", v.Otherwise},
		{"False alarms: flagged and approved unchanged", v.FalseAlarms}, {"Panel agreed with experts", v.Panel},
		{"Borderline cases", v.Borderline}, {"Rulings", v.Rulings}}
}

// codeName is a label or a cause in words.
func codeName(code string) string {
	switch compliance.Label(code) {
	case compliance.Compliant:
		return "Compliant"
	case compliance.Borderline:
		return "Borderline"
	case compliance.NonCompliant:
		return "Non-compliant"
	}
	if words, ok := causeWords[code]; ok {
		return words
	}
	return topicName(code)
}

// causeWords are why a case came to the experts.
var causeWords = map[string]string{"dissent": "The judges differed", "unsure": "The judges were unsure",
	"sent": "A supervisor sent it"}
