package search

import (
	"math"
	"math/rand/v2"
)

// surety is how many standard errors above its estimate a cosine is believed to lie at most. At 2.8 one in four hundred
// of those that lie exactly at the limit is passed over, and next to none of those above it.
const surety = 2.8

// levels are what the four codes of a number stand for, and cut where the outer ones begin: Max's quantiser of two bits for
// normal numbers (IRE Trans. Inf. Theory 1960), which the turned numbers nearly are.
var levels = [4]float32{-1.510, -0.4528, 0.4528, 1.510}

const cut = 0.9816

// rotation turns vectors by a fixed random orthogonal map, so that each number tells equally much whatever the embedder:
// one that fills a few places only would leave nothing in the codes of the others. It is made of two rounds of random signs,
// a random order, and Hadamard transforms of blocks.
type rotation struct {
	dims, block int
	signs       [2][]float32
	order       [2][]uint16
}

func newRotation(dims int) *rotation {
	r := &rotation{dims: dims, block: dims & -dims}
	random := rand.New(rand.NewPCG(uint64(dims), 0x5ea4c4))
	for round := range r.signs {
		r.order[round] = make([]uint16, dims) // vec0's longest vector has 8,192 numbers
		for i, from := range random.Perm(dims) {
			r.order[round][i] = uint16(from)
		}
		r.signs[round] = make([]float32, dims)
		for i := range dims {
			r.signs[round][i] = float32(1-2*random.IntN(2)) / float32(math.Sqrt(float64(r.block)))
		}
	}
	return r
}

// turn puts v, turned, into out; scratch is as long as they are.
func (r *rotation) turn(v, out, scratch []float32) {
	for round := range r.signs {
		order := r.order[round]
		signs, to := r.signs[round][:len(order)], scratch[:len(order)]
		for i, from := range order {
			to[i] = v[from] * signs[i]
		}
		for at := 0; at < r.dims; at += r.block {
			hadamard(scratch[at : at+r.block])
		}
		copy(out, scratch)
		v = out
	}
}

// hadamard is the unscaled transform in place; the length is a power of two.
func hadamard(v []float32) {
	half := 1
	if len(v) >= 4 { // two steps in one, for the loops of the first ones are short
		for at := 0; at < len(v); at += 4 {
			q := (*[4]float32)(v[at:])
			a, b, c, d := q[0]+q[1], q[0]-q[1], q[2]+q[3], q[2]-q[3]
			q[0], q[1], q[2], q[3] = a+c, b+d, a-c, b-d
		}
		half = 4
	}
	for ; half < len(v); half *= 2 {
		for at := 0; at < len(v); at += 2 * half {
			a, b := v[at:at+half], v[at+half:at+2*half]
			b = b[:len(a)]
			for i, x := range a {
				y := b[i]
				a[i], b[i] = x+y, x-y
			}
		}
	}
}

// coder makes codes of vectors: two bits for each turned number, two numbers to a group. It is for one goroutine.
type coder struct {
	*rotation
	groups          int // of two numbers, an even count
	turned, scratch []float32
}

func newCoder(r *rotation) *coder {
	return &coder{rotation: r, groups: groupsOf(r.dims), turned: make([]float32, r.dims), scratch: make([]float32, r.dims)}
}

func groupsOf(dims int) int { return (dims + 3) / 4 * 2 }

// trust says how an estimate is made of a code (after RaBitQ, Gao and Long, SIGMOD 2024): the scalar product of code and
// question, divided by the code's own product with its vector, is the cosine without bias; miss is the standard error.
type trust struct {
	scale float32 // 1 / <code, vector>
	miss  float32
}

// encode writes the code of v, of length 1, a group a byte, into groups.
func (c *coder) encode(v []float32, groups []byte) trust {
	c.turn(v, c.turned, c.scratch)
	clear(groups)
	root := float32(math.Sqrt(float64(c.dims)))
	var own, length float64
	for i, x := range c.turned {
		code := byte(math.Float32bits(x)>>31) ^ 1 // whether it is positive
		out := byte(0)
		if x*x*root*root >= cut*cut {
			out = 1
		}
		code = code<<1 | (code ^ out ^ 1) // 3 and 0 are the outer ones
		l := levels[code&3]
		own += float64(l * x)
		length += float64(l * l)
		groups[i/2] |= code << (2 * (i % 2))
	}
	cos := own / math.Sqrt(length)
	return trust{scale: float32(1 / own), miss: float32(math.Sqrt(max(0, 1-cos*cos)/max(1, float64(c.dims-1))) / cos)}
}

// ask is a question made ready for scanning: cosine ≈ scale · (base + step · sum), with sum that of the table's entries for the
// codes of a row.
type ask struct {
	vector     []float32
	table      []byte // 16 entries for each group
	base, step float32
}

// ready makes an ask of q, of length 1.
func (c *coder) ready(q []float32) *ask {
	c.turn(q, c.turned, c.scratch)
	a := &ask{vector: q, table: make([]byte, 16*c.groups)}
	exact := make([]float32, 16*c.groups)
	lows := make([]float32, c.groups)
	var base, widest, sum float32
	for g := range c.groups {
		low, high := float32(0), float32(0)
		for code := range 16 {
			var x float32
			if i := 2 * g; i < c.dims {
				x = c.turned[i] * levels[code&3]
			}
			if i := 2*g + 1; i < c.dims {
				x += c.turned[i] * levels[code>>2]
			}
			exact[16*g+code] = x
			low, high = min(low, x), max(high, x)
		}
		lows[g] = low
		base += low
		widest, sum = max(widest, high-low), sum+high-low
	}
	a.base, a.step = base, max(widest/255, sum/65000, 1e-12) // an entry is a byte, and their sum has 16 bits
	for i, x := range exact {
		a.table[i] = byte((x-lows[i/16])/a.step + 0.5)
	}
	return a
}
