package encoder

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func numbers(r *rand.Rand, n int, size float64) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(r.NormFloat64() * size)
	}
	return out
}

// whole gives n bytes, with the extremes more often than chance would have it.
func whole[T int8 | uint8](r *rand.Rand, n int, least, most int) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = T([]int{least, most, least + r.IntN(most-least+1)}[min(2, r.IntN(6))])
	}
	return out
}

// TestKernelsAgree compares each kernel's steps with the plain ones, bit for bit.
func TestKernelsAgree(t *testing.T) {
	for _, k := range kernels() {
		if k == &plain {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for range 40 {
				agree(t, r, k)
			}
		})
	}
}

func agree(t *testing.T, r *rand.Rand, k *kernel) {
	t.Helper()
	same := func(what string, a, b []float32) {
		t.Helper()
		if !slices.Equal(a, b) {
			t.Fatalf("%s: %v, plainly %v", what, a, b)
		}
	}
	in, n, size := 4*(1+r.IntN(400)), lanes*(1+r.IntN(60)), []float64{1e-3, 1, 30}[r.IntN(3)]
	w, codes := whole[int8](r, panel*in, -127, 127), whole[uint8](r, tile*in, 0, 255)
	stride := panel + 4*r.IntN(9)
	a, b := make([]int32, tile*stride), make([]int32, tile*stride)
	plain.sums(w, codes, a, stride)
	if k.sums(w, codes, b, stride); !slices.Equal(a, b) {
		t.Fatalf("sums of %d differ", in)
	}

	x, y := numbers(r, n, size), numbers(r, n, size)
	d := &dense{sums: make([]int32, n), scale: numbers(r, n, .01), bias: numbers(r, n, 1)}
	sums := make([]int32, n)
	for i := range sums {
		sums[i], d.sums[i] = r.Int32N(1e8)-5e7, r.Int32N(4e5)-2e5
	}
	for _, rests := range []int{0, n} {
		c1, c2, r1, r2 := make([]uint8, n), make([]uint8, n), make([]uint8, rests), make([]uint8, rests)
		s1, z1 := plain.round(x, c1, r1)
		if s2, z2 := k.round(x, c2, r2); s1 != s2 || z1 != z2 || !slices.Equal(c1, c2) || !slices.Equal(r1, r2) {
			t.Fatalf("round: %v %v, plainly %v %v", s2, z2, s1, z1)
		}
		y1, y2 := make([]float32, n), make([]float32, n)
		plain.scale(sums, d.sums[:rests], y1, d, s1, z1)
		k.scale(sums, d.sums[:rests], y2, d, s1, z1)
		same("scale", y2, y1)
	}

	for _, f := range []struct {
		name     string
		it, flat func([]float32)
	}{
		{"gelu", k.gelu, plain.gelu},
		{"exp", func(x []float32) { x[0] = k.exp(x) }, func(x []float32) { x[0] = plain.exp(x) }},
		{"norm", func(x []float32) { k.norm(x, y, d.scale, d.bias, 1e-12) },
			func(x []float32) { plain.norm(x, y, d.scale, d.bias, 1e-12) }},
	} {
		a, b := slices.Clone(x), slices.Clone(x)
		f.flat(a)
		f.it(b)
		same(f.name, b, a)
	}

	rows, columns := 1+r.IntN(300), lanes*(1+r.IntN(4))
	lda, ldb, ldc := rows+r.IntN(5), columns+r.IntN(5), columns+r.IntN(5)
	p, q := numbers(r, few*lda, 1), numbers(r, rows*ldb, 1)
	m1, m2 := make([]float32, few*ldc), make([]float32, few*ldc)
	plain.mul(p, lda, q, ldb, rows, m1, ldc, columns)
	k.mul(p, lda, q, ldb, rows, m2, ldc, columns)
	same("mul", m2, m1)
}

// TestPassesAgree reads whole windows, of lengths around a tile's, with each kernel.
func TestPassesAgree(t *testing.T) {
	short := *BGE()
	short.layers = short.layers[:2] // the plain one takes a while
	for _, n := range []int{2, 7, 8, 9, 17, 63} {
		w := long(t, n)
		var first []float32
		for _, k := range kernels() {
			short.kernel = k
			r, err := short.Read(t.Context(), w)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = r.Hidden
			} else if !slices.Equal(first, r.Hidden) {
				t.Errorf("%d tokens: %s reads otherwise than %s", n, k.name, kernels()[0].name)
			}
		}
	}
}
