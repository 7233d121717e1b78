package main

import (
	"math"
	"math/rand/v2"

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
	w := make([][]float64, classes)
	g2 := make([][]float64, classes)
	touched := make([][]int, classes) // last step at which a weight was decayed
	for c := range w {
		w[c], g2[c], touched[c] = make([]float64, dims+1), make([]float64, dims+1), make([]int, dims+1)
	}
	random := rand.New(rand.NewPCG(1, 2))
	order := random.Perm(len(data))
	const rate = 0.12
	z := make([]float64, classes)
	step := 0
	for range epochs {
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			e := data[i]
			step++
			top := math.Inf(-1)
			for c := range z {
				z[c] = w[c][dims]
				for _, f := range e.x {
					z[c] += w[c][f.At] * float64(f.Value)
				}
				top = max(top, z[c])
			}
			sum := 0.0
			for c := range z {
				z[c] = math.Exp(z[c] - top)
				sum += z[c]
			}
			for c := range z {
				d := z[c] / sum
				if c == e.class {
					d--
				}
				d *= e.weight
				for _, f := range e.x {
					lambda := l2
					if per != nil {
						lambda *= per[f.At]
					}
					// The penalty of the steps in which the feature was absent is caught up with, bounded.
					since := float64(min(step-touched[c][f.At], len(data)))
					touched[c][f.At] = step
					g := d*float64(f.Value) + lambda*w[c][f.At]*since
					g2[c][f.At] += g * g
					w[c][f.At] -= rate * g / (math.Sqrt(g2[c][f.At]) + 1e-6)
				}
				g2[c][dims] += d * d
				w[c][dims] -= rate * d / (math.Sqrt(g2[c][dims]) + 1e-6)
			}
		}
	}
	out := embedded.Softmax{Weights: make([][]float32, classes)}
	for c := range w {
		out.Weights[c] = make([]float32, dims+1)
		for i, v := range w[c] {
			out.Weights[c][i] = float32(v)
		}
	}
	return out
}
