// Package knowledge holds the pages of what the advisor knows and learns: rules and cases with their life, conflicts,
// quarantine, the history of the whole base, lessons on their way, and what agents remember.
package knowledge

import (
	"context"
	"log/slog"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/conflict"
	"preceptor/internal/knowledge/credit"
	"preceptor/internal/knowledge/transfer"
	"preceptor/internal/knowledge/unanswered"
	"preceptor/internal/learning"
	"preceptor/internal/learning/stream"
	"preceptor/internal/person"
	"preceptor/internal/platform/table/imports"
	"preceptor/internal/review"
	"preceptor/internal/signal"
	"preceptor/internal/stats"
	"preceptor/web/frame"
	"preceptor/web/hidden"
	"preceptor/web/teach"
)

// Deps is what the handlers work with.
type Deps struct {
	Knowledge    *knowledge.Base
	Conflicts    *conflict.Store
	Unanswered   *unanswered.Store
	Credit       *credit.Ledger
	Bases        *transfer.Service
	Imports      *imports.Service
	Learning     *learning.Pipeline
	Stream       *stream.Store
	Accounts     *account.Directory
	Signals      *signal.Store
	Interactions *interaction.Store
	Reviews      *review.Queue
	Stats        *stats.Reader
	// AskExperts gives every expert a notice about a rule, and says how many there are.
	AskExperts func(ctx context.Context, r *knowledge.Rule, by person.Person) (int, error)
	CheckURL   func(ctx context.Context, address string) (string, error) // as of a webhook
	Log        *slog.Logger
	Now        func() time.Time
}

// Pages are the handlers.
type Pages struct {
	Deps
	*frame.Maker
	*hidden.Guard
	*teach.Teacher
}

// New makes the handlers.
func New(d Deps, m *frame.Maker, g *hidden.Guard, t *teach.Teacher) *Pages {
	return &Pages{Deps: d, Maker: m, Guard: g, Teacher: t}
}
