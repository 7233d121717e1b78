package stats

import (
	"cmp"
	"strings"
	"time"

	"preceptor/internal/pack"
	"preceptor/internal/platform/estimate"
	"preceptor/internal/stats"
	"preceptor/internal/stats/turn"
	"preceptor/views/chart"
)

// The figures of package stats as charts.

func unit(u stats.Unit) chart.Unit {
	switch u {
	case stats.Ratio:
		return chart.Percent
	case stats.Seconds:
		return chart.Length
	case stats.Score10:
		return chart.Score
	case stats.Score5:
		return chart.Stars
	}
	return chart.Number
}

// point is a figure on a chart.
func point(f stats.Figure, href string) chart.Point {
	p := chart.Point{Value: f.Value, Low: f.Low, High: f.High, N: f.N, None: !f.Known}
	if f.Known && f.N > 0 {
		p.Href = href
	}
	return p
}

// topicName is a topic or task as people say it.
func topicName(topic string) string {
	if topic == "" || topic == stats.NoTopic {
		return "No topic"
	}
	return pack.Label(topic)
}

func sliceName(s stats.Slice) string {
	if s.Name == "" || s.Name == s.Key {
		return topicName(s.Key)
	}
	return s.Name
}

// partName is what a page calls a part: a topic or task in words, and anything else, such as an agent, by the name that
// it was given.
func partName(s stats.Slice, what string) string {
	switch strings.ToLower(what) {
	case "topic", "task":
		return sliceName(s)
	}
	return cmp.Or(cmp.Or(s.Name, s.Key), "Unnamed")
}

// line draws one series, with the previous period as its ghost.
func line(p Period, s stats.Series) chart.Line {
	l := chart.Line{Unit: unit(s.Unit), First: firstHead(s.Step)}
	now := chart.Series{Name: "This period", Look: chart.Now, Band: s.Unit == stats.Ratio || s.Unit == stats.Score10 ||
		s.Unit == stats.Score5}
	ghost := chart.Series{Name: "Previous period", Look: chart.Ghost}
	before := 0
	for _, f := range s.Points {
		name, short, raw := slot(f, s.Step, p.zone())
		l.Slots, l.Short, l.Raw = append(l.Slots, name), append(l.Short, short), append(l.Raw, raw)
		now.Points = append(now.Points, point(f.Figure, p.within(f.From, f.To).rows(s.Key)))
		was := chart.Point{None: true}
		if f.Before != nil {
			was = point(*f.Before, "")
			before += f.Before.N
		}
		ghost.Points = append(ghost.Points, was)
	}
	l.Series = []chart.Series{now}
	if before >= estimate.Few && !p.Alone {
		l.Series = append(l.Series, ghost)
	}
	return l
}

func firstHead(s stats.Step) string {
	switch s {
	case stats.Weekly:
		return "Week"
	case stats.Monthly:
		return "Month"
	}
	return "Day"
}

// slot is the name of a point's days, long, short, and for other programs: of a week its first day, of a month 2026-11.
func slot(p stats.Point, step stats.Step, zone *time.Location) (name, short, raw string) {
	t := p.From.In(zone)
	switch step {
	case stats.Weekly:
		return "Week of " + t.Format("2 January 2006"), t.Format("2 Jan"), t.Format(time.DateOnly)
	case stats.Monthly:
		return t.Format("January 2006"), t.Format("Jan 06"), t.Format("2006-01")
	}
	return t.Format("Monday 2 January 2006"), t.Format("2 Jan"), t.Format(time.DateOnly)
}

// counts are a series of shares as whole numbers.
func counts(s stats.Series) []turn.Count {
	out := make([]turn.Count, len(s.Points))
	for i, p := range s.Points {
		if p.Known {
			out[i] = turn.Count{Part: p.Part, Whole: p.N}
		}
	}
	return out
}

// bars are parts side by side.
func bars(p Period, head, count string, list []stats.Slice, most int, href func(stats.Slice) string) *chart.Bars {
	b := &chart.Bars{Head: head, Count: count, Most: most}
	for _, s := range list {
		b.Unit = unit(s.Figure.Unit)
		row := chart.Bar{Name: partName(s, head), Point: point(s.Figure, "")}
		if href != nil {
			row.Href = href(s)
		}
		if s.Figure.Before != nil && !p.Alone {
			before := point(*s.Figure.Before, "")
			_, instead := s.Figure.Earlier()
			before.None = instead != ""
			row.Before, b.Prior = &before, "Previous period"
		}
		b.Rows = append(b.Rows, row)
	}
	return b
}

// files gives a chart the addresses of its files, with what the page needs beside its period.
func (s Scope) files(c chart.Chart, more ...string) chart.Chart {
	if !c.Empty() {
		c.CSV = s.Period.address(s.Path, append([]string{"chart", c.ID, "format", "csv"}, more...)...)
	}
	return c
}

// file is the address of a table of the page as a file.
func (s Scope) file(id string) string { return s.Period.address(s.Path, "chart", id, "format", "csv") }

// parts is the chart of a figure by its parts, with its files: head names one of them, of what is counted in it.
func (s Scope) parts(id, title, head, of string, list []stats.Slice, href func(stats.Slice) string) chart.Chart {
	what := strings.ToLower(head)
	return s.files(chart.Chart{ID: id, Title: title, Bars: bars(s.Period, head, of, list, 12, href),
		Says: extremes(list, what), Note: more(len(list), 12, what+"s")})
}

// byTopic and byAgent are the same page, narrowed.
func (s Scope) byTopic(v stats.Slice) string { return s.Period.address(s.Path, "topic", v.Key) }
func (s Scope) byAgent(v stats.Slice) string { return s.Period.address(s.Path, "agent", v.Key) }
