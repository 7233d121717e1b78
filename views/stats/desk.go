package stats

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"preceptor/internal/platform/estimate"
	"preceptor/internal/stats"
	"preceptor/internal/stats/desk"
	"preceptor/views/chart"
	"preceptor/views/ui"
)

// Desk is how the desk works: what it catches, and how long people take.
type Desk struct {
	Scope   // the last Days days
	Planted desk.Planted
	Review  stats.ReviewPage // of the last Days days
	Pace    desk.Pace
	Days    int
	Off     bool // no policy mixes in seeded checks
}

// Hasty is the list of approvals that were faster than one can read.
type Hasty struct {
	Items  []desk.Hasty
	Person string // whose; "" for everybody
	Days   int
	Now    time.Time
}

// ScopeOf is what a chart or table of the page is of: seeded checks are of more days than the rest.
func (v Desk) ScopeOf(id string) Scope {
	s := v.Scope
	if id != "people" {
		s.Period.Alone, s.Period.Range.From = true, v.Planted.From
	}
	return s
}

// few is under how many a share says next to nothing.
const few = 20

// Tabs are the pages of the overview.
func Tabs(at string) []ui.Tab {
	var list []ui.Tab
	for _, t := range []struct{ label, href string }{
		{"Work", "/overview"}, {"Desk", "/overview/desk"}, {"Seeded checks", "/overview/planted"},
		{"Exports", "/exports"},
	} {
		list = append(list, ui.Tab{Label: t.label, Href: t.href, Count: -1, Current: t.href == at})
	}
	return list
}

// range95 is the interval alone.
func range95(s estimate.Share) string {
	if s.Whole == 0 {
		return "–"
	}
	return fmt.Sprintf("%d–%d%%", int(s.Low*100+.5), int(s.High*100+.5))
}

// outOf is a share with its number, as "3 of 40".
func outOf(s estimate.Share) string {
	return strconv.Itoa(s.Part) + " of " + ui.Thousands(s.Whole)
}

// bracketed is the interval behind a figure; nothing when there is none.
func bracketed(s estimate.Share) string {
	if s.Whole == 0 {
		return ""
	}
	return "(" + range95(s) + ")"
}

// share95 is a figure with its interval.
func share95(f stats.Figure) string {
	if i := intervalText(f); i != "" {
		return text(f) + " (" + i + ")"
	}
	return text(f)
}

// streak is what a manager is told of a person's run of quick approvals; "" without one.
func (v Desk) streak(p stats.PersonRow) string {
	run := v.Pace.People[p.ID].Streak
	if run.N < desk.MinStreak {
		return ""
	}
	return fmt.Sprintf("%d approvals in a row took under %d seconds each, from %s on. Short texts and repeated "+
		"questions can explain that.",
		run.N, int(desk.Quick.Seconds()), ui.Absolute(run.Since))
}

// streaks reports whether anybody has one.
func (v Desk) streaks() bool {
	return slices.ContainsFunc(v.Review.People, func(p stats.PersonRow) bool { return v.streak(p) != "" })
}

// shortTime is a short time with its unit.
func shortTime(d time.Duration) string {
	if d < 2*time.Minute {
		return strconv.Itoa(int(d.Seconds())) + " s"
	}
	return duration(d)
}

// caughtSentence says what the figures of the seeded checks show.
func caughtSentence(p desk.Planted) string {
	switch n := p.Caught.Whole; {
	case n == 0:
		return "No seeded check was closed in this period."
	case n < few:
		return fmt.Sprintf("%d of %s caught. With so few, the true share can be anywhere between %d and %d%%.",
			p.Caught.Part, ui.Count(n, "seeded check was", "seeded checks were"),
			int(p.Caught.Low*100+.5), int(p.Caught.High*100+.5))
	}
	return fmt.Sprintf("%d of %d seeded checks were caught: %s, between %d and %d%% (95%% interval).", p.Caught.Part,
		p.Caught.Whole, percent(p.Caught), int(p.Caught.Low*100+.5), int(p.Caught.High*100+.5))
}

// Charts are the charts of the page.
func (v Desk) Charts() []chart.Chart { return []chart.Chart{v.weeks()} }

// weeks is the share that was caught, week by week.
func (v Desk) weeks() chart.Chart {
	l := &chart.Line{Unit: chart.Percent, First: "Week of", Whole: true, Count: "checks"}
	now := chart.Series{Name: "Caught", Look: chart.Now, Band: true}
	for _, w := range v.Planted.Weeks {
		l.Slots, l.Short = append(l.Slots, w.Monday.Format("2 January")), append(l.Short, w.Monday.Format("2 Jan"))
		l.Raw = append(l.Raw, w.Monday.Format(time.DateOnly))
		now.Points = append(now.Points, sharePoint(w.Caught))
	}
	l.Series = []chart.Series{now}
	return v.files(chart.Chart{ID: "weeks", Title: "Caught per week", Line: l, Says: caughtSentence(v.Planted)})
}

// sharePoint is a share on a chart.
func sharePoint(s estimate.Share) chart.Point {
	return chart.Point{Value: s.Value(), Low: s.Low, High: s.High, N: s.Whole, None: s.Whole == 0}
}

func smallest(parts []desk.PlantedPart) int {
	n := parts[0].Caught.Whole
	for _, p := range parts {
		n = min(n, p.Caught.Whole)
	}
	return n
}
