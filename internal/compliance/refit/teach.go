package refit

import "gonum.org/v1/gonum/floats"

// TeachMost gives the places of at most most candidates, those first that would teach most: what the judge as it counts
// now is unsure of, and unlike what is known or was chosen before.
func TeachMost(candidates, known []Example, most int) (chosen []int) {
	unlike, unsure := make([]float64, len(candidates)), make([]float64, len(candidates))
	for i, c := range candidates {
		p := chance(c.Now)
		unlike[i], unsure[i] = 2, 4*p*(1-p)
		for _, k := range known {
			unlike[i] = min(unlike[i], 1-floats.Dot(c.X, k.X))
		}
	}
	left := make([]bool, len(candidates))
	for i := range left {
		left[i] = true
	}
	for range min(most, len(candidates)) {
		best := -1
		for i := range candidates {
			if left[i] && (best < 0 || unsure[i]*unlike[i] > unsure[best]*unlike[best]) {
				best = i
			}
		}
		chosen, left[best] = append(chosen, best), false
		for i, c := range candidates {
			unlike[i] = min(unlike[i], 1-floats.Dot(c.X, candidates[best].X))
		}
	}
	return chosen
}
