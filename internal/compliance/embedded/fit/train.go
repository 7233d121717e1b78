package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"preceptor/internal/compliance/embedded"
)

// example is one vector with its class.
type example struct {
	x      []embedded.Feature
	class  int
	weight float64
}

// fit is multinomial logistic regression with an L2 penalty, by AdaGrad over a fixed order: the same data give the same weights.
// penalty is by feature where per is given.
func fit(data []example, classes, dims, epochs int, l2 float64, per []float64) embedded.Softmax {
	// One feature's weights lie side by side, because they are used together.
	w, g2 := make([]float32, classes*(dims+1)), make([]float32, classes*(dims+1))
	touched := make([]int32, dims+1) // the step at which a feature was last met
	random := rand.New(rand.NewPCG(1, 2))
	order := random.Perm(len(data))
	const rate = 0.12
	z := make([]float64, classes)
	d := make([]float32, classes)
	bias := w[dims*classes:]
	step := 0
	move := func(at int, g float32) {
		g2[at] += g * g
		w[at] -= rate * g / (float32(math.Sqrt(float64(g2[at]))) + 1e-6)
	}
	for range epochs {
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			e := data[i]
			step++
			for c := range z {
				z[c] = float64(bias[c])
			}
			for _, f := range e.x {
				row := w[int(f.At)*classes : int(f.At)*classes+classes]
				for c, v := range row {
					z[c] += float64(v * f.Value)
				}
			}
			top := slices.Max(z)
			sum := 0.0
			for c := range z {
				z[c] = math.Exp(z[c] - top)
				sum += z[c]
			}
			for c := range z {
				d[c] = float32(z[c] / sum)
				if c == e.class {
					d[c]--
				}
				d[c] *= float32(e.weight)
			}
			for _, f := range e.x {
				lambda := l2
				if per != nil {
					lambda *= per[f.At]
				}
				// The penalty of the steps in which the feature was absent is caught up with, bounded.
				late := float32(lambda * float64(min(step-int(touched[f.At]), len(data))))
				touched[f.At] = int32(step)
				for c, at := 0, int(f.At)*classes; c < classes; c, at = c+1, at+1 {
					move(at, d[c]*f.Value+late*w[at])
				}
			}
			for c := range d {
				move(dims*classes+c, d[c])
			}
		}
	}
	out := embedded.Softmax{Weights: make([][]float32, classes)}
	for c := range out.Weights {
		out.Weights[c] = make([]float32, dims+1)
		for i := range out.Weights[c] {
			out.Weights[c][i] = w[i*classes+c]
		}
	}
	return out
}
