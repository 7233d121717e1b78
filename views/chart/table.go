package chart

import (
	"cmp"
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"

	"preceptor/internal/platform/table"
)

// Table is a chart as figures. It is what the page shows below the drawing, and the CSV file.
type Table struct {
	Heads []Head
	Rows  [][]Cell
}

// Head is the head of a column.
type Head struct {
	Label string
	Num   bool
	Of    string // the column that it says more of, where several have such a one: the "from" of "Satisfaction"
}

// full names the column where no other stands beside it.
func (h Head) full() string {
	if h.Of == "" {
		return h.Label
	}
	return h.Of + " " + h.Label
}

// Cell is one figure: as people read it, and as a program does (empty where nothing was measured).
type Cell struct{ Text, Raw, Href string }

// Table is the chart's figures.
func (c Chart) Table() Table {
	switch {
	case c.Line != nil:
		return c.Line.table()
	case c.Bars != nil:
		return c.Bars.table()
	case c.Multi != nil:
		return c.Multi.table()
	}
	return Table{}
}

func (l Line) heads(prefix string) (out []Head) {
	for _, s := range l.Series {
		name := s.Name
		if prefix != "" {
			name = prefix + ", " + s.Name
			if s.Look == Now {
				name = prefix
			}
		}
		out = append(out, Head{Label: name, Num: true})
		if s.Band {
			out = append(out, Head{"from", true, name}, Head{"to", true, name})
		}
		if s.counted() {
			out = append(out, Head{cmp.Or(l.Count, "n"), true, name})
		}
	}
	return out
}

func (s Series) counted() bool { return s.Look != Target }

// cells are the figures of place i of all series.
func (l Line) cells(i int) (out []Cell) {
	for _, s := range l.Series {
		v := Point{None: true}
		if i < len(s.Points) {
			v = s.Points[i]
		}
		if v.None {
			out = append(out, Cell{Text: "no data"})
			if s.Band {
				out = append(out, Cell{}, Cell{})
			}
			if s.counted() {
				out = append(out, Cell{Text: strconv.Itoa(v.N), Raw: strconv.Itoa(v.N)})
			}
			continue
		}
		c := Cell{Text: l.Unit.Text(v.Value), Raw: l.Unit.Raw(v.Value), Href: v.Href}
		out = append(out, c)
		if s.Band {
			out = append(out, v.cells(l.Unit)[1:3]...)
		}
		if s.counted() {
			out = append(out, Cell{Text: Number.Text(float64(v.N)), Raw: strconv.Itoa(v.N)})
		}
	}
	return out
}

func (l Line) table() Table {
	t := Table{Heads: append([]Head{{Label: cmp.Or(l.First, "Period")}}, l.heads("")...)}
	for i := range l.slots() {
		t.Rows = append(t.Rows, append([]Cell{{Text: l.slot(i), Raw: l.raw(i)}}, l.cells(i)...))
	}
	return t
}

func (m Multi) table() Table {
	if len(m.Panels) == 0 {
		return Table{}
	}
	lead := m.Panels[0].Line
	t := Table{Heads: []Head{{Label: cmp.Or(lead.First, "Period")}}}
	for _, p := range m.Panels {
		t.Heads = append(t.Heads, p.Line.heads(p.Name)...)
	}
	for i := range lead.slots() {
		row := []Cell{{Text: lead.slot(i), Raw: lead.raw(i)}}
		for _, p := range m.Panels {
			row = append(row, p.Line.cells(i)...)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (b Bars) table() Table {
	t := Table{Heads: []Head{{Label: b.Head}, {Label: "Value", Num: true}, {"from", true, "Value"},
		{"to", true, "Value"}, {Label: cmp.Or(b.Count, "n"), Num: true}}}
	if b.Prior != "" {
		t.Heads = append(t.Heads, Head{Label: b.Prior, Num: true}, Head{cmp.Or(b.Count, "n"), true, b.Prior})
	}
	for _, r := range b.Rows {
		row := append([]Cell{{Text: r.Name, Raw: r.Name, Href: r.Href}}, r.cells(b.Unit)...)
		if b.Prior != "" {
			before := Point{None: true}
			if r.Before != nil {
				before = *r.Before
			}
			c := before.cells(b.Unit)
			if before.None && before.N > 0 {
				c[0].Text = "too few to compare"
			}
			row = append(row, c[0], c[3])
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// cells are value, low, high and n.
func (v Point) cells(u Unit) []Cell {
	n := Cell{Text: Number.Text(float64(v.N)), Raw: strconv.Itoa(v.N)}
	if v.None {
		return []Cell{{Text: "no data"}, {}, {}, n}
	}
	low, high := Cell{}, Cell{}
	if v.High > v.Low {
		low, high = Cell{Text: u.Text(v.Low), Raw: u.Raw(v.Low)}, Cell{Text: u.Text(v.High), Raw: u.Raw(v.High)}
	}
	return []Cell{{Text: u.Text(v.Value), Raw: u.Raw(v.Value)}, low, high, n}
}

// columns are the names of the columns, no two of them alike.
func (t Table) columns() []string {
	out := make([]string, 0, len(t.Heads))
	for _, h := range t.Heads {
		name := h.full()
		for n := 2; slices.Contains(out, name); n++ {
			name = h.full() + " " + strconv.Itoa(n)
		}
		out = append(out, name)
	}
	return out
}

// WriteCSV writes the table as a spreadsheet reads it: UTF-8 with a byte order mark, days as 2026-11-21, shares as
// decimals, nothing where nothing was measured, no two columns of one name, and no text that a spreadsheet would run as
// a formula.
//
// Notes come first, each on a line that begins with #, which readers of CSV leave out as comments. None holds a comma
// or a quote, so that to one that knows no comments it is a row of one cell.
func (t Table) WriteCSV(w io.Writer, notes ...string) error {
	head := "\ufeff"
	for _, n := range notes {
		head += "# " + strings.NewReplacer(",", ";", `"`, "'", "\n", " ", "\r", " ").Replace(n) + "\n"
	}
	if _, err := io.WriteString(w, head); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	line := make([]string, 0, len(t.Heads))
	for _, name := range t.columns() {
		line = append(line, table.Guard(name))
	}
	if err := out.Write(line); err != nil {
		return err
	}
	for _, row := range t.Rows {
		line = line[:0]
		for i, c := range row {
			v := c.Raw
			if i < len(t.Heads) && !t.Heads[i].Num {
				v = table.Guard(v)
			}
			line = append(line, v)
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
