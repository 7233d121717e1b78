// Package experts holds the pages of compliance experts: borderline cases, the line that they rule by, ratings of what went out, and checks.
package experts

import (
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/compliance/checkbook"
	"preceptor/internal/compliance/evaluate"
	"preceptor/internal/interaction"
	"preceptor/internal/learning"
	"preceptor/internal/review"
	"preceptor/web/frame"
	"preceptor/web/teach"
)

// Deps is what the handlers work with.
type Deps struct {
	Borderline   *borderline.Store
	Checkbook    *checkbook.Store
	Compliance   *compliance.Store
	Judges       *evaluate.Store
	Interactions *interaction.Store
	Learning     *learning.Pipeline
	Reviews      *review.Queue
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
