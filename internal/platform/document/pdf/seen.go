package pdf

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// omission is text of a page that isn't in what was read, and why.
type omission struct {
	why string
	run
}

// What the notes on omissions begin with.
const (
	asOutside = "left out, outside the visible part of the page"
	asUnseen  = "left out, transparent or white on white"
	asCovered = "left out, under a filled box"
	asOff     = "left out, in a layer that is switched off"
	asTurned  = "left out, printed up or down the page"
	asMargin  = "left out as running headers and footers"
	asList    = "left out as a table of contents"
	asMarks   = "reviewers' marks that weren't imported"
	asPartly  = "struck out in part, and kept"
	asNoTag   = "left out, not in the tags of this PDF (save it without tags to import it)"
)

// leave notes an omission; what was set after the one before is one with it.
func (s *sheet) leave(why string, r run) {
	if n := len(s.left) - 1; n >= 0 && r.size > 0 && s.left[n].why == why && s.left[n].page == r.page {
		r.text = s.left[n].text + s.between(s.left[n].run, r) + r.text
		s.left = s.left[:n]
	}
	s.left = append(s.left, omission{why, r})
}

// omitted quotes them, by their reason and once. Page numbers are no text.
func (s *sheet) omitted() (notes []string) {
	lists, seen := map[string][]string{}, map[string]bool{}
	for _, o := range s.left {
		text := strings.Join(strings.Fields(strings.ReplaceAll(o.text, "\u00ad", "")), " ")
		if text == "" || seen[o.why+text] || o.why == asMargin && pageMark.MatchString(text) {
			continue
		}
		seen[o.why+text] = true
		if r := []rune(text); len(r) > 150 {
			text = string(r[:150]) + "…"
		}
		lists[o.why] = append(lists[o.why], fmt.Sprintf("“%s” (page %d)", text, o.page))
	}
	for _, why := range slices.Sorted(maps.Keys(lists)) {
		list := lists[why]
		if n := len(list) - 9; n > 1 {
			list = append(list[:9], fmt.Sprintf("and %d more", n))
		}
		notes = append(notes, why+": "+strings.Join(list, ", "))
	}
	return notes
}

func span(x, y, toX, toY float64) line {
	return line{min(x, toX), min(y, toY), max(x, toX), max(y, toY)}
}

func (l line) meet(o line) line {
	return line{max(l.x, o.x), max(l.y, o.y), min(l.toX, o.toX), min(l.toY, o.toY)}
}

func (l line) empty() bool { return l.x > l.toX || l.y > l.toY }

// box is what the letters of a text are in.
func (r *run) box() line { return span(r.x, r.y-0.1*r.size, r.end, r.y+0.6*r.size) }

// area is a part of a page that is painted.
type area struct {
	line
	runs           int  // that were set before
	solid          bool // nothing is seen behind it
	picture, white bool
}

const maxAreas = 2000 // of a page: where it has more, what is in front of what isn't looked at

func (c *drawing) cover(a area) {
	if a.line, a.runs = a.meet(c.clip), len(c.s.runs); c.mark() != off && len(c.s.painted) <= maxAreas {
		c.s.painted = append(c.s.painted, a)
	}
}

// picture notes where one is.
func (c *drawing) picture() {
	x, y := c.ctm.at(0, 0)
	toX, toY := c.ctm.at(1, 1)
	c.cover(area{line: span(x, y, toX, toY), picture: true})
}

// paint ends a path. Where one is that is no box isn't known.
func (c *drawing) paint(op string) {
	kind, box, at := strings.ToLower(op)[0], c.drawn == 1, c.clip
	for _, l := range c.path {
		if op != "n" && (kind != 'f' || len(c.path) == 1) { // and not the edges of what is shaded
			c.s.draw(c.page, l)
			c.cover(area{line: span(l.x, l.y, l.toX, l.toY)})
		}
	}
	if box {
		at = at.meet(c.box)
	}
	if op != "n" && kind != 's' {
		c.cover(area{line: at, white: c.light, solid: box && !c.odd && !c.faint})
	}
	if c.clipping {
		c.clip, c.odd = at, c.odd || !box
	}
	c.path, c.drawn, c.clipping = nil, 0, false
}

// seen leaves out what nobody sees of a page's texts, whose first is at from. What has no ink over a picture may be
// what was recognised in a scan.
func (s *sheet) seen(from int) {
	kept := s.runs[:from]
	for i, r := range s.runs[from:] {
		s.f.step()
		why, picture, dark := "", false, false
		for k := len(s.painted) - 1; k >= 0; k-- {
			a := &s.painted[k]
			if a.runs <= from+i && !r.clear && !r.light {
				break
			}
			over := a.meet(r.box())
			if over.empty() {
				continue
			}
			if picture = picture || a.picture; a.runs <= from+i {
				dark = dark || !a.white
			} else if a.solid && over == r.box() {
				why = asCovered
			}
		}
		if !picture && (r.clear || r.light && !dark) {
			why = asUnseen
		}
		twice := func(o run) bool { return o.text == r.text && math.Hypot(o.x-r.x, o.y-r.y) < 0.1*r.size }
		if why != "" && len(s.painted) <= maxAreas {
			s.leave(why, r)
		} else if !slices.ContainsFunc(kept[max(from, len(kept)-50):], twice) { // to look bold
			kept = append(kept, r)
		}
	}
	s.runs = kept
}

// on reports whether a layer is seen when the file is opened. One by an expression is taken to be.
func (f *pdfFile) on(v any) bool {
	d, hidden := f.dict(v), 0
	if d["OCGs"] != nil {
		v = d["OCGs"]
	}
	list := f.each(v)
	for _, g := range list {
		if r, ok := g.(ref); ok && f.hides[r] {
			hidden++
		}
	}
	switch rule := f.name(d["P"]); {
	case d["VE"] != nil:
		return true
	case rule == "AllOn":
		return hidden == 0
	case rule == "AnyOff":
		return hidden > 0
	case rule == "AllOff":
		return hidden == len(list)
	}
	return hidden < len(list)
}

// layers finds those that are switched off.
func (f *pdfFile) layers(all dict) {
	set := f.dict(all["D"])
	for i, list := range []any{all["OCGs"], set["ON"], set["OFF"]} {
		for _, v := range f.list(list) {
			if r, ok := v.(ref); ok {
				f.hides[r] = i == 2 || i == 0 && f.name(set["BaseState"]) == "OFF"
			}
		}
	}
}
