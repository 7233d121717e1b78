package sentence

import "math"

// mostCode is the largest whole number that a value is rounded to before it meets a matrix. 1,536 products with bytes of up to 127
// stay below 2³¹, so that sums are exact whole numbers, the same on every processor.
const mostCode = 8191

// group is how many rows of values meet one row of a matrix at once.
const group = 4

// dense is a matrix of out rows, each of in bytes with a scale of its own, and a bias.
type dense struct {
	in, out     int
	codes       []byte
	scale, bias []float32
}

// rounded holds rows of values as whole numbers, each row with its scale; the number of rows is filled up to a multiple of group.
type rounded struct {
	codes []int16
	scale []float32
}

func round(x []float32, n, in int) rounded {
	filled := (n + group - 1) / group * group
	r := rounded{codes: make([]int16, filled*in), scale: make([]float32, filled)}
	for i := range n {
		row := x[i*in : (i+1)*in]
		var most float32
		for _, v := range row {
			most = max(most, v, -v)
		}
		if most == 0 {
			continue
		}
		r.scale[i] = most / mostCode
		by := mostCode / most
		codes := r.codes[i*in : (i+1)*in]
		for k, v := range row {
			codes[k] = int16(math.RoundToEven(float64(v * by)))
		}
	}
	return r
}

// apply gives the matrix times each of n rows of x, plus the bias.
func (d *dense) apply(x []float32, n int) []float32 {
	r := round(x, n, d.in)
	y := make([]float32, n*d.out)
	var sums [group]int32
	for o := range d.out {
		row := d.codes[o*d.in : (o+1)*d.in]
		for i := 0; i < n; i += group {
			dot(row, r.codes[i*d.in:(i+group)*d.in], &sums)
			for k := range min(group, n-i) {
				y[(i+k)*d.out+o] = float32(sums[k])*d.scale[o]*r.scale[i+k] + d.bias[o]
			}
		}
	}
	return y
}

// dotPlain sums the products of row with each of the group's rows in x.
func dotPlain(row []byte, x []int16, sums *[group]int32) {
	n := len(row)
	a, b, c, d := x[:n], x[n:2*n], x[2*n:3*n], x[3*n:4*n]
	var s0, s1, s2, s3 int32
	for i, code := range row {
		w := int32(int8(code))
		s0 += w * int32(a[i])
		s1 += w * int32(b[i])
		s2 += w * int32(c[i])
		s3 += w * int32(d[i])
	}
	*sums = [group]int32{s0, s1, s2, s3}
}
