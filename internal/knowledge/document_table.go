package knowledge

import (
	"slices"
	"strings"

	xhtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// table writes a row a line: "Header: cell; header: cell", or "first: header: cell" where the header names no first
// column, or "first: second" where there is none. Its caption stands above them. Several rows of headers are joined. A
// header without rows, or of one column, is a row. One that grows too large by its spans or headers is left out.
func table(n *xhtml.Node, depth int) (text string, ok bool) {
	room := mostRepeated
	rows := tableRows(n, &room, depth)
	if room < 0 {
		return "", false
	}
	var lines, head []string
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if text := oneLine(inline(k, depth)); k.DataAtom == atom.Caption && text != "" {
			lines = append(lines, text)
		}
	}
	for len(rows) > 1 && rows[0].across { // a title
		lines, rows = append(lines, rows[0].cells[0]), rows[1:]
	}
	heads := 0
	for heads < len(rows) && rows[heads].head && !rows[heads].across && (heads == 0 ||
		!slices.Contains(rows[heads].cells, "")) {
		heads++
	}
	if heads == len(rows) || heads == 0 && cornered(rows) {
		heads = 1
	}
	if heads < len(rows) && heads > 0 && len(rows[0].cells) > 1 {
		head, rows = joined(rows[:heads]), rows[heads:]
	}
	for _, r := range rows {
		line := r.cells[0]
		if !r.across {
			line = tableLine(head, r)
		}
		if room -= len(line); room < 0 {
			return "", false
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n"), true
}

// mostRepeated bounds what is made of a table: its text, and what its spans repeat.
const mostRepeated = 8 << 20

// cornered reports whether the first row has an empty corner and else only what stands above columns, and each row
// below it begins with what it is of.
func cornered(rows []tableRow) bool {
	for i, r := range rows {
		if r.across && i > 0 {
			continue
		}
		if (r.cells[0] == "") != (i == 0) || len(r.cells) > len(rows[0].cells) ||
			i == 0 && (len(r.cells) < 2 || slices.Contains(r.cells[1:], "")) {
			return false
		}
	}
	return len(rows) > 1
}

// joined is one header of several rows of them: "Days to return, Home".
func joined(rows []tableRow) (head []string) {
	var parts [][]string
	for _, r := range rows {
		for i, c := range r.cells {
			if i == len(parts) {
				parts = append(parts, nil)
			}
			if c != "" && (parts[i] == nil || !isAbove(r.from[i])) {
				parts[i] = append(parts[i], c)
			}
		}
	}
	for _, p := range parts {
		head = append(head, strings.Join(p, ", "))
	}
	return head
}

type tableRow struct {
	cells  []string // by column: what goes over several is in each
	from   []string // where a cell comes from that doesn't begin here
	head   bool     // every cell is a header, or empty
	across bool     // its one cell goes over several columns
}

// Where cells come from.
const (
	above = "above"
	left  = "left" // or both
)

func isAbove(from string) bool { return strings.HasPrefix(from, above) }

// tableRows lays the cells out in columns as a browser does, by how many rows and columns each spans.
func tableRows(n *xhtml.Node, room *int, depth int) (rows []tableRow) {
	if depth > maxDepth {
		return nil
	}
	var hung []spanning // by column
	below := 0          // rows
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.DataAtom == atom.Tr {
			below++
		}
	}
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.DataAtom != atom.Tr {
			rows = append(rows, tableRows(k, room, depth+1)...)
			continue
		}
		if below--; *room < 0 {
			return nil
		}
		r, own, heads := tableRow{}, 0, 0
		add := func(text, from string) {
			if from != "" {
				*room -= 64 + len(text)
			}
			if *room >= 0 {
				r.cells, r.from = append(r.cells, text), append(r.from, from)
			}
		}
		down := func() {
			for at := len(r.cells); at < len(hung) && hung[at].rows > 0; at++ {
				hung[at].rows--
				add(hung[at].text, hung[at].from)
			}
		}
		for cell := k.FirstChild; cell != nil; cell = cell.NextSibling {
			if cell.DataAtom != atom.Td && cell.DataAtom != atom.Th {
				continue
			}
			down()
			text, tall := oneLine(inline(cell, depth+1)), span(cell, "rowspan", below+1)
			wide := span(cell, "colspan", mostColumns)
			own++
			r.across = own == 1 && wide > 1
			if cell.DataAtom == atom.Th {
				heads++
			} else if text != "" {
				heads = -1000
			}
			for i := range wide {
				for len(hung) <= len(r.cells) {
					hung = append(hung, spanning{})
				}
				from := []string{"", left}[min(i, 1)]
				hung[len(r.cells)] = spanning{tall - 1, text, above + from}
				add(text, from)
			}
		}
		down()
		r.head = heads > 0
		r.across = r.across && !slices.ContainsFunc(r.from, isAbove)
		if len(r.cells) > 0 {
			rows = append(rows, r)
		}
	}
	return rows
}

// widened are the header and the rule of a table in Markdown, with a column for each cell that its rows have:
// Markdown drops those that are too many.
func widened(header, rule string, rows []string) (string, string) {
	columns := func(line string) int {
		line = strings.TrimSpace(strings.ReplaceAll(line, `\|`, ""))
		return strings.Count(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|"), "|") + 1
	}
	most, n := 0, columns(rule)
	for _, row := range rows {
		if strings.TrimSpace(row) == "" {
			break
		}
		most = max(most, columns(row))
	}
	if columns(header) != n || most <= n {
		return header, rule
	}
	if h := strings.TrimSpace(header); !strings.HasSuffix(h, "|") || strings.HasSuffix(h, `\|`) {
		header += " |"
	}
	return strings.TrimRight(header, " ") + strings.Repeat(" |", most-n), rule + strings.Repeat("-|", most-n)
}

// spanning is a cell that goes on below.
type spanning struct {
	rows int
	text string
	from string
}

// mostColumns is how many a cell may go over, as in browsers.
const mostColumns = 1000

// span is how many rows or columns a cell goes over, of those that there are; 0 rows are all.
func span(cell *xhtml.Node, name string, most int) int {
	n := numberOf(cell, name, 1)
	if n == 0 && name == "rowspan" {
		return most
	}
	return min(max(1, n), most)
}

func tableLine(head []string, r tableRow) string {
	cells, from := r.cells, r.from
	for len(cells) > 0 && cells[0] == "" { // a column of icons
		cells, from = cells[1:], from[1:]
		if len(head) > 0 {
			head = head[1:]
		}
	}
	var parts []string
	between := ": "
	for i, c := range cells {
		switch {
		case c == "":
		case i >= len(head) || head[i] == "":
			if !strings.HasSuffix(from[i], left) {
				parts = append(parts, c)
			}
		default:
			parts = append(parts, head[i]+": "+c)
			if i == 0 {
				between = "; "
			}
		}
	}
	switch {
	case len(parts) == 1 && cells[0] != "": // a heading among the rows
		return cells[0]
	case len(parts) < 2:
		return strings.Join(parts, "")
	}
	return "- " + parts[0] + between + strings.Join(parts[1:], "; ")
}
