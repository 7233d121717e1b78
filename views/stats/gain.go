package stats

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"time"

	"preceptor/internal/learning"
	"preceptor/internal/platform/estimate"
	"preceptor/internal/stats"
	"preceptor/views/chart"
	"preceptor/views/ui"
)

// Gain is the page of learning: does it get better.
type Gain struct {
	Scope
	stats.LearningPage
}

// Charts are the charts of the page.
func (v Gain) Charts() []chart.Chart {
	out := []chart.Chart{v.files(v.trajectory()), v.files(v.growth("cases", "Case base", "cases", v.Cases)),
		v.files(v.growth("rules", "Rule base", "rules", v.Rules))}
	origins := chart.Chart{ID: "origins", Title: "Accepted lessons by origin",
		Bars: bars(v.Period, "Origin", "lessons", v.named(), 12, nil), Says: stands("The share", v.share(), "lessons")}
	out = append(out, v.files(origins))
	if m := v.Memory; m != nil {
		c := chart.Chart{ID: "memory", Title: "With and without memory",
			Bars: &chart.Bars{Unit: chart.Percent, Head: "Arm", Count: "outcomes"}, Says: memorySays(*m),
			Note: memoryNote(*m)}
		for _, arm := range []struct {
			name string
			s    estimate.Share
		}{{"With memory", m.With}, {"Without memory", m.Without}} {
			c.Bars.Rows = append(c.Bars.Rows, chart.Bar{Name: arm.name, Point: sharePoint(arm.s)})
		}
		out = append(out, v.files(c))
	}
	return out
}

func (v Gain) share() stats.Figure {
	f := stats.ShareOf("", v.Accepted.N, v.Begun.N)
	f.Known = f.Known && v.Begun.Known
	return f
}

// named are the origins in words.
func (v Gain) named() []stats.Slice {
	out := append([]stats.Slice(nil), v.Origins...)
	for i := range out {
		out[i].Name = originName(out[i].Key)
	}
	return out
}

// trajectory is the quality by number of consultations beside what the seed expects.
func (v Gain) trajectory() chart.Chart {
	c := chart.Chart{ID: "trajectory", Title: "Quality by number of consultations",
		Note: "Quality is the share of drafts that were approved unchanged. The expected line meets the checkpoints " +
			"that the results of the Agent Hospital study suggest: 90% at 100 consultations, 94.5% at 1,000, 96.5% " +
			"at 5,000 and 97 to 99% beyond 10,000. The axis below is logarithmic."}
	l := chart.Line{Unit: chart.Percent, AtUnit: "consultations", First: "Consultations", Count: "decisions"}
	now, target := chart.Series{Name: "Approved unchanged", Look: chart.Now, Band: true},
		chart.Series{Name: "Expected", Look: chart.Target}
	begin := 0
	for _, p := range v.Quality {
		middle := max(1, (begin+p.Consultations)/2)
		l.At = append(l.At, float64(middle))
		l.Slots = append(l.Slots, fmt.Sprintf("%s to %s", ui.Thousands(begin+1), ui.Thousands(p.Consultations)))
		now.Points = append(now.Points, point(p.Approved, ""))
		target.Points = append(target.Points,
			chart.Point{Value: p.Expected, Low: p.Expected, High: p.Expected, None: p.Expected == 0})
		begin = p.Consultations
	}
	l.Series = []chart.Series{now, target}
	c.Line, c.Says = &l, v.trajectorySays()
	return c
}

func (v Gain) trajectorySays() string {
	if len(v.Quality) == 0 {
		return "No data."
	}
	last := v.Quality[len(v.Quality)-1]
	if !last.Approved.Known {
		return "No data."
	}
	s := fmt.Sprintf("After %s, %s of the newest %s were approved unchanged (%s); %s is expected.",
		ui.Count(last.Consultations, "consultation"), text(last.Approved),
		ui.Count(last.Approved.N, "draft"), intervalText(last.Approved), chart.Percent.Text(last.Expected))
	low, high := estimate.Wilson(last.Approved.Part, last.Approved.N, estimate.ZClaim)
	switch {
	case last.Approved.N < estimate.Few:
		return s
	case high < last.Expected:
		s += " That is significantly below what is expected."
	case low > last.Expected:
		s += " That is significantly above what is expected."
	default:
		s += " The difference is not significant."
	}
	if first := v.Quality[0]; len(v.Quality) > 1 && first.Approved.Known {
		now := last.Approved
		now.Before = &first.Approved
		switch {
		case now.Sure(claims) && now.Value > first.Approved.Value:
			s += " It is significantly better than at the beginning (" + text(first.Approved) + ")."
		case now.Sure(claims):
			s += " It is significantly worse than at the beginning (" + text(first.Approved) + ")."
		default:
			s += " It is not significantly better than at the beginning (" + text(first.Approved) + ")."
		}
	}
	return s
}

func (v Gain) growth(id, title, what string, list []stats.GrowthPoint) chart.Chart {
	c := chart.Chart{ID: id, Title: title, Note: "Of every agent, since the first decision. No filter applies."}
	l := chart.Line{Unit: chart.Number, First: "Until"}
	now, target := chart.Series{Name: "In use", Look: chart.Now},
		chart.Series{Name: "Expected by the growth model", Look: chart.Target}
	for _, p := range list {
		t := p.At.In(v.Period.zone()).AddDate(0, 0, -1) // the last day of the span, not the midnight after it
		l.Slots, l.Short, l.Raw = append(l.Slots, t.Format("2 January 2006")), append(l.Short, t.Format("2 Jan")),
			append(l.Raw, t.Format(time.DateOnly))
		now.Points = append(now.Points,
			chart.Point{Value: float64(p.Size), Low: float64(p.Size), High: float64(p.Size), N: p.Consultations})
		target.Points = append(target.Points,
			chart.Point{Value: float64(p.Expected), Low: float64(p.Expected), High: float64(p.Expected)})
	}
	l.Series, l.Count = []chart.Series{now, target}, "consultations"
	c.Line = &l
	if n := len(list); n > 0 {
		p := list[n-1]
		c.Says = fmt.Sprintf("%s %s are in use after %s, imported ones included and practised ones not; from "+
			"decided drafts alone the "+
			"growth model expects %s.", ui.Thousands(p.Size), what,
			ui.Count(p.Consultations, "consultation"), ui.Thousands(p.Expected))
	}
	return c
}

// memoryNote says what the experiment is, and that no filter narrows it.
func memoryNote(m stats.MemoryEffect) string {
	s := "The control gives some users of "
	if m.Stopped {
		s = "The experiment has been stopped. It gave some users of "
	}
	return s + cmp.Or(m.Agent, "every agent") + " answers without memory. No filter applies; the interval is valid " +
		"whenever you look."
}

func memorySays(m stats.MemoryEffect) string {
	s := "Memory changes the outcome by " + signed(m.Effect) + " (95% CI " + signed(m.Low) + " to " + signed(m.High) +
		")."
	switch {
	case m.Low > 0:
		s += " Memory helps; the difference is significant."
	case m.High < 0:
		s += " Memory harms; the difference is significant."
	case m.Stopped:
		s += " The difference is not significant."
	default:
		s += " The difference is not significant yet."
	}
	if m.Wanted > 0 {
		s += fmt.Sprintf(" %s of %s outcomes per arm are in.", ui.Thousands(m.Have), ui.Thousands(m.Wanted))
	}
	return s
}

// signed is a difference of two shares with its sign: "+4 points".
func signed(by float64) string {
	n := int(math.Round(by * 100))
	sign := ""
	switch {
	case n > 0:
		sign = "+"
	case n < 0:
		sign, n = "−", -n
	}
	return sign + ui.Count(n, "point")
}

var originWords = map[string]string{learning.Approve: "Approved drafts", learning.Revise: "Revised drafts",
	learning.Reject: "Rejected drafts", learning.Ruling: "Rulings", learning.Verdict: "Critical checks",
	learning.Judged: "Judges", learning.Dataset: "Gold sets", learning.Outcome: "Low-scored outcomes",
	learning.Practice: "Practice", learning.Reflected: "Reflections", learning.Proposed: "Agents' proposals"}

func originName(code string) string {
	if w, ok := originWords[code]; ok {
		return w
	}
	return topicName(code)
}

func stageName(c stats.LessonCell) string { return topicName(c.Stage) + ", " + c.State }

// lessonTable is the lessons by origin and by where they stand.
func (v Gain) lessonTable() (heads []string, rows [][]string) {
	stage, origin := map[string]int{}, map[string]int{}
	cells := map[[2]int]int{}
	var origins []string
	for _, c := range v.Lessons {
		s := stageName(c)
		if _, ok := stage[s]; !ok {
			stage[s] = len(heads)
			heads = append(heads, s)
		}
		if _, ok := origin[c.Origin]; !ok {
			origin[c.Origin] = len(origins)
			origins = append(origins, c.Origin)
		}
		cells[[2]int{origin[c.Origin], stage[s]}] += c.N
	}
	for i, o := range origins {
		row := []string{originName(o)}
		for j := range heads {
			row = append(row, strconv.Itoa(cells[[2]int{i, j}]))
		}
		rows = append(rows, row)
	}
	return heads, rows
}

// ScopeOf is what a chart or table of the page is of. Its curves are of all days; what rules did, the bases and the
// control are not narrowed.
func (v Gain) ScopeOf(id string) Scope {
	s := v.Scope
	switch id {
	case "help", "harm", "cases", "rules", "memory":
		s.Ever, s.Period.Agent, s.Period.Topic = true, "", ""
	case "", "trajectory":
		s.Ever = true
	}
	return s
}
