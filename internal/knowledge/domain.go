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
	rank       = 48                          // of the way from a conversation
	leastFloor = 0.35                        // below it likeness means nothing
	mostFloor  = 0.75                        // a question that a case answers lies above it: what was taught is found
)

// talkFile does the same for a question that was read after what was said before it, by a matrix of two factors.
// TestFitTheTalk fits it.
//
//go:embed talk.bin
var talkFile []byte

// way leads a question's vector to where its answers lie: it moves by a constant and by the product of the matrices.
type way struct {
	constant []float32
	by       []matrix
}

// matrix is one of bytes, a scale a row.
type matrix struct {
	scales []float32
	codes  []byte
}

// field is a domain; the floor is a constant and a weight for each number of the question's vector.
type field struct {
	way
	floors []float32
}

var domain = sync.OnceValue(func() field {
	v, codes := floats(domainFile, 3*width+1)
	return field{way{v[:width], []matrix{{v[width : 2*width], codes}}}, v[2*width:]}
})

var inTalk = sync.OnceValue(func() way {
	v, codes := floats(talkFile, 2*width+rank)
	return way{v[:width], []matrix{{v[width : 2*width], codes[:width*rank]}, {v[2*width:], codes[width*rank:]}}}
})

// floats are the first n numbers of a file, and what follows.
func floats(file []byte, n int) (out []float32, rest []byte) {
	for i := range n {
		out = append(out, math.Float32frombits(binary.LittleEndian.Uint32(file[4*i:])))
	}
	return out, file[4*n:]
}

func (w way) lead(q []float32) []float32 {
	out := q
	for _, m := range w.by {
		next := make([]float32, len(m.codes)/len(out))
		for i, x := range out {
			x *= m.scales[i]
			for k, code := range m.codes[i*len(next) : (i+1)*len(next)] {
				next[k] += x * float32(int8(code))
			}
		}
		out = next
	}
	for i, x := range q {
		out[i] += x + w.constant[i]
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
