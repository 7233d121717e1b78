package knowledge

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"preceptor/internal/knowledge"
	"preceptor/views/stats"
	"preceptor/views/ui"
)

// Growth is the size of the base over time beside what the seed expects of as many consultations.
type Growth struct {
	Points []GrowthPoint // oldest first; none in an empty base
}

// GrowthPoint is the end of one period.
type GrowthPoint struct {
	End time.Time
	knowledge.Size
	Consultations, Succeeded int // up to then; succeeded: were approved unchanged
}

func (p GrowthPoint) expectedCases() int {
	return knowledge.ExpectedCases(p.Consultations, p.Succeeded)
}

func (p GrowthPoint) expectedRules() int {
	return knowledge.ExpectedRules(p.Consultations, p.Succeeded)
}

// line is one line of a chart.
type line struct {
	Class, Label string
	Values       []int
}

// cases are the lines of the first chart, rules those of the second.
func (v Growth) cases() []line {
	return []line{v.line("actual", "Cases from decided drafts", func(p GrowthPoint) int { return p.FromDrafts }),
		v.line("model", "Expected by the model", GrowthPoint.expectedCases)}
}

func (v Growth) rules() []line {
	return []line{v.line("actual", "Rules in use", func(p GrowthPoint) int { return p.Rules }),
		v.line("model", "Expected by the model", GrowthPoint.expectedRules)}
}

func (v Growth) line(class, label string, of func(GrowthPoint) int) line {
	l := line{Class: class, Label: label}
	for _, p := range v.Points {
		l.Values = append(l.Values, of(p))
	}
	return l
}

// The charts' measures, in their own units.
const (
	chartW, chartH           = 560, 220
	chartLeft, chartRight    = 44, 10
	chartTop, chartLow       = 10, 24
	chartDays                = 6 // dates below, at most
	chartInnerW, chartInnerH = chartW - chartLeft - chartRight, chartH - chartTop - chartLow
)

type tickMark struct {
	At    int
	Label string
}

// plot lays out the lines as points of polylines, and the marks of both axes.
func (v Growth) plot(lines []line) (paths []string, ys, xs []tickMark) {
	most := 1
	for _, l := range lines {
		for _, n := range l.Values {
			most = max(most, n)
		}
	}
	step := stats.NiceStep(most)
	ceiling := (most + step - 1) / step * step
	y := func(n int) int { return chartH - chartLow - n*chartInnerH/ceiling }
	x := func(i int) int { return chartLeft + i*chartInnerW/max(1, len(v.Points)-1) }
	for n := 0; n <= ceiling; n += step {
		ys = append(ys, tickMark{y(n), ui.Thousands(n)})
	}
	every := max(1, (len(v.Points)+chartDays-1)/chartDays)
	for i := len(v.Points) - 1; i >= 0; i -= every {
		xs = append(xs, tickMark{x(i), v.Points[i].End.Format("2 Jan")})
	}
	for _, l := range lines {
		var b strings.Builder
		for i, n := range l.Values {
			if i > 0 {
				b.WriteByte(' ')
			}
			fmt.Fprintf(&b, "%d,%d", x(i), y(n))
		}
		paths = append(paths, b.String())
	}
	return paths, ys, xs
}

// sentence says what the charts show.
func (v Growth) sentence() string {
	p := v.Points[len(v.Points)-1]
	if p.Consultations == 0 {
		return fmt.Sprintf("%s and %s are in use. Nothing has been decided yet, so there is nothing to compare with.",
			ui.Count(p.Cases(), "case"), ui.Count(p.Rules, "rule"))
	}
	return fmt.Sprintf(
		"After %s (%s approved unchanged), the model expects %s and %s. There are %s from decided drafts and %s.",
		ui.Count(p.Consultations, "decision"), ui.Percent(float64(p.Succeeded)/float64(p.Consultations)),
		ui.Count(p.expectedCases(), "case"), ui.Count(p.expectedRules(), "rule"),
		ui.Count(p.FromDrafts, "case"), ui.Count(p.Rules, "rule"))
}

// some leaves the points of a table: the last of each of at most twenty stretches.
func (v Growth) some() (out []GrowthPoint) {
	every := max(1, (len(v.Points)+19)/20)
	for i := len(v.Points) - 1; i >= 0; i -= every {
		out = append(out, v.Points[i])
	}
	return out
}

func viewBox(w, h int) string { return "0 0 " + strconv.Itoa(w) + " " + strconv.Itoa(h) }
