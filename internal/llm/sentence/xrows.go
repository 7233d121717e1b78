package sentence

import "math"

// Rows experiment.
func Rows(text string) (mean, most, least, published []float32) {
	w := loaded()
	ids := w.pieces.split(text)
	ids = ids[:min(len(ids), maxPiece)]
	if len(ids) == 0 {
		ids = []int32{unknown}
	}
	rows := w.read(ids)
	mean, most, least = make([]float32, wide), make([]float32, wide), make([]float32, wide)
	for k := range wide {
		most[k], least[k] = float32(math.Inf(-1)), float32(math.Inf(1))
	}
	for i := range ids {
		for k, v := range rows[i*wide : (i+1)*wide] {
			mean[k] += v / float32(len(ids))
			most[k] = max(most[k], v)
			least[k] = min(least[k], v)
		}
	}
	v := w.last.apply(mean, 1)
	for i := range v {
		v[i] = float32(math.Tanh(float64(v[i])))
	}
	return mean, most, least, unit(v)
}
