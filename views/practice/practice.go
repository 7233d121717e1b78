// Package practice draws what was practised with virtual customers: the runs, and one of them with its curve, what it
// changed for customers it never had, and the rules that it proposes.
package practice

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"preceptor/internal/knowledge"
	"preceptor/internal/platform/lists"
	"preceptor/internal/practice"
	"preceptor/views/chart"
	"preceptor/views/reviews"
	"preceptor/views/ui"
)

// Home is the list's address.
const Home = "/practice"

// OwnAblation is the button for an ablation of what the agent knows.
const OwnAblation = "ablate own"

// List is the newest runs, and the form for another.
type List struct {
	Runs   []practice.Run
	Names  map[string]string // of agents, by id
	Agents []ui.Option
	Trades []Trade
	Plan   Plan
	Stats  bool // the reader has the tabs of the statistics
	Error  string
	Errors map[string]string
	Now    time.Time
}

// Trade is whose questions practice asks some agents.
type Trade struct {
	Name                 string // as "an IT helpdesk"
	Customers, Questions int
	Agents               []string // their names
	Unsaid               []string // of those, whom nobody said to work in it
}

// asks says whose questions practice asks whom.
func (t Trade) asks() string {
	return fmt.Sprintf("%s: %s of %s, with %s between them.", lists.And(t.Agents),
		ui.Count(t.Customers, "virtual customer"), t.Name, ui.Count(t.Questions, "question"))
}

// Plan is what is to be practised, as it was typed.
type Plan struct {
	Agent     string `form:"agent"`
	Trade     bool   `form:"trade"` // the agent works in the customers' trade
	Kind      string `form:"kind"`
	Customers string `form:"customers"`
	Split     string `form:"split"`
	Seed      string `form:"seed"`
}

// Show is one run.
type Show struct {
	practice.Run
	Agent, Trade  string           // Trade: whose customers ask
	Trained       practice.Trained // of a training that is done
	Metrics       practice.Metrics // of an evaluation that is done
	Ablated       practice.Ablated // of an ablation
	Curve         []practice.Point
	Before, After []practice.Session // of the test customers
	Examples      []practice.Example // good consultations of a training
	Night         *Night             // of a nightly run that has one before it
	Questions     map[string]string  // by person
	Asked         map[string]string  // needs in plain words
	MayPropose    bool
	Stats         bool
	Error         string
}

// Night is how a night went against the one before it.
type Night struct {
	practice.Night
	knowledge.Moved
	Labels map[string]string // of rules, by id
}

// Read takes the result apart.
func (v *Show) Read() error {
	if len(v.Result) == 0 {
		return nil
	}
	switch v.Kind {
	case practice.Ablation:
		return json.Unmarshal(v.Result, &v.Ablated)
	case practice.Evaluation:
		return json.Unmarshal(v.Result, &v.Metrics)
	}
	return json.Unmarshal(v.Result, &v.Trained)
}

func kind(r practice.Run) string {
	return map[string]string{practice.Training: "Training", practice.Evaluation: "Evaluation",
		practice.Ablation: "Ablation", practice.Comparison: "Comparison"}[r.Kind]
}

// name is a run's kind, and whether it was the schedule's.
func name(r practice.Run) string {
	switch {
	case r.Nightly:
		return "Nightly training"
	case r.Kind == practice.Ablation && r.Customers == 0:
		return "Ablation of its own memory"
	}
	return kind(r)
}

// trained reports whether a run's result is a training's.
func (v Show) trained() bool { return v.Kind == practice.Training || v.Kind == practice.Comparison }

func badge(r practice.Run) (ui.Tone, string, string) {
	switch r.State {
	case practice.Done:
		return ui.Green, "check", "Done"
	case practice.Failed:
		return ui.Red, "alert", "Stopped"
	}
	return ui.Accent, "clock", "Running"
}

// outcome is what came of a run, in one line.
func outcome(r practice.Run) string {
	v := Show{Run: r}
	switch err := v.Read(); {
	case r.State != practice.Done || err != nil:
		return ""
	case r.Kind == practice.Ablation:
		return v.Ablated.Verdict()
	case r.Kind == practice.Evaluation:
		return "Needs met: " + interval(v.Metrics.NeedsMet)
	}
	before, after := v.Trained.Before.NeedsMet, v.Trained.After.NeedsMet
	return fmt.Sprintf("Needs met: %s before, %s after", ui.Percent(before.Of), ui.Percent(after.Of))
}

// interval is a share as "82% (95% CI 80–85%)".
func interval(f practice.Figure) string {
	return fmt.Sprintf("%s (95%% CI %.0f–%.0f%%)", ui.Percent(f.Of), f.Low*100, f.High*100)
}

// points is a difference as "+8 points, 95% CI +3 to +13"; of too few customers without an interval.
func points(f practice.Figure) string {
	if f.N < fewest {
		return fmt.Sprintf("%+.1f points", f.Of*100)
	}
	return fmt.Sprintf("%+.1f points, 95%% CI %+.1f to %+.1f", f.Of*100, f.Low*100, f.High*100)
}

// fewest is how many customers it takes to say that something changed.
const fewest = 30

// Verdict says in one sentence whether a training helped.
func (v Show) Verdict() string {
	t := v.Trained
	from := fmt.Sprintf("%s of what they needed to know before, and %s after", ui.Percent(t.Before.NeedsMet.Of),
		ui.Percent(t.After.NeedsMet.Of))
	switch {
	case t.Before.NeedsMet.N == 0:
		return "There were no test customers."
	case t.Gain.High < 0:
		return "Answers got worse: test customers were told " + from + ". Don't adopt these rules."
	case t.Gain.N < fewest:
		return fmt.Sprintf("Not enough test customers to tell: %d were told %s.", t.Gain.N, from)
	case t.Gain.Low > 0:
		return "Answers got better: test customers were told " + from + "."
	}
	return "No gain was shown: test customers were told " + from + ", which is not significant."
}

// sum is what was measured of one state of the base, in one sentence.
func sum(m practice.Metrics) string {
	if m.NeedsMet.N == 0 {
		return "There were no test customers."
	}
	return "Answers told test customers " + ui.Percent(m.NeedsMet.Of) + " of what they needed to know."
}

// measured are the figures of the base as a run leaves it.
func (v Show) measured() practice.Metrics {
	if v.trained() {
		return v.Trained.After
	}
	return v.Metrics
}

// about are the particulars of a run that only matter to who repeats it.
func (v Show) about() string {
	s := fmt.Sprintf("Split %d of %d, seed %d.", v.Split+1, practice.Splits, v.Seed)
	if v.Kind == practice.Ablation {
		s = fmt.Sprintf("%d splits, %d seeds.", practice.Splits, practice.Seeds)
		if v.Customers == 0 {
			s = fmt.Sprintf("%d splits.", practice.Splits)
		}
	}
	if v.Judge != "" {
		s += " Judged by " + ui.The(v.Judge) + "."
	}
	if v.State == practice.Done && v.trained() && v.Trained.Before.NeedsMet.N > 0 {
		s += " Needs met changed by " + points(v.Trained.Gain) + "."
	}
	return s
}

// exampleWords say how good an example is and how it stands.
func exampleWords(e practice.Example) string {
	s := fmt.Sprintf("Satisfaction %.1f of 10", e.Satisfaction)
	if e.Alike > 0 {
		s += ", the best of " + ui.Thousands(e.Alike+1) + " like it"
	}
	if e.Case != "" {
		s += ". Adopted as " + e.Case
	}
	return s + "."
}

// adoptable reports whether an example is no case yet.
func (v Show) adoptable() bool {
	return slices.ContainsFunc(v.Examples, func(e practice.Example) bool { return e.Case == "" })
}

// ablatedOn says what was taken apart.
func (v Show) ablatedOn() string {
	if v.Ablated.Own {
		return "Nothing was trained: this is what the agent knew. Wrong rules and another domain's memory were " +
			"tried in a copy, which holds no cases of real customers. "
	}
	return fmt.Sprintf("%d training runs of %s customers each. ", len(v.Ablated.Trainings),
		ui.Thousands(v.Ablated.Customers))
}

// says is what a night says of the base.
func (n Night) says() string {
	switch g := n.Gain; {
	case n.Worse():
		return "Fewer needs met than the night before: " + points(g) + "."
	case g.Of == 0 && g.Low == g.High:
		return "The same needs met as the night before."
	case g.N < fewest:
		return "Not enough customers to tell: needs met changed by " + points(g) + " since the night before."
	case g.Low > 0:
		return "More needs met than the night before: " + points(g) + "."
	default:
		return "Not significant: needs met changed by " + points(g) + " since the night before."
	}
}

// Picture is the curve, with what seed 000 expects of overall quality.
func (v Show) Picture() chart.Chart {
	needs, quality := chart.Series{Name: "Needs met", Look: chart.Now, Band: true},
		chart.Series{Name: "Successful", Look: chart.Second}
	expected := chart.Series{Name: "Successful: expected", Look: chart.Target}
	l := &chart.Line{Unit: chart.Percent, First: "Customers", Count: "Customers", To: float64(max(1, v.Customers)),
		Whole: true}
	for _, p := range v.Curve {
		l.At, l.Slots = append(l.At, float64(p.Customers)), append(l.Slots, ui.Thousands(p.Customers))
		needs.Points = append(needs.Points, point(p.NeedsMet))
		quality.Points = append(quality.Points, point(p.Quality))
		expected.Points = append(expected.Points, chart.Point{Value: knowledge.ExpectedQuality(p.Customers)})
	}
	l.Series = []chart.Series{needs, quality, expected}
	c := chart.Chart{ID: "curve", Title: "Training customers", Line: l, Says: v.course(),
		Note: "Agent Hospital reports 88% to 92% on its own task, which is not this one."}
	if len(v.Curve) > 1 {
		c.Title += ", 100 at a time"
		c.Note = "Each point is the 100 customers before it. They differ from point to point, so the line is noisy. " +
			c.Note
	}
	return c
}

// course is the curve in one sentence.
func (v Show) course() string {
	first, last := v.Curve[0], v.Curve[len(v.Curve)-1]
	if len(v.Curve) == 1 {
		return "So far, answers met " + ui.Percent(first.NeedsMet.Of) + " of the needs of training customers."
	}
	return fmt.Sprintf("Answers met %s of the needs of the first training customers, and %s of the last.",
		ui.Percent(first.NeedsMet.Of), ui.Percent(last.NeedsMet.Of))
}

func point(f practice.Figure) chart.Point {
	return chart.Point{Value: f.Of, Low: f.Low, High: f.High, N: f.N, None: f.N == 0}
}

// Arms is the ablation as a drawing: how many needs each arm met, by split.
func (v Show) Arms() chart.Chart {
	b := &chart.Bars{Unit: chart.Percent, Head: "Arm", Count: "Customers"}
	for _, a := range v.Ablated.Arms {
		b.Rows = append(b.Rows, chart.Bar{Name: fmt.Sprintf("Split %d, %s", a.Split+1, a.Name),
			Point: point(a.Metrics.NeedsMet)})
	}
	return chart.Chart{ID: "arms", Title: "Needs met by arm", Bars: b,
		Says: "How many needs of test customers each arm met, by split. " + v.Ablated.Verdict(),
		Note: "Every arm answers the same test customers. Whether two arms differ is in the table: its intervals are " +
			"paired.", CSV: Home + "/" + v.ID + "?format=csv"}
}

// ArmFigures are the arms for other programs: shares from 0 to 1, differences from -1 to 1.
func ArmFigures(a practice.Ablated) chart.Table {
	t := chart.Table{Heads: []chart.Head{{Label: "Split", Num: true}, {Label: "Arm"}, {Label: "Needs met", Num: true},
		{Label: "Successful", Num: true}, {Label: "Against"},
		{Label: "Difference", Num: true}, {Label: "From", Num: true}, {Label: "To", Num: true}}}
	raw := func(v float64) chart.Cell { return chart.Cell{Raw: strconv.FormatFloat(v, 'f', 4, 64)} }
	for _, m := range a.Arms {
		row := []chart.Cell{{Raw: strconv.Itoa(m.Split + 1)}, {Raw: m.Name}, raw(m.Metrics.NeedsMet.Of),
			raw(m.Metrics.OverallQuality.Of), {Raw: m.Against}, {}, {}, {}}
		if m.Against != "" {
			row[5], row[6], row[7] = raw(m.NeedsMet.Of), raw(m.NeedsMet.Low), raw(m.NeedsMet.High)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// change is a test customer whom another share of needs was met of.
type change struct {
	question     string
	gained, lost []string // needs in plain words
	flagged      []string // what the checks found in the answer, and not in the one before
}

// had is a measure before a training.
func had(r practice.Row) string {
	if r.Figure.N == 0 {
		return "no data"
	}
	return r.Text(r.Figure.Of)
}

// effects are what a training changes for test customers: how many are told more, no longer told something, or get an
// answer with a new problem.
type effects struct {
	list                   []change
	better, worse, flagged int
}

// changes are the test customers whose answers changed, those who lost something first.
func (v Show) changes() (out effects) {
	for i := range min(len(v.Before), len(v.After)) {
		b, a := v.Before[i], v.After[i]
		c := change{question: v.Questions[a.Person], gained: v.plain(a.Met, b.Met), lost: v.plain(b.Met, a.Met)}
		if given(b) && !given(a) {
			c.lost = append(c.lost, "The warning about leaving a defined benefit pension.")
		}
		for _, code := range a.Issues {
			if !slices.Contains(b.Issues, code) {
				c.flagged = append(c.flagged, reviews.FlagName(code))
			}
		}
		if len(c.gained)+len(c.lost)+len(c.flagged) == 0 {
			continue
		}
		out.worse += min(1, len(c.lost))
		out.better += min(1, len(c.gained))
		out.flagged += min(1, len(c.flagged))
		out.list = append(out.list, c)
	}
	worse := func(c change) int { return len(c.lost) + len(c.flagged) }
	slices.SortStableFunc(out.list, func(a, b change) int { return cmp.Compare(worse(b), worse(a)) })
	out.list = out.list[:min(len(out.list), mostChanges)]
	return out
}

// says counts them in one sentence each.
func (c effects) says(asked int) string {
	s := fmt.Sprintf(
		"%d of %d are told something they needed that they weren't told before; %s no longer told something.",
		c.better, asked, ui.Count(c.worse, "is", "are"))
	if c.flagged > 0 {
		s += " The checks found a new problem in " + ui.Count(c.flagged, "answer.", "answers.")
	}
	return s
}

// given reports whether the warning was due and given.
func given(s practice.Session) bool { return s.DBWarningGiven != nil && *s.DBWarningGiven }

const mostChanges = 50

// plain are the needs of one list that are not in the other.
func (v Show) plain(list, without []string) (out []string) {
	for _, n := range list {
		if !slices.Contains(without, n) {
			out = append(out, cmp.Or(v.Asked[n], n))
		}
	}
	return out
}
