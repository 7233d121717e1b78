// Package embedded is the embedder that needs no network: the public encoder (internal/llm/encoder) as it was
// published.
//
// A vector is the mean of a text's tokens, at length 1; of a long text the mean of its windows. A question to a search
// has the words before it that the encoder learned with. On the 300 questions of strangers in internal/knowledge's test
// vectors alone have nDCG@10 .605 so, .598 by the vector of the first mark, and .583 without those words.
//
// What it promises. The same text has the same vector on every machine, as long as Version stays the same. It fails
// only when the context ends, and never gives a zero vector. What was read lately is not read again. It is bad at
// negation, amounts and other languages.
package embedded

import (
	"context"
	_ "embed"
	"hash/maphash"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"preceptor/internal/llm"
	"preceptor/internal/llm/encoder"
)

// Version names the embedder and everything its vectors depend on.
const Version = "encoder bge-small-en-v1.5"

const (
	// Dims is the length of a vector.
	Dims = 384
	// searching stands before a question that passages are compared with.
	searching = "Represent this sentence for searching relevant passages: "
	// mostAsked is how many bytes of a question are read, and mostWindows how much of a text (of 512 tokens), to
	// bound the time.
	mostAsked   = 1200
	mostLed     = 320 // tokens of a question and of what was said before it
	mostWindows = 4
)

func init() {
	llm.Register("embedded", llm.Provider{Embedder: func(llm.Config) (llm.Embedder, error) { return New(), nil }})
}

// Embedder is stateless and safe for concurrent use.
type Embedder struct{}

// New returns the embedder. The encoder is read at the first text.
func New() *Embedder { return &Embedder{} }

// Name is Version.
func (*Embedder) Name() string { return Version }

// Dims is the length of a vector.
func (*Embedder) Dims() int { return Dims }

// Local is true: the encoder is part of the program.
func (*Embedder) Local() bool { return true }

// Embed gives each text its vector, on all processors but one; it fails only when ctx ends.
func (*Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	var next atomic.Int64
	var failed atomic.Pointer[error]
	work := func() {
		for i := int(next.Add(1)) - 1; i < len(texts) && failed.Load() == nil; i = int(next.Add(1)) - 1 {
			v, err := vector(ctx, texts[i], mostWindows)
			if out[i] = v; err != nil {
				failed.Store(&err)
			}
		}
	}
	var all sync.WaitGroup
	for range min(len(texts), runtime.GOMAXPROCS(0)-1) - 1 {
		all.Go(work)
	}
	work()
	all.Wait()
	if err := failed.Load(); err != nil {
		return nil, *err
	}
	return out, nil
}

// Ask gives a question the vector to look for passages with.
func (*Embedder) Ask(ctx context.Context, text string) ([]float32, error) {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text[:min(len(text), mostAsked)], "")), " ")
	return vector(ctx, searching+text, 1)
}

// lead makes of the trunk what reads a question as near to the passages that answer it; tools/encoder/lead.py tunes it.
//
//go:embed lead.bin
var lead []byte

var led = encoder.Part("embedded: lead.bin", lead, func(b []byte) (*encoder.Branch, error) {
	return encoder.BGE().Adapted(b)
})

// Lead gives a question, after what was said before it, the vector to look for the passages that answer it with.
func (*Embedder) Lead(ctx context.Context, before, question string) ([]float32, error) {
	key := "lead\x00" + before + "\x00" + question
	if v := lately.get(key); v != nil {
		return v, nil
	}
	r, err := led().Read(ctx, encoder.BGE().After(mostLed, searching, before, question))
	if err != nil {
		return nil, err
	}
	v := unit(r.Asked())
	lately.keep(key, v)
	return v, nil
}

// Alike are the cosines of Embed from which two questions are one, and on one topic. Of the pairs of
// testdata/intents.txt with one intent two in five reach the first and two in three the second; of those of one walk
// of life one in 37 and one in 12; of others one in 280 and 60. On the corrections of cmd/preceptor/testdata/trials the
// first is the line for questions about pensions, the second for those of other trades.
func (*Embedder) Alike() (near, wide float64) { return 0.70, 0.64 }

// Unlike are the cosine of texts with nothing in common, and that below which nothing answers a question: of the
// unrelated questions of internal/knowledge's test about half fall below it, and one in ten of those that have an
// answer.
func (*Embedder) Unlike() (low, floor float64) { return 0.40, 0.52 }

func vector(ctx context.Context, text string, windows int) ([]float32, error) {
	if v := lately.get(text); v != nil {
		return v, nil
	}
	list := encoder.BGE().Tokenize(text, "")
	sum := make([]float32, Dims)
	for _, w := range list[:min(len(list), windows)] {
		r, err := encoder.BGE().Read(ctx, w)
		if err != nil {
			return nil, err
		}
		for i, x := range unit(r.Pool()) {
			sum[i] += x
		}
	}
	lately.keep(text, unit(sum))
	return slices.Clone(sum), nil
}

func unit(v []float32) []float32 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	by := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= by
	}
	return v
}

// memory keeps the vectors of what was read last: 6 MB at most.
type memory struct {
	mu   sync.Mutex
	seed maphash.Seed
	kept map[uint64][]float32
	ring [4096]uint64
	next int
}

var lately = memory{seed: maphash.MakeSeed(), kept: map[uint64][]float32{}}

func (m *memory) get(text string) []float32 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.kept[maphash.String(m.seed, text)])
}

func (m *memory) keep(text string, v []float32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := maphash.String(m.seed, text)
	if _, known := m.kept[key]; !known {
		delete(m.kept, m.ring[m.next])
		m.ring[m.next] = key
		m.next = (m.next + 1) % len(m.ring)
	}
	m.kept[key] = slices.Clone(v)
}
