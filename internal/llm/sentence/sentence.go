// Package sentence is the embedder for any subject in English that needs no network: meaning by a small neural network, and the words.
//
// Model card. The network is Google's Universal Sentence Encoder Lite (Cer et al. 2018; Apache 2.0, see NOTICE): two transformer
// layers, 8,000 pieces of words, 512 numbers; English, with the biases of the web text of its time. The command in pack/ made
// weights.bin: 7.2 MB, a byte a weight (compressed it would be 6.5). Its vectors have a cosine of at least 0.999 with the original's
// on 51 sentences (0.99999999 before rounding), cut into the same pieces. Ours: pieces count by their rarity, a section is the mean of
// its sentences, and 256 hashed numbers hold stems, pairs and letters, so that names and codes count.
//
// Measured as the share of questions whose nearest of 6 examples an intent has their intent, halves swapped in brackets: testdata/
// intents.txt (37) 71% (68%); TF-IDF 44% (45%), the embedder for pensions 47% (47%), the network as published 64% (57%). topics.txt
// (40, hardly a word in common): 29% (26%); 7% (8%), 12% (10%), 30% (23%). The floor: see TestFloor. A question of 15 words takes 5 ms
// of one core with AVX2, 60 ms without; the weights are read at first use, in 1 to 6 ms.
//
// What it promises. A text has the same vector on every machine to about 1e-6, as long as Version stays the same: sums over weights
// are whole numbers. It fails only when the context ends, and never gives a zero vector. What was read lately is not read again
// (memory.go). It is bad at negation, amounts and other languages, and a page far from a question's words is hard to tell from an
// unrelated one.
//
// What it decided against: idf of the corpus at hand (a vector would depend on what was imported before it; the vocabulary's own
// scores say how common a word is) and subtracting the mean vector (no better, and fitted to our questions).
package sentence

import (
	"context"
	"math"
	"strings"
)

// Version names the embedder and everything its vectors depend on.
const Version = "sentence/use-lite-1"

const (
	// Dims is the length of a vector.
	Dims = wide + wordDims
	// wordShare is what likeness in words counts beside likeness in meaning.
	wordShare = 0.35
)

// Embedder is safe for concurrent use. Its weights are read at the first call.
type Embedder struct{ floor float64 }

// New returns an embedder whose Ask names a floor: ExamplesFloor or SectionsFloor, by what questions are compared with. It reads
// nothing yet. The vectors are the same whatever the floor.
func New(floor float64) *Embedder { return &Embedder{floor} }

// Name is Version.
func (*Embedder) Name() string { return Version }

// Dims is the length of a vector.
func (*Embedder) Dims() int { return Dims }

// Local is true: the weights are part of the program.
func (*Embedder) Local() bool { return true }

// Embed gives each text its vector; it fails only when ctx ends.
func (*Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	w := loaded()
	out := make([][]float32, len(texts))
	for i, t := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[i] = w.vector(t)
	}
	return out, nil
}

// vector reads one line as a question, and more as a section under its heading.
func (w *weights) vector(text string) []float32 {
	head, rest, found := strings.Cut(text, "\n")
	words := bag{w: w, parts: map[string]*part{}}
	if !found {
		words.add(head, 1)
		meaning, _ := w.meaning(w.pieces.split(head))
		return join(meaning, words.finish())
	}
	words.add(head, titleTimes)
	words.add(rest, 1)
	return join(w.section(head, rest), words.finish())
}

// join sets words beside meaning, at length 1.
func join(meaning, words []float32) []float32 {
	out := append(make([]float32, 0, Dims), meaning...)
	root := float32(math.Sqrt(wordShare))
	for _, v := range words {
		out = append(out, root*v)
	}
	return unit(out)
}
