package learning

import (
	"context"
	"sync/atomic"

	"preceptor/internal/llm"
)

// spent is what the model calls of one step cost, in tokens as the server counted them.
type spent struct{ in, out atomic.Int64 }

func (s *spent) tokens() (in, out int) { return int(s.in.Load()), int(s.out.Load()) }

type meterKey struct{}

// withMeter is a context whose model calls are counted.
func withMeter(ctx context.Context) (context.Context, *spent) {
	s := new(spent)
	return context.WithValue(ctx, meterKey{}, s), s
}

// meter counts an answer for the step it was given to.
func meter(ctx context.Context, r llm.Response) {
	if s, ok := ctx.Value(meterKey{}).(*spent); ok {
		s.in.Add(int64(r.InTokens))
		s.out.Add(int64(r.OutTokens))
	}
}
