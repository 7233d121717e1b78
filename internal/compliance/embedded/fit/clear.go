package main

import "preceptor/internal/compliance/embedded"

// without lets in the items of all folds but one.
func without(fold int) func(*readItem) bool {
	return func(r *readItem) bool { return r.fold != fold }
}

// clear fits what the judges believe together: a violation against a compliant text, from the whole text's vector. Borderline texts
// teach nothing here: they may go to a person or not.
func (t *training) clear(together [][]embedded.Feature, use func(*readItem) bool) embedded.Softmax {
	var data []example
	for i, r := range t.items {
		if use(r) && r.label != 1 {
			data = append(data, example{together[i], r.label / 2, r.trust()})
		}
	}
	return embedded.Softmax{Weights: [][]float32{odds(data, settings{dims: len(embedded.DocumentFeatures), epochs: clearEpochs, l2: clearL2})}}
}

// view is what models that never saw its author say of an item: together, in log odds, and each judge by itself.
type view struct {
	clear float64
	own   [3]float64
}

// cleared tells whether the seed's bands would clear it, were all log odds higher by shift.
func (v view) cleared(shift float64) bool {
	sum := 0.0
	for _, p := range v.own {
		q := embedded.Doubt(v.clear+shift, p)
		if q >= 0.5 {
			return false
		}
		sum += q
	}
	return sum/float64(len(v.own)) <= 0.3
}

// shift is the least by which the common log odds must be higher for no more than clearMissed of the violations to be cleared.
func (t *training) shift(views []view, use func(*readItem) bool) float64 {
	for shift := -2.0; ; shift += 0.02 {
		n, missed := 0, 0
		for i, r := range t.items {
			if r.label != 2 || !use(r) {
				continue
			}
			n++
			if !r.held && views[i].cleared(shift) {
				missed++
			}
		}
		if float64(missed) <= clearMissed*float64(n) || shift > 5 {
			return shift
		}
	}
}

// shifted raises a model's constant.
func shifted(m embedded.Softmax, by float64) {
	row := m.Weights[0]
	row[len(row)-1] += float32(by)
}
