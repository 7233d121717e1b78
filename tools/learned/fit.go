package main

import (
	"math"
	"math/rand/v2"

	"preceptor/internal/signal/learned"
)

// The fit's settings, chosen by the authors left out in turn, where a wide range does as well.
const (
	epochs = 8
	rate   = 0.08
	l2     = 1e-4
)

// fit is multinomial logistic regression with an L2 penalty, by AdaGrad over a fixed order: the same data give the same weights.
func fit(list []*message) *learned.Weights {
	type example struct {
		features []learned.Feature
		class    int
	}
	var data []example
	for _, m := range list {
		for i, u := range m.units {
			data = append(data, example{append(u.Features[:len(u.Features):len(u.Features)], learned.Feature{At: learned.Inputs, Value: 1}), m.class[i]})
		}
	}
	var w, squares learned.Weights
	for c := range w {
		w[c], squares[c] = make([]float32, learned.Inputs+1), make([]float32, learned.Inputs+1)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range epochs {
		for _, k := range random.Perm(len(data)) {
			p := w.Probabilities(data[k].features[:len(data[k].features)-1])
			p[data[k].class]--
			for c, wrong := range p {
				row, sum := w[c], squares[c]
				for _, f := range data[k].features {
					g := float32(wrong)*f.Value + l2*row[f.At]
					sum[f.At] += g * g
					row[f.At] -= rate * g / (float32(math.Sqrt(float64(sum[f.At]))) + 1e-6)
				}
			}
		}
	}
	return &w
}
