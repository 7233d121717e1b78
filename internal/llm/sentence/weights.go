package sentence

import (
	_ "embed"
	"encoding/binary"
	"math"
	"sync"
)

//go:embed weights.bin
var packed []byte

const (
	magic    = "preceptor sentence 1\n"
	narrow   = 256 // numbers a piece has before the first layer
	wide     = 512 // and after
	hidden   = 1536
	heads    = 4
	maxPiece = 128  // pieces read in one pass
	numbered = 8002 // pieces that have numbers: the vocabulary and two that stand for none
)

// norm is a layer norm.
type norm struct{ scale, bias []float32 }

// layer is one of the transformer's two.
type layer struct {
	before        norm
	qkv, out      dense
	between       norm
	first, second dense
}

// weights is all that weights.bin holds. The matrices lie in the program's own memory; only the small parts are copied.
type weights struct {
	pieces pieces
	embed  dense // of each piece; no bias
	timing []float32
	adjust dense // lifts the first layer's input to its output's width
	layers [2]layer
	last   dense
}

// loaded reads the weights when they are first needed.
var loaded = sync.OnceValue(func() *weights { return readWeights(packed) })

// reader takes the parts of the file in the order in which pack wrote them.
type partReader struct{ rest []byte }

func (r *partReader) bytes(n int) []byte {
	out := r.rest[:n:n]
	r.rest = r.rest[n:]
	return out
}

func (r *partReader) floats(n int) []float32 {
	b := r.bytes(4 * n)
	out := make([]float32, n)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out
}

func (r *partReader) matrix(in, out int) dense {
	return dense{in: in, out: out, codes: r.bytes(in * out), scale: r.floats(out)}
}

func (r *partReader) dense(in, out int) dense {
	d := r.matrix(in, out)
	d.bias = r.floats(out)
	return d
}

func (r *partReader) norm(n int) norm { return norm{r.floats(n), r.floats(n)} }

func (r *partReader) layer(in int) layer {
	return layer{
		before: r.norm(in), qkv: r.dense(in, 3*in), out: r.dense(in, wide),
		between: r.norm(wide), first: r.dense(wide, hidden), second: r.dense(hidden, wide),
	}
}

// readWeights panics on a file that pack did not write: it is part of the program, and a test reads it.
func readWeights(b []byte) *weights {
	r := &partReader{b}
	if string(r.bytes(len(magic))) != magic {
		panic("sentence: weights.bin is of another version")
	}
	w := &weights{pieces: readPieces(r)}
	w.embed = r.matrix(narrow, numbered)
	w.timing = r.floats(narrow / 2)
	w.adjust = r.dense(narrow, wide)
	w.layers = [2]layer{r.layer(narrow), r.layer(wide)}
	w.last = r.dense(wide, wide)
	if len(r.rest) > 0 {
		panic("sentence: weights.bin is longer than its parts")
	}
	return w
}
