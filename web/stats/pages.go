// Package stats holds the pages of managers: what users say, the figures and what they were counted from, seeded
// checks, experiments, comparisons, exports and packs of evidence.
package stats

import (
	"context"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/audit"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/evidence"
	"preceptor/internal/evidence/duty"
	"preceptor/internal/evidence/history"
	"preceptor/internal/feedback"
	"preceptor/internal/feedback/experiment"
	"preceptor/internal/feedback/link"
	"preceptor/internal/feedback/nightly"
	"preceptor/internal/feedback/preference"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/unanswered"
	"preceptor/internal/learning"
	"preceptor/internal/policy"
	"preceptor/internal/practice"
	"preceptor/internal/review"
	"preceptor/internal/review/export"
	"preceptor/internal/review/planted"
	"preceptor/internal/stats"
	"preceptor/web/frame"
	"preceptor/web/hidden"
)

// Deps is what the handlers work with.
type Deps struct {
	Accounts     *account.Directory
	Stats        *stats.Reader
	Borderline   *borderline.Store
	Policies     *policy.Store
	Planted      *planted.Store
	Interactions *interaction.Store
	Reviews      *review.Queue
	Knowledge    *knowledge.Base
	Unanswered   *unanswered.Store
	Learning     *learning.Pipeline
	Feedback     *feedback.Book
	Links        *link.Links // for feedback
	Nightly      *nightly.Batch
	Experiments  *experiment.Store
	Practice     *practice.Runs
	Pairs        *preference.Store
	Exports      *export.Service
	Evidence     *history.Teller
	Duty         *duty.Reporter

	// Practise begins a run, PractiseOn has one that stopped go on; ProposePractised begins a lesson of each of these
	// rules of a training, ComparePractised a comparison of them.
	Practise         func(ctx context.Context, p practice.Plan) (practice.Run, error)
	PractiseOn       func(ctx context.Context, runID string, by audit.Actor) error
	ProposePractised func(ctx context.Context, runID string, rules []int) (int, error)
	PractisedWell    func(ctx context.Context, run practice.Run) ([]practice.Example, error)
	AdoptPractised   func(ctx context.Context, runID string, persons []string, by knowledge.Person) (int, error)
	ComparePractised func(ctx context.Context, runID string, rules []int, by audit.Actor) (practice.Run, error)
	// CheckPack holds a pack against its seal and against the log.
	CheckPack func(ctx context.Context, file []byte) (evidence.Report, error)
	// Address is the whole address of a page of ours, to be handed to somebody.
	Address func(path string) string
	Now     func() time.Time
}

// Pages are the handlers.
type Pages struct {
	Deps
	*frame.Maker
	*hidden.Guard
}

// New makes the handlers.
func New(d Deps, m *frame.Maker, g *hidden.Guard) *Pages { return &Pages{Deps: d, Maker: m, Guard: g} }
