// Package embedded will hold the embedder that needs no network.
package embedded

import (
	"context"

	"preceptor/internal/llm"
)

// Dims is the length of a vector.
const Dims = 384

// Version names the embedder and everything its vectors depend on; a change of any table here changes it.
const Version = "embedded/pension-1"

func init() {
	llm.Register("embedded", llm.Provider{Embedder: func(llm.Config) (llm.Embedder, error) { return New(), nil }})
}

// Embedder is stateless and safe for concurrent use.
type Embedder struct{}

// New returns the embedder.
func New() *Embedder { return &Embedder{} }

// Name is Version.
func (*Embedder) Name() string { return Version }

// Dims is 384.
func (*Embedder) Dims() int { return Dims }

// Embed never fails.
func (e *Embedder) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i := range texts {
		out[i] = make([]float32, Dims)
		out[i][0] = 1
	}
	return out, nil
}
