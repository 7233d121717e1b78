package pdf

import (
	"cmp"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"preceptor/internal/platform/text/sign"
)

// row is a line of a page, in one piece or in cells.
type row struct {
	page      int
	x, y, end float64
	size      float64
	bold      bool // all of it
	cells     []cell
	level     int  // of a heading; 0: it is none
	begins    bool // a paragraph
}

type cell struct {
	x, end float64
	text   string
	gaps   []gap
}

func (r *row) text() string {
	var list []string
	for _, c := range r.cells {
		list = append(list, c.text)
	}
	return strings.TrimSpace(strings.Join(list, " "))
}

// laidOut is the document by how it looks: larger or bold lines of their own are headings, and lines in columns a
// table.
func (s *sheet) laidOut() (out []Block) {
	rows := s.rows()
	s.split(rows)
	s.flow(rows)
	rows = s.withoutMargins(s.rows())
	s.split(rows)
	s.headings(rows)
	for i := 0; i < len(rows); {
		var k Block
		n := 0
		switch r := &rows[i]; {
		case r.level > 0:
			k, n = s.heading(rows[i:])
		case len(r.cells) > 1:
			k, n = s.table(rows[i:])
		default:
			k, n = s.paragraph(rows[i:])
		}
		out, i = append(out, k), i+n
	}
	return out
}

// rows joins runs to lines, and the lines of cells beside each other to a row.
func (s *sheet) rows() (rows []row) {
	var last run
	for _, r := range s.runs {
		s.f.step()
		w := &row{}
		if len(rows) > 0 && last.page == r.page {
			w = &rows[len(rows)-1]
		}
		n := len(w.cells)
		same := n > 0 && math.Abs(last.y-r.y) < 0.5*math.Max(last.size, r.size) && r.x > last.end-r.size
		blank := strings.TrimSpace(r.text) == ""
		switch {
		case same && blank:
			if c := &w.cells[n-1]; r.x-last.end < last.size && !strings.HasSuffix(c.text, " ") {
				c.text += " "
			}
			continue
		case blank:
			continue
		case same:
			w.add(last, r, s.ruled(last, r))
		case n > 1 && r.y < last.y && last.y-r.y < 1.7*r.size && r.x > w.cells[n-2].end:
			c := &w.cells[n-1]
			c.text, c.x, c.end = join(c.text, r.text), math.Min(c.x, r.x), math.Max(c.end, r.end)
			w.bold = w.bold && r.bold
		default:
			if k := beside(rows, last, r); k >= 0 {
				rows = rows[:k+1]
				w := &rows[k]
				w.cells, w.end = append(w.cells, cell{x: r.x, end: r.end, text: r.text}), r.end
				w.y = math.Max(w.y, r.y)
				w.bold = w.bold && r.bold
				break
			}
			rows = append(rows, row{page: r.page, x: r.x, y: r.y, end: r.end, size: r.size, bold: r.bold,
				cells: []cell{{x: r.x, end: r.end, text: r.text}}})
		}
		last = r
	}
	return rows
}

func (w *row) add(last, r run, ruled bool) {
	c := &w.cells[len(w.cells)-1]
	wide := r.x - last.end
	if wide > 1.4*r.size && wide > 10 || ruled {
		w.cells = append(w.cells, cell{x: r.x, end: r.end, text: r.text})
	} else {
		if wide > 0.12*r.size && !strings.HasSuffix(c.text, " ") {
			c.text += " "
		}
		if wide > 0.6*r.size {
			c.gaps = append(c.gaps, gap{len(c.text), wide, last.end, r.x})
		}
		c.text += r.text
		c.end = math.Max(c.end, r.end)
	}
	w.end = math.Max(w.end, r.end)
	w.bold = w.bold && (r.bold || !strings.ContainsFunc(r.text, unicode.IsLetter))
	if utf8.RuneCountInString(r.text) > len(c.text)/2 {
		w.size = math.Max(w.size, r.size)
	}
}

// beside finds the row of which r is the next cell: what was set last is left of it, in lines that follow each
// other, and r isn't below them. They are folded into the cell before. -1: it is none.
func beside(rows []row, last, r run) int {
	if last.page != r.page || last.column != r.column || r.y < last.y-0.35*r.size || r.y-last.y > 15*r.size {
		return -1
	}
	k := len(rows) - 1
	if rows[k].end > r.x+1 {
		return -1
	}
	for ; k > 0 && len(rows[k].cells) == 1 && len(rows)-k < 12; k-- {
		above := &rows[k-1]
		if above.page != r.page || above.end > r.x+1 || above.y < rows[k].y || above.y-rows[k].y > 1.7*r.size ||
			above.size > rows[k].size+0.5 || above.bold != rows[k].bold {
			break
		}
	}
	if rows[k].y < r.y-8*r.size {
		return -1
	}
	w := &rows[k]
	c := &w.cells[len(w.cells)-1]
	for _, under := range rows[k+1:] {
		c.text, c.end, w.bold = join(c.text, under.text()), math.Max(c.end, under.end), w.bold && under.bold
	}
	return k
}

var (
	numbered = sign.Numbered
	bullet   = sign.Bullet
	ordinal  = sign.Ordinal
	pageMark = regexp.MustCompile(`(?i)^[^\w%\p{Sc}]*(page\s+)?\d{1,4}(\s*(of|/)\s*\d{1,4})?[^\w%\p{Sc}]*$`)
	digits   = regexp.MustCompile(`\d+`)
	dots     = regexp.MustCompile(`\s*([.…·:] ?){4,}`)
	seams    = regexp.MustCompile(`[\pL\d]-\n[\pL\d\p{Sc}]|\d–\n[\d\p{Sc}]`)
	broken   = regexp.MustCompile(`([\pL-]+)-\x{AD}(\pL+)`)
	leader   = regexp.MustCompile(`([.…·_:] ?){4,}\s*(\d{1,4})$`)
	unread   = regexp.MustCompile(`(\s*\[unreadable\]){2,}`)
	noLetter = regexp.MustCompile(`[^\pL\d]+`)
)

// withoutMargins drops running heads and feet, page numbers and tables of contents.
func (s *sheet) withoutMargins(rows []row) []row {
	in := func(r *row) bool {
		h := s.height[r.page]
		return r.y > 0.9*h || r.y < 0.1*h
	}
	key := func(r *row) string { return digits.ReplaceAllString(r.text(), "#") }
	on := map[string]map[int]bool{}
	for i := range rows {
		if r := &rows[i]; in(r) {
			if on[key(r)] == nil {
				on[key(r)] = map[int]bool{}
			}
			on[key(r)][r.page] = true
		}
	}
	list := s.contents(rows)
	var kept []row
	for i := range rows {
		r := &rows[i]
		n, text := len(on[key(r)]), r.text()
		switch {
		case list[i]:
			s.leave(asList, run{page: r.page, y: r.y, size: 1, text: text})
		case in(r) && (n >= 2 && n*3 >= len(s.height) || pageMark.MatchString(text)):
			s.leave(asMargin, run{page: r.page, text: text})
		default:
			kept = append(kept, *r)
		}
	}
	return kept
}

// look is what tells headings apart.
type look struct {
	size float64
	bold bool
}

func (r *row) look() look { return look{math.Round(r.size*2) / 2, r.bold} }

// headings gives each line that is one its level: the larger the higher, and bold before plain.
func (s *sheet) headings(rows []row) {
	letters := map[look]int{}
	for i := range rows {
		letters[rows[i].look()] += len(rows[i].text())
	}
	var body look
	for l, n := range letters {
		if n > letters[body] || n == letters[body] && l.size < body.size {
			body = l
		}
	}
	pitch := pitchOf(rows, body)
	s.columns = map[column]float64{}
	for i := range rows {
		r := &rows[i]
		s.right = math.Max(s.right, r.end)
		if r.look() == body {
			s.columns[r.column()] = math.Max(s.columns[r.column()], r.cells[0].end)
		}
	}
	levels := map[look]int{}
	for i := range rows {
		if s.isHeading(rows, i, body, pitch) {
			rows[i].level = 1
			levels[rows[i].look()] = 0
		}
	}
	order := slices.Collect(maps.Keys(levels))
	slices.SortFunc(order, func(a, b look) int {
		if c := cmp.Compare(b.size, a.size); c != 0 {
			return c
		}
		if a.bold {
			return -1
		}
		return 1
	})
	for i, l := range order {
		levels[l] = min(3, i+1)
	}
	for i := range rows {
		if rows[i].level > 0 {
			rows[i].level = levels[rows[i].look()]
		}
	}
	for i := 1; i < len(rows); i++ {
		a, b := &rows[i-1], &rows[i]
		gap := a.y - b.y
		end := a.text()
		full := strings.ContainsAny(end[len(end)-1:], ".?!:;")
		switch {
		case a.level > 0:
			b.begins = true
		case a.page != b.page || gap < 0:
			b.begins = full
		default:
			b.begins = gap > pitch*1.3 && gap > b.size*1.35 || full && a.end < 0.7*s.right
		}
	}
}

// column is where lines begin on a page.
type column struct {
	page int
	x    float64
}

func (r *row) column() column { return column{r.page, math.Round(r.x / 2)} }

// pitchOf is the usual distance of the lines of the body.
func pitchOf(rows []row, body look) float64 {
	count := map[float64]int{}
	best := body.size * 1.2
	for i := 1; i < len(rows); i++ {
		a, b := &rows[i-1], &rows[i]
		if gap := math.Round((a.y-b.y)*2) / 2; a.page == b.page && gap > 0 && gap < 3*body.size && a.look() == body &&
			b.look() == body {
			if count[gap]++; count[gap] > count[best] || count[gap] == count[best] && gap < best {
				best = gap
			}
		}
	}
	return best
}

func (s *sheet) isHeading(rows []row, i int, body look, pitch float64) bool {
	r := &rows[i]
	text := r.text()
	if len(r.cells) > 1 && !(len(r.cells) == 2 && sectionMark.MatchString(strings.TrimSpace(r.cells[0].text))) ||
		!strings.ContainsFunc(text, unicode.IsLetter) || utf8.RuneCountInString(text) > 200 ||
		bullet.MatchString(text) {
		return false
	}
	size := r.look().size
	if size >= body.size*1.1 && size > body.size+0.5 {
		return true
	}
	ends := text[len(text)-1:]
	if first, _ := utf8.DecodeRuneInString(text); unicode.IsLower(first) {
		return false
	}
	if size < body.size-0.5 || strings.ContainsAny(ends, ".,;") || utf8.RuneCountInString(text) > 120 ||
		i+1 == len(rows) {
		return false
	}
	apart := i == 0 || rows[i-1].page != r.page || rows[i-1].y-r.y > pitch*1.15 || rows[i-1].y < r.y ||
		rows[i-1].level > 0
	if r.bold && !body.bold {
		return apart && len(rows[i+1].cells) == 1 || apart && rows[i+1].y < r.y-pitch*1.15
	}
	capitals := strings.ToUpper(text) == text && strings.ToLower(text) != text
	return capitals && apart && utf8.RuneCountInString(text) >= 4 && (rows[i+1].page != r.page ||
		r.y-rows[i+1].y > pitch*1.15)
}

var sectionMark = regexp.MustCompile(`^([A-Z]|\d{1,2})([.)]|(\.\d{1,2})*\.?)$`)

// heading writes one that may go over several lines, and returns how many.
func (s *sheet) heading(rows []row) (Block, int) {
	r := &rows[0]
	text := r.text()
	right := cmp.Or(s.columns[r.column()], s.right)
	n := 1
	for ; n < len(rows); n++ {
		a, b := &rows[n-1], &rows[n]
		if b.level != r.level || b.look() != r.look() || b.page != a.page || a.y-b.y > 1.5*r.size || a.y < b.y ||
			numbered.MatchString(b.text()) || a.end < r.x+0.4*(right-r.x) {
			break
		}
		text = join(text, b.text())
	}
	return Block{Level: r.level, Page: r.page, Text: text}, n
}

func join(a, b string) string { return a + seam(a, b) + b }

// seam is what joins two lines: nothing where a word or a range of figures is broken over them.
func seam(a, b string) string {
	if seams.MatchString(a[max(0, len(a)-6):] + "\n" + b) {
		return "\u00ad"
	}
	return " "
}

func (s *sheet) paragraph(rows []row) (Block, int) {
	text := rows[0].text()
	n := 1
	for ; n < len(rows); n++ {
		r := &rows[n]
		if r.level > 0 || len(r.cells) > 1 || r.begins || bullet.MatchString(r.text()) ||
			ordinal.MatchString(r.text()) {
			break
		}
		text = join(text, r.text())
	}
	if m := bullet.FindStringSubmatch(text); m != nil {
		return Block{Item: true, Text: m[1]}, n
	}
	return Block{Text: text}, n
}

// table writes the rows that follow each other; one alone is a paragraph. A head that comes again on each page is
// written once.
func (s *sheet) table(rows []row) (Block, int) {
	n, widest := 0, 0
	for ; n < len(rows) && rows[n].level == 0; n++ {
		r := &rows[n]
		if len(r.cells) == 1 && (n+1 == len(rows) || len(rows[n+1].cells) == 1 || r.end > rows[widest].cells[1].x) {
			break
		}
		if len(r.cells) > len(rows[widest].cells) {
			widest = n
		}
	}
	first := rows[0]
	if mark := strings.TrimSpace(first.cells[0].text); n == 1 || len(first.cells) == 2 &&
		(bullet.MatchString(mark+" x") || sectionMark.MatchString(mark)) {
		rows[0].cells = []cell{{x: first.x, end: first.end, text: first.text()}}
		return s.paragraph(rows)
	}
	at := rows[widest].cells
	var out [][]string
	for i, r := range rows[:n] {
		if i > 0 && (r.bold || r.page != first.page) && r.text() == first.text() {
			continue
		}
		line := make([]string, len(at))
		for _, c := range r.cells {
			k := 0
			for i := range at {
				if math.Abs((at[i].x+at[i].end-c.x-c.end)/2) < math.Abs((at[k].x+at[k].end-c.x-c.end)/2) ||
					math.Abs(at[i].x-c.x) < 2 {
					k = i
				}
			}
			line[k] = strings.TrimSpace(line[k] + " " + c.text)
		}
		for k, text := range line {
			if i > 0 && text == "" && s.merged(rows[i-1], r, at, k) {
				line[k] = out[len(out)-1][k]
			}
		}
		out = append(out, line)
	}
	head := first.bold || len(out) > 1 && !figures(out[0])
	for k := 1; head && k < len(at) && len(out) > 2; k++ { // two rows of headings, of which one goes over columns
		if out[0][k] == "" && out[1][k] != "" && !figures(out[1]) && slices.ContainsFunc(out[2:], figures) {
			head = false
			s.unheaded(first.page)
		}
	}
	return Block{Rows: out, Head: head}, n
}

func figures(cells []string) bool {
	return slices.ContainsFunc(cells, func(c string) bool { return strings.ContainsFunc(c, unicode.IsDigit) })
}
