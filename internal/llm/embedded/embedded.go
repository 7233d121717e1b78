// Package embedded is the embedder that needs no network: deterministic, pure Go, 384 numbers a text.
//
// It knows the first domain, UK pensions, from a thesaurus written for this program, and everything else by its words and
// their letters. A vector has two parts. The first conceptDims numbers stand for one concept each ("the whole pot at
// once", "death", "final salary"): a text has as much of a concept as it uses words for it, formal or colloquial, and a
// share of the concepts related to it. The others hold the words themselves (stems, pairs of neighbours and four-letter
// pieces, hashed with a sign), weighed by a fixed table of how telling a word is. So "cash in the lot" lies near "Take
// your whole pot in one go" without a word in common, a typing error costs little, and a word that the thesaurus has
// never seen still finds its like.
//
// What it promises. The same text gives the same vector on every machine, as long as Version stays the same; a test
// holds the tables to their hash, so that a change of any of them is a new Version and the corpus is embedded anew. It
// never fails and never gives a zero vector, not even for an empty text.
//
// It is honest about what it is: a thesaurus and hashing, not a language model. Negation, irony and what lies between
// the lines are beyond it, and so are turns of phrase that nobody wrote down here: on questions whose words were set beside the
// thesaurus it ranks the right section first four times in five, on new hard ones that share hardly a word with the answer two times in five
// (internal/knowledge's quality test; words alone: one in seven, and one in ten).
//
// What it decided against: copying a word list or a model's vectors (licence, size), idf computed from the corpus at hand
// (a vector would depend on what was imported before it), and fitting weights to the test pages.
package embedded

import (
	"context"
	"hash/fnv"
	"math"

	"preceptor/internal/llm"
)

// Version names the embedder and everything its vectors depend on.
const Version = "embedded/pension-2"

const (
	// Dims is the length of a vector.
	Dims        = 384
	conceptDims = 144
	wordDims    = Dims - conceptDims
	// wordShare is how much the words count beside the concepts.
	wordShare = 0.7
	// enough is how much of concepts a text must have for them to count fully.
	enough = 0.8
	// titleTimes is how often a word of the first line counts.
	titleTimes = 3
)

func init() {
	llm.Register("embedded", llm.Provider{Embedder: func(llm.Config) (llm.Embedder, error) { return New(), nil }})
}

// Embedder is stateless and safe for concurrent use.
type Embedder struct{ t *tables }

// New returns the embedder.
func New() *Embedder { return &Embedder{t: loadTables()} }

// Name is Version.
func (*Embedder) Name() string { return Version }

// Dims is the length of a vector.
func (*Embedder) Dims() int { return Dims }

// Local is true: there is no network in it.
func (*Embedder) Local() bool { return true }

// Floor is the cosine that the best answer to a question reaches; when none does there is no answer. Found on the development half of the
// labelled questions in internal/knowledge/testdata.
func (*Embedder) Floor() float64 { return 0.28 }

// Embed never fails.
func (e *Embedder) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, t := range texts {
		out[i] = e.vector(t)
	}
	return out, nil
}

func (e *Embedder) vector(text string) []float32 {
	title, body := e.t.read(text)
	var v [Dims]float64
	e.t.concepts(title, body, v[:conceptDims])
	e.t.words(title, body, v[conceptDims:])
	c, w := norm(v[:conceptDims]), norm(v[conceptDims:])
	scale(v[:conceptDims], ratio(min(1, c/enough), c))
	scale(v[conceptDims:], ratio(wordShare, w))
	return unit(v[:])
}

func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

func norm(v []float64) float64 {
	var s float64
	for _, x := range v {
		s += x * x
	}
	return math.Sqrt(s)
}

func scale(v []float64, by float64) {
	for i := range v {
		v[i] *= by
	}
}

// unit is v at length 1; a text that says nothing points to a place of its own.
func unit(v []float64) []float32 {
	n := norm(v)
	out := make([]float32, len(v))
	if n == 0 {
		out[len(v)-1] = 1
		return out
	}
	for i, x := range v {
		out[i] = float32(x / n)
	}
	return out
}

// hashInto adds weight at the place and with the sign that name hashes to.
func hashInto(v []float64, name string, weight float64) {
	h := fnv.New64a()
	h.Write([]byte(name))
	sum := h.Sum64()
	sum ^= sum >> 29 // FNV's low bits of short names are alike
	sum *= 0xbf58476d1ce4e5b9
	sum ^= sum >> 32
	if sum&(1<<40) != 0 {
		weight = -weight
	}
	v[sum%uint64(len(v))] += weight
}

// grow is how a count becomes a weight: the second mention tells less than the first.
func grow(count float64) float64 {
	if count <= 1 {
		return count
	}
	return 1 + math.Log(count)
}
