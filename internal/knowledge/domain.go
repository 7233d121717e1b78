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
	leastFloor = 0.35                        // below it likeness means nothing
	mostFloor  = 0.75                        // a question that a case answers lies above it: what was taught is found
)

// field is a domain: a question's vector moves by a constant and a matrix of bytes, a scale a row; the floor is a
// constant and a weight for each number of the question's vector.
type field struct {
	constant, scales, floors []float32
	codes                    []byte
}

var domain = sync.OnceValue(func() (f field) {
	n := int(math.Sqrt(float64(len(domainFile)))) // n² codes, and three rows of floats
	for n*n+12*n+4 > len(domainFile) {
		n--
	}
	v := make([]float32, 3*n+1)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(domainFile[4*i:]))
	}
	return field{v[:n], v[n : 2*n], v[2*n:], domainFile[4*len(v):]}
})

// lead moves a question's vector to where its answers lie.
func (f field) lead(q []float32) []float32 {
	out := make([]float32, len(q))
	for i, x := range q {
		out[i] += x + f.constant[i]
		by := x * f.scales[i]
		for k, code := range f.codes[i*len(q) : (i+1)*len(q)] {
			out[k] += by * float32(int8(code))
		}
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
