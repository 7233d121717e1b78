package learned

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"preceptor/internal/llm/embedded"
)

// Classes are the categories and, as 0, nothing.
const Classes = 5

const (
	// floor is the least probability at which a sentence teaches. Of 1,237 messages that teach nothing, by an author
	// left out of the fit, 6% reach it. It was chosen on those messages.
	floor = 0.75
	// doubtful is the probability below which a learning's confidence is low: half-way from the floor to certainty.
	doubtful = (1 + floor) / 2
	// mostMessage bounds the work for one message, in bytes; what is behind it is not read.
	mostMessage = 16 << 10
)

//go:embed weights.bin
var packed []byte

// Weights are a softmax: a row of Inputs and a bias for each class.
type Weights [Classes][]float32

var loaded = sync.OnceValue(func() *Weights {
	w, err := Unpack(packed)
	if err != nil {
		panic(err) // the file is part of the program, and a test reads it
	}
	return w
})

// Unpack reads weights.bin, which fit_test.go writes: by class a scale and a byte for each weight.
func Unpack(b []byte) (*Weights, error) {
	const row = 4 + Inputs + 1
	if len(b) != Classes*row {
		return nil, fmt.Errorf("learned: weights.bin has %d bytes, not %d", len(b), Classes*row)
	}
	var w Weights
	for c := range w {
		part := b[c*row : (c+1)*row]
		scale := math.Float32frombits(binary.LittleEndian.Uint32(part))
		w[c] = make([]float32, Inputs+1)
		for i, code := range part[4:] {
			w[c][i] = scale * float32(int8(code))
		}
	}
	return &w, nil
}

// Probabilities are those of each class for a sentence with these features.
func (w *Weights) Probabilities(features []Feature) (p [Classes]float64) {
	for c, row := range w {
		p[c] = float64(row[Inputs])
		for _, f := range features {
			p[c] += float64(row[f.At]) * float64(f.Value)
		}
	}
	top, sum := slices.Max(p[:]), 0.0
	for c := range p {
		p[c] = math.Exp(p[c] - top)
		sum += p[c]
	}
	for c := range p {
		p[c] /= sum
	}
	return p
}

// Teaches is the likeliest category of a sentence with these features, and the probability that it teaches anything.
func (w *Weights) Teaches(features []Feature) (class int, p float64) {
	all := w.Probabilities(features)
	class = 1
	for c := 2; c < Classes; c++ {
		if all[c] > all[class] {
			class = c
		}
	}
	return class, 1 - all[0]
}

// Embedded reads messages with the weights of the program. It is safe for concurrent use.
type Embedded struct{ sentences *embedded.Embedder }

// NewEmbedded makes one; the weights fit one embedder alone.
func NewEmbedded() *Embedded { return &Embedded{embedded.New()} }

// Extract gives the best sentence of each category that reaches the floor.
func (e *Embedded) Extract(ctx context.Context, message string) ([]Learning, error) {
	if short(message) {
		return nil, nil
	}
	read := message
	if len(read) > mostMessage {
		read = strings.ToValidUTF8(read[:mostMessage], "")
	}
	units, err := Units(ctx, e.sentences, read)
	if err != nil {
		return nil, err
	}
	var best [Classes]struct {
		p    float64
		unit Unit
	}
	for _, u := range units {
		if c, p := loaded().Teaches(u.Features); p >= floor && p > best[c].p {
			best[c].p, best[c].unit = p, u
		}
	}
	sure := best[1:]
	var list []Learning
	for c, b := range sure {
		if b.p == 0 {
			continue
		}
		l := stated(message, Categories[c], b.unit.Span.Start, b.unit.Span.End)
		if b.p < doubtful && l.Confidence != High {
			l.Confidence = Low
		}
		list = append(list, l)
	}
	p := func(l Learning) float64 { return sure[slices.Index(Categories, l.Category)].p }
	slices.SortStableFunc(list, func(a, b Learning) int { return cmp.Compare(p(b), p(a)) })
	return list[:min(len(list), MostLearnings)], nil
}
