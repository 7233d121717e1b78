// Package parts is what the rooms of the web work with: the services of the domain, and what the program does for them.
// There is one Parts, which package app fills and every room shares. The database is not among it: rooms talk to the
// domain. What a room uses is seen in its handlers; a list for each room besides only said it again.
package parts

import (
	"context"
	"io"
	"log/slog"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/advisor"
	"preceptor/internal/approval"
	"preceptor/internal/audit"
	"preceptor/internal/comment"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/compliance/checklist"
	"preceptor/internal/compliance/evaluate"
	"preceptor/internal/dataset"
	"preceptor/internal/dataset/transfer"
	"preceptor/internal/dataset/version"
	"preceptor/internal/delivery"
	"preceptor/internal/erase"
	"preceptor/internal/evidence"
	"preceptor/internal/evidence/duty"
	"preceptor/internal/evidence/history"
	"preceptor/internal/feedback"
	"preceptor/internal/feedback/chat"
	"preceptor/internal/feedback/experiment"
	"preceptor/internal/feedback/link"
	"preceptor/internal/feedback/nightly"
	"preceptor/internal/feedback/preference"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/conflict"
	"preceptor/internal/knowledge/credit"
	basefile "preceptor/internal/knowledge/transfer"
	"preceptor/internal/knowledge/unanswered"
	"preceptor/internal/learning"
	"preceptor/internal/learning/stream"
	"preceptor/internal/person"
	"preceptor/internal/platform/backup"
	"preceptor/internal/platform/job"
	"preceptor/internal/platform/limiter"
	"preceptor/internal/platform/table/imports"
	"preceptor/internal/policy"
	"preceptor/internal/practice"
	"preceptor/internal/practice/drill"
	"preceptor/internal/review"
	"preceptor/internal/review/escalation"
	"preceptor/internal/review/export"
	"preceptor/internal/review/planted"
	"preceptor/internal/review/reply"
	"preceptor/internal/signal"
	"preceptor/internal/stats"
	"preceptor/web/session"
)

// Parts are the parts.
type Parts struct {
	Accounts     *account.Directory
	Advisor      *advisor.Service // nil: nothing can be previewed
	Approvals    *approval.Store
	Bases        *basefile.Service
	Borderline   *borderline.Store
	Checklist    *checklist.Store
	Comments     *comment.Store
	Compliance   *compliance.Store
	Conflicts    *conflict.Store
	Copies       *backup.Keeper
	Credit       *credit.Ledger
	Datasets     *dataset.Store
	Delivery     *delivery.Service
	Drill        *drill.Store
	Duty         *duty.Reporter
	Erase        *erase.Service
	Escalations  *escalation.Queue
	Evidence     *history.Teller
	Experiments  *experiment.Store
	Exports      *export.Service
	Feedback     *feedback.Book
	Imports      *imports.Service
	Interactions *interaction.Store
	Jobs         *job.Queue
	Judges       *evaluate.Store
	Knowledge    *knowledge.Base
	Learning     *learning.Pipeline
	Links        *link.Links // for feedback
	Nightly      *nightly.Batch
	Planted      *planted.Store
	Policies     *policy.Store
	Practice     *practice.Runs
	Preferences  *preference.Store
	Replies      *reply.Book
	Reviews      *review.Queue
	Room         *chat.Room
	Sessions     *session.Keeper
	Signals      *signal.Store
	Stats        *stats.Reader
	Stream       *stream.Store
	Transfer     *transfer.Service
	Unanswered   *unanswered.Store
	Validator    *compliance.Validator
	Versions     *version.Store
	Log          *slog.Logger

	Hooks
	Demo          bool     // one-click sign-in, on the loopback only
	Secure        bool     // people come over TLS, to us or to a proxy before us
	WidgetOrigins []string // the sites that may show the feedback widget, besides our own
	// Stopping is closed when the server stops; event streams end then.
	Stopping <-chan struct{}
	// Refused is what the limits of a token refused.
	Refused func(tokenID string) limiter.Refused
}

// Hooks are what the program does for the rooms.
type Hooks struct {
	Audit Audit
	Now   func() time.Time
	// Address is the whole address of a page of ours, to be handed to somebody.
	Address func(path string) string
	// Subscribe is the feed of what changed ("reviews", "learning", ...) and the function that ends it; Touched is when
	// a topic last changed.
	Subscribe func() (<-chan string, func())
	Touched   func(topic string) time.Time
	Pace      limiter.Shared
	// Voted are the agents that are known by votes alone, as they call themselves.
	Voted func(ctx context.Context) ([]string, error)
	// Backup writes a consistent copy of the database to a file that must not exist yet.
	Backup func(ctx context.Context, by audit.Actor, file string) error
	// RetryJob has a job that is parked run again; RetryJobs all parked ones of a kind, and says how many. PauseJob,
	// ResumeJob and RunJob act on work that comes again by itself, by its name. All keep record of who wanted it.
	RetryJob                    func(ctx context.Context, by audit.Actor, id int64) error
	RetryJobs                   func(ctx context.Context, by audit.Actor, kind string) (int, error)
	PauseJob, ResumeJob, RunJob func(ctx context.Context, by audit.Actor, name string) error
	// AskExperts gives every expert a notice about a rule, and says how many there are.
	AskExperts func(ctx context.Context, r *knowledge.Rule, by person.Person) (int, error)
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
}

// Audit reads the audit log.
type Audit struct {
	List   func(ctx context.Context, f audit.Filter) (audit.Page, error)
	Verify func(ctx context.Context) (audit.Report, error)
	// Name is what people call the object of a row; "" when it has no name, or is gone.
	Name func(ctx context.Context, kind, id string) (string, error)
	// Record puts a row of a person's own in the log.
	Record func(ctx context.Context, e audit.Entry) error
	// Export writes what the filter picks to w in a format of package audit, and keeps record of it.
	Export func(ctx context.Context, by audit.Actor, f audit.Filter, format string, w io.Writer) error
}
