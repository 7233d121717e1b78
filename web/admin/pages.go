// Package admin holds the pages of administrators: people, teams, agents, the review policy, webhooks, import, erasure,
// backup, jobs and the audit log.
package admin

import (
	"context"
	"io"
	"log/slog"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/approval"
	"preceptor/internal/audit"
	"preceptor/internal/compliance/evaluate"
	"preceptor/internal/delivery"
	"preceptor/internal/erase"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/backup"
	"preceptor/internal/platform/job"
	"preceptor/internal/platform/limiter"
	"preceptor/internal/platform/table/imports"
	"preceptor/internal/policy"
	"preceptor/internal/review"
	"preceptor/web/frame"
)

// Deps is what the handlers work with.
type Deps struct {
	Accounts  *account.Directory
	Jobs      *job.Queue
	Audit     Audit
	Policies  *policy.Store
	Approvals *approval.Store
	Delivery  *delivery.Service
	Erase     *erase.Service
	Knowledge *knowledge.Base
	Imports   *imports.Service
	Reviews   *review.Queue
	Judges    *evaluate.Store
	Copies    *backup.Keeper

	// Refused is what the limits of a token refused.
	Refused func(tokenID string) limiter.Refused
	// Voted are the agents that are known by votes alone, as they call themselves.
	Voted func(ctx context.Context) ([]string, error)
	// Address is the whole address of a page of ours.
	Address func(path string) string
	// Backup writes a consistent copy of the database to a file that must not exist yet.
	Backup func(ctx context.Context, by audit.Actor, file string) error
	// RetryJob has a job that is parked run again, and keeps record of who wanted it.
	RetryJob func(ctx context.Context, by audit.Actor, id int64) error
	// RetryJobs has all parked jobs of a kind run again and tells how many.
	RetryJobs func(ctx context.Context, by audit.Actor, kind string) (int, error)
	// PauseJob, ResumeJob and RunJob act on work that comes again by itself, by its name, and keep record of who wanted
	// it.
	PauseJob  func(ctx context.Context, by audit.Actor, name string) error
	ResumeJob func(ctx context.Context, by audit.Actor, name string) error
	RunJob    func(ctx context.Context, by audit.Actor, name string) error

	Log *slog.Logger
	Now func() time.Time
}

// Pages are the handlers.
type Pages struct {
	Deps
	*frame.Maker
}

// New makes the handlers.
func New(d Deps, m *frame.Maker) *Pages {
	return &Pages{Deps: d, Maker: m}
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
