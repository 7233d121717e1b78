package pdf

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf16"
)

// stroke is a line through text, or what a reviewer struck out.
type stroke struct {
	line
	hit bool // some text
}

// annotations reads what lies on a page: the values of its form, whose texts begin at from, and what was struck out.
// What else reviewers wrote is left to the notes: nothing says what of it holds.
func (s *sheet) annotations(page int, list []any, base matrix, from int) {
	f := s.f
	place := func(list []any) (b line) {
		for i := 0; i+1 < len(list); i += 2 {
			x, y := base.at(f.num(list[i]), f.num(list[i+1]))
			if i == 0 {
				b = line{x, y, x, y}
			}
			b = line{min(b.x, x), min(b.y, y), max(b.toX, x), max(b.toY, y)}
		}
		return b
	}
	for _, v := range list {
		f.step()
		d := f.dict(v)
		if int(f.num(d["F"]))&(2|32) != 0 || !f.on(d["OC"]) {
			continue // hidden
		}
		kind, says := f.name(d["Subtype"]), f.words(d["Contents"])
		switch kind {
		case "Widget":
			s.field(page, d, place(f.list(d["Rect"])), from)
			continue
		case "", "Link", "Popup":
			continue
		case "StrikeOut":
			for part := range slices.Chunk(f.list(d["QuadPoints"]), 8) {
				s.struck[page] = append(s.struck[page], &stroke{line: place(part)})
			}
		case "Stamp":
			says = cmp.Or(says, string(f.name(d["Name"])))
		}
		if says != "" || !slices.Contains([]name{"Highlight", "Squiggly", "StrikeOut", "Text", "Underline"}, kind) {
			s.leave(asMarks, run{page: page, text: strings.TrimSuffix(string(kind)+": "+says, ": ")})
		}
	}
}

// field sets the value of a form where a person sees it: in the line that it is in.
func (s *sheet) field(page int, d dict, b line, from int) {
	f := s.f
	get := func(key name) any {
		for p, n := d, 0; p != nil && n < 10; p, n = f.dict(p["Parent"]), n+1 {
			if v := f.get(p[key]); v != nil {
				return v
			}
		}
		return nil
	}
	flags, value := int(f.num(get("Ff"))), ""
	switch get("FT") {
	case name("Btn"):
		if value = "☑"; cmp.Or(f.name(d["AS"]), f.name(get("V")), "Off") == "Off" {
			value = "☐"
		}
	case name("Tx"), name("Ch"):
		for _, v := range f.each(get("V")) {
			shown := f.words(v)
			for _, o := range f.list(get("Opt")) {
				if pair := f.list(o); len(pair) == 2 && f.words(pair[0]) == f.words(v) {
					shown = f.words(pair[1])
				}
			}
			value = strings.TrimPrefix(value+", "+shown, ", ")
		}
	}
	if value == "" || flags&(1<<13|1<<16) != 0 { // a password, or a button
		return
	}
	r, at, beside := run{size: 10, mcid: -1, y: (b.y+b.toY)/2 - 3}, from, false
	for k, o := range s.runs[from:] {
		mid := o.y + 0.3*o.size
		switch left := o.x < b.x; {
		case strings.TrimSpace(o.text) == "" || mid < b.y:
		case mid > b.toY && !beside: // the last above
			at, r.mcid = from+k+1, o.mcid
		case mid > b.toY || beside && (!left || o.x < r.x):
		case left:
			r, at, beside = o, from+k+1, true
		default:
			r, at, beside = o, from+k, true
			r.x, r.end = 0, b.x
		}
	}
	x := max(b.x, r.end+0.2*r.size)
	s.runs = slices.Insert(s.runs, at,
		run{page: page, mcid: r.mcid, x: x, end: max(x, b.toX), y: r.y, size: r.size, text: value})
}

// The signs from 0x80 on of the encoding that a PDF has for its strings.
var pdfSigns = []rune("•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž�€")

// words is a string that people read.
func (f *pdfFile) words(v any) string {
	t, _ := f.get(v).(text)
	var out []rune
	if rest, ok := strings.CutPrefix(string(t), "\xfe\xff"); ok {
		out = utf16.Decode(wide(rest))
	} else if rest, ok := strings.CutPrefix(string(t), "\xef\xbb\xbf"); ok {
		out = []rune(rest)
	} else {
		for _, c := range []byte(t) {
			if out = append(out, rune(c)); c >= 0x80 && c <= 0xa0 {
				out[len(out)-1] = pdfSigns[c-0x80]
			}
		}
	}
	return strings.Join(strings.Fields(string(out)), " ")
}

// wide are the units of UTF-16.
func wide(s string) (units []uint16) {
	for ; len(s) > 1; s = s[2:] {
		units = append(units, uint16(s[0])<<8|uint16(s[1]))
	}
	return units
}
