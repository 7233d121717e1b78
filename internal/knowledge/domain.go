package knowledge

import (
	_ "embed"
	"encoding/binary"
	"math"
	"sync"

	"preceptor/internal/llm"
)

// domainFile is what we know of pensions: where in the space of the embedder's vectors the answers lie to a question
// that lies elsewhere, and how alike the best answer must be. TestFitTheDomain fits both, and says how. Other fields
// are asked by the question as it stands.
//
//go:embed domain.bin
var domainFile []byte

const (
	domainOf   = "encoder bge-small-en-v1.5" // whose vectors it was fitted to
	width      = 384                         // of its vectors
	leastFloor = 0.35                        // below it likeness means nothing
	mostFloor  = 0.75                        // a question that a case answers lies above it: what was taught is found
)

// field is a domain: a question's vector moves by a constant and by the product of a matrix of bytes, a scale a row.
// The floor is a constant and a weight for each number of the question's vector.
type field struct {
	constant, scales, floors []float32
	codes                    []byte
}

var domain = sync.OnceValue(func() field {
	v, codes := floats(domainFile, 3*width+1)
	return field{v[:width], v[width : 2*width], v[2*width:], codes}
})

// floats are the first n numbers of a file, and what follows.
func floats(file []byte, n int) (out []float32, rest []byte) {
	for i := range n {
		out = append(out, math.Float32frombits(binary.LittleEndian.Uint32(file[4*i:])))
	}
	return out, file[4*n:]
}

// lead is the question's vector moved to where its answers lie.
func (f field) lead(q []float32) []float32 {
	out := make([]float32, width)
	for i, x := range q {
		by := x * f.scales[i]
		for k, code := range f.codes[i*width : (i+1)*width] {
			out[k] += by * float32(int8(code))
		}
		out[i] += x + f.constant[i]
	}
	return blend(out)
}

// blend is the direction between vectors of length 1.
func blend(vectors ...[]float32) []float32 {
	out := make([]float32, len(vectors[0]))
	for _, v := range vectors {
		for i, x := range v {
			out[i] += x
		}
	}
	sum := math.Sqrt(llm.Dot(out, out))
	for i := range out {
		out[i] /= float32(sum)
	}
	return out
}

// floor is how alike the best answer to a question must be.
func (f field) floor(q []float32) float64 {
	return min(mostFloor, max(leastFloor, float64(f.floors[0])+llm.Dot(f.floors[1:], q)))
}
