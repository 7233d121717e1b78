package encoder

import (
	"math"
	"sync"

	"golang.org/x/sys/cpu"
)

// kernels are those that this processor can run, the fastest first.
var kernels = sync.OnceValue(func() []*kernel {
	out := []*kernel{&plain}
	add := func(name string, has bool, sums func(*int8, *uint8, int, *int32, int)) {
		if has && cpu.X86.HasAVX2 {
			k := &kernel{name, checked(sums), roundAVX2, scaleAVX2, mulAVX2, expAVX2, geluAVX2, normAVX2}
			out = append([]*kernel{k}, out...)
		}
	}
	add("avx2", true, sumsWords)
	add("avx-vnni", cpu.X86.HasAVXVNNI, sumsVNNI)
	add("avx512-vnni", cpu.X86.HasAVX512F && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512VNNI, sumsVNNI512)
	return out
})

// checked makes sure that the assembler reads and writes only what the slices hold.
func checked(f func(w *int8, x *uint8, in int, dst *int32, stride int)) func([]int8, []uint8, []int32, int) {
	return func(w []int8, x []uint8, dst []int32, stride int) {
		in := len(x) / tile
		_, _, _ = w[panel*in-1], x[tile*in-1], dst[(tile-1)*stride+panel-1]
		f(&w[0], &x[0], in, &dst[0], stride)
	}
}

//go:noescape
func sumsWords(w *int8, x *uint8, in int, dst *int32, stride int)

//go:noescape
func sumsVNNI(w *int8, x *uint8, in int, dst *int32, stride int)

//go:noescape
func sumsVNNI512(w *int8, x *uint8, in int, dst *int32, stride int)

//go:noescape
func rangeOf(x *float32, n int) (least, most float32)

//go:noescape
func codesOf(x *float32, codes, rest *uint8, n int, by float32, zero int32)

//go:noescape
func scaleRow(sums, rests *int32, y *float32, n int, rowSums *int32, scales, biases *float32, scale float32, zero int32)

//go:noescape
func mulRows(a *float32, lda int, b *float32, ldb, k int, c *float32, ldc, columns int)

//go:noescape
func expRow(x *float32, n int, terms *float32, sums *float32)

//go:noescape
func geluRow(x *float32, n int, terms *float32)

//go:noescape
func addRow(x, y *float32, n int, sums *float32)

//go:noescape
func squaresRow(x *float32, n int, mean float32, sums *float32)

//go:noescape
func normRow(x *float32, n int, by float32, scale, bias *float32)

func roundAVX2(x []float32, codes, rest []uint8) (float32, int32) {
	_ = codes[len(x)-1]
	scale, by, zero := spread(rangeOf(&x[0], len(x)))
	codesOf(&x[0], &codes[0], first(rest, len(x)), len(x), by, zero)
	return scale, zero
}

func scaleAVX2(sums, rests []int32, y []float32, d *dense, scale float32, zero int32) {
	last := len(sums) - 1
	_, _, _, _ = y[last], d.sums[last], d.scale[last], d.bias[last]
	scaleRow(&sums[0], first(rests, len(sums)), &y[0], len(sums), &d.sums[0], &d.scale[0], &d.bias[0], scale, zero)
}

// first is where n numbers begin, or nil if there are none.
func first[T any](s []T, n int) *T {
	if len(s) == 0 {
		return nil
	}
	return &s[:n][0]
}

func mulAVX2(a []float32, lda int, b []float32, ldb, k int, c []float32, ldc, columns int) {
	_, _, _ = a[(few-1)*lda+k-1], b[(k-1)*ldb+columns-1], c[(few-1)*ldc+columns-1]
	mulRows(&a[0], lda, &b[0], ldb, k, &c[0], ldc, columns)
}

func expAVX2(x []float32) float32 {
	var sums [lanes]float32
	expRow(&x[0], len(x), &expTerms[0], &sums[0])
	return total(&sums)
}

func geluAVX2(x []float32) { geluRow(&x[0], len(x), &geluTerms[0]) }

func normAVX2(x, y, scale, bias []float32, epsilon float32) {
	n, last := len(x), len(x)-1
	_, _, _ = y[last], scale[last], bias[last]
	var sums [lanes]float32
	addRow(&x[0], &y[0], n, &sums[0])
	mean := total(&sums) / float32(n)
	squaresRow(&x[0], n, mean, &sums[0])
	by := 1 / float32(math.Sqrt(float64(total(&sums)/float32(n)+epsilon)))
	normRow(&x[0], n, by, &scale[0], &bias[0])
}
