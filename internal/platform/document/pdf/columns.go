package pdf

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"preceptor/internal/platform/text/sign"
)

// gap is a wide space within a cell, where the next one may begin.
type gap struct {
	at              int // in its text
	wide, before, x float64
}

// line is a straight line that is drawn on a page.
type line struct{ x, y, toX, toY float64 }

// draw keeps a line of a path that is painted, if it goes straight up or across.
func (s *sheet) draw(page int, l line) {
	l = span(l.x, l.y, l.toX, l.toY)
	switch list := s.lines[page]; {
	case len(list) > 20_000:
	case l.toX-l.x <= thin && l.toY-l.y > thin:
		for i, o := range list { // it goes on with one that was drawn before
			if o.toX-o.x <= thin && math.Abs(o.x-l.x) <= 1 && l.y <= o.toY+thin && l.toY >= o.y-thin {
				list[i].y, list[i].toY = min(o.y, l.y), max(o.toY, l.toY)
				return
			}
		}
		s.lines[page] = append(list, l)
	case l.toY-l.y <= thin && l.toX-l.x > thin:
		s.lines[page] = append(list, l)
	}
}

const thin = 2 // points: the most that a line is

// ruled reports whether a line of a grid is between two texts: one that goes over more than their own line.
func (s *sheet) ruled(a, b run) bool {
	return slices.ContainsFunc(s.lines[b.page], func(l line) bool {
		middle := b.y + 0.3*b.size
		return l.toX-l.x <= thin && l.x > a.end-0.5*b.size && l.x < b.x+1 && l.y < middle && l.toY > middle &&
			l.toY-l.y > 1.9*b.size
	})
}

// merged reports whether a cell goes on from the row above: the line between the rows leaves its column out.
func (s *sheet) merged(above, r row, at []cell, k int) bool {
	under := func(c cell) bool {
		return slices.ContainsFunc(s.lines[r.page], func(l line) bool {
			return l.toY-l.y <= thin && l.y > r.y && l.toY < above.y && l.x < c.end && l.toX > c.x
		})
	}
	return above.page == r.page && !under(at[k]) && slices.ContainsFunc(at, under)
}

var oneWord = regexp.MustCompile(`\S+`)

// strike takes out the words through which a line is drawn, or that a reviewer struck out.
func (s *sheet) strike() (passages int) {
	struck, kept := false, s.runs[:0] // what is before
	for _, r := range s.runs {
		through := slices.Clip(s.struck[r.page])
		for _, l := range s.lines[r.page] {
			if l.toY-l.y <= thin && l.y > r.y+0.15*r.size && l.toY < r.y+0.5*r.size {
				through = append(through, &stroke{line: l})
			}
		}
		if through == nil {
			struck = struck && strings.TrimSpace(r.text) == ""
			kept = append(kept, r)
			continue
		}
		cover := func(x, end, part float64) (covers bool) {
			for _, l := range through {
				if mid := r.y + 0.3*r.size; min(l.toX, end)-max(l.x, x) > part*(end-x) && l.y < mid+r.size/5 &&
					l.toY > mid-r.size/5 {
					covers, l.hit = true, true
				}
			}
			return covers
		}
		from, left, all := 0, "", cover(r.x, r.end, 0.85)
		words := oneWord.FindAllStringIndex(r.text, -1)
		for _, w := range words {
			x, end, was := r.place(w[0]), r.place(w[1]), struck
			if struck = all || cover(x, end, 0.8); struck {
				left, from = left+r.text[from:w[0]], w[1]
			} else if cover(x, end, 0.2) {
				s.leave(asPartly, run{page: r.page, text: r.text[w[0]:w[1]]})
			}
			if struck && !was {
				passages++
			}
		}
		if r.text = left + r.text[from:]; words == nil || strings.TrimSpace(r.text) != "" {
			kept = append(kept, r)
		}
	}
	for _, page := range slices.Sorted(maps.Keys(s.struck)) {
		for _, q := range s.struck[page] {
			if !q.hit {
				s.leave(asMarks, run{page: page, text: "StrikeOut over no text"})
			}
		}
	}
	s.runs = kept
	return passages
}

// place is where the letter at a byte of a text begins.
func (r *run) place(i int) float64 {
	if i < len(r.at) {
		return r.x + float64(r.at[i])
	} else if i == 0 {
		return r.x
	}
	return r.end
}

// contents finds the lines of tables of contents. One is sure where most of its lines name a line on the page whose
// number they give.
func (s *sheet) contents(rows []row) map[int]bool {
	type title struct {
		text string
		page int
	}
	lines, found := map[title]bool{}, map[int]bool{}
	var lists [][]int
	for i := range rows {
		if n, text := len(lists)-1, rows[i].text(); !leader.MatchString(text) {
			lines[title{noLetter.ReplaceAllString(text, ""), rows[i].page}] = true
		} else if n >= 0 && i-lists[n][len(lists[n])-1] < 4 {
			lists[n] = append(lists[n], i)
		} else {
			lists = append(lists, []int{i})
		}
	}
	for _, list := range lists {
		for shift := -30; shift <= 30; shift++ { // from the numbers that are printed to the pages
			hits, first, last := 0, 0, 0
			for k, i := range list {
				s.f.step()
				text := rows[i].text()
				m := leader.FindStringSubmatchIndex(text)
				n, _ := strconv.Atoi(text[m[4]:m[5]])
				if n < last || n+shift > len(s.height) {
					hits = -len(rows)
				}
				if last = n; k == 0 {
					first = n
				}
				if lines[title{noLetter.ReplaceAllString(text[:m[0]], ""), n + shift}] {
					hits++
				}
			}
			for _, i := range list {
				found[i] = found[i] || hits > 2 && 2*hits > len(list) && last > first+1
			}
		}
	}
	return found
}

// mirrored takes out the lines with right-to-left letters: a page has them in the order in which they are drawn.
func (s *sheet) mirrored() bool {
	var found []run
	for _, r := range s.runs {
		if strings.Contains(r.text, sign.NoText) {
			s.f.notes[fmt.Sprintf("page %d: words in a font that doesn't say which letters it shows are %s; print it "+
				"to PDF again with another program", r.page, sign.NoText)] = true
		}
		if strings.ContainsFunc(r.text, func(c rune) bool { return unicode.In(c, unicode.Hebrew, unicode.Arabic) }) {
			found = append(found, r)
			s.f.notes[fmt.Sprintf("page %d: right-to-left text in a PDF isn't read, and its lines were left out; "+
				"import Word or HTML", r.page)] = true
		}
	}
	i := 0 // of the first that is on the page of a run
	s.runs = slices.DeleteFunc(s.runs, func(r run) bool {
		for i < len(found) && found[i].page < r.page {
			i++
		}
		for _, o := range found[i:] {
			if s.f.step(); o.page != r.page {
				break
			} else if math.Abs(o.y-r.y) < 0.5*math.Max(o.size, r.size) {
				return true
			}
		}
		return false
	})
	return len(found) > 0
}

// edge is where cells of a page begin or end.
type edge struct {
	page  int
	x     float64
	right bool
}

// edges counts them, by the point.
type edges map[edge]int

func (m edges) add(n int, list ...edge) {
	for _, e := range list {
		m[edge{e.page, math.Round(e.x), e.right}] += n
	}
}

// known reports whether two rows or more of the page and the page before have an edge there.
func (m edges) known(e edge) bool {
	n := 0
	for page := e.page - 1; page <= e.page; page++ {
		for x := math.Round(e.x) - 1; x <= math.Round(e.x)+1; x++ {
			n += m[edge{page, x, e.right}]
		}
	}
	return n > 1
}

func near(list []edge, e edge) bool {
	return slices.ContainsFunc(list, func(o edge) bool {
		return o.right == e.right && math.Abs(o.x-e.x) <= 1.5 && o.page == e.page
	})
}

// edges are those of the text behind the i-th gap of a cell.
func (c *cell) edges(page, i int) [2]edge {
	end := c.end
	if i+1 < len(c.gaps) {
		end = c.gaps[i+1].before
	}
	return [2]edge{{page, c.gaps[i].x, false}, {page, end, true}}
}

// split cuts cells where the columns are that other rows of the page or the page before show, or three in a row.
func (s *sheet) split(rows []row) {
	found := edges{}
	for i := range rows {
		r := &rows[i]
		found.add(1, r.edges()...)
		for _, e := range r.wide() {
			if i > 0 && near(rows[i-1].edges(), e) {
				found.add(1, e)
			}
			if i+2 < len(rows) && near(rows[i+1].wide(), e) && near(rows[i+2].wide(), e) {
				found.add(3, e)
			}
		}
	}
	whole := make([][]cell, len(rows))
	for i := range rows {
		r := &rows[i]
		var out []cell
		for _, c := range r.cells {
			from, x := 0, c.x
			for k, g := range c.gaps {
				if isMark(c.text[:g.at]) {
					continue
				}
				if e := c.edges(r.page, k); found.known(e[0]) || found.known(e[1]) {
					out = append(out, cell{x: x, end: g.before, text: strings.TrimSpace(c.text[from:g.at])})
					from, x = g.at, g.x
				}
			}
			out = append(out, cell{x: x, end: c.end, text: strings.TrimSpace(c.text[from:]), gaps: c.gaps})
		}
		whole[i], r.cells = r.cells, out
	}
	for i := range rows { // a line between others that are whole is one of print
		beside := func(k int) bool { return k >= 0 && k < len(rows) && len(rows[k].cells) > 1 }
		if len(whole[i]) == 1 && !beside(i-1) && !beside(i+1) {
			rows[i].cells = whole[i]
		}
	}
	s.unsplit(rows)
}

// edges are those of the cells of a row but its first.
func (r *row) edges() (list []edge) {
	for k, c := range r.cells {
		if k > 0 && !(k == 1 && isMark(r.cells[0].text)) {
			list = append(list, edge{r.page, c.x, false}, edge{r.page, c.end, true})
		}
	}
	return list
}

// wide are the edges behind the gaps of a row that are too wide for one of print.
func (r *row) wide() (list []edge) {
	for k := range r.cells {
		c := &r.cells[k]
		for i, g := range c.gaps {
			if e := c.edges(r.page, i); g.wide > 0.8*r.size && !isMark(c.text[:g.at]) {
				list = append(list, e[0], e[1])
			}
		}
	}
	return list
}

// unsplit notes the pages on which several lines that follow each other have wide gaps, and no columns.
func (s *sheet) unsplit(rows []row) {
	n, told := 0, 0
	for i := range rows {
		r := &rows[i]
		if len(r.cells) > 1 || len(r.wide()) == 0 || i > 0 && rows[i-1].page != r.page {
			n = 0
			continue
		}
		if n++; n == 3 && told != r.page {
			told = r.page
			s.f.notes[fmt.Sprintf("page %d: lines with wide gaps, as a table has them, fell into no columns; "+
				"check them", told)] = true
		}
	}
}

// flow sets columns of print that are in the file line by line one after the other, and notes the pages on which they
// may be a table. Print has long lines, many begin within a sentence, and only the last of a paragraph ends early.
func (s *sheet) flow(rows []row) {
	for i, n := 0, 0; i < len(rows); i += max(n, 1) {
		at, last, doubt := slices.Clone(rows[i].cells), row{}, false
		column := func(c cell) int {
			return slices.IndexFunc(at, func(o cell) bool { return math.Abs(o.x-c.x) < 2*rows[i].size })
		}
		for n = 0; len(at) > 1 && len(at) < 6 && i+n < len(rows); n++ {
			r := rows[i+n]
			gap, k := last.y-r.y, column(r.cells[len(r.cells)-1])
			if k < 0 || k+1 < len(at) && r.end > at[k+1].x || n > 0 && (r.page != last.page || gap < 0 ||
				gap > 1.7*r.size && len(r.cells) == 1 || gap > 3.2*r.size) {
				break
			}
			doubt = doubt || n > 0 && gap > 1.7*r.size
			for _, c := range r.cells {
				if k := column(c); k >= 0 {
					at[k].x, at[k].end = min(at[k].x, c.x), max(at[k].end, c.end)
				}
			}
			last = r
		}
		prose := true
		for k := range at {
			letters, lines, within, early := 0, 0, 0, false
			for _, r := range rows[i : i+n] {
				for _, c := range r.cells {
					if column(c) != k {
						continue
					}
					doubt = doubt || early
					text := strings.TrimSpace(c.text)
					early = c.end < 0.7*at[k].end+0.3*at[k].x && strings.TrimRight(text, ".?!:;") == text
					letters, lines = letters+utf8.RuneCountInString(text), lines+1
					if strings.IndexFunc(text, unicode.IsLower) == 0 {
						within++
					}
				}
			}
			prose = prose && letters > 22*lines && 3*within > lines && lines > 3
		}
		if !prose {
			continue
		}
		low, high := last.y-last.size/2, rows[i].y+last.size/2
		if doubt || slices.ContainsFunc(s.lines[last.page], func(l line) bool {
			return l.toY-l.y <= thin && l.y > low && l.toY < high && l.toX-l.x > 50
		}) {
			s.f.notes[fmt.Sprintf("page %d: what was read as a table may be columns of print, or have cells over "+
				"several lines; check it", last.page)] = true
			continue
		}
		in := func(r run) bool { s.f.step(); return r.page == last.page && r.y > low && r.y < high }
		set := s.runs[max(0, slices.IndexFunc(s.runs, func(r run) bool { return in(r) && r.x == rows[i].x })):]
		if k := slices.IndexFunc(set, func(r run) bool { return !in(r) }); k >= 0 {
			set = set[:k]
		}
		for k := range set {
			for _, c := range at {
				if set[k].x > c.x-2 {
					set[k].column++
				}
			}
		}
		slices.SortStableFunc(set, func(a, b run) int { return a.column - b.column })
	}
}

// isMark reports whether a text is the mark of a list's item or a section.
func isMark(s string) bool {
	s = strings.TrimSpace(s)
	return bullet.MatchString(s+" x") || sectionMark.MatchString(s) || ordinal.MatchString(s+" x")
}
