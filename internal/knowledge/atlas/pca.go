package atlas

import "math"

const (
	turns  = 100  // of the power iteration, at most
	enough = 1e-7 // a direction that turns less than this is found
)

// project puts vectors of one length on the plane of their first two principal components, scaled to 0..1 with one scale for both, and
// tells which share of the variance that plane holds. The same vectors in the same order give the same places.
func project(rows [][]float32) (xs, ys []float64, shown float64) {
	n := len(rows)
	xs, ys = make([]float64, n), make([]float64, n)
	if n == 0 {
		return xs, ys, 0
	}
	dims := len(rows[0])
	centred := centre(rows, dims)
	total := 0.0
	for _, v := range centred {
		total += v * v
	}
	if total < 1e-12 { // all the same
		for i := range n {
			xs[i], ys[i] = .5, .5
		}
		return xs, ys, 0
	}
	first := component(centred, n, dims, nil)
	second := component(centred, n, dims, first)
	held := 0.0
	for i := range n {
		row := centred[i*dims : (i+1)*dims]
		xs[i], ys[i] = dot(row, first), dot(row, second)
		held += xs[i]*xs[i] + ys[i]*ys[i]
	}
	fit(xs, ys)
	return xs, ys, min(1, held/total)
}

// centre copies the rows into one run of numbers, with their mean taken out.
func centre(rows [][]float32, dims int) []float64 {
	mean := make([]float64, dims)
	for _, r := range rows {
		for j, v := range r {
			mean[j] += float64(v)
		}
	}
	for j := range mean {
		mean[j] /= float64(len(rows))
	}
	out := make([]float64, 0, len(rows)*dims)
	for _, r := range rows {
		for j, v := range r {
			out = append(out, float64(v)-mean[j])
		}
	}
	return out
}

// component is the direction of most variance at right angles to not, by power iteration from a fixed start. Its largest part is above 0,
// so that the map never comes out mirrored.
func component(data []float64, n, dims int, not []float64) []float64 {
	v := make([]float64, dims)
	for j := range v {
		v[j] = 1 + float64((j*2654435761)%1000)/1000 // unlike in each place, so that no direction is at right angles to it by design
	}
	away(v, not)
	if !unit(v) {
		return v
	}
	next := make([]float64, dims)
	for range turns {
		clear(next)
		for i := range n {
			row := data[i*dims : (i+1)*dims]
			w := dot(row, v)
			for j, x := range row {
				next[j] += w * x
			}
		}
		away(next, not)
		if !unit(next) {
			clear(v) // no variance is left
			return v
		}
		moved := 0.0
		for j := range v {
			moved += (v[j] - next[j]) * (v[j] - next[j])
		}
		copy(v, next)
		if moved < enough*enough {
			break
		}
	}
	largest := 0
	for j := range v {
		if math.Abs(v[j]) > math.Abs(v[largest]) {
			largest = j
		}
	}
	if v[largest] < 0 {
		for j := range v {
			v[j] = -v[j]
		}
	}
	return v
}

// away takes out of v what lies along u.
func away(v, u []float64) {
	if u == nil {
		return
	}
	d := dot(v, u)
	for j := range v {
		v[j] -= d * u[j]
	}
}

// unit gives v the length 1; false when it has none.
func unit(v []float64) bool {
	l := math.Sqrt(dot(v, v))
	if l < 1e-12 {
		return false
	}
	for j := range v {
		v[j] /= l
	}
	return true
}

func dot(a, b []float64) (s float64) {
	for i, x := range a {
		s += x * b[i]
	}
	return s
}

// fit moves and scales places into the square from 0 to 1, as large as they can be without being stretched.
func fit(xs, ys []float64) {
	lowX, highX := bounds(xs)
	lowY, highY := bounds(ys)
	scale := max(highX-lowX, highY-lowY)
	if scale == 0 {
		scale = 1
	}
	for i := range xs {
		xs[i] = .5 + (xs[i]-(lowX+highX)/2)/scale
		ys[i] = .5 + (ys[i]-(lowY+highY)/2)/scale
	}
}

func bounds(list []float64) (low, high float64) {
	low, high = list[0], list[0]
	for _, v := range list {
		low, high = min(low, v), max(high, v)
	}
	return low, high
}
