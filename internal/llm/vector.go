package llm

import (
	"encoding/binary"
	"math"
)

// Dot is the product of two vectors: of length 1, their cosine. Where one is longer, the rest of it counts nothing.
func Dot(a, b []float32) (sum float64) {
	for i := range min(len(a), len(b)) {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// Stored is a vector as tables keep it, little-endian; Vector is its inverse.
func Stored(v []float32) []byte {
	b := make([]byte, 4*len(v))
	for i, x := range v {
		binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(x))
	}
	return b
}

// Vector reads what Stored gave; nil when it is none.
func Vector(b []byte) []float32 {
	if len(b) == 0 || len(b)%4 != 0 {
		return nil
	}
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v
}
