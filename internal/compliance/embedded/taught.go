package embedded

import (
	"context"
	"fmt"
	"math"
	"strings"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/refit"
	"preceptor/internal/llm/tuned"
	"preceptor/internal/pack"
)

// Taught gives what people accepted of what this firm's labels taught the judge about texts of a pack, and which
// version it is; nil and 0 where nothing counts.
type Taught func(packName string) (head *refit.Head, version int)

func (t Taught) of(packName string) (head *refit.Head, version int) {
	if t == nil {
		return nil, 0
	}
	return t(pack.Of(packName).Name)
}

// Base names the judge as it came: what was learned beside one is nothing to another.
func (j *judge) Base() string { return "embedded " + loaded().Version }

// Model is what answers: the judge as it came, and what it was taught.
func (j *judge) Model() string { return strings.TrimSpace(j.Base() + " " + j.Knows()) }

// Knows names what the firm's labels taught it that counts.
func (j *judge) Knows() string {
	var parts []string
	for _, p := range pack.All() {
		if _, v := j.taught.of(p.Name); v > 0 {
			parts = append(parts, fmt.Sprintf("%s version %d", p.Name, v))
		}
	}
	return strings.Join(parts, ", ")
}

// features is what was read to learn from: it is read again and again, and apart from what is judged.
var features tuned.Memory[*reading]

// Features are what a head is fitted on: the vector of a text, and the log odds of a violation by the judge as it came.
// It fails only when ctx ends.
func (j *judge) Features(ctx context.Context, s compliance.Subject) (x []float64, odds float64, err error) {
	m := loaded()
	about, text, sentences := shown(&s)
	head := m.headOf(s.Situation.Pack)
	read := func() (*reading, error) { return m.reads(ctx, &s, about, text, sentences, head) }
	r, err := features.Get(readKey(&s, about, text, head), read)
	if err != nil {
		return nil, 0, err
	}
	return unit(r.pooled), m.inTalk(r), nil
}

// unit is a vector at length 1.
func unit(v []float32) []float64 {
	square, out := 0.0, make([]float64, len(v))
	for _, x := range v {
		square += float64(x) * float64(x)
	}
	for k, x := range v {
		out[k] = float64(x) / math.Sqrt(square+1e-12)
	}
	return out
}
