package sentence

import (
	"math"

	"gonum.org/v1/gonum/blas/gonum"
)

// blas multiplies the rows that attention compares.
var blas gonum.Implementation

// common is how common a piece is that counts half as much as a rare one in the mean (the weighting of Arora, Liang and Ma 2017):
// without it every "How do I" looks like every other.
const common = 3e-4

// sum is a weighted sum of what the network makes of pieces.
type sum struct {
	values [wide]float64
	weight float64
}

// add reads up to maxPiece pieces in one pass and adds each, weighed by how rare it is.
func (w *weights) add(s *sum, ids []int32) {
	rows := w.read(ids)
	for i, id := range ids {
		by := w.telling(id)
		s.weight += by
		for k, v := range rows[i*wide : (i+1)*wide] {
			s.values[k] += by * float64(v)
		}
	}
}

func (w *weights) telling(id int32) float64 {
	return common / (common + math.Exp(float64(w.pieces.scores[id])))
}

// finish is the sum's mean through the last matrix, at length 1.
func (w *weights) finish(s *sum) []float32 {
	mean := make([]float32, wide)
	for k, v := range s.values {
		mean[k] = float32(v / max(s.weight, 1e-9))
	}
	v := w.last.apply(mean, 1)
	for i := range v {
		v[i] = float32(math.Tanh(float64(v[i])))
	}
	return unit(v)
}

// read is one pass of the network: wide numbers for each of at most maxPiece pieces.
func (w *weights) read(ids []int32) []float32 {
	n := len(ids)
	x := w.start(ids, n)
	kept := w.adjust.apply(x, n)
	for i := range w.layers {
		kept = w.layers[i].apply(x, kept, n)
		x = kept
	}
	return kept
}

// start is each piece's own numbers, twice, and the waves that tell its place.
func (w *weights) start(ids []int32, n int) []float32 {
	x := make([]float32, n*narrow)
	for i, id := range ids {
		row, codes := x[i*narrow:(i+1)*narrow], w.embed.codes[int(id)*narrow:]
		scale := 2 * w.embed.scale[id]
		for k, rate := range w.timing {
			sin, cos := math.Sincos(float64(i) * float64(rate))
			row[k], row[k+narrow/2] = float32(sin), float32(cos)
		}
		for k := range row {
			row[k] += scale * float32(int8(codes[k]))
		}
	}
	return x
}

// apply is attention and two dense steps, each added to what was there before: kept, which is x at the layer's output width.
func (l *layer) apply(x, kept []float32, n int) []float32 {
	in := l.qkv.in
	mixed := attend(l.qkv.apply(l.before.apply(x, n), n), n, in)
	x = add(l.out.apply(mixed, n), kept)
	h := l.first.apply(l.between.apply(x, n), n)
	for i, v := range h {
		h[i] = max(0, v)
	}
	return add(l.second.apply(h, n), x)
}

func add(a, b []float32) []float32 {
	for i, v := range b {
		a[i] += v
	}
	return a
}

// apply gives rows with mean 0 and variance 1, scaled and shifted.
func (m norm) apply(x []float32, n int) []float32 {
	size := len(m.scale)
	y := make([]float32, len(x))
	for i := range n {
		row, out := x[i*size:(i+1)*size], y[i*size:(i+1)*size]
		var mean, square float64
		for _, v := range row {
			mean += float64(v)
		}
		mean /= float64(size)
		for _, v := range row {
			square += (float64(v) - mean) * (float64(v) - mean)
		}
		by := 1 / math.Sqrt(square/float64(size)+1e-6)
		for k, v := range row {
			out[k] = float32((float64(v)-mean)*by)*m.scale[k] + m.bias[k]
		}
	}
	return y
}

// attend mixes each piece's values with those of the pieces it attends to, head by head. Rows of qkv hold the queries, keys and values
// of a piece, size numbers each.
func attend(qkv []float32, n, size int) []float32 {
	part := size / heads
	out := make([]float32, n*size)
	scores := make([]float32, n)
	root := float32(1 / math.Sqrt(float64(part)))
	for h := range heads {
		for i := range n {
			q := qkv[i*3*size+h*part:][:part]
			for j := range n {
				scores[j] = blas.Sdot(part, q, 1, qkv[j*3*size+size+h*part:], 1) * root
			}
			softmax(scores)
			to := out[i*size+h*part:][:part]
			for j, s := range scores {
				blas.Saxpy(part, s, qkv[j*3*size+2*size+h*part:], 1, to, 1)
			}
		}
	}
	return out
}

func softmax(x []float32) {
	most := x[0]
	for _, v := range x {
		most = max(most, v)
	}
	var sum float64
	for i, v := range x {
		e := math.Exp(float64(v - most))
		x[i] = float32(e)
		sum += e
	}
	for i := range x {
		x[i] /= float32(sum)
	}
}

// unit is v at length 1; a vector of length 0 points to a place of its own.
func unit(v []float32) []float32 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		v[len(v)-1] = 1
		return v
	}
	by := 1 / math.Sqrt(sum)
	for i, x := range v {
		v[i] = float32(float64(x) * by)
	}
	return v
}
