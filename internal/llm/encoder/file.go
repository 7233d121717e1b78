package encoder

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"strings"
	"sync"
	"unsafe"

	"preceptor/internal/platform/fault"
)

// A file is magic, the header's length in four bytes, the header in JSON, and the parts in a fixed order, each at a
// multiple of align. tools/encoder/export.py writes it. Numbers are little-endian.
const (
	magic = "preceptor encoder 1\n"
	align = 64
	panel = 32 // rows of a matrix that lie together: for each four columns, the four numbers of every row
)

// Header says what a file holds.
type Header struct {
	Kind    string  `json:"kind"` // trunk or branch
	Name    string  `json:"name"`
	Source  string  `json:"source"`
	Licence string  `json:"licence"`
	Trunk   string  `json:"trunk"` // the name of a branch's trunk
	First   int     `json:"first"` // the first layer that the file holds
	Layers  int     `json:"layers"`
	Width   int     `json:"width"`
	Heads   int     `json:"heads"`
	Rank    int     `json:"rank"` // of an adapter's matrices
	Inner   int     `json:"inner"`
	Epsilon float64 `json:"epsilon"`

	Lower           bool `json:"lower"`
	Positions       int  `json:"positions"`
	Vocabulary      int  `json:"vocabulary"`
	VocabularyBytes int  `json:"vocabulary_bytes"`

	Outputs []Output `json:"outputs"`
}

// Output describes a head of a branch: what it calls its numbers, and how many numbers it reads.
type Output struct {
	Name   string   `json:"name"`
	Names  []string `json:"names"`
	Inputs int      `json:"inputs"`
}

// table is rows to look up, each of bytes with a scale of its own.
type table struct {
	width int
	codes []int8
	scale []float32
}

// dense is a matrix in panels, each row with a scale, the sum of its codes and a bias.
type dense struct {
	in, out     int
	codes       []int8
	sums        []int32
	scale, bias []float32
	fine        bool // what it is applied to is rounded to two bytes
}

type norm struct{ scale, bias []float32 }

type layer struct {
	qkv, out   dense
	afterHeads norm
	up, down   dense
	afterInner norm
}

// parts takes the parts of a file in their order. After one is missing all are empty, and short is true.
type parts struct {
	all   []byte
	at    int
	short bool
}

func (p *parts) bytes(n int) []byte {
	at := (p.at + align - 1) / align * align
	if p.short || n < 0 || at > len(p.all) || n > len(p.all)-at {
		p.short = true
		return nil
	}
	p.at = at + n
	return p.all[at:p.at:p.at]
}

// codes lie where the file lies: they aren't copied.
func (p *parts) codes(n int) []int8 {
	b := p.bytes(n)
	if len(b) == 0 {
		return nil
	}
	return unsafe.Slice((*int8)(unsafe.Pointer(&b[0])), len(b))
}

func (p *parts) ints(n int) []int32 {
	b := p.bytes(4 * n)
	out := make([]int32, len(b)/4)
	for i := range out {
		out[i] = int32(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out
}

func (p *parts) floats(n int) []float32 {
	b := p.bytes(4 * n)
	out := make([]float32, len(b)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out
}

func (p *parts) table(rows, width int) table {
	return table{width: width, codes: p.codes(rows * width), scale: p.floats(rows)}
}

func (p *parts) dense(in, out int) dense {
	d := dense{in: in, out: out, codes: p.codes(in * out), sums: p.ints(out)}
	d.scale, d.bias = p.floats(out), p.floats(out)
	return d
}

func (p *parts) norm(n int) norm { return norm{p.floats(n), p.floats(n)} }

func (p *parts) layers(h Header) []layer {
	out := make([]layer, h.Layers-h.First)
	for i := range out {
		out[i] = layer{
			qkv: p.dense(h.Width, 3*h.Width), out: p.dense(h.Width, h.Width), afterHeads: p.norm(h.Width),
			up: p.dense(h.Width, h.Inner), down: p.dense(h.Inner, h.Width), afterInner: p.norm(h.Width),
		}
		out[i].qkv.fine, out[i].up.fine = true, true // they meet layer norms, where a few columns are large
	}
	return out
}

// open reads a file's header and says whether its sizes are ones that can be computed with.
func open(b []byte, kind string) (Header, *parts, error) {
	var h Header
	bad := func(why string) (Header, *parts, error) {
		return h, nil, fault.New(fault.Invalid, "This isn't an encoder's %s: %s.", kind, why)
	}
	if !bytes.HasPrefix(b, []byte(magic)) {
		return bad("it begins with something else than " + strings.TrimSpace(magic))
	}
	b4 := b[len(magic):]
	if len(b4) < 4 || uint64(binary.LittleEndian.Uint32(b4)) > uint64(len(b4)-4) {
		return bad("it ends within its header")
	}
	end := len(magic) + 4 + int(binary.LittleEndian.Uint32(b4))
	if err := json.Unmarshal(b[len(magic)+4:end], &h); err != nil {
		return bad("its header can't be read, " + err.Error())
	}
	if h.Kind != kind {
		return bad("it is a " + h.Kind)
	}
	for _, o := range h.Outputs {
		if o.Name == "" || len(o.Names) == 0 || o.Inputs < 1 || o.Inputs > 1<<16 {
			return bad("a head has no name, no outputs or no inputs")
		}
	}
	if h.First < 0 || h.Layers < max(1, h.First) || h.Layers > 64 {
		return bad("its layers can't be")
	}
	if h.First == h.Layers || kind == "adapter" {
		return h, &parts{all: b, at: end}, nil // no layers of its own
	}
	wrong := func(n, most int) bool { return n < panel || n > most || n%panel != 0 }
	if wrong(h.Width, 4096) || wrong(h.Inner, 16384) {
		return bad("its widths can't be")
	}
	if h.Heads < 1 || h.Width%h.Heads != 0 || h.Width/h.Heads%lanes != 0 {
		return bad("its heads can't be")
	}
	return h, &parts{all: b, at: end}, nil
}

// finish says whether all parts were there, and nothing else.
func (p *parts) finish(kind string) error {
	switch {
	case p.short:
		return fault.New(fault.Invalid, "The encoder's %s ends before its last part.", kind)
	case len(p.all)-p.at >= align:
		return fault.New(fault.Invalid, "The encoder's %s goes on after its last part.", kind)
	}
	return nil
}

// Part is a file that is part of the program, read at the first call. One that can't be read stops the program: a test
// of its package reads it.
func Part[T any](name string, file []byte, read func([]byte) (T, error)) func() T {
	return sync.OnceValue(func() T {
		b, err := Unpacked(file)
		if err == nil {
			var out T
			if out, err = read(b); err == nil {
				return out
			}
		}
		panic(name + ": " + err.Error())
	})
}

// Unpacked is a file as tools/encoder writes it, of that or of what gzip made of it, which is a tenth smaller.
func Unpacked(b []byte) ([]byte, error) {
	if !bytes.HasPrefix(b, []byte{0x1f, 0x8b}) {
		return b, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
