package refit

import "testing"

// A night's work for a pack with as many labels as are taken.
func BenchmarkMeasure(b *testing.B) {
	list := ruled(1, 500, 2, 384, 1)
	for b.Loop() {
		Measure(list)
	}
}
