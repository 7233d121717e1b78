package stats

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"preceptor/internal/pack"
	"preceptor/internal/platform/estimate"
	"preceptor/internal/stats"
	"preceptor/views/chart"
	"preceptor/views/layout"
)

// Summary is the first page of the statistics: what a manager sees in ten seconds, and where to look on.
type Summary struct {
	Scope
	Satisfaction stats.SatisfactionPage
	Review       stats.ReviewPage
	Compliance   stats.CompliancePage
	Learning     stats.LearningPage
	Fall         *stats.Fall    // nil when satisfaction didn't fall
	TopicSeries  []stats.Series // satisfaction of the topics with most votes; Name is the topic
}

// Charts are the charts of the page.
func (v Summary) Charts() []chart.Chart {
	c := chart.Chart{ID: "over-time", Title: "Over time", Multi: &chart.Multi{},
		Note: "All three share one scale. The dotted line, where there is one, is the previous period, lined up " +
			"by day."}
	for _, p := range []struct {
		name, path string
		series     stats.Series
		figure     stats.Figure
	}{
		{"Satisfaction", TabSatisfaction, v.Satisfaction.Series, v.Satisfaction.Rate},
		{"Approved unchanged", TabReview, seriesOf(v.Review.Series, v.Review.Approved.Key), v.Review.Approved},
		{"Drafts judged compliant", TabCompliance, v.Compliance.Series, v.Compliance.Rate},
	} {
		says := text(p.figure)
		if i := intervalText(p.figure); i != "" {
			says += " (" + i + ")"
		}
		if ch := change(p.figure); ch != "" {
			says += ", " + ch
		}
		c.Multi.Panels = append(c.Multi.Panels,
			chart.Panel{Name: p.name, Href: v.Period.address(p.path), Says: says, Line: line(v.Period, p.series)})
	}
	f, ok := fallen(v.Period, v.Satisfaction.Series, v.Fall, v.TopicSeries)
	switch {
	case ok:
		c.Says = f.sentence("Satisfaction")
		m := f.mark(true)
		m.Panel = c.Multi.Panels[0].Name // the others may have had other days
		c.Marks = []chart.Mark{m}
	default:
		c.Says = stands("Satisfaction", v.Satisfaction.Rate, "votes") + steady(v.Satisfaction.Series)
	}
	return []chart.Chart{v.files(c)}
}

// steady says that no stretch of days stands out, where there was enough to see one.
func steady(s stats.Series) string {
	n := 0
	for _, p := range s.Points {
		n += p.N
	}
	if n < 2*estimate.Few {
		return ""
	}
	return " No days differ significantly."
}

// seriesOf picks a series by its key.
func seriesOf(list []stats.Series, key string) stats.Series {
	for _, s := range list {
		if s.Key == key {
			return s
		}
	}
	return stats.Series{Key: key, Unit: stats.Ratio}
}

// Satisfaction is the page of what users say.
type Satisfaction struct {
	Scope
	stats.SatisfactionPage
	Fall        *stats.Fall    // nil when it didn't fall
	TopicSeries []stats.Series // of the topics with most votes; Name is the topic
}

// Charts are the charts of the page.
func (v Satisfaction) Charts() []chart.Chart {
	rate := chart.Chart{ID: "rate", Title: "Satisfaction over time",
		Says: stands("Satisfaction", v.Rate, "votes") + steady(v.Series),
		Note: "Positive votes as a share of positive and negative ones; neutral votes aren't counted.",
		Line: new(line(v.Period, v.Series))}
	if f, ok := fallen(v.Period, v.Series, v.Fall, v.TopicSeries); ok {
		rate.Says = f.sentence("Satisfaction")
		rate.Marks = []chart.Mark{f.mark(true)}
	}
	return []chart.Chart{v.files(rate), v.files(v.topicPanels()), v.files(v.scale()),
		v.parts("topics", "By topic", "Topic", "votes", v.Topics, v.byTopic),
		v.parts("agents", "By agent", "Agent", "votes", v.Agents, v.byAgent)}
}

func (v Satisfaction) topicPanels() chart.Chart {
	c := chart.Chart{ID: "topics-over-time", Title: "Topics over time", Multi: &chart.Multi{},
		Note: "The topics with the most votes, on one scale."}
	worst, name := 0.0, ""
	for _, s := range v.TopicSeries {
		p := chart.Panel{Name: topicName(s.Name), Href: v.Period.address(v.Path, "topic", s.Name),
			Line: topicLine(v.Period, s)}
		if f, ok := look(v.Period, s, len(v.TopicSeries)); ok {
			p.Says = f.sentence("It")
			if f.Change() < worst {
				worst, name = f.Change(), p.Name
			}
		}
		c.Multi.Panels = append(c.Multi.Panels, p)
	}
	c.Says = "No topic has days that differ significantly."
	if name != "" {
		c.Says = name + " fell most: " + points(-worst) + "."
	}
	return c
}

// scale is how often each rating was given, as a share of all ratings.
func (v Satisfaction) scale() chart.Chart {
	c := chart.Chart{ID: "ratings", Title: "Ratings from 0 to 10"}
	n, before, high, low := 0, 0, 0, 0
	for i, k := range v.Scale {
		n, before = n+k, before+v.ScaleBefore[i]
		if i >= 9 {
			high += k
		}
		if i <= 4 {
			low += k
		}
	}
	var list []stats.Slice
	for i, k := range v.Scale {
		f := stats.ShareOf("rating", k, n)
		if before >= estimate.Few {
			b := stats.ShareOf("rating", v.ScaleBefore[i], before)
			f.Before = &b
		}
		list = append(list, stats.Slice{Name: strconv.Itoa(i), Figure: f})
	}
	c.Bars = bars(v.Period, "Rating", "ratings", list, 0, nil)
	for i, row := range c.Bars.Rows { // how often each was given says more than how many ratings there are
		if c.Bars.Rows[i].N = v.Scale[i]; row.Before != nil {
			row.Before.N = v.ScaleBefore[i]
		}
	}
	if n > 0 {
		c.Says = fmt.Sprintf("%s %s gave 9 or 10, %s gave 4 or less.", stands("The mean rating", v.Rating, "ratings"),
			share(high, n), share(low, n))
	}
	return c
}

func share(part, whole int) string {
	s := estimate.Of(part, whole)
	return outOf(s) + " (" + percent(s) + ")"
}

// more says what a chart leaves out.
func more(n, shown int, what string) string {
	if n <= shown {
		return ""
	}
	return fmt.Sprintf("The first %d of %d %s are shown. The table and the files show all.", shown, n, what)
}

// extremes names the lowest and the highest part, each where it differs significantly from all others together, as
// stats.SatisfactionPage.Worst does.
func extremes(list []stats.Slice, what string) string {
	known := 0
	for _, s := range list {
		if s.Figure.Known {
			known++
		}
	}
	if known == 1 {
		return partName(list[slices.IndexFunc(list, func(s stats.Slice) bool { return s.Figure.Known })], what) +
			" is the only " + what + "."
	}
	var low, high *stats.Slice
	for i, side := range stats.Apart(list) {
		f := list[i].Figure
		if side < 0 && (low == nil || f.Value < low.Figure.Value) {
			low = &list[i]
		}
		if side > 0 && (high == nil || f.Value > high.Figure.Value) {
			high = &list[i]
		}
	}
	switch {
	case known == 0:
		return ""
	case low != nil && high != nil:
		return fmt.Sprintf("%s (%s) is significantly lower than the others combined, %s (%s) significantly higher.",
			partName(*low, what), text(low.Figure), partName(*high, what), text(high.Figure))
	case low != nil:
		return fmt.Sprintf("%s (%s) is significantly lower than the others combined.", partName(*low, what),
			text(low.Figure))
	case high != nil:
		return fmt.Sprintf("%s (%s) is significantly higher than the others combined.", partName(*high, what),
			text(high.Figure))
	}
	return "No " + what + " differs significantly from the others combined."
}

// hidden is the period for the form that searches comments.
func (v Satisfaction) hidden() (out [][2]string) {
	_, query, _ := strings.Cut(v.Period.comments(), "?")
	q, _ := url.ParseQuery(query) // it was just written
	for _, name := range []string{"from", "to", "agent", "topic"} {
		if s := q.Get(name); s != "" {
			out = append(out, [2]string{name, s})
		}
	}
	return out
}

// named is a figure with its name.
type named struct {
	Name string
	stats.Figure
}

// dbWarning is the one of outcomeNames that is of pensions.
const dbWarning = 6

// outcomeNames are the figures of outcomes, in the order of stats.SatisfactionPage.Outcomes.
var outcomeNames = []string{"Satisfaction, 0 to 10", "Comprehension, 0 to 10", "Goal alignment, 0 to 10",
	"Goals were met", "Understanding was checked", "Signposted", "DB warning was given"}

func (v Satisfaction) named(frame layout.Frame) (out []named) {
	for i, f := range v.Outcomes {
		name := f.Key
		if i == dbWarning && !frame.Pension() {
			continue
		}
		if i < len(outcomeNames) {
			name = outcomeNames[i]
		}
		out = append(out, named{name, f})
	}
	return out
}

// beforeText is the value of the period before, or that it has too few.
func beforeText(f stats.Figure) string {
	if f.Before == nil {
		return "–"
	}
	_, instead := f.Earlier()
	return cmp.Or(pack.Upper(instead), text(*f.Before))
}

// MostTopics is how many topics have a chart of their own.
const MostTopics = 8

// TopicsOf are the topics with most votes, for the reader of their series.
func TopicsOf(p stats.SatisfactionPage) (out []string) {
	for _, t := range p.Topics[:min(len(p.Topics), MostTopics)] {
		out = append(out, t.Key)
	}
	return out
}

// topicLine is the line of one topic; its days lead to that topic's votes.
func topicLine(p Period, s stats.Series) chart.Line {
	p.Topic = s.Name
	return line(p, s)
}
