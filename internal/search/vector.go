package search

import (
	"hash/fnv"
	"math"

	"preceptor/internal/llm"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
)

// checkVector refuses what would poison an index: no numbers, a NaN or infinity, or no length at all.
func checkVector(v []float32) error {
	if len(v) == 0 {
		return fault.New(fault.Invalid, "The embedder gave an empty vector.")
	}
	n := norm(v)
	if math.IsNaN(n) || math.IsInf(n, 0) {
		return fault.New(fault.Invalid, "The embedder gave a vector that contains NaN or infinity.")
	}
	if n < 1e-6 {
		return fault.New(fault.Invalid, "The embedder gave a vector of length zero.")
	}
	return nil
}

func norm(v []float32) float64 {
	var s float64
	for _, x := range v {
		s += float64(x) * float64(x)
	}
	return math.Sqrt(s)
}

// encode is the stored form: little-endian float32, scaled to length 1.
func encode(v []float32) []byte {
	return llm.Stored(scaled(v))
}

// code is the number under which a task or agent stands in the vector index; 0 is none.
func code(s string) int64 {
	if s == "" {
		return 0
	}
	h := fnv.New32a()
	h.Write([]byte(s))
	return int64(h.Sum32()) + 1
}

func kindCode(kind string) int64 {
	if kind == KindRule {
		return 2
	}
	return 1
}

// scaled is v at length 1.
func scaled(v []float32) []float32 {
	n := norm(v)
	return lists.Map(v, func(x float32) float32 { return float32(float64(x) / n) })
}
