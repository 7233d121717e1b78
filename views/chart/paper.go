package chart

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// The inks are the light theme's tokens of app.css.
var (
	inkPaper = color.NRGBA{255, 255, 255, 255}
	inkText  = color.NRGBA{0x1b, 0x1d, 0x1f, 255}
	inkSoft  = color.NRGBA{0x59, 0x5c, 0x60, 255}
	inkGrid  = color.NRGBA{0xdd, 0xdc, 0xd7, 255}
	inkBand  = color.NRGBA{0x0f, 0x54, 0x68, 48}
	inkTone  = map[string]color.NRGBA{"": inkSoft, "amber": {0x7d, 0x4a, 0, 255}, "green": {0x1a, 0x63, 0x38, 255},
		"red": {0xa1, 0x23, 0x1b, 255}}
	inkWash = map[string]color.NRGBA{"": {0xef, 0xef, 0xec, 255}, "amber": {0xfb, 0xf0, 0xdc, 255},
		"green": {0xe6, 0xf3, 0xea, 255}, "red": {0xfb, 0xea, 0xe8, 255}}
	strokes = map[Look]stroke{
		Now:    {ink: color.NRGBA{0x0f, 0x54, 0x68, 255}, width: 4},
		Ghost:  {ink: color.NRGBA{0x85, 0x85, 0x7f, 255}, width: 3, dash: 4, gap: 7},
		Target: {ink: inkSoft, width: 3, dash: 14, gap: 10},
		Second: {ink: color.NRGBA{0xb0, 0x7a, 0x2a, 255}, width: 4},
	}
)

type stroke struct {
	ink       color.NRGBA
	width     float64
	dash, gap float64 // 0: not dashed
}

// paper is a picture being drawn.
type paper struct {
	img   *image.RGBA
	faces map[faceKey]font.Face
}

type faceKey struct {
	size float64
	bold bool
}

var fonts = sync.OnceValues(func() (pair [2]*opentype.Font, err error) {
	for i, data := range [][]byte{goregular.TTF, gobold.TTF} {
		if pair[i], err = opentype.Parse(data); err != nil {
			return pair, err
		}
	}
	return pair, nil
})

func newPaper(w, h int) (*paper, error) {
	pair, err := fonts()
	if err != nil {
		return nil, err
	}
	p := &paper{img: image.NewRGBA(image.Rect(0, 0, w, h)), faces: map[faceKey]font.Face{}}
	for _, size := range []float64{pngLegend, pngText, pngTitle} {
		for i, f := range pair {
			if p.faces[faceKey{size, i == 1}], err = opentype.NewFace(f,
				&opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingNone}); err != nil {
				return nil, err
			}
		}
	}
	draw.Draw(p.img, p.img.Bounds(), image.NewUniform(inkPaper), image.Point{}, draw.Src)
	return p, nil
}

// crop is the picture down to height.
func (p *paper) crop(height int) image.Image {
	return p.img.SubImage(image.Rect(0, 0, p.img.Bounds().Dx(), min(height, p.img.Bounds().Dy())))
}

// fill paints the outline, given as x, y pairs.
func (p *paper) fill(outline []fixedPoint, ink color.NRGBA) {
	if len(outline) < 3 {
		return
	}
	// The rasteriser works on the part that the outline covers, and no more.
	box := image.Rectangle{Min: image.Pt(math.MaxInt32, math.MaxInt32), Max: image.Pt(math.MinInt32, math.MinInt32)}
	for _, q := range outline {
		box.Min.X, box.Min.Y = min(box.Min.X, int(math.Floor(q.x))), min(box.Min.Y, int(math.Floor(q.y)))
		box.Max.X, box.Max.Y = max(box.Max.X, int(math.Ceil(q.x))+1), max(box.Max.Y, int(math.Ceil(q.y))+1)
	}
	box = box.Intersect(p.img.Bounds())
	if box.Empty() {
		return
	}
	r := vector.NewRasterizer(box.Dx(), box.Dy())
	at := func(q fixedPoint) (float32, float32) {
		return float32(q.x - float64(box.Min.X)), float32(q.y - float64(box.Min.Y))
	}
	x, y := at(outline[0])
	r.MoveTo(x, y)
	for _, q := range outline[1:] {
		x, y = at(q)
		r.LineTo(x, y)
	}
	r.ClosePath()
	r.Draw(p.img, box, image.NewUniform(ink), image.Point{})
}

type fixedPoint struct{ x, y float64 }

func (p *paper) rect(x, y, w, h float64, ink color.NRGBA) {
	if w > 0 && h > 0 {
		p.fill([]fixedPoint{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}, ink)
	}
}

func (p *paper) disc(x, y, r float64, ink color.NRGBA) {
	const sides = 32
	outline := make([]fixedPoint, sides)
	for i := range outline {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / sides)
		outline[i] = fixedPoint{x + r*cos, y + r*sin}
	}
	p.fill(outline, ink)
}

func (p *paper) line(x1, y1, x2, y2, width float64, ink color.NRGBA) {
	long := math.Hypot(x2-x1, y2-y1)
	if long == 0 {
		return
	}
	dx, dy := (x2-x1)/long*width/2, (y2-y1)/long*width/2
	p.fill([]fixedPoint{{x1 - dy, y1 + dx}, {x2 - dy, y2 + dx}, {x2 + dy, y2 - dx}, {x1 + dy, y1 - dx}}, ink)
}

func (p *paper) polygon(list []dot, px, py func(float64) float64, ink color.NRGBA) {
	outline := make([]fixedPoint, len(list))
	for i, d := range list {
		outline[i] = fixedPoint{px(d.X), py(d.Y)}
	}
	p.fill(outline, ink)
}

// polyline draws a line with round joints, dashed along its whole length.
func (p *paper) polyline(list []dot, px, py func(float64) float64, st stroke) {
	phase := 0.0 // how far into a dash and its gap
	for i := 1; i < len(list); i++ {
		x1, y1, x2, y2 := px(list[i-1].X), py(list[i-1].Y), px(list[i].X), py(list[i].Y)
		if st.dash == 0 {
			p.line(x1, y1, x2, y2, st.width, st.ink)
			p.disc(x2, y2, st.width/2, st.ink)
			continue
		}
		long, period := math.Hypot(x2-x1, y2-y1), st.dash+st.gap
		for at := 0.0; at < long; {
			left := st.dash - phase
			on := left > 0
			if !on {
				left = period - phase
			}
			to := min(long, at+left)
			if on {
				p.line(x1+(x2-x1)*at/long, y1+(y2-y1)*at/long, x1+(x2-x1)*to/long, y1+(y2-y1)*to/long, st.width, st.ink)
			}
			phase = math.Mod(phase+(to-at), period)
			if to-at < 1e-6 {
				phase = 0 // a rest too small to move on
				to = at + 1e-3
			}
			at = to
		}
	}
}

func (p *paper) width(s string, size float64) float64 {
	return float64(font.MeasureString(p.faces[faceKey{size, false}], s)) / 64
}

// label writes one line with its base at y; align is which part of it stands at x, from 0 (its start) to 1 (its end).
// It gives where the text ends.
func (p *paper) label(x, y float64, s string, size float64, ink color.NRGBA, align float64) float64 {
	w := p.width(s, size)
	p.write(x-w*align, y, s, size, ink, false)
	return x - w*align + w
}

func (p *paper) write(x, y float64, s string, size float64, ink color.NRGBA, bold bool) {
	d := font.Drawer{Dst: p.img, Src: image.NewUniform(ink), Face: p.faces[faceKey{size, bold}],
		Dot: fixed.Point26_6{X: fixed.Int26_6(x * 64), Y: fixed.Int26_6(y * 64)}}
	d.DrawString(s)
}

// cut shortens a text to what has room.
func (p *paper) cut(s string, size, room float64) string {
	if p.width(s, size) <= room {
		return s
	}
	r := []rune(s)
	for len(r) > 1 && p.width(string(r)+"…", size) > room {
		r = r[:len(r)-1-len(r)/20]
	}
	return string(r) + "…"
}

// paragraph writes a text in lines of at most width and gives where it ends.
func (p *paper) paragraph(x, y, width float64, s string, size float64, ink color.NRGBA, bold bool) float64 {
	face := p.faces[faceKey{size, bold}]
	line := ""
	put := func() {
		if line != "" {
			y += size * 1.35
			p.write(x, y-size*0.35, line, size, ink, bold)
		}
		line = ""
	}
	for _, word := range strings.Fields(s) {
		longer := word
		if line != "" {
			longer = line + " " + word
		}
		if float64(font.MeasureString(face, longer))/64 > width {
			put()
			longer = p.cut(word, size, width)
		}
		line = longer
	}
	put()
	return y
}
