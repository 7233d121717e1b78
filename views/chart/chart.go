// Package chart draws the managers' charts, both ways from one model: as SVG in the page, and as a table that is also
// the CSV file.
//
// What it promises. A drawing never shows a number that was not measured: a point without data is a gap in the line, an
// empty chart says "No data", and what is drawn between 0 and 1 (shares) stands with its interval. Every chart has a
// sentence that says what it shows, a text for those who do not see it, and its table. No axis has a value that is not
// a number, whatever the figures are; a property test holds it to that.
//
// How it is drawn. The SVG has no viewBox: places are percent of its box and letters keep their size, so that the same
// chart is read at 360 px and at 1440 px; only lines and bands, which can't be given in percent, stand in a stretched
// part whose strokes do not scale. It is styled by classes alone (the policy refuses inline style), so it follows the
// theme and prints. A part of the chart may be a link to the rows that it was counted from; for the keyboard and for
// screen readers the same links stand in the table, and the drawing itself is hidden from them behind its text.
//
// What it decided against: a chart library in the browser (figures are read without JavaScript, and a picture in a
// report has to be the picture on the screen), a second vertical axis (it invents a relation), pies, and smoothing.
package chart

import (
	"slices"
	"strconv"
	"strings"

	"preceptor/views/ui"
)

// Chart is one drawing. Exactly one of its bodies is set.
type Chart struct {
	ID    string // of its heading; letters, digits and hyphens, unique on the page; the export asks for it by this name
	Title string
	Says  string // one sentence: what it shows
	Note  string // how to read it, below

	Line  *Line
	Bars  *Bars
	Multi *Multi

	Marks []Mark // on a Line or in the panels of a Multi

	// CSV is the address of the file; empty leaves the link out.
	CSV string
}

// Look is how a series is drawn; the class of its line.
type Look string

// The looks. A ghost is the previous period, a target is where the line should be.
const (
	Now    Look = "now"
	Ghost  Look = "ghost"
	Target Look = "target"
	Second Look = "second"
)

// Line is one or more series over time, or over a count that grows.
type Line struct {
	Unit   Unit
	Series []Series
	// names of the places along the axis when they are periods of equal length; all series have as many points
	Slots  []string
	Short  []string  // the same for the axis: "3 Nov"
	Raw    []string  // the same for other programs: "2026-11-03"; as Slots where it is empty
	At     []float64 // or the place of each point on a logarithmic axis of counts, above 0; then Slots are only names
	AtUnit string    // what At counts: "consultations"
	To     float64   // above 0: At is on a straight axis from 0 to here instead, and AtUnit follows each of its figures
	Reach  float64   // above 0: the vertical axis goes from -Reach to Reach; what lies beyond is drawn at its ends
	First  string    // head of the table's first column: "Day", "Week of"; "Period" when empty
	Whole  bool      // the axis shows the whole range of the unit
	Count  string    // head of the column that says how many were counted; "n" when empty
}

// Series is one line.
type Series struct {
	Name   string
	Look   Look
	Points []Point
	Band   bool   // draw the interval
	Span   string // what the interval is; "95% CI" when empty
}

// Point is one value. N is of how many; a point with None has no value.
type Point struct {
	Value, Low, High float64
	N                int
	None             bool
	Href             string // its rows
}

// Bars are parts side by side, each with its interval, 0 to the largest or to 1 for shares.
type Bars struct {
	Unit  Unit
	Rows  []Bar
	Most  int    // how many rows are drawn, 0 for all; the table and the files have every row
	Head  string // what a row is: "Topic"
	Count string // what is counted: "Votes"
	Prior string // name of the second value, "Previous period"; empty when there is none
}

// drawn are the rows of the drawing.
func (b Bars) drawn() []Bar {
	if b.Most > 0 && len(b.Rows) > b.Most {
		return b.Rows[:b.Most]
	}
	return b.Rows
}

// Bar is one row.
type Bar struct {
	Name, Href string
	Point
	Before *Point
}

// Multi are small charts with one axis of time, and one of values unless Own.
type Multi struct {
	Panels []Panel
	Own    bool
}

// Panel is one of them.
type Panel struct {
	Name, Href, Says string
	Line             Line
}

// Mark is a stretch of the axis that is worth a look, from slot From up to and without slot To.
type Mark struct {
	From, To int
	Tone     string // "amber", "green"
	Label    string // a sentence
	Href     string
	Link     string // what the address is: "What changed around then"
	Panel    string // of a Multi, the name of the only panel that it is about; empty: all
}

// marksOf are the marks in the places that they have in the list, those about other panels without a stretch.
func (c Chart) marksOf(panel string) []Mark {
	out := slices.Clone(c.Marks)
	for i, m := range out {
		if m.Panel != "" && m.Panel != panel {
			out[i].To = m.From
		}
	}
	return out
}

// Empty reports whether nothing was measured.
func (c Chart) Empty() bool {
	switch {
	case c.Line != nil:
		return c.Line.empty()
	case c.Bars != nil:
		for _, b := range c.Bars.Rows {
			if !b.None {
				return false
			}
		}
	case c.Multi != nil:
		for _, p := range c.Multi.Panels {
			if !p.Line.empty() {
				return false
			}
		}
	}
	return true
}

// empty reports whether no measured series has a point; a target alone shows nothing.
func (l Line) empty() bool {
	for _, s := range l.Series {
		if s.Look == Target || s.Look == Ghost {
			continue
		}
		for _, p := range s.Points {
			if !p.None {
				return false
			}
		}
	}
	return true
}

// Desc is the chart for those who don't see it, when the sentence above is not enough: its kind, its range, its ends.
func (c Chart) Desc() string {
	switch {
	case c.Line != nil:
		return c.Line.desc()
	case c.Bars != nil:
		return "Bars; the table below has their values: " + ui.Count(len(c.Bars.Rows), "row") + "."
	case c.Multi != nil:
		var b strings.Builder
		b.WriteString("Small line charts on one time axis.")
		for _, p := range c.Multi.Panels {
			b.WriteString(" " + p.Name + ": " + p.Line.desc())
		}
		return b.String()
	}
	return ""
}

func (l Line) desc() string {
	for _, s := range l.Series {
		if s.Look != Now {
			continue
		}
		from, to, low, high := -1, -1, -1, -1
		for i, p := range s.Points {
			if p.None {
				continue
			}
			if from < 0 {
				from, low, high = i, i, i
			}
			to = i
			if p.Value < s.Points[low].Value {
				low = i
			}
			if p.Value > s.Points[high].Value {
				high = i
			}
		}
		if from < 0 {
			return "No data."
		}
		at := func(i int) string { return l.Unit.Text(s.Points[i].Value) + " (" + l.slot(i) + ")" }
		return "Line from " + at(from) + " to " + at(to) + "; lowest " + at(low) + ", highest " + at(high) + "."
	}
	return "No data."
}

func (l Line) slot(i int) string {
	if i < len(l.Slots) {
		return l.Slots[i]
	}
	return strconv.Itoa(i + 1)
}

func (l Line) raw(i int) string {
	if i < len(l.Raw) {
		return l.Raw[i]
	}
	return l.slot(i)
}
