// Package judges shows how well judges, checks and the panel do beside what experts said, and the thresholds that route
// what the panel may decide alone.
//
// Every rate stands with its count and its exact interval, and every chart with its table: a judge that missed none of
// eight violations has shown next to nothing, and the page must not let that look good.
package judges

import (
	"fmt"
	"strconv"
	"strings"

	"preceptor/internal/approval"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/evaluate"
	"preceptor/internal/compliance/measure"
	"preceptor/internal/dataset/version"
	"preceptor/internal/pack"
	"preceptor/internal/policy"
	"preceptor/views/ui"
)

// Overview is the first page.
type Overview struct {
	Members    []evaluate.Member
	Newest     *evaluate.Run // of the panel as it is; nil: it was never measured
	Active     *evaluate.Threshold
	Applies    bool                 // Active holds for the panel as it is
	Thresholds []evaluate.Threshold // the newest
	Runs       []evaluate.Run
	Refits     []evaluate.Refit // what each pack's labels come to
	Sets       []Set            // what can be measured on
	May        bool             // measure and switch
	Error      string
	Chosen     string // of Sets
}

// Set is a version that can be measured on.
type Set struct {
	DatasetID, Label string
	Number           int
}

// Value is the choice in the form.
func (s Set) Value() string { return s.DatasetID + " " + strconv.Itoa(s.Number) }

func (v Overview) options() (out []ui.Option) {
	for _, s := range v.Sets {
		out = append(out, ui.Option{Value: s.Value(), Label: s.Label})
	}
	return out
}

var splits = []ui.Option{{Value: "", Label: "All splits (needed for a threshold)"}, {Value: "train", Label: "train"},
	{Value: "accept", Label: "accept"}, {Value: "test", Label: "test"}}

// One is one judge, the checks or the panel in one run.
type One struct {
	Run    evaluate.Run
	Figure evaluate.Figure
	Beside *measure.Beside
}

// Runs is the list of runs.
type Runs struct {
	List  []evaluate.Run
	Pages ui.Pages
}

// RunView is one run.
type RunView struct {
	Run      evaluate.Run
	Previews []Preview
	NoWhy    string // why there are none
	May      bool
	Error    string
}

// Preview is what a threshold at one risk would do.
type Preview struct {
	Alpha   float64
	Content evaluate.Content
}

// Thresholds is the list of versions.
type Thresholds struct {
	List  []evaluate.Threshold
	Pages ui.Pages
}

// ThresholdView is one version, with what may be done to it.
type ThresholdView struct {
	evaluate.Threshold
	Run     evaluate.Run // of a threshold
	May     bool
	Waiting approval.Waiting // somebody asked to switch it on
	Same    bool             // it was measured on the panel as it is
	Routes  bool             // a threshold routes drafts that was measured without this version of a judge
	// Importers brought labels in that it rests on; ByAsker: who wants the threshold is one of them.
	Importers []version.Importer
	ByAsker   bool
	Why       string
	Error     string
	Errors    map[string]string
}

// percent is a share for a person.
func percent(v float64) string {
	if v > 0 && v < 0.01 {
		return strings.TrimSuffix(fmt.Sprintf("%.1f", 100*v), ".0") + "%"
	}
	return fmt.Sprintf("%.0f%%", 100*v)
}

// share is a rate in a table's cell, and below it what it is worth.
func share(r measure.Rate) (value, worth string) {
	v, ok := r.Value()
	if !ok {
		return "n/a", "none to count"
	}
	// Each part stays on one line.
	return percent(v), strings.ReplaceAll(fmt.Sprintf("%d_of_%d, %.0f–%.0f%%", r.Part, r.Whole, 100*r.Low, 100*r.High),
		"_", "\u00a0")
}

func figure(f measure.Figure) string {
	if !f.Defined() {
		return "n/a"
	}
	return fmt.Sprintf("%.2f", f.Value)
}

func why(f measure.Figure) string { return f.Undefined }

// labelWords are the labels as people say them.
var labelWords = map[string]string{measure.Compliant: "Compliant", measure.Borderline: "Borderline",
	measure.NonCompliant: "Non-compliant"}

func runState(r evaluate.Run) (ui.Tone, string, string) {
	switch r.State {
	case evaluate.Done:
		return ui.Green, "check", "done"
	case evaluate.Failed:
		return ui.Red, "stop", "failed"
	case evaluate.Stopped:
		return ui.Neutral, "cross", "stopped"
	case evaluate.Running:
		return ui.Accent, "clock", fmt.Sprintf("running, %d of %d", r.Done, r.Total)
	}
	return ui.Neutral, "clock", "waiting"
}

func thresholdState(t evaluate.Threshold) (ui.Tone, string, string) {
	switch t.State {
	case evaluate.Active:
		return ui.Green, "check", "in force"
	case evaluate.Proposed:
		return ui.Amber, "warn", "proposed"
	case evaluate.Refused:
		return ui.Neutral, "cross", "refused"
	case evaluate.Off:
		return ui.Neutral, "cross", "switched off"
	}
	return ui.Neutral, "clock", "superseded"
}

func runHref(r evaluate.Run) string { return "/compliance/judges/runs/" + r.ID }

func oneHref(r evaluate.Run, f evaluate.Figure) string {
	return runHref(r) + "/who/" + strings.TrimPrefix(f.Who, "judge:")
}

func thresholdHref(t evaluate.Threshold) string { return "/compliance/judges/thresholds/" + t.ID }

// TitleOf names a threshold, or a version of a judge.
func TitleOf(t evaluate.Threshold) string {
	if t.Kind == evaluate.ForJudge {
		return fmt.Sprintf("Built-in judge for %s, version %d", pack.Of(t.Pack).Title, t.Version)
	}
	return "Threshold " + strconv.Itoa(t.Version)
}

// decidesNothing reports whether the panel cleared no text of the test split.
func decidesNothing(c evaluate.Content) bool {
	share, ok := c.Tested.Decided.Value()
	return ok && share == 0
}

// switchedBy names both people; thresholds from before it took two have one.
func switchedBy(t evaluate.Threshold) string {
	s := "Switched on by " + t.Switched.Name
	if t.Asked != nil && t.Asked.Decided.Name != "" {
		s += ", agreed by " + t.Asked.Decided.Name
	}
	return s
}

// imported says whose imports gave labels.
func imported(list []version.Importer) string {
	parts := make([]string, len(list))
	for i, p := range list {
		parts[i] = fmt.Sprintf("%s by %s", ui.Count(p.Labels, "final label"), p.Name)
	}
	return "Some of its labels were imported: " + strings.Join(parts, ", ") + "."
}

// asked says who had a threshold computed.
func asked(t evaluate.Threshold) string {
	if t.AskedBy.Name == "" {
		return "Proposed by the system"
	}
	return "Computed for " + t.AskedBy.Name
}

// needs says what it takes to claim 5 %, where a run has too few violations for that.
func needs(f *evaluate.Figure) string {
	least := measure.CleanNeeded(0.05, measure.Confidence)
	if f == nil || f.Missed.Whole >= least {
		return ""
	}
	return fmt.Sprintf("This set has %s. To claim that at most 5%% are missed, you need %d with none missed.",
		ui.Count(f.Missed.Whole, "violation"), least)
}

// The diagram of a judge's calibration, in units of its view box.
const (
	size = 300
	edge = 48
	span = size - 2*edge
)

// dot is one bin of a reliability diagram.
type dot struct {
	X, Y, Low, High int
	R               float64
	Title           string
}

func at(p float64) int { return edge + int(p*span+0.5) }
func up(p float64) int { return size - edge - int(p*span+0.5) }
func num(n int) string { return strconv.Itoa(n) }
func secs(ms float64) string {
	if ms < 1 {
		return "< 1 ms"
	}
	if ms < 1000 {
		return fmt.Sprintf("%.0f ms", ms)
	}
	return fmt.Sprintf("%.1f s", ms/1000)
}

func dots(r measure.Reliability) (out []dot) {
	for _, b := range r.Bins {
		if b.Items == 0 {
			continue
		}
		v, _ := b.Observed.Value()
		out = append(out, dot{X: at(b.Said), Y: up(v), Low: up(b.Observed.Low), High: up(b.Observed.High),
			R: min(3+float64(b.Items)/20, 9),
			Title: fmt.Sprintf("said %s, observed %s of %s", percent(b.Said), percent(v),
				ui.Count(b.Items, "text"))})
	}
	return out
}

// summary says in two sentences what somebody missed, held up and let pass.
func summary(f evaluate.Figure) string {
	missed := "missed " + partOf(f.Missed, "violation", "violations")
	held := "held up " + partOf(f.FalseAlarm, "compliant text", "compliant texts")
	if f.Missed.Whole == 0 {
		missed = "had no violations to miss"
	}
	if f.FalseAlarm.Whole == 0 {
		held = "had no compliant texts to hold up"
	}
	out := f.Name + " " + missed + " and " + held + "."
	if f.Cleared.Whole > 0 {
		out += " " + partOf(f.Cleared, "text", "texts") + " passed without review."
	}
	return out
}

// partOf is a rate as "0 of 31 violations".
func partOf(r measure.Rate, one, many string) string {
	return fmt.Sprintf("%d of %s", r.Part, ui.Count(r.Whole, one, many))
}

// honest says in a sentence what the diagram shows, and by which measures.
func honest(f evaluate.Figure) (line, measures string) {
	if !f.Reliability.ECE.Defined() {
		return "It gives no probabilities, so there is nothing to compare.", ""
	}
	ece, brier := f.Reliability.ECE.Value, f.Reliability.Brier.Value
	return fmt.Sprintf("When it says how sure it is, it is off by %s on average.", percent(ece)),
		fmt.Sprintf("ECE %.3f; Brier score %.3f, where always saying 50%% would give 0.250.", ece, brier)
}

// labelled says how often somebody gave the label that experts gave.
func labelled(f evaluate.Figure) string {
	if f.Accuracy.Whole == 0 {
		return "It labelled no text."
	}
	return "It gave the experts' label to " + partOf(f.Accuracy, "text", "texts") + "."
}

// panelOf is the panel's figure of a run, or that of the checks where there are no judges; nil before it is done.
func panelOf(r evaluate.Run) *evaluate.Figure {
	if r.Figures == nil {
		return nil
	}
	if p := r.Figures.Of(evaluate.WholePanel); p != nil {
		return p
	}
	return r.Figures.Of(evaluate.Checks)
}

// called is how an agreement names who is set beside the experts.
func called(who string) string {
	switch who {
	case evaluate.WholePanel:
		return "The panel"
	case evaluate.Checks:
		return "The checks"
	}
	return strings.TrimPrefix(who, "judge:")
}

// curve is a method of calibration in words.
func curve(method string) string {
	if method == measure.Platt {
		return "logistic (Platt)"
	}
	return method
}

// about is what a page of one judge stands under.
func (v One) about() string {
	s := v.Run.Name + ", " + ui.Count(v.Figure.Items, "text")
	if v.Figure.Identity != "" {
		s += ", answered by " + v.Figure.Identity
	}
	return s
}

// on is what a run was about.
func on(r evaluate.Run) string {
	if r.Split == "" {
		return r.Name
	}
	return r.Name + ", " + r.Split + " split only"
}

// MissBound says what share of violations may pass without a person, as the measured threshold promises it.
func MissBound(active *evaluate.Threshold, applies bool) string {
	if active == nil || !applies {
		return compliance.NoEstimate + ", because no measured threshold is in use. " + compliance.NotCompared
	}
	return fmt.Sprintf("At most %s of violations pass without review (threshold version %d).",
		policy.Percent(active.Threshold.Alpha), active.Version)
}
