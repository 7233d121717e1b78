// Package page holds the handlers that answer with HTML: bind, call one domain method, render.
//
// Every handler is a method of *Pages and stands in a file named after its object and act (review_approve.go). Which
// role may call it is in web/routes.go and nowhere else. Forms work without JavaScript (303 after a POST) and with htmx.
package page

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/advisor"
	"preceptor/internal/audit"
	"preceptor/internal/comment"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/compliance/checkbook"
	"preceptor/internal/compliance/evaluate"
	"preceptor/internal/dataset"
	"preceptor/internal/dataset/transfer"
	"preceptor/internal/dataset/version"
	"preceptor/internal/delivery"
	"preceptor/internal/erase"
	"preceptor/internal/evidence"
	"preceptor/internal/evidence/duty"
	"preceptor/internal/evidence/story"
	"preceptor/internal/feedback"
	"preceptor/internal/feedback/chat"
	"preceptor/internal/feedback/experiment"
	"preceptor/internal/feedback/nightly"
	"preceptor/internal/feedback/preference"
	"preceptor/internal/interaction"
	"preceptor/internal/job"
	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/atlas"
	"preceptor/internal/knowledge/conflict"
	"preceptor/internal/knowledge/credit"
	basefile "preceptor/internal/knowledge/transfer"
	"preceptor/internal/learning"
	streams "preceptor/internal/learning/stream"
	"preceptor/internal/policy"
	"preceptor/internal/review"
	"preceptor/internal/review/export"
	"preceptor/internal/review/planted"
	"preceptor/internal/stats"
	"preceptor/views/admin"
	base "preceptor/views/knowledge"
	"preceptor/web/background"
	"preceptor/web/frame"
	"preceptor/web/session"
)

// Deps is what the handlers work with. The database is not among it: pages talk to the domain.
type Deps struct {
	Accounts *account.Directory
	Sessions *session.Keeper
	Jobs     *job.Queue
	Audit    Audit

	Interactions *interaction.Store
	Compliance   *compliance.Store
	Validator    *compliance.Validator
	Judges       *evaluate.Store
	Borderline   *borderline.Store
	Checkbook    *checkbook.Store
	Reviews      *review.Queue
	Planted      *planted.Store
	Exports      *export.Service
	Policies     *policy.Store
	Delivery     *delivery.Service
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
	Datasets     *dataset.Store
	Versions     *version.Store
	Transfer     *transfer.Service
	Erase        *erase.Service
	Feedback     *feedback.Book
	Nightly      *nightly.Batch
	Room         *chat.Room
	Pairs        *preference.Store
	Experiments  *experiment.Store

	Evidence *story.Teller
	Duty     *duty.Reporter

	// CheckPack holds a pack against its seal and against the log.
	CheckPack func(ctx context.Context, file []byte) (evidence.Report, error)
	// Subscribe is the feed of what changed ("reviews", "learning", ...) and the function that ends it.
	Subscribe func() (<-chan string, func())
	// Touched is when a topic last changed.
	Touched func(topic string) time.Time
	// Backup writes a consistent copy of the database to a file that must not exist yet.
	Backup func(ctx context.Context, by audit.Actor, file string) error
	// RetryJob has a job that is parked run again, and keeps record of who wanted it.
	RetryJob func(ctx context.Context, by audit.Actor, id int64) error
	// RetryJobs has all parked jobs of a kind run again and tells how many.
	RetryJobs func(ctx context.Context, by audit.Actor, kind string) (int, error)
	// PauseJob, ResumeJob and RunJob act on work that comes again, by its name, and keep record of who wanted it.
	PauseJob  func(ctx context.Context, by audit.Actor, name string) error
	ResumeJob func(ctx context.Context, by audit.Actor, name string) error
	RunJob    func(ctx context.Context, by audit.Actor, name string) error

	// WidgetOrigins are the sites that may show the feedback widget, besides our own.
	WidgetOrigins []string
	// Address is the whole address of a page of ours, to be handed to somebody.
	Address func(path string) string

	// Stopping is closed when the server stops; event streams end then.
	Stopping <-chan struct{}

	Demo bool // one-click sign-in, on the loopback only
	Log  *slog.Logger
	Now  func() time.Time
}

// Audit reads the audit log.
type Audit struct {
	List   func(ctx context.Context, f audit.Filter) (audit.Page, error)
	Verify func(ctx context.Context) (audit.Report, error)
	// Export writes what the filter picks to w in a format of package audit, and keeps record of it.
	Export func(ctx context.Context, by audit.Actor, f audit.Filter, format string, w io.Writer) error
}

// Pages are the handlers.
type Pages struct {
	Deps
	*frame.Maker
	work    *background.Work
	imports background.Run[admin.ImportRun]
	uploads uploads
	carried background.Run[base.FileRun]
	brake   *feedback.Brake // on people without an account
	saying  sync.Mutex      // held while somebody without an account says how it went, which counts once
}

// New makes the handlers.
func New(d Deps, m *frame.Maker, w *background.Work) *Pages {
	return &Pages{Deps: d, Maker: m, work: w, brake: feedback.NewBrake(d.Now)}
}
