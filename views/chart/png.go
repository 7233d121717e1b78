package chart

import (
	"image/png"
	"io"
	"strconv"
)

// The picture's measures, in pixels.
const (
	pngWidth  = 1200
	pngEdge   = 40
	pngLeft   = 84 // room for the vertical axis
	pngPlot   = 420
	pngSmall  = 170
	pngRow    = 62 // one bar
	pngTitle  = 30
	pngText   = 20
	pngLegend = 18
)

// WritePNG writes the chart as a picture, 1200 pixels wide, in the light theme: title, sentence, drawing, legend, and
// foot, which says where it comes from and of when it is.
func (c Chart) WritePNG(w io.Writer, foot string) error {
	p, err := newPaper(pngWidth, c.tallest())
	if err != nil {
		return err
	}
	y := float64(pngEdge)
	y = p.paragraph(pngEdge, y, pngWidth-2*pngEdge, c.Title, pngTitle, inkText, true) + 6
	if c.Empty() {
		y = p.paragraph(pngEdge, y, pngWidth-2*pngEdge, "No data", pngText, inkSoft, false)
	} else {
		y = p.paragraph(pngEdge, y, pngWidth-2*pngEdge, c.Says, pngText, inkText, false) + 16
		y = p.body(c, y)
	}
	for i, m := range c.Marks {
		y = p.paragraph(pngEdge, y+4, pngWidth-2*pngEdge, strconv.Itoa(i+1)+". "+m.Label, pngText, inkText, false)
	}
	if c.Note != "" {
		y = p.paragraph(pngEdge, y+8, pngWidth-2*pngEdge, c.Note, pngLegend, inkSoft, false)
	}
	y += 20
	p.line(pngEdge, y, pngWidth-pngEdge, y, 1, inkGrid)
	y = p.paragraph(pngEdge, y+10, pngWidth-2*pngEdge, foot, pngLegend, inkSoft, false)
	return png.Encode(w, p.crop(int(y)+pngEdge/2))
}

// tallest is a height in which the chart has room; what is left over is cut off.
func (c Chart) tallest() int {
	h := 700 + 60*len(c.Marks) + (len(c.Says)+len(c.Note))/2
	switch {
	case c.Bars != nil:
		h += pngRow * len(c.Bars.drawn())
	case c.Multi != nil:
		h += 300 * len(c.Multi.Panels)
	default:
		h += pngPlot
	}
	return min(h, 12_000)
}

func (p *paper) body(c Chart, y float64) float64 {
	switch {
	case c.Line != nil:
		y = p.plot(c.Line.lay(c.Line.axis(), c.Marks), y+14, pngPlot)
		return p.legend(*c.Line, y)
	case c.Bars != nil:
		return p.bars(*c.Bars, y)
	case c.Multi != nil:
		for i, m := range c.Multi.Panels {
			y = p.paragraph(pngEdge, y, pngWidth-2*pngEdge, m.Name, pngText, inkText, true) + 12
			if m.Line.empty() {
				y = p.paragraph(pngEdge, y, pngWidth-2*pngEdge, "No data", pngText, inkSoft, false) + 16
				continue
			}
			y = p.plot(m.Line.lay(c.Multi.axisOf(i), c.marksOf(m.Name)), y, pngSmall) + 8
		}
		if len(c.Multi.Panels) > 0 {
			return p.legend(c.Multi.Panels[0].Line, y)
		}
	}
	return y
}

// plot draws a line chart with its axes below y and gives where it ends.
func (p *paper) plot(l plot, y, height float64) float64 {
	const left, width = pngEdge + pngLeft, pngWidth - 2*pngEdge - pngLeft
	px := func(v float64) float64 { return left + v*width }
	py := func(v float64) float64 { return y + v*height }
	for _, b := range l.Boxes {
		p.rect(px(b.X), y, b.W*width, height, inkWash[b.Tone])
	}
	for _, t := range l.Y {
		p.line(left, py(t.At), left+width, py(t.At), 1, inkGrid)
		p.label(left-12, py(t.At)+6, t.Label, pngLegend, inkSoft, 1)
	}
	for _, t := range l.X {
		p.label(px(t.At), y+height+28, t.Label, pngLegend, inkSoft, 0.5)
	}
	for _, band := range l.Bands {
		p.polygon(band, px, py, inkBand)
	}
	for _, r := range l.Runs {
		st := strokes[r.Look]
		p.polyline(r.Points, px, py, st)
	}
	for _, d := range l.Dots {
		p.disc(px(d.X), py(d.Y), 5, strokes[d.Look].ink)
	}
	for _, b := range l.Boxes {
		p.disc(px(b.X+b.W/2), y, 14, inkTone[b.Tone])
		p.label(px(b.X+b.W/2), y+6, b.No, pngLegend, inkPaper, 0.5)
	}
	return y + height + 48
}

func (p *paper) legend(l Line, y float64) float64 {
	x := float64(pngEdge + pngLeft)
	for _, s := range l.Series {
		p.polyline([]dot{{X: x, Y: y}, {X: x + 34, Y: y}}, same, same, strokes[s.Look])
		x = p.label(x+42, y+6, s.Name, pngLegend, inkSoft, 0) + 28
		if s.Band {
			p.rect(x, y-9, 34, 18, inkBand)
			x = p.label(x+42, y+6, s.span(), pngLegend, inkSoft, 0) + 28
		}
	}
	return y + 24
}

func same(v float64) float64 { return v }

func (p *paper) bars(b Bars, y float64) float64 {
	axis := b.axis()
	const width = pngWidth - 2*pngEdge
	for _, r := range b.drawn() {
		value := "No data"
		if !r.None {
			value = b.Unit.Text(r.Value) + "  " + r.note(b)
		}
		end := p.width(value, pngLegend)
		p.label(pngEdge, y+18, p.cut(r.Name, pngText, width-end-30), pngText, inkText, 0)
		p.label(pngWidth-pngEdge, y+18, value, pngLegend, inkSoft, 1)
		mid := y + 38
		p.line(pngEdge, mid, pngEdge+width, mid, 1, inkGrid)
		if !r.None {
			p.rect(pngEdge, mid-8, axis.At(r.Value)*width, 16, strokes[Now].ink)
			if r.High > r.Low {
				lo, hi := pngEdge+axis.At(r.Low)*width, pngEdge+axis.At(r.High)*width
				p.line(lo, mid, hi, mid, 2, inkText)
				p.line(lo, mid-6, lo, mid+6, 2, inkText)
				p.line(hi, mid-6, hi, mid+6, 2, inkText)
			}
		}
		if r.Before != nil && !r.Before.None {
			x := pngEdge + axis.At(r.Before.Value)*width
			p.line(x, mid-13, x, mid+13, 3, inkSoft)
		}
		y += pngRow
	}
	return p.paragraph(pngEdge, y, width, b.reads(), pngLegend, inkSoft, false)
}
