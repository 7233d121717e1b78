package stats

import (
	"fmt"

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
	rate := chart.Chart{ID: "rate", Title: "Compliant drafts over time", Says: stands("The rate", v.Rate, "drafts"),
		Note: "By the newest verdict on each draft's text and the day it arrived."}
	l := line(v.Period, v.Series)
	rate.Line = &l
	if f, ok := look(v.Period, v.Series, 1); ok {
		rate.Says = f.sentence("The rate of compliant drafts")
		rate.Marks = []chart.Mark{f.mark(v.Period, v.Series, true)}
	}
	panel := chart.Chart{ID: "panel", Title: "Judges against experts over time",
		Says: stands("The panel's agreement with experts", v.Panel, "rulings"),
		Note: "How often the panel had given the same label as the experts' ruling. Only cases the panel couldn't " +
			"settle are counted, so it is lower than for all drafts."}
	if v.Panel.Known {
		panel.Says = fmt.Sprintf("The panel agreed with the experts in %s of %s (%s).", text(v.Panel),
			ui.Count(v.Panel.N, "ruling"), intervalText(v.Panel))
	}
	p := line(v.Period, v.PanelSeries)
	panel.Line = &p
	volume := chart.Chart{ID: "borderline", Title: "Borderline cases over time", Says: borderlineSays(v)}
	b := line(v.Period, v.Volume)
	volume.Line = &b
	judges := chart.Chart{ID: "judges", Title: "Each judge against experts",
		Bars: bars(v.Period, "Judge", "rulings", v.Judges, 12, nil), Says: extremes(v.Judges, "judge")}
	tasks := chart.Chart{ID: "tasks", Title: "Drafts with no flags, by task",
		Bars: bars(v.Period, "Task", "drafts", v.Tasks, 12, v.byTopic), Says: extremes(v.Tasks, "task"),
		Note: more(len(v.Tasks), 12, "tasks")}
	agents := chart.Chart{ID: "agents", Title: "Drafts with no flags, by agent",
		Bars: bars(v.Period, "Agent", "drafts", v.Agents, 12, v.byAgent), Says: extremes(v.Agents, "agent"),
		Note: more(len(v.Agents), 12, "agents")}
	return []chart.Chart{v.files(rate), v.files(panel), v.files(volume), v.files(judges), v.files(tasks),
		v.files(agents)}
}

func borderlineSays(v Line) string {
	return fmt.Sprintf("%s could not be decided by the panel%s; %s waiting now.",
		ui.Count(v.Borderline.N, "case"), suffix(change(v.Borderline)), ui.Count(v.Open.N, "is", "are"))
}

// checked are the figures on what verdicts got wrong.
func (v Line) checked() []named {
	return []named{{"Missed: found later in drafts that passed", v.Missed},
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
