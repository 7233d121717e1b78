// Package experts holds the pages of compliance experts: what they have to do, borderline cases, the line that they
// rule by, ratings of what went out, and checks.
package experts

import (
	"time"

	"preceptor/internal/approval"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/compliance/checklist"
	"preceptor/internal/compliance/evaluate"
	"preceptor/internal/dataset"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/conflict"
	"preceptor/internal/knowledge/unanswered"
	"preceptor/internal/learning"
	"preceptor/internal/review"
	"preceptor/internal/signal"
	"preceptor/web/frame"
	"preceptor/web/teach"
)

// Deps is what the handlers work with.
type Deps struct {
	Approvals    *approval.Store
	Borderline   *borderline.Store
	Checklist    *checklist.Store
	Compliance   *compliance.Store
	Conflicts    *conflict.Store
	Unanswered   *unanswered.Store
	Datasets     *dataset.Store
	Judges       *evaluate.Store
	Interactions *interaction.Store
	Knowledge    *knowledge.Base
	Learning     *learning.Pipeline
	Reviews      *review.Queue
	Signals      *signal.Store
	Validator    *compliance.Validator
	Now          func() time.Time
}

// Pages are the handlers.
type Pages struct {
	Deps
	*frame.Maker
	*teach.Teacher
}

// New makes the handlers.
func New(d Deps, m *frame.Maker, t *teach.Teacher) *Pages {
	return &Pages{Deps: d, Maker: m, Teacher: t}
}
