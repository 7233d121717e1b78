package document

import (
	"html"
	"regexp"
	"slices"
	"strings"
)

var (
	wideGap  = regexp.MustCompile(`\S {3,}\S|[^\s.!?:;,] {2}\S`)
	noFigure = regexp.MustCompile(`^(?:\D*|(?:19|20)\d\d(?:\W\d{2,4})?)$`)
	itemMark = regexp.MustCompile(`^\s*\(?\w{1,4}[.)]\s+`)
)

// Unsure names lines whose columns can't be told apart, the first of them alone where there are many.
func Unsure(lines []int) (notes []Note) {
	for i, n := range lines {
		if i == mostBroken {
			return append(notes, Note{n, "the columns of this line and of others can't be told apart, too"})
		}
		notes = append(notes, Note{n, "the columns from this line on can't be told apart, so these lines are kept as " +
			"they are; check them"})
	}
	return notes
}

// spaced is a line with blanks for its tabs.
func spaced(line string) string {
	if !strings.ContainsAny(line, "\t\u00a0") {
		return line
	}
	var out []rune
	for _, r := range line {
		switch r {
		case '\t':
			out = append(out, []rune("        ")[len(out)%8:]...)
		case '\u00a0':
			out = append(out, ' ')
		default:
			out = append(out, r)
		}
	}
	return string(out)
}

// gapped reports whether a line has blanks in it as columns have them, and at least these.
func gapped(line, blanks string) bool {
	line = itemMark.ReplaceAllString(spaced(line), "")
	return !begins(line) && !strings.Contains(line, "|") && wideGap.MatchString(line) &&
		strings.Contains(strings.TrimSpace(line), blanks)
}

// begins reports whether a line begins a heading, a quote, a tag or an item of a list.
func begins(line string) bool {
	return bullet.MatchString(line) || strings.ContainsAny(line[:min(1, len(line))], "<#>")
}

func isRule(line string) bool { return strings.Trim(line, "-=_+|: ") == "" }

// Columns writes the first n lines, where they are set in columns with blanks, as a table; or as they stand where it
// isn't sure what stands under what, and odd are such lines, by the first of each block; the first of all is at a line.
// There may be empty lines among them, and lines with a single cell. Without a page they are in no columns, nor are
// they without these blanks.
func Columns(lines []string, at int, blanks string) (n int, page string, odd []int) {
	if !gapped(lines[0], "") || strings.Contains(strings.TrimSpace(lines[0]), "\t") {
		return 1, "", nil
	}
	wide := 0
	for i, l := range lines {
		text := strings.TrimSpace(l)
		if gapped(l, blanks) {
			wide++
		} else if text == "" && i-n < 2 {
			continue
		} else if !gapped(l, "") && (text == "" || i > n || begins(text) ||
			!isRule(l) && !(i+1 < len(lines) && gapped(lines[i+1], ""))) {
			break
		}
		n = i + 1
	}
	lines = lines[:n]
	if rows, _ := grid(lines); wide == 0 || rows == nil && (wide < 2 || justified(lines)) {
		return n, "", nil
	}
	var w writer
	odd = w.inColumns(lines, at)
	return n, w.String(), odd
}

// justified reports whether lines are those of a paragraph that was made as wide as its column.
func justified(lines []string) bool {
	width := func(l string) int { return len([]rune(strings.TrimRight(l, " "))) }
	return len(lines) > 2 && !slices.ContainsFunc(lines, func(l string) bool {
		return width(l) != width(lines[0]) || strings.Contains(strings.TrimSpace(l), "    ")
	})
}

func (w *writer) inColumns(lines []string, at int) (odd []int) {
	if rows, head := grid(lines); rows != nil {
		w.table(rows, head)
		return nil
	}
	from, blocks := 0, [][2]int{}
	for i := 0; i <= len(lines); i++ {
		if i == len(lines) || strings.TrimSpace(lines[i]) == "" {
			if i > from {
				blocks = append(blocks, [2]int{from, i})
			}
			from = i + 1
		}
	}
	if len(blocks) > 1 && !slices.ContainsFunc(blocks, func(b [2]int) bool { return b[1]-b[0] < 2 }) {
		for _, b := range blocks {
			odd = append(odd, w.inColumns(lines[b[0]:b[1]], at+b[0])...)
		}
		return odd
	}
	w.WriteString("<pre>\n" + html.EscapeString(strings.Join(lines, "\n")) + "</pre>\n")
	return []int{at}
}

// grid are the cells of lines that are set in columns, below a head where there is one: what is blank in every line is
// between two columns. It is nil where it isn't sure which cells belong together.
func grid(lines []string) (rows [][]string, head bool) {
	var all [][]rune
	heads, width := 1, 0
	for _, l := range lines {
		if r := []rune(strings.TrimRight(spaced(l), " ")); !isRule(l) {
			all, width = append(all, r), max(width, len(r))
		} else if strings.TrimSpace(l) != "" && len(all) > 0 && !head {
			heads, head = len(all), true
		}
	}
	if width > 1000 {
		return nil, false
	}
	var columns [][2]int
	for x, blank := 0, 2; x < width; x++ {
		switch {
		case !slices.ContainsFunc(all, func(r []rune) bool { return x < len(r) && r[x] != ' ' }):
			blank++
			continue
		case blank > 1:
			columns = append(columns, [2]int{x, x + 1})
		}
		columns[len(columns)-1][1], blank = x+1, 0
	}
	gaps := false
	for i, r := range all {
		row := make([]string, len(columns))
		for k, c := range columns {
			row[k] = strings.TrimSpace(string(r[min(c[0], len(r)):min(c[1], len(r))]))
			if wideGap.MatchString(row[k]) {
				return nil, false
			}
			if i > 0 && i < heads {
				rows[0][k] = strings.TrimSpace(rows[0][k] + " " + row[k])
			}
			gaps = gaps || i >= heads && row[k] == ""
		}
		if i >= heads && row[0] == "" {
			return nil, false
		}
		if i == 0 || i >= heads {
			rows = append(rows, row)
		}
	}
	if len(columns) < 2 || len(rows) < 2 || slices.Contains(rows[0][1:], "") {
		return nil, false
	}
	named := !slices.ContainsFunc(rows[0][1:], func(c string) bool { return !noFigure.MatchString(c) })
	words := func(c string) bool { return !strings.ContainsAny(c, "0123456789") }
	sure := head || rows[0][0] == "" || named && len(columns) > 2 && (!slices.ContainsFunc(rows[0][1:], words) ||
		!slices.ContainsFunc(rows[1:], func(row []string) bool { return words(strings.Join(row[1:], "")) }))
	if heads > 1 && !named || !sure && (gaps || named && len(columns) > 2) {
		return nil, false
	}
	return rows, sure
}
