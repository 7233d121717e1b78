package web

import (
	"context"
	"log/slog"
	"net/netip"
	"time"

	"github.com/labstack/echo/v4"

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
	bases "preceptor/internal/knowledge"
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
	numbers "preceptor/internal/stats"
	"preceptor/web/admin"
	"preceptor/web/background"
	"preceptor/web/datasets"
	"preceptor/web/desk"
	"preceptor/web/experts"
	"preceptor/web/frame"
	"preceptor/web/guest"
	"preceptor/web/hidden"
	"preceptor/web/home"
	"preceptor/web/knowledge"
	"preceptor/web/session"
	"preceptor/web/stats"
	"preceptor/web/teach"
)

// Deps is what the server is made of. The database is not among it: rooms talk to the domain.
type Deps struct {
	Accounts *account.Directory
	Sessions *session.Keeper
	Jobs     *job.Queue
	Audit    admin.Audit

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
	Knowledge    *bases.Base
	Credit       *credit.Ledger
	Conflicts    *conflict.Store
	Bases        *basefile.Service
	Atlas        *atlas.Atlas
	Learning     *learning.Pipeline
	Advisor      *advisor.Service
	Stream       *streams.Store
	Stats        *numbers.Reader
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

	// API mounts the JSON API's routes.
	API func(e *echo.Echo) error
	// Ready says what keeps the program from working, or nil.
	Ready func(ctx context.Context) error

	Secure       bool           // people come over TLS, to us or to a proxy before us
	PublicURL    string         // the origin people type, when a proxy stands in front
	Proxies      []netip.Prefix // whose X-Forwarded-For is believed
	MetricsToken string         // opens /metrics beyond the loopback; "" is nobody
}

// rooms are the handlers that answer with HTML, by who uses them.
type rooms struct {
	admin     *admin.Pages
	datasets  *datasets.Pages
	guest     *guest.Pages
	stats     *stats.Pages
	desk      *desk.Pages
	experts   *experts.Pages
	knowledge *knowledge.Pages
	home      *home.Pages
}

// newRooms gives each room what it works with, and no more.
func newRooms(d Deps, w *background.Work) rooms {
	m := frame.New(frame.Deps{Accounts: d.Accounts, Reviews: d.Reviews, Borderline: d.Borderline, Learning: d.Learning, Knowledge: d.Knowledge,
		Conflicts: d.Conflicts, Comments: d.Comments, Demo: d.Demo, Log: d.Log, Now: d.Now})
	g := hidden.New(d.Reviews)
	t := teach.New(teach.Deps{Accounts: d.Accounts, Interactions: d.Interactions, Knowledge: d.Knowledge, Advisor: d.Advisor, Log: d.Log})
	return rooms{
		guest: guest.New(guest.Deps{Feedback: d.Feedback, WidgetOrigins: d.WidgetOrigins, Now: d.Now}),
		admin: admin.New(admin.Deps{Accounts: d.Accounts, Jobs: d.Jobs, Audit: d.Audit, Policies: d.Policies, Delivery: d.Delivery, Erase: d.Erase, Knowledge: d.Knowledge,
			Reviews: d.Reviews, Judges: d.Judges, Backup: d.Backup, RetryJob: d.RetryJob, RetryJobs: d.RetryJobs, PauseJob: d.PauseJob, ResumeJob: d.ResumeJob,
			RunJob: d.RunJob, Log: d.Log, Now: d.Now}, m, w),
		stats: stats.New(stats.Deps{Accounts: d.Accounts, Stats: d.Stats, Borderline: d.Borderline, Policies: d.Policies, Planted: d.Planted, Interactions: d.Interactions,
			Knowledge: d.Knowledge, Learning: d.Learning, Feedback: d.Feedback, Nightly: d.Nightly, Experiments: d.Experiments, Pairs: d.Pairs, Exports: d.Exports,
			Evidence: d.Evidence, Duty: d.Duty, CheckPack: d.CheckPack, Address: d.Address, Now: d.Now}, m, g),
		datasets: datasets.New(datasets.Deps{Accounts: d.Accounts, Datasets: d.Datasets, Versions: d.Versions, Transfer: d.Transfer, Judges: d.Judges, Validator: d.Validator,
			Log: d.Log, Now: d.Now}, m, w),
		knowledge: knowledge.New(knowledge.Deps{Knowledge: d.Knowledge, Conflicts: d.Conflicts, Credit: d.Credit, Bases: d.Bases, Atlas: d.Atlas, Learning: d.Learning,
			Stream: d.Stream, Interactions: d.Interactions, Reviews: d.Reviews, Stats: d.Stats, Log: d.Log, Now: d.Now}, m, g, t, w),
		experts: experts.New(experts.Deps{Borderline: d.Borderline, Checkbook: d.Checkbook, Compliance: d.Compliance, Judges: d.Judges, Interactions: d.Interactions,
			Learning: d.Learning, Reviews: d.Reviews, Now: d.Now}, m, t),
		desk: desk.New(desk.Deps{Accounts: d.Accounts, Reviews: d.Reviews, Interactions: d.Interactions, Borderline: d.Borderline, Compliance: d.Compliance,
			Validator: d.Validator, Planted: d.Planted, Knowledge: d.Knowledge, Credit: d.Credit, Learning: d.Learning, Comments: d.Comments, Log: d.Log, Now: d.Now}, m, g, t),
		home: home.New(home.Deps{Accounts: d.Accounts, Sessions: d.Sessions, Interactions: d.Interactions, Reviews: d.Reviews, Knowledge: d.Knowledge, Comments: d.Comments, Room: d.Room, Subscribe: d.Subscribe, Touched: d.Touched, Stopping: d.Stopping, Demo: d.Demo, Log: d.Log, Now: d.Now}, m, g),
	}
}
