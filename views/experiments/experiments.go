// Package experiments draws experiments: the list, the plan with the size that it takes, and one experiment with its
// interval over time, how far it is and what it says.
package experiments

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"preceptor/internal/feedback/experiment"
	"preceptor/internal/pack"
	"preceptor/internal/platform/estimate"
	"preceptor/views/chart"
	"preceptor/views/ui"
)

// Home is the list's address.
const Home = "/experiments"

// List is all experiments, newest first.
type List struct {
	Items []experiment.Experiment
	Now   time.Time
}

// New is a plan as it was typed; Plan is what it takes, once it could be worked out.
type New struct {
	Name          string `form:"name"`
	Purpose       string `form:"purpose"`
	Agent         string `form:"agent"`
	Rule          string `form:"rule"`
	Treatment     string `form:"treatment"`
	Control       string `form:"control"`
	Metric        string `form:"metric"`
	Baseline      string `form:"baseline"` // percent, as typed, and so are the next four
	Effect        string `form:"effect"`
	Alpha         string `form:"alpha"`
	Power         string `form:"power"`
	Split         string `form:"split"`
	Only          bool   `form:"only"` // the plan is to be worked out, and nothing kept
	Agents, Rules []ui.Option
	Plan          *experiment.Plan
	Error         string
	Errors        map[string]string
}

// Show is one experiment.
type Show struct {
	experiment.Experiment
	Path   []experiment.Point
	Note   string // typed into the form to stop it
	Idle   bool   // it goes by approvals, and nobody decided on a draft of its agent for 90 days
	Error  string
	Errors map[string]string
	Now    time.Time
}

var purposes = []ui.Option{
	{Value: experiment.Memory, Label: "Memory",
		Hint: "Our advisor with and without what it learned from people. Guidance documents and compliance rules " +
			"stay in both."},
	{Value: experiment.Rule, Label: "One rule",
		Hint: "With and without the rule. Compliance rules are never withheld."},
	{Value: experiment.Prompt, Label: "Prompt",
		Hint: "An agent's new prompt against its old one. The agent asks which to use, and reports the outcome."},
	{Value: experiment.Model, Label: "Model", Hint: "An agent's new model against its old one."},
}

var metrics = []ui.Option{
	{Value: experiment.Approved, Label: "Approved unchanged", Hint: "A supervisor approved the draft without changes"},
	{Value: experiment.Vote, Label: "Positive first vote",
		Hint: "The user's first vote was positive. One that is changed or taken back later counts as it first was"},
	{Value: experiment.Satisfaction, Label: "Satisfied", Hint: "The customer's satisfaction was above 5 of 10"},
}

func label(list []ui.Option, value string) string {
	for _, o := range list {
		if o.Value == value {
			return o.Label
		}
	}
	return value
}

// percent writes a share with one decimal where it has one.
func percent(v float64) string {
	return strconv.FormatFloat(math.Round(v*1000)/10, 'f', -1, 64) + "%"
}

// points writes a difference of shares, with its sign.
func points(v float64) string { return chart.Points.Text(v) }

// interval writes an interval of points. Whatever ends an experiment ends it near 0, and on which side of it should be
// read.
func interval(l experiment.Look) string {
	low, high := points(l.Low), points(l.High)
	if l.Low > 0 && low == "0.0" {
		low = "just above 0"
	}
	if l.High < 0 && high == "0.0" {
		high = "just below 0"
	}
	return low + " to " + high + " points"
}

// stateBadge is where an experiment stands.
func stateBadge(e experiment.Experiment) (tone ui.Tone, icon, words string) {
	switch {
	case e.State == experiment.Planned:
		return ui.Neutral, "clock", "planned"
	case e.State == experiment.Running:
		return ui.Accent, "chart", "running"
	case e.Ended == experiment.Better:
		return ui.Green, "check", "better"
	case e.Ended == experiment.Worse:
		return ui.Red, "stop", "worse"
	case e.Ended == experiment.Futile:
		return ui.Neutral, "cross", "not the effect sought"
	case e.Ended == experiment.Full:
		return ui.Neutral, "cross", "no difference shown"
	}
	if e.Ended == experiment.Barred {
		return ui.Amber, "lock", "its rule can't be left out"
	}
	return ui.Neutral, "person", "stopped by a person"
}

// says is the result in one sentence or two.
func says(e experiment.Experiment) string {
	l := e.Look()
	arms := func(how string) string {
		if l.Low <= 0 && l.High >= 0 {
			return fmt.Sprintf("%s: no significant difference between %s and %s (%s points, interval %s).", how,
				e.Treatment, e.Control, points(l.Effect), interval(l))
		}
		did := strings.TrimLeft(points(l.Effect), "+−") + " points better than"
		switch {
		case math.Abs(l.Effect) < 0.0005:
			did = "as well as"
		case l.Effect < 0:
			did = strings.TrimLeft(points(l.Effect), "+−") + " points worse than"
		}
		return fmt.Sprintf("%s: %s did %s %s, and the interval is %s.", how, e.Treatment, did, e.Control, interval(l))
	}
	switch {
	case e.State == experiment.Planned:
		return "Not started. The plan can't be changed once it is saved; discard it and create another instead."
	case e.Ended == experiment.Better:
		return arms("A benefit is shown")
	case e.Ended == experiment.Worse:
		return arms("Harm is shown") + " Make sure that the treatment is no longer used."
	case e.Ended == experiment.Futile:
		return arms("Ended early, because neither a rise nor a fall of " + strings.TrimPrefix(points(e.Effect), "+") +
			" points is possible any more")
	case e.Ended == experiment.Full:
		return arms("The planned size is reached")
	case !l.Known():
		return "No outcomes in both arms yet."
	case e.State == experiment.Stopped:
		return arms("Stopped before it was decided")
	}
	if e.Plan.NoRise(l) {
		return arms("So far") + " The target uplift is already ruled out; the experiment goes on to check for harm. " +
			"Stop it if you don't need to know."
	}
	return arms("So far")
}

// far says how far it is.
func far(e experiment.Experiment) string {
	l := e.Look()
	s := ui.Thousands(e.Counts.Total()) + " of about " + ui.Thousands(e.Total()) + " outcomes"
	if l.Known() {
		s += ", " + ui.Percent(l.Progress) + " of the way"
	}
	return s
}

// left says when it will be there at the present pace; "" while that can't be said.
func left(e experiment.Experiment, now time.Time) string {
	l := e.Look()
	since := now.Sub(e.StartedAt)
	if e.State != experiment.Running || l.Progress < 0.02 || since <= 0 {
		return ""
	}
	days := since.Hours() / 24 * (1 - l.Progress) / l.Progress
	if days < 1.5 {
		return "At this pace the planned size is reached within a day or two."
	}
	return "At this pace the planned size is reached in about " + strconv.Itoa(int(math.Ceil(days))) +
		" days; it may end earlier."
}

// formula says where the size comes from.
func formula(p experiment.Plan) []string {
	p1 := p.Baseline + p.Effect
	list := []string{
		fmt.Sprintf("One look at the end needs %s outcomes per arm: the pooled formula for two shares, from %s to "+
			"%s, at an error rate of %s and a power of %s.",
			ui.Thousands(p.Fixed), percent(p.Baseline), percent(p1), percent(p.Alpha), percent(p.Power)),
		fmt.Sprintf("Looking after every outcome costs %.0f%% more: %s per arm at an even split. In return the "+
			"interval may be read at any time, and the experiment may end early.",
			(p.Price()-1)*100, ui.Thousands(int(math.Ceil(2*p.Information)))),
	}
	if p.SizeT != p.SizeC {
		list = append(list,
			fmt.Sprintf("With %s in the treatment more outcomes are needed: %s in the treatment and %s in the control.",
				percent(p.Split), ui.Thousands(p.SizeT), ui.Thousands(p.SizeC)))
	}
	return list
}

// share is a share of an arm, or that there is none.
func share(good, n int) string {
	if n == 0 {
		return "no data"
	}
	return percent(float64(good) / float64(n))
}

// wilson is the 95 % interval of one arm by itself.
func wilson(good, n int) string {
	if n == 0 {
		return ""
	}
	low, high := estimate.Wilson(good, n, estimate.Z95)
	return fmt.Sprintf("%d to %d%%", int(math.Round(low*100)), int(math.Round(high*100)))
}

// Picture is how the interval went. The scale is symmetric about zero, and goes by the newest interval: the first ones
// are as wide as they can be and would flatten everything.
func (v Show) Picture() chart.Chart {
	last := v.Path[len(v.Path)-1]
	reach := math.Max(2*v.Effect, 1.4*math.Max(math.Abs(last.Low), math.Abs(last.High)))
	l := &chart.Line{Unit: chart.Points, First: "Progress", Count: "Outcomes", To: 100, AtUnit: "%",
		Reach: math.Min(1, math.Ceil(reach*20)/20)}
	now := chart.Series{Name: "Difference", Look: chart.Now, Band: true,
		Span: percent(1-v.Alpha) + " interval, for all looks at once"}
	none, goal := chart.Series{Name: "No difference", Look: chart.Ghost},
		chart.Series{Name: "Target uplift", Look: chart.Target}
	place := func(at float64, p chart.Point) {
		l.At, l.Slots = append(l.At, at), append(l.Slots, percent(at/100)+" of the way")
		now.Points = append(now.Points, p)
		none.Points, goal.Points = append(none.Points, chart.Point{}), append(goal.Points, chart.Point{Value: v.Effect})
	}
	place(0, chart.Point{None: true})
	for _, p := range v.Path {
		place(float64(min(100, max(0, p.Percent))), chart.Point{Value: p.Effect, Low: p.Low, High: p.High, N: p.N})
	}
	place(100, chart.Point{None: true})
	l.Series = []chart.Series{now, none, goal}
	return chart.Chart{ID: "path", Title: "Confidence interval over time", Line: l,
		Says: v.Name + ": " + pack.Upper(v.Treatment) + " against " + v.Control + ". " + says(v.Experiment),
		Note: "Points of difference, by progress of the experiment. The interval is wide at first on purpose, which " +
			"makes it safe to look early.",
		CSV: Home + "/" + v.ID + "?format=csv"}
}

// Figures are the looks for other programs: shares as differences from -1 to 1.
func Figures(path []experiment.Point) chart.Table {
	t := chart.Table{Heads: []chart.Head{{Label: "Progress (%)", Num: true}, {Label: "Outcomes", Num: true},
		{Label: "Difference", Num: true}, {Label: "From", Num: true}, {Label: "To", Num: true}, {Label: "When"}}}
	raw := func(v float64) chart.Cell { return chart.Cell{Raw: strconv.FormatFloat(v, 'f', 4, 64)} }
	for _, p := range path {
		t.Rows = append(t.Rows, []chart.Cell{{Raw: strconv.Itoa(p.Percent)}, {Raw: strconv.Itoa(p.N)}, raw(p.Effect),
			raw(p.Low), raw(p.High), {Raw: p.At.UTC().Format(time.RFC3339)}})
	}
	return t
}

// shown are the points of the table: a few of many.
func shown(path []experiment.Point) []experiment.Point {
	const most = 20
	if len(path) <= most {
		return path
	}
	out := make([]experiment.Point, 0, most)
	for i := range most {
		out = append(out, path[i*(len(path)-1)/(most-1)])
	}
	return out
}
