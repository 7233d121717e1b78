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
	v, codes := floats(domainFile, 3*n+1)
	return field{v[:n], v[n : 2*n], v[2*n:], codes}
})

// floats are the first n numbers of a file, and what follows.
func floats(file []byte, n int) (out []float32, rest []byte) {
	out = make([]float32, n)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(file[4*i:]))
	}
	return out, file[4*n:]
}

// lead moves a question's vector to where its answers lie.
func (f field) lead(q []float32) []float32 {
	return blend(moved(product(q, f.scales, f.codes), q, f.constant))
}

// talkFile moves a conversation's vector in the same way: a constant, and a matrix of two factors of bytes, a scale a
// row. TestFitTheTalk fits it.
//
//go:embed talk.bin
var talkFile []byte

type talk struct {
	constant, downScales, upScales []float32
	down, up                       []byte
}

var inTalk = sync.OnceValue(func() (t talk) {
	n := len(domain().constant)
	rank := (len(talkFile) - 8*n) / (2*n + 4)
	v, codes := floats(talkFile, 2*n+rank)
	return talk{v[:n], v[n : 2*n], v[2*n:], codes[:n*rank], codes[n*rank:]}
})

// lead moves the vector of a question that was read after what was said before it to where its answers lie.
func (t talk) lead(q []float32) []float32 {
	return blend(moved(product(product(q, t.downScales, t.down), t.upScales, t.up), q, t.constant))
}

// product is a vector times a matrix of bytes, a scale a row.
func product(q, scales []float32, codes []byte) []float32 {
	n := len(codes) / len(q)
	out := make([]float32, n)
	for i, x := range q {
		by := x * scales[i]
		for k, code := range codes[i*n : (i+1)*n] {
			out[k] += by * float32(int8(code))
		}
	}
	return out
}

// moved adds a vector and a constant to out.
func moved(out, q, constant []float32) []float32 {
	for i, x := range q {
		out[i] += x + constant[i]
	}
	return out
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
