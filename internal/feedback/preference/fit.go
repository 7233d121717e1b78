package preference

import "math"

// fitted is a maximum of the likelihood.
type fitted struct {
	log, se []float64
	nu      float64
	ok      bool
}

// fit finds the maximum by Newton's method; the likelihood is concave in the logarithms, so a step that is halved until
// it climbs gets there.
func fit(n int, games []game, ties bool) fitted {
	size := n
	if ties {
		size++
	}
	x := make([]float64, size) // logarithms of the strengths, sum 0; then of ν
	value := likelihood(x, games, n)
	for range 200 {
		grad, info := slopes(x, games, n)
		inv, ok := inverse(info)
		if !ok {
			return fitted{}
		}
		step := times(inv, grad)
		if norm(step) < 1e-11 {
			break
		}
		scale, climbed := 1.0, false
		for range 60 {
			next := make([]float64, size)
			for k := range x {
				next[k] = x[k] + scale*step[k]
			}
			if v := likelihood(next, games, n); v > value {
				x, value, climbed = next, v, true
				break
			}
			scale /= 2
		}
		if !climbed {
			break // as far as numbers of this length go
		}
	}
	_, info := slopes(x, games, n)
	inv, ok := inverse(info)
	if !ok {
		return fitted{}
	}
	out := fitted{log: x[:n], se: make([]float64, n), ok: true}
	for k := range n {
		out.se[k] = math.Sqrt(max(0, inv[k][k]-1/float64(n*n))) // slopes says why
	}
	if ties {
		out.nu = math.Exp(x[n])
	}
	return out
}

// chances are those of one game: first, second, level.
func chances(x []float64, g game, n int) (a, b, t float64) {
	d := (x[g.i] - x[g.j]) / 2
	u, v, w := d, -d, math.Inf(-1)
	if len(x) > n {
		w = x[n]
	}
	top := max(u, v, w)
	a, b, t = math.Exp(u-top), math.Exp(v-top), math.Exp(w-top)
	sum := a + b + t
	return a / sum, b / sum, t / sum
}

func likelihood(x []float64, games []game, n int) (sum float64) {
	for _, g := range games {
		a, b, t := chances(x, g, n)
		sum += entropy(g.a, a) + entropy(g.b, b) + entropy(g.ti, t)
	}
	return sum
}

func entropy(k, p float64) float64 {
	if k == 0 {
		return 0
	}
	return k * math.Log(p)
}

// slopes are the gradient and the observed information. The strengths are known up to a common factor; one is added to
// each entry of their block, which makes the information invertible and adds 1/n² to each entry of the inverse's block,
// and nothing else.
func slopes(x []float64, games []game, n int) (grad []float64, info [][]float64) {
	grad, info = make([]float64, len(x)), make([][]float64, len(x))
	for k := range info {
		info[k] = make([]float64, len(x))
	}
	for i := range n {
		for j := range n {
			info[i][j] = 1
		}
	}
	for _, g := range games {
		a, b, t := chances(x, g, n)
		m := g.a + g.b + g.ti
		slope := ((g.a - g.b) - m*(a-b)) / 2
		grad[g.i] += slope
		grad[g.j] -= slope
		v := m * ((a+b)/4 - (a-b)*(a-b)/4)
		info[g.i][g.i] += v
		info[g.j][g.j] += v
		info[g.i][g.j] -= v
		info[g.j][g.i] -= v
		if len(x) == n {
			continue
		}
		grad[n] += g.ti - m*t
		info[n][n] += m * t * (1 - t)
		with := -m * (a - b) / 2 * t
		info[g.i][n] += with
		info[n][g.i] += with
		info[g.j][n] -= with
		info[n][g.j] -= with
	}
	return grad, info
}

// inverse is by elimination with pivots; false for a matrix that has none.
func inverse(m [][]float64) ([][]float64, bool) {
	n := len(m)
	a := make([][]float64, n)
	for i := range a {
		a[i] = make([]float64, 2*n)
		copy(a[i], m[i])
		a[i][n+i] = 1
	}
	for c := range n {
		p := c
		for r := c + 1; r < n; r++ {
			if math.Abs(a[r][c]) > math.Abs(a[p][c]) {
				p = r
			}
		}
		if !(math.Abs(a[p][c]) > 1e-12) {
			return nil, false
		}
		a[c], a[p] = a[p], a[c]
		for k, f := 0, a[c][c]; k < 2*n; k++ {
			a[c][k] /= f
		}
		for r := range n {
			if f := a[r][c]; r != c && f != 0 {
				for k := range 2 * n {
					a[r][k] -= f * a[c][k]
				}
			}
		}
	}
	for i := range a {
		a[i] = a[i][n:]
	}
	return a, true
}

func times(m [][]float64, v []float64) []float64 {
	out := make([]float64, len(v))
	for i := range m {
		for j := range v {
			out[i] += m[i][j] * v[j]
		}
	}
	return out
}

func norm(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	return math.Sqrt(sum)
}
