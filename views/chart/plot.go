package chart

import (
	"strconv"
	"strings"
)

// plot is a line chart laid out: every place is from 0 to 1, from the left and from the top.
type plot struct {
	Y, X  []Tick // a Y tick's At is from the top
	Bands [][]dot
	Runs  []run
	Dots  []dot
	Hits  []hit
	Boxes []box
	Minor []float64 // ticks without a figure, of a logarithmic axis
}

type dot struct {
	X, Y float64
	Look Look
}

// run is a stretch of a line without a gap.
type run struct {
	Look   Look
	Points []dot
}

// hit is the part of the drawing that belongs to one place on the axis: it says its values, and leads to its rows.
type hit struct {
	X, W  float64
	Lines []string // the place, then a line for each series
	Href  string
}

// box is a marked stretch.
type box struct {
	X, W float64
	Tone string
	No   string // its number in the list below
	Href string
	Name string
}

// axis is the vertical axis that holds all values and intervals of the line.
func (l Line) axis() Axis {
	if l.Reach > 0 {
		return around(l.Reach, l.Unit.Text)
	}
	return l.Unit.Axis(l.extent())
}

// across is the horizontal axis of a line whose places are counts.
func (l Line) across() Axis {
	if l.To > 0 {
		return Scale(0, l.To, 5, func(v float64) string { return Number.Text(v) + "\u00a0" + l.AtUnit })
	}
	return Decades(l.At[0], l.At[len(l.At)-1])
}

func (l Line) extent() (lo, hi float64, whole bool) {
	found := false
	hold := func(v float64) {
		v = tame(v)
		if !found {
			lo, hi, found = v, v, true
		}
		lo, hi = min(lo, v), max(hi, v)
	}
	for _, s := range l.Series {
		for _, p := range s.Points {
			if p.None {
				continue
			}
			hold(p.Value)
			if s.Band {
				hold(p.Low)
				hold(p.High)
			}
		}
	}
	return lo, hi, l.Whole
}

// lay lays the line out on a vertical axis.
func (l Line) lay(y Axis, marks []Mark) plot {
	var p plot
	for _, t := range y.Ticks {
		p.Y = append(p.Y, Tick{At: 1 - t.At, Label: t.Label})
	}
	n := l.slots()
	at := func(i int) float64 { return slotAt(i, n) }
	if len(l.At) > 0 {
		x := l.across()
		p.X, p.Minor = x.Ticks, x.minor()
		at = func(i int) float64 { return x.At(l.At[min(i, len(l.At)-1)]) }
	} else {
		p.X = dateTicks(l.Short)
	}
	for _, s := range l.Series {
		p.series(s, y, at)
	}
	for i := range n {
		p.Hits = append(p.Hits, l.hit(i, n, at))
	}
	for i, m := range marks {
		from, to := min(max(m.From, 0), n), min(max(m.To, 0), n)
		if to > from && n > 0 && len(l.At) == 0 {
			p.Boxes = append(p.Boxes,
				box{X: float64(from) / float64(n), W: float64(to-from) / float64(n), Tone: m.Tone,
					No: strconv.Itoa(i + 1), Href: m.Href, Name: m.Label})
		}
	}
	return p
}

func (l Line) slots() int {
	n := len(l.At)
	for _, s := range l.Series {
		if len(l.At) == 0 {
			n = max(n, len(s.Points))
		}
	}
	return n
}

// series adds the line of s with its gaps, its interval, and a dot for each value that has no neighbour.
func (p *plot) series(s Series, y Axis, at func(int) float64) {
	var line, upper, lower []dot
	flush := func() {
		switch {
		case len(line) == 1:
			p.Dots = append(p.Dots, line[0])
			if s.Band { // an interval of one place is a bar
				const half = 0.004
				x := line[0].X
				p.Bands = append(p.Bands,
					[]dot{{X: x - half, Y: upper[0].Y}, {X: x + half, Y: upper[0].Y}, {X: x + half, Y: lower[0].Y},
						{X: x - half, Y: lower[0].Y}})
			}
		case len(line) > 1:
			p.Runs = append(p.Runs, run{Look: s.Look, Points: line})
			if s.Band {
				band := append([]dot{}, upper...)
				for i := len(lower) - 1; i >= 0; i-- {
					band = append(band, lower[i])
				}
				p.Bands = append(p.Bands, band)
			}
		}
		line, upper, lower = nil, nil, nil
	}
	for i, v := range s.Points {
		if v.None {
			flush()
			continue
		}
		x := at(i)
		line = append(line, dot{x, 1 - y.At(v.Value), s.Look})
		upper = append(upper, dot{X: x, Y: 1 - y.At(v.High)})
		lower = append(lower, dot{X: x, Y: 1 - y.At(v.Low)})
	}
	flush()
}

func (l Line) hit(i, n int, at func(int) float64) hit {
	h := hit{X: at(i) - 0.5/float64(n), W: 1 / float64(n)}
	if len(l.At) > 0 { // places are not even: each owns a little around it
		h.X, h.W = at(i)-0.02, 0.04
		if l.To > 0 {
			h.X, h.W = at(i)-0.005, 0.01
		}
	}
	parts := []string{l.slot(i)}
	for _, s := range l.Series {
		if i >= len(s.Points) {
			continue
		}
		v := s.Points[i]
		if line := s.Name + " " + v.text(l.Unit, s.Band); len(line) <= tipWidth {
			parts = append(parts, line)
		} else {
			parts = append(parts, s.Name, v.text(l.Unit, s.Band))
		}
		if h.Href == "" && s.Look == Now && !v.None {
			h.Href = v.Href
		}
	}
	h.Lines = parts
	return h
}

// tip is where the values of a place stand: at the other side of the drawing, so that they hide nothing near it and fit
// on a phone.
func (h hit) tip() (x, anchor string) {
	if h.X+h.W/2 < 0.5 {
		return "100%", "end"
	}
	return "4", "start"
}

// tipWidth is how many bytes of a line of values fit on a phone.
const tipWidth = 36

// lineGap is how far a line of the values stands below the one before.
func lineGap(i int) string {
	if i == 0 {
		return "2"
	}
	return "16"
}

func (s Series) span() string {
	if s.Span == "" {
		return "95% interval"
	}
	return s.Span
}

// text is a value in words, with its interval and number where it has them.
func (v Point) text(u Unit, band bool) string {
	if v.None {
		return "no data"
	}
	s := u.Text(v.Value)
	if band && v.High > v.Low {
		s += " (" + Interval(u, v.Low, v.High) + ")"
	}
	if v.N > 0 {
		s += ", n = " + Number.Text(float64(v.N))
	}
	return s
}

// Interval writes a range with its unit once: "72–91 %".
func Interval(u Unit, low, high float64) string {
	a, b := u.Text(low), u.Text(high)
	switch u {
	case Points:
		return a + " to " + b
	case Percent:
		a = strings.TrimSuffix(a, "%")
	}
	return a + "–" + b
}

// percent writes a place for the SVG.
func percent(v float64) string { return strconv.FormatFloat(v*100, 'f', 2, 64) + "%" }

// points writes places for the stretched part, which is 1000 by 1000.
func points(list []dot) string {
	var b strings.Builder
	for i, d := range list {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.FormatFloat(d.X*1000, 'f', 1, 64))
		b.WriteByte(',')
		b.WriteString(strconv.FormatFloat(d.Y*1000, 'f', 1, 64))
	}
	return b.String()
}

// axisOf is the vertical axis that all panels share; each has its own where the units differ.
func (m Multi) axisOf(i int) Axis {
	if m.Own {
		return m.Panels[i].Line.axis()
	}
	lo, hi, some := 0.0, 0.0, false
	for _, p := range m.Panels {
		if p.Line.empty() {
			continue
		}
		a, b, _ := p.Line.extent()
		if !some {
			lo, hi, some = a, b, true
		}
		lo, hi = min(lo, a), max(hi, b)
	}
	l := m.Panels[i].Line
	return l.Unit.Axis(lo, hi, l.Whole)
}

// axis is the horizontal axis of the bars, from 0.
func (b Bars) axis() Axis {
	if most := b.Unit.most(); most > 0 {
		return Scale(0, most, 4, b.Unit.Text)
	}
	hi := 0.0
	for _, r := range b.Rows {
		if !r.None {
			hi = max(hi, tame(r.High), tame(r.Value))
		}
		if r.Before != nil && !r.Before.None {
			hi = max(hi, tame(r.Before.Value))
		}
	}
	return Scale(0, hi, 4, b.Unit.Text)
}
