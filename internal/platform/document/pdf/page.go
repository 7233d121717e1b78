package pdf

import (
	"math"
	"slices"
)

// run is text that was set at one place.
type run struct {
	page      int
	column    int // of print beside another; 0: it is in none
	mcid      int // of what is marked in it; -1: not marked
	x, y, end float64
	size      float64
	bold      bool
	text      string
	at        []float32 // where each byte of the text begins, from x
	clear     bool      // no ink
	light     bool      // white
}

// sheet collects the text of the pages.
type sheet struct {
	f              *pdfFile
	runs           []run
	height         map[int]float64 // of a page
	known, unknown int             // letters
	blank          int             // pages
	right          float64         // where the lines end
	columns        map[column]float64
	numbers        map[ref]int    // of pages
	lines          map[int][]line // that are drawn, by page
	painted        []area         // of the page that is read
	struck         map[int][]*stroke
	left           []omission
}

type matrix [6]float64

func (m matrix) times(n matrix) matrix {
	return matrix{m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3], m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5]}
}

func (m matrix) at(x, y float64) (float64, float64) {
	return x*m[0] + y*m[2] + m[4], x*m[1] + y*m[3] + m[5]
}

// graphics is what q keeps and Q brings back.
type graphics struct {
	ctm                                   matrix
	font                                  *font
	size, char, word, stretch, lead, rise float64
	mode                                  float64
	clip                                  line // outside of it nothing is seen
	odd                                   bool // nor in all of it
	light                                 bool // what is filled is white
	rgb                                   bool // its colours are of red, green and blue
	faint, clear                          bool // something is seen through it; it isn't seen
}

// drawing runs the operators of a page or form.
type drawing struct {
	s *sheet
	graphics
	stack     []graphics
	tm, line  matrix
	page      int
	marks     []int // of what is marked around; artifact, off
	across    int   // texts that go up the page, less those that go down
	resources dict
	x, y      float64 // where a path is
	path      []line
	drawn     int  // paths, and more than one where they are no box
	box       line // the first
	clipping  bool
}

// Marks that aren't an mcid.
const (
	artifact = -2 // no content
	off      = -3 // in a layer that isn't seen
)

func (s *sheet) page(n int, page dict) {
	f := s.f
	box := line{0, 0, 612, 792}
	for i, key := range []name{"MediaBox", "CropBox"} {
		list := f.list(page[key])
		if len(list) != 4 {
			continue
		}
		b := span(f.num(list[0]), f.num(list[1]), f.num(list[2]), f.num(list[3]))
		if i > 0 {
			b = b.meet(box)
		}
		if b.toX-b.x > thin && b.toY-b.y > thin {
			box = b
		}
	}
	width, height := box.toX-box.x, box.toY-box.y
	base := matrix{1, 0, 0, 1, -box.x, -box.y}
	switch (int(f.num(page["Rotate"]))%360 + 360) % 360 {
	case 90:
		base = base.times(matrix{0, -1, 1, 0, 0, width})
		width, height = height, width
	case 180:
		base = base.times(matrix{-1, 0, 0, -1, width, height})
	case 270:
		base = base.times(matrix{0, 1, -1, 0, height, 0})
		width, height = height, width
	}
	s.height[n] = height
	if r, ok := page["ref"].(ref); ok {
		s.numbers[r] = n
	}
	draw := func() *drawing {
		s.painted = nil
		return &drawing{s: s, page: n,
			graphics: graphics{ctm: base, stretch: 1, clip: line{0, 0, width, height}}}
	}
	c := draw()
	var raw []byte
	for _, p := range f.each(page["Contents"]) {
		if st, ok := f.get(p).(*stream); ok {
			raw = append(append(raw, f.data(st)...), '\n')
		}
	}
	before, runs, left := s.known+s.unknown, len(s.runs), len(s.left)
	c.run(raw, f.dict(page["Resources"]), 0)
	if len(s.runs) == runs && c.across != 0 { // all that is on it is: a reader turns the page
		base = base.times(matrix{0, -1, 1, 0, 0, width})
		if width, height = height, width; c.across < 0 {
			base = base.times(matrix{-1, 0, 0, -1, width, height})
		}
		s.height[n], s.left = height, s.left[:left]
		c = draw()
		delete(s.lines, n) // they were drawn on the page as it lay
		c.run(raw, f.dict(page["Resources"]), 0)
	}
	s.seen(runs)
	s.annotations(n, f.list(page["Annots"]), base, runs)
	if s.known+s.unknown == before {
		s.blank++
	}
}

const maxForms = 5_000 // that are drawn in a file

func (c *drawing) run(raw []byte, resources dict, depth int) {
	outer := c.resources
	c.resources = resources
	defer func() { c.resources = outer }()
	l := &lexer{raw: raw, f: c.s.f}
	var args []any
	for {
		switch v := l.object(0).(type) {
		case error:
			return
		case operator:
			if v == "BI" {
				l.skipImage()
				c.picture()
			} else {
				c.do(string(v), args, depth)
			}
			args = args[:0]
		default:
			if len(args) < 100 {
				args = append(args, v)
			}
		}
	}
}

// skipImage goes behind the data of a picture within the content.
func (l *lexer) skipImage() {
	for l.at < len(l.raw)-3 {
		if l.raw[l.at] == 'E' && l.raw[l.at+1] == 'I' && isSpace(l.raw[l.at+2]) && isSpace(l.raw[l.at-1]) {
			l.at += 2
			return
		}
		l.at++
	}
	l.at = len(l.raw)
}

func (c *drawing) do(op string, args []any, depth int) {
	num := func(i int) float64 {
		if i >= 0 && i < len(args) {
			n, _ := args[i].(float64)
			return n
		}
		return 0
	}
	six := func() matrix { return matrix{num(0), num(1), num(2), num(3), num(4), num(5)} }
	last := len(args) - 1
	switch op {
	case "q":
		if len(c.stack) < 1000 {
			c.stack = append(c.stack, c.graphics)
		}
	case "Q":
		if n := len(c.stack); n > 0 {
			c.graphics, c.stack = c.stack[n-1], c.stack[:n-1]
		}
	case "cm":
		c.ctm = six().times(c.ctm)
	case "m", "l":
		x, y := c.ctm.at(num(0), num(1))
		if op == "l" {
			c.path = append(c.path, line{c.x, c.y, x, y})
		}
		c.x, c.y, c.drawn = x, y, c.drawn+2
	case "re":
		x, y := c.ctm.at(num(0), num(1))
		toX, toY := c.ctm.at(num(0)+num(2), num(1)+num(3))
		if c.drawn++; c.drawn == 1 {
			c.box = span(x, y, toX, toY)
		}
		if math.Abs(toX-x) <= thin || math.Abs(toY-y) <= thin {
			c.path = append(c.path, line{x, y, toX, toY})
		} else {
			c.path = append(c.path, line{x, y, x, toY}, line{toX, y, toX, toY})
		}
	case "S", "s", "B", "B*", "b", "b*", "f", "F", "f*", "n":
		c.paint(op)
	case "W", "W*":
		c.clipping = true
	case "sh":
		c.cover(area{line: c.clip})
	case "g", "rg", "k", "sc", "scn":
		sum := 0.0
		for i := range args {
			sum += num(i)
		}
		if op[0] != 's' {
			c.rgb = op == "rg"
		}
		c.light = op == "k" && sum < 0.05 || op == "g" && sum > 0.97 || c.rgb && len(args) == 3 && sum > 2.95
		if last >= 0 {
			_, plain := args[last].(float64)
			c.faint = c.faint || !plain
		}
	case "cs":
		n, _ := first(args).(name)
		c.light, c.rgb = false, n == "DeviceRGB" || c.s.f.rgb(c.s.f.dict(c.resources["ColorSpace"])[n])
	case "gs":
		n, _ := first(args).(name)
		d := c.s.f.dict(c.s.f.dict(c.resources["ExtGState"])[n])
		if full, ok := c.s.f.get(d["ca"]).(float64); ok {
			c.clear, c.faint = full == 0, c.faint || full < 1
		}
		c.faint = c.faint || d["BM"] != nil && c.s.f.name(d["BM"]) != "Normal" || c.s.f.dict(d["SMask"]) != nil
	case "Tr":
		c.mode = num(0)
	case "BT":
		c.tm = matrix{1, 0, 0, 1, 0, 0}
		c.line = c.tm
	case "Tf":
		if len(args) == 2 {
			n, _ := args[0].(name)
			c.font = c.s.f.font(c.s.f.dict(c.resources["Font"])[n])
			c.size = num(1)
		}
	case "Tc":
		c.char = num(0)
	case "Tw":
		c.word = num(0)
	case "Tz":
		c.stretch = num(0) / 100
	case "TL":
		c.lead = num(0)
	case "Ts":
		c.rise = num(0)
	case "Td", "TD":
		if op == "TD" {
			c.lead = -num(1)
		}
		c.next(num(0), num(1))
	case "Tm":
		c.tm = six()
		c.line = c.tm
	case "T*":
		c.next(0, -c.lead)
	case "'", `"`:
		if op == `"` {
			c.word, c.char = num(0), num(1)
		}
		c.next(0, -c.lead)
		if last >= 0 {
			c.show([]any{args[last]})
		}
	case "Tj":
		c.show(args)
	case "TJ":
		if last >= 0 {
			list, _ := args[last].([]any)
			for i := 0; i < len(list); i++ { // what is moved far is a text of its own
				if by, ok := list[i].(float64); ok && by < -600 {
					c.show(list[:i])
					c.tm = matrix{1, 0, 0, 1, -by / 1000 * c.size * c.stretch, 0}.times(c.tm)
					list, i = list[i+1:], -1
				}
			}
			c.show(list)
		}
	case "BMC", "BDC":
		c.begin(args)
	case "EMC":
		if n := len(c.marks); n > 0 {
			c.marks = c.marks[:n-1]
		}
	case "Do":
		if n, ok := first(args).(name); ok {
			c.form(n, depth)
		}
	}
}

// rgb reports whether three ones are white in a colour space.
func (f *pdfFile) rgb(v any) bool {
	list := append(f.each(v), nil)
	kind := f.name(list[0])
	return kind == "DeviceRGB" || kind == "CalRGB" || kind == "ICCBased" && f.num(f.dict(list[1])["N"]) == 3
}

func first(list []any) any {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

func (c *drawing) next(x, y float64) {
	c.line = matrix{1, 0, 0, 1, x, y}.times(c.line)
	c.tm = c.line
}

func (c *drawing) mark() int {
	if n := len(c.marks); n > 0 {
		return c.marks[n-1]
	}
	return -1
}

func (c *drawing) begin(args []any) {
	f, id := c.s.f, c.mark()
	if len(args) > 1 && id >= -1 {
		props := args[1]
		if n, ok := props.(name); ok {
			props = f.dict(c.resources["Properties"])[n]
		}
		if n, ok := f.get(f.dict(props)["MCID"]).(float64); ok {
			id = int(n)
		}
		if args[0] == any(name("OC")) && !f.on(props) {
			id = off
		}
	}
	if first(args) == any(name("Artifact")) && id != off {
		id = artifact
	}
	if len(c.marks) < 1000 {
		c.marks = append(c.marks, id)
	}
}

// form draws what several pages may share.
func (c *drawing) form(n name, depth int) {
	f := c.s.f
	st, ok := f.get(f.dict(c.resources["XObject"])[n]).(*stream)
	if ok && f.name(st.dict["Subtype"]) == "Image" && f.on(st.dict["OC"]) {
		c.picture()
	}
	if !ok || f.name(st.dict["Subtype"]) != "Form" || depth > 10 {
		return
	}
	if f.forms++; f.forms > maxForms {
		panic(Slow)
	}
	kept, stack, marks := c.graphics, c.stack, c.marks
	if m := f.list(st.dict["Matrix"]); len(m) == 6 {
		var by matrix
		for i := range by {
			by[i] = f.num(m[i])
		}
		c.ctm = by.times(c.ctm)
	}
	if !f.on(st.dict["OC"]) {
		c.marks = append(slices.Clip(c.marks), off)
	}
	own := f.dict(st.dict["Resources"])
	if own == nil {
		own = c.resources
	}
	c.stack = nil
	c.run(f.data(st), own, depth+1)
	c.graphics, c.stack, c.marks = kept, stack, marks
}
