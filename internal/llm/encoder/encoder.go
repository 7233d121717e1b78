// Package encoder reads texts with a small public encoder of the BERT family, in Go, on one core a pass.
//
// A Trunk is such an encoder as it was published. A Branch shares its lower layers and may have upper layers of its
// own, tuned to a task, and heads: linear layers that turn a reading into numbers with names. Files come from
// tools/encoder/export.py.
//
// Weights are bytes with a scale a row. What meets them is rounded to bytes as it comes, each token with a range of its
// own; to two bytes where it comes from a layer norm, in which a few columns are far larger than the rest (with one
// byte the worst of 200 texts had a cosine of 0.9989 with onnxruntime's, with two it has 0.9995; the mean is 0.9998).
// Sums of products are whole numbers and all else is done in one order, so that plain.go and the assembler give the
// same bits on every processor.
//
// Of 12 layers and 250 tokens a pass takes 60 to 80 ms of one core (EPYC of 2022) with AVX-512 VNNI, 130 to 190 with
// AVX2 and 4 to 6 s in plain Go; of 6 layers 36 ms with VNNI.
package encoder

import (
	"context"
	"slices"

	"preceptor/internal/platform/fault"
)

// Trunk is safe for concurrent use.
type Trunk struct {
	head       Header
	vocabulary *vocabulary
	words      table
	positions  table
	kinds      table // of the segments
	first      norm
	layers     []layer
	kernel     *kernel
}

// Branch is safe for concurrent use.
type Branch struct {
	trunk  *Trunk
	head   Header
	layers []layer // all, the trunk's and its own
	heads  []Head
}

// Head is a linear layer on a reading's vector.
type Head struct {
	Output
	weight, bias []float32
}

// Load reads a trunk's file. Its weights stay where b is; b must not change afterwards.
func Load(b []byte) (*Trunk, error) {
	h, p, err := open(b, "trunk")
	if err != nil {
		return nil, err
	}
	if h.First != 0 || h.Positions < 8 || h.Positions > 1<<16 || h.Vocabulary < 3 || h.Vocabulary > 1<<20 {
		return nil, fault.New(fault.Invalid, "This isn't an encoder's trunk: its vocabulary or positions can't be.")
	}
	text := p.bytes(h.VocabularyBytes)
	t := &Trunk{head: h, kernel: kernels()[0]}
	t.words, t.positions, t.kinds = p.table(h.Vocabulary, h.Width), p.table(h.Positions, h.Width), p.table(2, h.Width)
	t.first, t.layers = p.norm(h.Width), p.layers(h)
	if err := p.finish(h.Kind); err != nil {
		return nil, err
	}
	t.vocabulary, err = readVocabulary(h, text)
	return t, err
}

// Header is what the trunk's file says of itself.
func (t *Trunk) Header() Header { return t.head }

// Branch reads the file of a branch of this trunk.
func (t *Trunk) Branch(b []byte) (*Branch, error) {
	h, p, err := open(b, "branch")
	if err != nil {
		return nil, err
	}
	own := h.Layers > h.First
	switch {
	case h.Trunk != t.head.Name:
		return nil, fault.New(fault.Invalid, "The encoder's branch %s is of %q, not of %q.", h.Name, h.Trunk,
			t.head.Name)
	case h.First > t.head.Layers, own && (h.Width != t.head.Width || h.Heads != t.head.Heads || h.Inner > t.head.Inner):
		return nil, fault.New(fault.Invalid, "The encoder's branch %s doesn't fit on %s.", h.Name, t.head.Name)
	}
	out := &Branch{trunk: t, head: h, layers: slices.Clone(t.layers[:h.First])}
	if own {
		out.layers = append(out.layers, p.layers(h)...)
	}
	out.heads = p.heads(h.Outputs)
	if err := p.finish(h.Kind); err != nil {
		return nil, err
	}
	return out, nil
}

func (p *parts) heads(of []Output) (out []Head) {
	for _, o := range of {
		out = append(out, Head{o, p.floats(o.Inputs * len(o.Names)), p.floats(len(o.Names))})
	}
	return out
}

// Head gives a head by its name.
func (b *Branch) Head(name string) (Head, bool) {
	i := slices.IndexFunc(b.heads, func(h Head) bool { return h.Name == name })
	if i < 0 {
		return Head{}, false
	}
	return b.heads[i], true
}

// Apply gives the head's numbers for a vector, in the order of its names; the vector's length must be the head's
// Inputs.
func (h Head) Apply(vec []float32) []float32 {
	out := slices.Clone(h.bias)
	for i := range out {
		var sum float32
		for k, w := range h.weight[i*h.Inputs : (i+1)*h.Inputs] {
			sum += float32(w * vec[k])
		}
		out[i] += sum
	}
	return out
}

// Reading is what an encoder made of a window: a vector for each token.
type Reading struct {
	Window Window
	Width  int
	Hidden []float32 // a row of Width for each token
}

// Token is the vector of the i-th token.
func (r Reading) Token(i int) []float32 { return r.Hidden[i*r.Width : (i+1)*r.Width] }

// Pool is the mean of all tokens, marks included.
func (r Reading) Pool() []float32 {
	out := make([]float32, r.Width)
	for i := range r.Window.Tokens {
		for k, v := range r.Token(i) {
			out[k] += v
		}
	}
	for k := range out {
		out[k] /= float32(len(r.Window.Tokens))
	}
	return out
}

// Sides are the mean of all tokens, that of the text with the marks, and that of its pair, one after another.
func (r Reading) Sides() []float32 {
	out, of := make([]float32, 3*r.Width), [2]int{}
	for i, t := range r.Window.Tokens {
		side := 0
		if t.Segment == 1 && !t.Mark {
			side = 1
		}
		of[side]++
		for k, v := range r.Token(i) {
			out[k] += v
			out[(1+side)*r.Width+k] += v
		}
	}
	for k := range out {
		n := [3]int{of[0] + of[1], of[0], of[1]}[k/r.Width]
		out[k] /= float32(max(n, 1))
	}
	return out
}

// Read reads a window with the trunk as it was published. It fails only when ctx ends.
func (t *Trunk) Read(ctx context.Context, w Window) (Reading, error) { return t.read(ctx, t.layers, w) }

// Read reads a window through the branch.
func (b *Branch) Read(ctx context.Context, w Window) (Reading, error) {
	return b.trunk.read(ctx, b.layers, w)
}

// Between is the mean of the tokens that stand for bytes of the text between from and to; 0 where there are none.
func (r Reading) Between(from, to int) []float32 {
	out, n := make([]float32, r.Width), 0
	for i, t := range r.Window.Tokens {
		if !t.Mark && t.From >= from && t.To <= to {
			n++
			for k, v := range r.Token(i) {
				out[k] += v
			}
		}
	}
	for k := range out {
		out[k] /= float32(max(n, 1))
	}
	return out
}
