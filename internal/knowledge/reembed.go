package knowledge

import (
	"context"

	"preceptor/internal/job"
)

// Reembed is the background job that gives every entry a vector of the embedder in use.
type Reembed struct{}

// Kind names the job.
func (Reembed) Kind() string { return "knowledge.reembed" }

// RegisterJobs registers the base's background work; before the queue starts.
func (b *Base) RegisterJobs(q *job.Queue) {}

// EnsureEmbedded queues the re-embedding if the corpus lacks vectors of the embedder in use. Call it at start.
func (b *Base) EnsureEmbedded(ctx context.Context, q *job.Queue) error { return nil }
