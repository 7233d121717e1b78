// Package stats draws the managers' pages. /stats and what is below it are about any days, compared with those before and narrowed by
// agent, topic and team, all of which stands in the address (Period): satisfaction, review, compliance, learning, what changed around
// days that stand out, and the rows behind each figure. /overview is what waits today, and how the desk has worked lately.
//
// What it promises. Every figure stands with how many it is of and with its interval; without data it says "No data", and never 0 %. The
// sentence above a chart is computed from its figures, and names a change as one only when chance does not explain it
// (package turn finds the days, and the topic that made most of it). A chart comes with its table, as CSV and as PNG. Everything
// works without a script.
//
// From a dip to its cause there are three steps: the mark on the chart, the page of what changed around then (what users wrote, and
// what was put in use, first the rules whose answers users surely like less than the others on the same topics), and the rule's own page,
// where it can be rolled back. Votes say where to look and not why, and the page says so.
//
// What it decided against: filters that change the page by script (an address can be sent), a score made of several figures, and
// ranking people.
package stats

import (
	"fmt"
	"strconv"
	"time"

	"preceptor/internal/compliance/borderline"
	"preceptor/internal/estimate"
	"preceptor/internal/learning"
	"preceptor/internal/stats/desk"
	"preceptor/views/chart"
	"preceptor/views/ui"
)

// Overview is the managers' page.
type Overview struct {
	desk.Overview
	Quality  borderline.Quality // experts' ratings of what went out, in the period
	Experts  borderline.Counts
	Learning learning.Counts
	// Knowledge that waits for a person.
	Knowledge Waiting
	Fall      Fallen // of satisfaction, in the period
	Period    int    // days
	Now       time.Time
}

// Waiting is knowledge that an expert should look at.
type Waiting struct {
	Conflicts, Quarantined, Due int
	Oldest                      time.Time // conflict; zero when there is none
}

// Late is after how long a waiting case is late.
const Late = 24 * time.Hour

// The picture's measures, in its own units.
const (
	width, height         = 720, 220
	left, right, top, low = 36, 8, 10, 24
)

// bar is one day's stacked column.
type bar struct {
	X, W                                  int
	Segments                              []segment
	Label                                 string
	ShowLabel                             bool
	Title                                 string
	Approved, Revised, Denied, Y0, LabelX int
}

type segment struct {
	Class string
	Y, H  int
}

// columns lays out the columns and the lines of the grid.
func columns(days []desk.Day) (bars []bar, grid []gridLine) {
	most := 1
	for _, d := range days {
		most = max(most, d.Total())
	}
	step := niceStep(most)
	ceiling := (most + step - 1) / step * step
	scale := func(n int) int { return n * (height - top - low) / ceiling }
	for n := 0; n <= ceiling; n += step {
		grid = append(grid, gridLine{Y: height - low - scale(n), Label: strconv.Itoa(n)})
	}
	slot := float64(width-left-right) / float64(max(len(days), 1))
	every := max(1, (len(days)+6)/7)
	for i, d := range days {
		x := left + int(float64(i)*slot)
		b := bar{X: x + 2, W: max(2, int(slot)-4), Label: d.Date.Format("2 Jan"), LabelX: x + int(slot/2), ShowLabel: (len(days)-1-i)%every == 0,
			Title: fmt.Sprintf("%s: %d approved, %d revised, %d rejected, %d sent back", d.Date.Format("2 January"), d.Approved, d.Revised, d.Denied, d.Returned)}
		y := height - low
		for _, part := range []struct {
			class string
			n     int
		}{{"approve", d.Approved}, {"revise", d.Revised}, {"reject", d.Denied + d.Returned}} {
			if h := scale(part.n); part.n > 0 {
				h = max(h, 1)
				y -= h
				b.Segments = append(b.Segments, segment{Class: part.class, Y: y, H: h})
			}
		}
		bars = append(bars, b)
	}
	return bars, grid
}

type gridLine struct {
	Y     int
	Label string
}

// NiceStep is how far apart the lines of a chart's grid stand.
func NiceStep(most int) int { return niceStep(most) }

// niceStep is 1, 2 or 5 times a power of ten, so that there are at most five lines.
func niceStep(most int) int {
	for step := 1; ; step *= 10 {
		for _, s := range []int{step, 2 * step, 5 * step} {
			if most/s < 5 {
				return s
			}
		}
	}
}

// percent writes a share as whole percent, with how many it is of and its interval.
func percent(s estimate.Share) string {
	if s.Whole == 0 {
		return "–"
	}
	return strconv.Itoa(int(s.Value()*100+.5)) + "%"
}

func interval(s estimate.Share) string {
	if s.Whole == 0 {
		return "no decisions yet"
	}
	return fmt.Sprintf("%d of %s; 95%% CI %d–%d%%", s.Part, ui.Thousands(s.Whole), int(s.Low*100+.5), int(s.High*100+.5))
}

// duration is a span of time, as the statistics write it.
func duration(d time.Duration) string {
	if d <= 0 {
		return "–"
	}
	return chart.Length.Text(d.Seconds())
}

// sentence says what the picture shows.
func sentence(v Overview) string {
	if v.Decisions == 0 {
		return "No decisions in this period yet."
	}
	revised, denied, returned := 0, 0, 0
	for _, d := range v.Days {
		revised, denied, returned = revised+d.Revised, denied+d.Denied, returned+d.Returned
	}
	return fmt.Sprintf("%s in %d days: %d approved unchanged, %d revised, %d rejected, %d sent back.", ui.Count(v.Decisions, "decision", "decisions"), v.Period, v.Approved.Part, revised, denied, returned)
}

func (v Overview) late() bool { return !v.Oldest.IsZero() && v.Now.Sub(v.Oldest) >= Late }
