package knowledge

import (
	"context"
	"fmt"

	"preceptor/internal/llm"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/job"
	"preceptor/internal/search"
)

// embedBatch is how many texts are embedded by one call, and written by one transaction.
const embedBatch = 64

// Reembed is the background job that gives every entry a vector of the embedder in use.
type Reembed struct{}

// Kind names the job.
func (Reembed) Kind() string { return "knowledge.reembed" }

// RegisterJobs registers the base's background work; before the queue starts.
func (b *Base) RegisterJobs(q *job.Queue) {
	b.jobs = q
	job.Register(q, func(ctx context.Context, _ Reindexing) error { return b.Reindex(ctx) })
	q.Periodic("knowledge.turn", turnEvery, b.Turn)
	job.Register(q, func(ctx context.Context, _ Reembed) error { return b.Reembed(ctx) })
}

// EnsureEmbedded queues the re-embedding if the corpus lacks vectors of the embedder in use. Call it at start.
func (b *Base) EnsureEmbedded(ctx context.Context, q *job.Queue) error {
	pending, err := b.index.Pending(ctx, b.embedder.Name(), 0, 1)
	if err != nil {
		return err
	}
	model, err := b.index.Model(ctx)
	if err != nil {
		return err
	}
	if len(pending) == 0 && (model == "" || model == b.embedder.Name()) {
		return nil
	}
	return b.db.Write(ctx, func(tx *db.Tx) error { return q.InsertTx(tx, Reembed{}, job.Unique()) })
}

// Reembed gives every entry that lacks one a vector of the embedder in use, then has the index change over to them in
// one transaction. Until then recall goes by the old vectors, if their embedder is at hand, and by words. It may be
// stopped and run again: it goes on where it was.
func (b *Base) Reembed(ctx context.Context) error {
	model := b.embedder.Name()
	if err := b.embedAll(ctx, b.embedder, func(after int64) ([]search.Pending, error) {
		return b.index.Pending(ctx, model, after, embedBatch)
	}); err != nil {
		return err
	}
	inUse, err := b.index.Model(ctx)
	if err != nil || inUse == model || inUse == "" {
		return err
	}
	b.log.Info("the corpus is embedded anew; changing over", "from", inUse, "to", model)
	return b.index.Rebuild(ctx, model)
}

// embedAll gives the entries that pending lists their vectors, some at a time.
func (b *Base) embedAll(ctx context.Context, e llm.Embedder,
	pending func(after int64) ([]search.Pending, error)) error {
	after, again := int64(0), false
	for {
		list, err := pending(after)
		if err != nil || len(list) == 0 && !again {
			return err
		}
		if len(list) == 0 { // what changed meanwhile
			after, again = 0, false
			continue
		}
		again = true
		texts := make([]string, len(list))
		for i, p := range list {
			texts[i], after = p.Text, p.Row
		}
		vectors, err := e.Embed(ctx, texts)
		if err != nil {
			return fmt.Errorf("knowledge: re-embed: %w", err)
		}
		if len(vectors) != len(texts) {
			return fmt.Errorf("knowledge: %s gave %d vectors for %d texts", e.Name(), len(vectors), len(texts))
		}
		if err := b.db.Write(ctx, func(tx *db.Tx) error {
			for i, p := range list {
				if _, err := b.index.SetVectorTx(tx, p, e.Name(), vectors[i]); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return err
		}
	}
}
