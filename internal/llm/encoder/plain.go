package encoder

import "math"

// kernel is the arithmetic of a pass. All kernels give the same bits: every sum has one order, no product is fused with
// a sum, and every float32(…) below keeps the compiler from fusing them.
type kernel struct {
	name string
	// sums puts the products of a panel and tile rows of x into dst, whose rows are stride apart.
	sums func(w []int8, x []uint8, dst []int32, stride int)
	// round turns a row into bytes, x ≈ scale·(code-zero+(rest-128)/256). Where rest is empty it isn't needed.
	round func(x []float32, codes, rest []uint8) (scale float32, zero int32)
	// scale turns sums over such bytes into the numbers that they stand for, and adds the bias.
	scale func(sums, rests []int32, y []float32, d *dense, scale float32, zero int32)
	// mul puts few rows of a times b into few rows of c; a has k columns, c has columns.
	mul func(a []float32, lda int, b []float32, ldb, k int, c []float32, ldc, columns int)
	// exp puts 2^(x-most) in each x's place and gives their sum.
	exp func(x []float32) float32
	// gelu puts each x's share of x that is likelier than a normal number in its place.
	gelu func(x []float32)
	// norm adds y to x and gives x mean 0 and variance 1, then scale and bias.
	norm func(x, y, scale, bias []float32, epsilon float32)
}

var plain = kernel{"plain", sumsPlain, roundPlain, scalePlain, mulPlain, expPlain, geluPlain, normPlain}

const (
	mostCode = 255
	restCode = 256 // how many codes of what rounding left make one
	restZero = 128
)

func sumsPlain(w []int8, x []uint8, dst []int32, stride int) {
	in := len(x) / tile
	for i := range tile {
		var sums [panel]int32
		row := x[i*in : (i+1)*in]
		for k := 0; k < in; k += 4 {
			a, b, c, d := int32(row[k]), int32(row[k+1]), int32(row[k+2]), int32(row[k+3])
			four := w[k*panel : (k+4)*panel]
			for o := range sums {
				at := four[4*o : 4*o+4 : 4*o+4]
				sums[o] += a*int32(at[0]) + b*int32(at[1]) + c*int32(at[2]) + d*int32(at[3])
			}
		}
		copy(dst[i*stride:i*stride+panel], sums[:])
	}
}

func roundPlain(x []float32, codes, rest []uint8) (float32, int32) {
	var least, most float32
	for _, v := range x {
		least, most = min(least, v), max(most, v)
	}
	scale, by, zero := spread(least, most)
	for i, v := range x {
		v = float32(v * by)
		near := float32(math.RoundToEven(float64(v)))
		codes[i] = uint8(min(max(int32(near)+zero, 0), mostCode))
		if len(rest) > 0 {
			v = float32((v - near) * restCode)
			rest[i] = uint8(min(max(int32(math.RoundToEven(float64(v)))+restZero, 0), mostCode))
		}
	}
	return scale, zero
}

// spread gives a code's worth, its inverse, and the code of zero, for numbers from least (at most 0) to most (at least
// 0).
func spread(least, most float32) (scale, by float32, zero int32) {
	wide := most - least
	if wide < 1e-30 || wide > math.MaxFloat32 {
		return 0, 0, 0
	}
	by = mostCode / wide
	return wide / mostCode, by, int32(math.RoundToEven(float64(float32(-least * by))))
}

func scalePlain(sums, rests []int32, y []float32, d *dense, scale float32, zero int32) {
	for o, sum := range sums {
		v := float32(sum - zero*d.sums[o])
		if len(rests) > 0 {
			v += float32(float32(rests[o]-restZero*d.sums[o]) * (1.0 / restCode))
		}
		y[o] = float32(float32(v*d.scale[o])*scale) + d.bias[o]
	}
}

func mulPlain(a []float32, lda int, b []float32, ldb, k int, c []float32, ldc, columns int) {
	for r := range few {
		row := c[r*ldc : r*ldc+columns]
		clear(row)
		for i, v := range a[r*lda : r*lda+k] {
			for j, w := range b[i*ldb : i*ldb+columns] {
				row[j] += float32(v * w)
			}
		}
	}
}

// expTerms: the least exponent, what rounds a float32 to a whole number when added, and a polynomial for 2^x from -½ to
// ½ (its error is below 3e-7), highest power first.
var expTerms = [8]float32{-126, 3 << 22, 0.0013266970636323094, 0.009675459936261177, 0.05550742521882057,
	0.24022121727466583, 0.6931469440460205, 1.0000001192092896}

func expPlain(x []float32) float32 {
	most := x[0]
	for _, v := range x {
		most = max(most, v)
	}
	var sums [lanes]float32
	for i, v := range x {
		v = max(v-most, expTerms[0])
		t := v + expTerms[1]
		r := v - (t - expTerms[1])
		p := expTerms[2]
		for _, term := range expTerms[3:] {
			p = float32(p*r) + term
		}
		x[i] = math.Float32frombits(math.Float32bits(p) + math.Float32bits(t)<<23)
		sums[i%lanes] += x[i]
	}
	return total(&sums)
}

// total adds lanes in the order in which a processor folds them.
func total(s *[lanes]float32) float32 {
	for half := lanes / 2; half > 0; half /= 2 {
		for i := range half {
			s[i] += s[i+half]
		}
	}
	return s[0]
}

// geluTerms: where the normal distribution is as good as 1, ½, 1, and x's share from -4.5 to 4.5 less ½ as x times a
// polynomial of x² (the error of gelu is below 5e-5), highest power first.
var geluTerms = [13]float32{4.5, 0.5, 1, -1.6540128641717722e-12, 1.9529319827960023e-10, -1.0285830853717925e-08,
	3.216686081941589e-07, -6.731901976309018e-06, 0.00010108399874297902, -0.0011396822519600391, 0.009884112514555454,
	-0.06641189008951187, 0.3989217281341553}

func geluPlain(x []float32) {
	for i, v := range x {
		near := min(max(v, -geluTerms[0]), geluTerms[0])
		z := float32(near * near)
		p := geluTerms[3]
		for _, term := range geluTerms[4:] {
			p = float32(p*z) + term
		}
		p = float32(p*near) + geluTerms[1]
		x[i] = v * min(max(p, 0), geluTerms[2])
	}
}

func normPlain(x, y, scale, bias []float32, epsilon float32) {
	var sums, squares [lanes]float32
	for i := range x {
		x[i] += y[i]
		sums[i%lanes] += x[i]
	}
	mean := total(&sums) / float32(len(x))
	for i := range x {
		x[i] -= mean
		squares[i%lanes] += float32(x[i] * x[i])
	}
	by := 1 / float32(math.Sqrt(float64(total(&squares)/float32(len(x))+epsilon)))
	for i := range x {
		x[i] = float32(float32(x[i]*by)*scale[i]) + bias[i]
	}
}
