package knowledge

import (
	_ "embed"
	"encoding/binary"
	"math"
	"slices"
	"sync"
)

// floorFile is how alike the best answer to a question must be, by what is read in it: a constant, then a weight for each sign of evidence
// and each number of its two vectors. TestFitTheFloor fits it, and says how.
//
//go:embed floor.bin
var floorFile []byte

const (
	floorOf    = "embedded/pension-4 sentence/use-lite-1" // whose vectors it was fitted to
	leastFloor = 0.12                                     // below it likeness means nothing
	mostFloor  = 0.65                                     // two wordings of one question lie above it, so what an agent was taught is always found
	mostRead   = 600                                      // bytes of a question that are read for its second vector, to bound the time
)

var fittedFloor = sync.OnceValue(func() []float64 {
	v := make([]float64, len(floorFile)/4)
	for i := range v {
		v[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(floorFile[4*i:])))
	}
	return v
})

// fitted is the floor by both vectors of the question, where it was fitted to their embedders, and else the one that the first names.
func (p probe) fitted(e Reader, second string) float64 {
	x, ok := e.(interface{ Evidence(text string) []float32 }) // what speaks for and against there being an answer
	if !ok || e.Name()+" "+second != floorOf {
		return p.floor
	}
	v := fittedFloor()
	floor := v[0]
	for i, n := range slices.Concat(x.Evidence(p.text), p.second, p.vector) {
		floor += v[1+i] * float64(n)
	}
	return min(mostFloor, max(leastFloor, floor))
}
