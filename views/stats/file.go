package stats

import (
	"strconv"

	"preceptor/internal/pack"
	"preceptor/internal/stats"
	"preceptor/internal/stats/desk"
	"preceptor/views/chart"
)

// File is a table of a page that is no chart, as a file.
type File struct {
	ID, Title string
	chart.Table
}

func num(v int) chart.Cell { return chart.Cell{Raw: strconv.Itoa(v)} }

func word(s string) chart.Cell { return chart.Cell{Raw: s} }

// fileOf makes a file of rows.
func fileOf(id, title, first string, numbers []string, rows [][]chart.Cell) File {
	f := File{ID: id, Title: title, Table: chart.Table{Heads: []chart.Head{{Label: first}}, Rows: rows}}
	for _, n := range numbers {
		f.Heads = append(f.Heads, chart.Head{Label: n, Num: true})
	}
	return f
}

// cells are a figure for other programs: its value, its interval and of how many.
func cells(f stats.Figure) []chart.Cell {
	if !f.Known {
		return []chart.Cell{{}, {}, {}, num(f.N)}
	}
	raw := func(v float64) chart.Cell { return word(unit(f.Unit).Raw(v)) }
	if !f.Interval() {
		return []chart.Cell{raw(f.Value), {}, {}, num(f.N)}
	}
	return []chart.Cell{raw(f.Value), raw(f.Low), raw(f.High), num(f.N)}
}

// figuresFile is a table of figures as a file.
func figuresFile(id, title string, list []named) File {
	var rows [][]chart.Cell
	for _, f := range list {
		row := append([]chart.Cell{word(f.Name)}, cells(f.Figure)...)
		before := chart.Cell{}
		if v, instead := f.Earlier(); instead == "" {
			before = word(unit(f.Unit).Raw(v))
		}
		rows = append(rows, append(row, before))
	}
	return fileOf(id, title, "Measure", []string{"Value", "From", "To", "n", "Previous period"}, rows)
}

// volumesFile is how many there were of each part, as a file.
func volumesFile(id, title, head string, list []stats.Slice) File {
	var rows [][]chart.Cell
	for _, s := range list {
		rows = append(rows, []chart.Cell{word(codeName(s.Name)), num(s.Volume)})
	}
	return fileOf(id, title, head, []string{"Number"}, rows)
}

// peopleFile is everybody's figures as a file; with pace how fast they read, too.
func peopleFile(list []stats.PersonRow, pace map[string]desk.PersonPace) File {
	heads := []string{"Decisions", "Second approvals"}
	for _, name := range []string{"Approved unchanged", "Seconds per review", "Rapid approvals",
		"Seeded checks caught"} {
		heads = append(heads, name, name+" from", name+" to", name+" n")
	}
	if pace != nil {
		heads = append(heads, "Words a minute")
	}
	var rows [][]chart.Cell
	for _, p := range list {
		row := []chart.Cell{word(p.Name), num(p.Decisions.N), num(p.Seconds.N)}
		for _, f := range []stats.Figure{p.Approved, p.OnCase, p.Hasty, p.Caught} {
			row = append(row, cells(f)...)
		}
		if pace != nil {
			row = append(row, num(pace[p.ID].WPM))
		}
		rows = append(rows, row)
	}
	return fileOf("people", "By person", "Person", heads, rows)
}

// Files are the tables of each page that are no charts.
func (v Satisfaction) Files() (out []File) {
	var list []named
	for i, f := range v.Outcomes[:min(len(v.Outcomes), len(outcomeNames))] {
		list = append(list, named{outcomeNames[i], f})
	}
	return []File{figuresFile("outcomes", "How it went for customers", list)}
}

func (v Review) Files() []File {
	return []File{figuresFile("speed", "How long it took", v.desk()),
		figuresFile("care", "How carefully it was done", v.care()),
		figuresFile("conversations", "By conversation", v.talks()), peopleFile(v.People, nil)}
}

func (v Line) Files() []File {
	return []File{figuresFile("checked", "What verdicts got wrong", v.checked()),
		volumesFile("labels", "Rulings by label", "Label", v.Labels),
		volumesFile("causes", "Borderline cases by cause", "Cause", v.Causes)}
}

func (v Mine) Files() []File { return []File{figuresFile("mine", "My statistics", v.figures())} }

func (v Desk) Files() []File {
	var rows [][]chart.Cell
	for _, p := range v.Planted.Problems {
		rows = append(rows, append([]chart.Cell{word(pack.ReasonOf(p.Code).Label), num(p.Caught.Part)},
			cells(stats.ShareOf("", p.Caught.Part, p.Caught.Whole))...))
	}
	return []File{peopleFile(v.Review.People, v.Pace.People),
		fileOf("kinds", "Seeded checks caught, by what was wrong", "Problem",
			[]string{"Caught", "Share", "From", "To", "Checks"}, rows)}
}

func (v Gain) Files() []File {
	heads, lines := v.lessonTable()
	var rows [][]chart.Cell
	for _, line := range lines {
		var row []chart.Cell
		for _, s := range line {
			row = append(row, word(s))
		}
		rows = append(rows, row)
	}
	out := []File{fileOf("lessons", "Lessons by origin and stage", "Origin", heads, rows)}
	for id, list := range map[string][]stats.RuleCredit{"help": v.Help, "harm": v.Harm} {
		var rows [][]chart.Cell
		for _, r := range list {
			raw := func(v float64) chart.Cell { return word(chart.Percent.Raw(v)) }
			rows = append(rows, []chart.Cell{word("R-" + strconv.Itoa(r.Number)), raw(r.Effect), raw(r.Low),
				raw(r.High), num(r.Shown)})
		}
		out = append(out, fileOf(id, "Rules that "+id, "Rule", []string{"Effect", "From", "To", "Drafts"}, rows))
	}
	return out
}
