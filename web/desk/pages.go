// Package desk holds the pages of supervisors: the queue, a case with its forms, decisions and what is taken back of
// them, comments, and how far one is.
package desk

import (
	"log/slog"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/advisor"
	"preceptor/internal/comment"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/credit"
	"preceptor/internal/knowledge/unanswered"
	"preceptor/internal/learning"
	"preceptor/internal/practice/drill"
	"preceptor/internal/review"
	"preceptor/internal/review/escalation"
	"preceptor/internal/review/planted"
	"preceptor/internal/review/reply"
	"preceptor/internal/signal"
	"preceptor/web/frame"
	"preceptor/web/hidden"
	"preceptor/web/teach"
)

// Deps is what the handlers work with.
type Deps struct {
	Accounts     *account.Directory
	Reviews      *review.Queue
	Interactions *interaction.Store
	Borderline   *borderline.Store
	Compliance   *compliance.Store
	Validator    *compliance.Validator
	Planted      *planted.Store
	Knowledge    *knowledge.Base
	Unanswered   *unanswered.Store
	Advisor      *advisor.Service
	Credit       *credit.Ledger
	Learning     *learning.Pipeline
	Comments     *comment.Store
	Drill        *drill.Store
	Replies      *reply.Book
	Signals      *signal.Store
	Escalations  *escalation.Queue
	Log          *slog.Logger
	Now          func() time.Time
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
