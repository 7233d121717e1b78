package pdf

import (
	"math"
	"strings"
	"unicode"

	"preceptor/internal/platform/text/sign"
)

// raise gives small text above the line beside it the form that it reads in.
func (s *sheet) raise() {
	over := func(r, base run) bool {
		up := r.y - base.y
		return r.page == base.page && r.size < 0.85*base.size && up > 0.15*base.size && up < 0.7*base.size &&
			math.Max(r.x, base.x)-math.Min(r.end, base.end) < base.size
	}
	var last run
	for i := range s.runs {
		r := &s.runs[i]
		if strings.TrimSpace(r.text) == "" {
			continue
		}
		was := *r
		switch {
		case over(was, last):
			r.text, r.y, r.size = sign.Raised(last.text, r.text), last.y, last.size
			last.text, last.end = last.text+r.text, r.end
			continue
		case i+1 < len(s.runs) && over(was, s.runs[i+1]):
			r.text, r.y, r.size = sign.Raised("", r.text), s.runs[i+1].y, s.runs[i+1].size
		}
		last = was
	}
}

// show sets strings, with the numbers that move them.
func (c *drawing) show(list []any) {
	if c.font == nil {
		return
	}
	var b strings.Builder
	place := func() matrix {
		return matrix{c.size * c.stretch, 0, 0, c.size, 0, c.rise}.times(c.tm).times(c.ctm)
	}
	at := place()
	moved, wide := 0.0, c.tm.times(c.ctm)[0]
	var starts []float32
	write := func(s string) {
		for _, r := range s {
			if r == '\u00ad' || r == '\ufeff' || r == '\u200b' || unicode.IsControl(r) && r != '\t' {
				continue
			}
			b.WriteRune(r)
			for len(starts) < b.Len() {
				starts = append(starts, float32(moved*wide))
			}
		}
	}
	for _, v := range list {
		switch v := v.(type) {
		case float64:
			if v < -180 && b.Len() > 0 && !strings.HasSuffix(b.String(), " ") {
				write(" ")
			}
			moved -= v / 1000 * c.size * c.stretch
		case text:
			for _, code := range c.font.codes(v) {
				c.s.f.step()
				s, ok := c.font.chars[code]
				switch {
				case !ok:
					c.s.unknown++
					if (c.font.widths[code] > 0 || code > 0 && c.font.size > 1) &&
						!strings.HasSuffix(strings.TrimSpace(b.String()), sign.NoText) {
						s = sign.NoText
					}
				case strings.TrimSpace(s) != "":
					c.s.known++
				}
				write(s)
				w := c.font.width(code)*c.size + c.char
				if code == 32 && c.font.size == 1 {
					w += c.word
				}
				moved += w * c.stretch
			}
		}
	}
	c.tm = matrix{1, 0, 0, 1, moved, 0}.times(c.tm)
	to := place()
	size := math.Hypot(at[2], at[3])
	if size == 0 || math.IsNaN(size) || b.Len() == 0 {
		return // no content
	}
	r := run{page: c.page, mcid: c.mark(), x: at[4], y: at[5], end: to[4], size: size, bold: c.font.bold,
		text: b.String(), at: starts, clear: math.Mod(c.mode, 4) == 3 || c.clear, light: c.light && c.mode == 0}
	switch {
	case r.mcid == artifact:
		c.s.leave(asMargin, r)
	case r.mcid == off:
		c.s.leave(asOff, r)
	case math.Abs(at[1]) > math.Abs(at[0])*0.3:
		if c.across++; at[1] < 0 {
			c.across -= 2
		}
		c.s.leave(asTurned, r)
	case r.box().meet(c.clip).empty():
		c.s.leave(asOutside, r)
	default:
		c.s.runs = append(c.s.runs, r)
	}
}
