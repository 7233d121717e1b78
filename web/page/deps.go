// Package page holds the handlers that answer with HTML: bind, call one domain method, render.
//
// Every handler is a method of *Pages and stands in a file named after its object and act (review_approve.go). Which
// role may call it is in web/routes.go and nowhere else. Forms work without JavaScript (303 after a POST) and with htmx.
package page

import (
	"log/slog"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/advisor"
	"preceptor/internal/comment"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/compliance/checkbook"
	"preceptor/internal/compliance/evaluate"
	"preceptor/internal/feedback/chat"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/atlas"
	"preceptor/internal/knowledge/conflict"
	"preceptor/internal/knowledge/credit"
	basefile "preceptor/internal/knowledge/transfer"
	"preceptor/internal/learning"
	streams "preceptor/internal/learning/stream"
	"preceptor/internal/review"
	"preceptor/internal/review/planted"
	"preceptor/internal/stats"
	base "preceptor/views/knowledge"
	"preceptor/web/background"
	"preceptor/web/frame"
	"preceptor/web/hidden"
	"preceptor/web/session"
	"preceptor/web/teach"
)

// Deps is what the handlers work with. The database is not among it: pages talk to the domain.
type Deps struct {
	Accounts *account.Directory
	Sessions *session.Keeper

	Interactions *interaction.Store
	Compliance   *compliance.Store
	Validator    *compliance.Validator
	Judges       *evaluate.Store
	Borderline   *borderline.Store
	Checkbook    *checkbook.Store
	Reviews      *review.Queue
	Planted      *planted.Store
	Knowledge    *knowledge.Base
	Credit       *credit.Ledger
	Conflicts    *conflict.Store
	Bases        *basefile.Service
	Atlas        *atlas.Atlas
	Learning     *learning.Pipeline
	Advisor      *advisor.Service
	Stream       *streams.Store
	Stats        *stats.Reader
	Comments     *comment.Store
	Room         *chat.Room

	// Subscribe is the feed of what changed ("reviews", "learning", ...) and the function that ends it.
	Subscribe func() (<-chan string, func())
	// Touched is when a topic last changed.
	Touched func(topic string) time.Time

	// Stopping is closed when the server stops; event streams end then.
	Stopping <-chan struct{}

	Demo bool // one-click sign-in, on the loopback only
	Log  *slog.Logger
	Now  func() time.Time
}

// Pages are the handlers.
type Pages struct {
	Deps
	*frame.Maker
	*hidden.Guard
	*teach.Teacher
	work    *background.Work
	carried background.Run[base.FileRun]
}

// New makes the handlers.
func New(d Deps, m *frame.Maker, g *hidden.Guard, t *teach.Teacher, w *background.Work) *Pages {
	return &Pages{Deps: d, Maker: m, Guard: g, Teacher: t, work: w}
}
