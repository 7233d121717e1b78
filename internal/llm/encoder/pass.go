package encoder

import (
	"context"
	"sync"

	"preceptor/internal/platform/fault"
)

const (
	tile   = 8  // tokens that meet a panel at once
	lanes  = 16 // numbers that are worked on at once
	few    = 4  // rows that mul takes at once
	block  = 32 // tokens that a matrix is applied to at once
	masked = -1e30
)

// scratch is the memory of a pass. Rows are filled up to a multiple of tile; what the filling holds is never read.
type scratch struct {
	codes          []uint8
	sums           []int32
	qkv, wide      []float32
	keys, weights  []float32
	context, other []float32
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// grow makes room for n numbers; what they hold is anything that was there before.
func grow[T any](s *[]T, n int) []T {
	if cap(*s) < n {
		*s = make([]T, n)
	}
	*s = (*s)[:n]
	return *s
}

func up(n, to int) int { return (n + to - 1) / to * to }

// read runs the layers over a window.
func (t *Trunk) read(ctx context.Context, layers []layer, w Window) (Reading, error) {
	n, width := len(w.Tokens), t.head.Width
	if n == 0 || n > t.head.Positions {
		return Reading{}, fault.New(fault.Invalid, "A window of %d tokens can't be read.", n)
	}
	for _, token := range w.Tokens {
		if token.ID < 0 || int(token.ID) >= t.head.Vocabulary || token.Segment > 1 {
			return Reading{}, fault.New(fault.Invalid, "The window isn't of %s.", t.head.Name)
		}
	}
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	x := make([]float32, up(n, tile)*width)
	t.embed(s, w, x)
	for i := range layers {
		if err := ctx.Err(); err != nil {
			return Reading{}, err
		}
		t.layer(s, &layers[i], x, n)
	}
	return Reading{Window: w, Width: width, Hidden: x[:n*width]}, nil
}

// embed begins with the sum of what stands for the word, its place and its segment.
func (t *Trunk) embed(s *scratch, w Window, x []float32) {
	width := t.head.Width
	rest := grow(&s.other, width)
	for i, token := range w.Tokens {
		row := x[i*width : (i+1)*width]
		t.words.row(int(token.ID), row, false)
		t.positions.row(i, rest, false)
		t.kinds.row(int(token.Segment), rest, true)
		t.kernel.norm(row, rest, t.first.scale, t.first.bias, float32(t.head.Epsilon))
	}
}

// row puts a row of the table into x, or adds it.
func (t *table) row(i int, x []float32, add bool) {
	scale := t.scale[i]
	for k, c := range t.codes[i*t.width : (i+1)*t.width] {
		if v := float32(float32(c) * scale); add {
			x[k] += v
		} else {
			x[k] = v
		}
	}
}

// layer runs one layer over x.
func (t *Trunk) layer(s *scratch, l *layer, x []float32, n int) {
	width, rows := t.head.Width, up(n, tile)
	t.dense(s, &l.qkv, x, grow(&s.qkv, rows*l.qkv.out), n)
	heads := grow(&s.context, rows*width)
	t.attend(s, heads, n)
	y := grow(&s.other, rows*width)
	t.dense(s, &l.out, heads, y, n)
	t.addNorm(x, y, l.afterHeads, n)
	inner := grow(&s.wide, rows*l.up.out)
	t.dense(s, &l.up, x, inner, n)
	t.kernel.gelu(inner[:n*l.up.out])
	t.dense(s, &l.down, inner, y, n)
	t.addNorm(x, y, l.afterInner, n)
}

func (t *Trunk) addNorm(x, y []float32, by norm, n int) {
	width := t.head.Width
	for i := range n {
		t.kernel.norm(x[i*width:(i+1)*width], y[i*width:(i+1)*width], by.scale, by.bias, float32(t.head.Epsilon))
	}
}

// dense gives the matrix times each of n rows of x, plus the bias.
func (t *Trunk) dense(s *scratch, d *dense, x, y []float32, n int) {
	for from := 0; from < n; from += block {
		to := min(from+block, n)
		t.denseBlock(s, d, x[from*d.in:], y[from*d.out:], to-from)
	}
}

// denseBlock is dense for so few rows that their sums stay near the processor.
func (t *Trunk) denseBlock(s *scratch, d *dense, x, y []float32, n int) {
	rows, row, k := up(n, tile), d.out, t.kernel
	codes := grow(&s.codes, 2*rows*d.in)
	rest := codes[rows*d.in:]
	if d.fine {
		row = 2 * d.out // those over codes, then those over what rounding left
	} else {
		rest = nil
	}
	sums := grow(&s.sums, rows*row)
	var scale [block]float32
	var zero [block]int32
	for i := range n {
		at := i * d.in
		scale[i], zero[i] = k.round(x[at:at+d.in], codes[at:at+d.in], rest[min(at, len(rest)):min(at+d.in, len(rest))])
	}
	for p := 0; p < d.out; p += panel {
		w := d.codes[p*d.in : (p+panel)*d.in]
		for i := 0; i < rows; i += tile {
			k.sums(w, codes[i*d.in:(i+tile)*d.in], sums[i*row+p:], row)
			if d.fine {
				k.sums(w, rest[i*d.in:(i+tile)*d.in], sums[i*row+d.out+p:], row)
			}
		}
	}
	for i := range n {
		both := sums[i*row : (i+1)*row]
		k.scale(both[:d.out], both[d.out:], y[i*d.out:(i+1)*d.out], d, scale[i], zero[i])
	}
}

// attend lets each token look at all, head by head.
func (t *Trunk) attend(s *scratch, out []float32, n int) {
	width, k := t.head.Width, t.kernel
	size, wide := width/t.head.Heads, 3*width
	columns, rows := up(n, lanes), up(n, few)
	keys, weights := grow(&s.keys, size*columns), grow(&s.weights, few*columns)
	for h := range t.head.Heads {
		query, key, value := s.qkv[h*size:], s.qkv[width+h*size:], s.qkv[2*width+h*size:]
		for j := range n {
			for d, v := range key[j*wide : j*wide+size] {
				keys[d*columns+j] = v
			}
		}
		for i := 0; i < rows; i += few {
			k.mul(query[i*wide:], wide, keys, columns, size, weights, columns, columns)
			var total [few]float32
			for r := range total {
				row := weights[r*columns : (r+1)*columns]
				for j := n; j < columns; j++ {
					row[j] = masked
				}
				total[r] = k.exp(row)
			}
			seen := out[i*width+h*size:]
			k.mul(weights, columns, value, wide, n, seen, width, size)
			for r, sum := range total {
				for d := range size {
					seen[r*width+d] /= sum
				}
			}
		}
	}
}
