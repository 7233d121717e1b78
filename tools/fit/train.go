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

// settings of one fit.
type settings struct {
	classes, dims, epochs int
	l2                    float64
	drop                  float64 // the share of a vector's features that a step does not see
}

// sentences fits a model of sentences: the mean of one that sees every word and one that must do without any half of them, which
// leans on no single word and so goes better with authors whom it never met.
func sentences(data []example, classes int) embedded.Softmax {
	s := settings{classes: classes, dims: embedded.Dimensions, epochs: sentenceEpochs, l2: sentenceL2}
	out := fit(data, s)
	s.drop = sentenceDrop
	for c, row := range fit(data, s).Weights {
		for i, v := range row {
			out.Weights[c][i] = (out.Weights[c][i] + v) / 2
		}
	}
	return out
}

// odds are the weights of the second class of two against the first.
func odds(data []example, s settings) []float32 {
	s.classes = 2
	m := fit(data, s)
	for i, v := range m.Weights[0] {
		m.Weights[1][i] -= v
	}
	return m.Weights[1]
}

// fit is multinomial logistic regression with an L2 penalty, by AdaGrad over a fixed order: the same data give the same weights.
func fit(data []example, s settings) embedded.Softmax {
	classes, dims := s.classes, s.dims
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
	var kept []embedded.Feature
	move := func(at int, g float32) {
		g2[at] += g * g
		w[at] -= rate * g / (float32(math.Sqrt(float64(g2[at]))) + 1e-6)
	}
	for range s.epochs {
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			e := data[i]
			step++
			if s.drop > 0 {
				kept = kept[:0]
				for _, f := range e.x {
					if random.Float64() >= s.drop {
						kept = append(kept, embedded.Feature{At: f.At, Value: f.Value / float32(1-s.drop)})
					}
				}
				e.x = kept
			}
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
				// The penalty of the steps in which the feature was absent is caught up with, bounded.
				late := float32(s.l2 * float64(min(step-int(touched[f.At]), len(data))))
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
