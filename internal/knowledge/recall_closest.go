package knowledge

import (
	"context"

	"preceptor/internal/llm"
	"preceptor/internal/pack"
	"preceptor/internal/phrase"
)

// mostClosest is how many sentences of a case are read.
const mostClosest = 60

// Closest is the cosine of a question, after the last exchange before it, and the sentence nearest to it of some cases,
// read with its case's title; 0 where no embedder is at hand. It reads sentences, which recall has no time for; of a
// long case the first.
func (b *Base) Closest(ctx context.Context, s pack.Situation, items []Item) (best float64, err error) {
	x, ok := b.embedder.(Reader)
	if !ok || !llm.IsLocal(b.embedder) {
		return 0, nil
	}
	asked, err := x.Ask(ctx, after(s.Exchange(), s.Question))
	if err != nil {
		return 0, err
	}
	var texts []string
	for _, it := range items {
		spans := phrase.Sentences(it.Text)
		for _, sp := range spans[:min(mostClosest, len(spans))] {
			texts = append(texts, it.Title+". "+sp.In(it.Text))
		}
	}
	vectors, err := x.Embed(ctx, texts)
	for _, v := range vectors {
		best = max(best, llm.Dot(asked, v))
	}
	return best, err
}
