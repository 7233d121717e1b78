package duty

import (
	"fmt"
	"html/template"
	"strings"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/stats"
)

// The size of a plot, in its own units.
const (
	plotWidth, plotHeight = 720, 160
	plotLeft, plotLow     = 44, 22
)

// plot draws a share over time as SVG: its points, joined where neighbours have data, and the axis from 0 to 100 %.
// Each point says its value; the tables have the figures. A shaded part is the fall.
func plot(s stats.Series, fall *stats.Fall) template.HTML {
	n := len(s.Points)
	known := 0
	for _, p := range s.Points {
		if p.Known {
			known++
		}
	}
	if known < 2 {
		return "<p>No data to draw.</p>"
	}
	x := func(i int) float64 { return plotLeft + (float64(i)+.5)*(plotWidth-plotLeft)/float64(n) }
	y := func(v float64) float64 { return 6 + (1-v)*(plotHeight-plotLow-6) }
	var b strings.Builder
	fmt.Fprintf(&b,
		`<svg class="plot" viewBox="0 0 %d %d" role="img" aria-label="Share over time, from 0 to 100%%; the table has the figures">`, plotWidth, plotHeight)
	for _, v := range []float64{0, .5, 1} {
		fmt.Fprintf(&b,
			`<line class="grid" x1="%d" x2="%d" y1="%.1f" y2="%.1f"/><text x="%d" y="%.1f" text-anchor="end">%.0f%%</text>`, plotLeft, plotWidth, y(v), y(v), plotLeft-6, y(v)+4, v*100)
	}
	var path strings.Builder
	move := "M"
	for i, p := range s.Points {
		if fall != nil && p.From.Before(fall.Around.To) && p.To.After(fall.Around.From) {
			w := float64(plotWidth-plotLeft) / float64(n)
			fmt.Fprintf(&b, `<rect class="fall" x="%.1f" y="6" width="%.1f" height="%d"/>`, x(i)-w/2, w,
				plotHeight-plotLow-6)
		}
		if !p.Known {
			move = "M"
			continue
		}
		fmt.Fprintf(&path, "%s%.1f %.1f", move, x(i), y(p.Value))
		move = "L"
	}
	fmt.Fprintf(&b, `<path d="%s"/>`, path.String())
	for i, p := range s.Points {
		if p.Known {
			fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="2.5"><title>%s: %s of %d</title></circle>`, x(i),
				y(p.Value), p.From.Format("2 January 2006"), valueOf(p.Unit, p.Value), p.N)
		}
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d">%s</text><text x="%d" y="%d" text-anchor="end">%s</text></svg>`, plotLeft,
		plotHeight-4, s.Points[0].From.Format("2 Jan 2006"),
		plotWidth, plotHeight-4, s.Points[n-1].From.Format("2 Jan 2006"))
	return template.HTML(b.String())
}

// FallSays is how far satisfaction fell, when, and on what.
func (rep *report) FallSays() string {
	f := rep.Fall
	last := f.Around.To.AddDate(0, 0, -1)
	s := fmt.Sprintf(
		"Satisfaction fell from %s to %s: %s of %d votes, against %s of %d on the other days from %s to %s, which is "+
			"significant.", day(f.Around.From, rep), day(last, rep),
		valueOf(stats.Ratio, f.All.Value), f.All.N, valueOf(stats.Ratio, f.Before.Value), f.Before.N,
		day(f.Filter.From, rep), day(f.Filter.To.AddDate(0, 0, -1), rep))
	if f.Topic != "" && f.Dip.Known && f.Rest.Known {
		s += fmt.Sprintf(" Most of it was %s: %s of its %d votes were positive, against %s of %d on the same other "+
			"days.", name(stats.Slice{Key: f.Topic, Name: f.Topic}), valueOf(stats.Ratio, f.Dip.Value), f.Dip.N,
			valueOf(stats.Ratio, f.Rest.Value), f.Rest.N)
	}
	if c, ok := f.Suspect(); ok {
		on := ""
		if c.Topic != "" {
			on = " on " + pack.Lower(pack.Label(c.Topic))
		}
		s += fmt.Sprintf(" %s %s was %s on %s. Users liked answers%s made with it significantly less: %s of %d "+
			"votes were positive, against %s of %d %s. Votes show where to look, not why.", changed[c.Kind], c.Name,
			whats[c.What], day(c.At, rep), on, valueOf(stats.Ratio, c.With.Value()), c.With.Whole,
			valueOf(stats.Ratio, c.Without.Value()), c.Without.Whole, c.Beside())
		if c.Now != "" {
			s += " It has been " + knowledge.StatusWords(c.Now) + " since " + day(c.NowSince, rep) + "."
		}
	} else {
		s += " No rule used in those answers has significantly worse votes."
	}
	return s
}
