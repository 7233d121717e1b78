// Package imports runs what brings a file in, be it documents, a whole base or rows of a gold set, and remembers how it
// went.
//
// It owns the table import_run: who brought in what and when, how far it is, why it stopped, and the report with what
// is wrong with which row, as JSON that its domain wrote.
//
// A run that a page starts is a job. The job's argument is the row's id; what it reads is an unnamed file that this
// process holds, so nothing of a file is left when the program ends. That is why an import is not taken up again by the
// next process: the row says that it was stopped, and every import may be repeated, because what is there already is
// passed over. Where several servers work one database, a file that waits for its mapping is in it besides (Shelve).
package imports

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/decimal"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/job"
)

// The kinds of imports.
const (
	Documents = "documents"
	Base      = "base"
	Dataset   = "dataset"
)

// Topic changes when a run begins, advances or ends.
const Topic = "imports"

const (
	stopped = "Preceptor was stopped during the import. Import again; nothing is duplicated."
	// progressEvery is how often a run's row follows it.
	progressEvery = 250 * time.Millisecond
)

// Run is one import.
type Run struct {
	ID         string
	Kind       string
	Subject    string // the dataset or agent it is for, if any
	Source     string // the folder, or the name of the file
	ByID, By   string // who, and the name
	StartedAt  time.Time
	FinishedAt time.Time // zero while it runs
	Done       int
	Total      int
	Failure    string          // why it stopped as a whole, for a person
	Report     json.RawMessage // empty while it runs, or when its process was stopped
}

// Problem is a row or file that was not taken, or not whole. Line 0 is the file as a whole.
type Problem struct {
	File string `json:"file,omitempty"`
	Line int    `json:"line"` // from 1
	Why  string `json:"why"`
	Note bool   `json:"note,omitempty"` // a remark on a row that wasn't refused
}

// Running reports whether it is under way.
func (r *Run) Running() bool { return r.FinishedAt.IsZero() && r.Failure == "" }

// Percent is how much is done.
func (r *Run) Percent() int { return min(100, decimal.PercentOf(r.Done, r.Total)) }

// Read decodes the report; one that is missing leaves it empty.
func (r *Run) Read(report any) error {
	if len(r.Report) == 0 {
		return nil
	}
	if err := json.Unmarshal(r.Report, report); err != nil {
		return fmt.Errorf("imports: read a report: %w", err)
	}
	return nil
}

// Emptied reports whether an erasure took the report of a run that ended well.
func (r *Run) Emptied() bool { return !r.Running() && r.Failure == "" && len(r.Report) == 0 }

// Work brings something in. It tells progress how much of how much is done, and returns its report, also with an error.
type Work func(ctx context.Context, progress func(done, total int)) (report any, err error)

// Job names a run that waits.
type Job struct {
	RunID string `json:"run_id"`
}

// Kind is the job's name.
func (Job) Kind() string { return "import.run" }

// Unhurried has the job take as long as its file does.
func (Job) Unhurried() {}

// Service runs imports.
type Service struct {
	db   *db.DB
	jobs *job.Queue
	log  *slog.Logger

	mu   sync.Mutex
	here map[string]started // what this process runs or is about to, by the run's id
}

// turns are enough for the server that has the file to take its job.
const turns = 60

type started struct {
	run  Run
	work Work
	end  func() // of the lease
}

// lease is what one server at a time has of a kind of imports.
func (r Run) lease() string {
	if r.Kind == Documents {
		return "import " + r.Kind
	}
	return "import " + r.Kind + " " + r.Subject
}

// New makes the service and registers its job.
func New(d *db.DB, jobs *job.Queue, log *slog.Logger) *Service {
	s := &Service{db: d, jobs: jobs, log: log, here: map[string]started{}}
	job.Register(jobs, func(ctx context.Context, j Job) error {
		s.mu.Lock()
		st, ok := s.here[j.RunID]
		s.mu.Unlock()
		if !ok && d.OnServer() {
			elsewhere := fault.New(fault.Unavailable, "The file is on another server.")
			elsewhere.RetryAfter = time.Second
			return elsewhere
		}
		if !ok {
			return nil // another process had the file
		}
		if err := s.work(ctx, st); err != nil && !fault.Is(err, fault.Invalid) {
			s.log.Warn("an import stopped", "kind", st.run.Kind, "error", err.Error())
		}
		return nil // the row says how it went; without its file the job can't run again
	})
	return s
}

// Start queues an import. Conflict while another of its kind and subject is under way; then work is never called.
func (s *Service) Start(ctx context.Context, r Run, work Work) error {
	st, err := s.begin(ctx, r, work)
	if err != nil {
		return err
	}
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		if err := insertTx(tx, st.run); err != nil {
			return err
		}
		attempts := 1
		if tx.OnServer() {
			attempts = turns
		}
		return s.jobs.InsertTx(tx, Job{st.run.ID}, job.Attempts(attempts),
			job.Network()) // where long jobs hold nobody up
	})
	if err != nil {
		s.forget(st.run.ID)
	}
	return err
}

// Do runs an import at once and returns when it ended.
func (s *Service) Do(ctx context.Context, r Run, work Work) error {
	st, err := s.begin(ctx, r, work)
	if err != nil {
		return err
	}
	if err := s.db.Write(ctx, func(tx *db.Tx) error { return insertTx(tx, st.run) }); err != nil {
		s.forget(st.run.ID)
		return err
	}
	return s.work(ctx, st)
}

func (s *Service) begin(ctx context.Context, r Run, work Work) (started, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, other := range s.here {
		if o := other.run; o.Kind == r.Kind && (o.Subject == r.Subject || r.Kind == Documents) {
			return started{}, fault.New(fault.Conflict, "%s is being imported by %s. Wait until that is done.",
				o.Source, o.By)
		}
	}
	end, ok, err := s.db.Lease(ctx, r.lease())
	if err != nil {
		return started{}, err
	}
	if !ok {
		return started{}, fault.New(fault.Conflict, "Another file is being imported. Wait until that is done.")
	}
	r.ID = id.New()
	s.here[r.ID] = started{r, work, end}
	return s.here[r.ID], nil
}

func (s *Service) forget(runID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if st, ok := s.here[runID]; ok {
		delete(s.here, runID)
		st.end()
	}
}

func insertTx(tx *db.Tx, r Run) error {
	tx.Touch(Topic)
	return db.Exec(tx, "imports: begin", `INSERT INTO import_run (id, kind, subject, source, by_id, by_name, started_at,
			total)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		r.ID, r.Kind, r.Subject, r.Source, r.ByID, r.By, tx.NowMs(), r.Total)
}

func (s *Service) work(ctx context.Context, st started) error {
	defer s.forget(st.run.ID)
	runID, told := st.run.ID, -progressEvery
	began := time.Now()
	report, err := st.work(ctx, func(done, total int) {
		if at := time.Since(began); at-told >= progressEvery {
			told = at
			_ = s.update(ctx, `UPDATE import_run SET done = $1, total = $2
				WHERE id = $3`, done, total, runID) // no reason to stop
		}
	})
	failure := ""
	switch {
	case errors.Is(err, context.Canceled):
		failure = stopped
	case err != nil:
		failure = fault.Message(err)
	}
	text, jerr := json.Marshal(report)
	return errors.Join(err, jerr, s.update(context.WithoutCancel(ctx), `UPDATE import_run SET finished_at = $1,
		failure = $2, report = $3
		WHERE id = $4`,
		db.Ms(s.db.Now()), failure, string(text), runID))
}

func (s *Service) update(ctx context.Context, query string, args ...any) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		tx.Touch(Topic)
		return db.Exec(tx, "imports: follow a run", query, args...)
	})
}

// EraseTx empties the reports that say what is wrong with a row or which fields weren't used: that may quote the row,
// and nothing says whose it was. It returns how many it emptied.
func (s *Service) EraseTx(tx *db.Tx) (int, error) {
	return db.Change(tx, "imports: erase", `UPDATE import_run SET report = ''
		WHERE kind <> $1 AND (lower(report) LIKE $2 ESCAPE '\' OR lower(report) LIKE $3 ESCAPE '\'
			OR lower(report) LIKE $4 ESCAPE '\')`, Documents, `%"why":%`, `%"unused":["%`, `%"reason":"%`)
}

// List gives the newest runs of a kind about a subject, "" being any.
func (s *Service) List(ctx context.Context, kind, subject string, limit int) ([]Run, error) {
	s.mu.Lock() // while it reads, so that no run ends in between
	defer s.mu.Unlock()
	list, err := db.Read(ctx, s.db, func(tx *db.Tx) ([]Run, error) {
		return db.List(tx, "imports: list", func(row db.Row) (r Run, err error) {
			var report string
			err = row.Scan(&r.ID, &r.Kind, &r.Subject, &r.Source, &r.ByID, &r.By, db.At(&r.StartedAt),
				db.At(&r.FinishedAt), &r.Done, &r.Total, &r.Failure, &report)
			r.Report = json.RawMessage(report)
			return r, err
		}, `SELECT id, kind, subject, source, by_id, by_name, started_at, finished_at, done, total, failure, report
			FROM import_run WHERE kind = $1 AND ($2 = '' OR subject = $2) ORDER BY started_at DESC, id DESC
				LIMIT $3`, kind, subject, limit)
	})
	for i := range list {
		if _, here := s.here[list[i].ID]; here || !list[i].Running() {
			continue
		}
		other, looked := s.db.Leased(ctx, list[i].lease())
		if looked == nil && !other {
			list[i].Failure = stopped
		}
		err = errors.Join(err, looked)
	}
	return list, err
}

// Last is the newest run; nil when there was none.
func (s *Service) Last(ctx context.Context, kind, subject string) (*Run, error) {
	list, err := s.List(ctx, kind, subject, 1)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}
