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
// A question is read twice over: as it stands, misspelt words mended, and with the plain words for what people say ("the taxman", "snuff
// it") in their place (everyday.txt), so that the phrases of the thesaurus find what nobody wrote out. Ask also says how like the best
// answer is at least: much for a question about trains, little for one about a pension.
//
// It is honest about what it is: a thesaurus and hashing, not a language model. Negation, irony and what lies between
// the lines are beyond it, and so are turns of phrase that nobody wrote down here: internal/knowledge's quality test says how often it
// ranks the right section first, on questions whose words were set beside the thesaurus and on new ones.
//
// What it decided against: copying a word list or a model's vectors (licence, size), idf computed from the corpus at hand
// (a vector would depend on what was imported before it), and fitting weights to the test pages.
package embedded

import (
	"context"
	"hash/fnv"
	"math"
	"strings"

	"preceptor/internal/llm"
)

// Version names the embedder and everything its vectors depend on.
const Version = "embedded/pension-4"

const (
	// Dims is the length of a vector.
	Dims        = 384
	conceptDims = 160
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

// Embed never fails.
func (e *Embedder) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, t := range texts {
		out[i] = e.vector(t)
	}
	return out, nil
}

// vector reads one line as a question, and more as a section under its heading.
func (e *Embedder) vector(text string) []float32 {
	head, rest, found := strings.Cut(text, "\n")
	if !found {
		q := e.t.question(head)
		return e.t.vector(nil, q.tokens, q.plain, q.counts)
	}
	title, body := e.t.tokens(head), e.t.tokens(rest)
	return e.t.vector(title, body, nil, e.t.counts(title, body))
}

func (t *tables) vector(title, body, plain []token, counts []float64) []float32 {
	var v [Dims]float64
	t.concepts(counts, v[:conceptDims])
	t.words(title, body, plain, v[conceptDims:])
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
