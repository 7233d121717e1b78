package evaluate

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"preceptor/internal/approval"
	"preceptor/internal/audit"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/measure"
	"preceptor/internal/dataset"
	"preceptor/internal/dataset/version"
	"preceptor/internal/person"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/hook"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/job"
)

// The states of a run.
const (
	Waiting = "waiting"
	Running = "running"
	Done    = "done"
	Failed  = "failed"
	Stopped = "stopped"
)

// Run is one measurement.
type Run struct {
	ID        string
	Number    int // 1, 2, 3 ...
	DatasetID string
	VersionID string
	Name      string // the set and its version, as people read it
	Split     string // "" is all of it
	Hash      string // of what was asked about; "" until done
	Members   []Member
	PanelID   string
	Rubric    int
	State     string
	Total     int
	Done      int
	Figures   *Figures // nil until done
	Failure   string   // for a person
	By        audit.Actor
	At        time.Time
	EndedAt   time.Time
}

// asked is the column panel.
type asked struct {
	ID      string   `json:"id"`
	Members []Member `json:"members"`
}

// Store keeps runs and thresholds.
type Store struct {
	db        *db.DB
	approvals *approval.Store
	jobs      *job.Queue
	validator *compliance.Validator
	sets      *dataset.Store
	versions  *version.Store
	log       *slog.Logger
	mu        sync.Mutex
	routing   *standing // nil: to be read
	muTaught  sync.Mutex
	taughtNow map[string]Threshold // by pack; nil: to be read
	watch     *db.Watch
	hooks     Hooks
}

// Hooks are what runs and thresholds ask and tell others.
type Hooks struct {
	// MaySwitch passes who may switch thresholds: an expert or an administrator.
	MaySwitch person.Guard
	// Rulings are what experts ruled on the desk's own drafts, as far as it teaches.
	Rulings func(ctx context.Context) ([]Labelled, error)
	// OnExemplar makes a case of a clear pass that by approved: what it returns keeps the case and gives its id.
	// OnLesson sends a clear fail or a borderline text down the learning path; false where it was sent before.
	OnExemplar func(ctx context.Context, g Gold, agent Agent, by audit.Actor) (keep func(tx *db.Tx) (string, error),
		err error)
	OnLesson func(tx *db.Tx, g Gold, agent Agent) (begins bool, err error)
	// OnOff follows when somebody ends what was in force.
	OnOff func(tx *db.Tx, t Threshold) error
}

// New makes the store and registers its job with jobs, which must not have been started.
func New(d *db.DB, approvals *approval.Store, jobs *job.Queue, v *compliance.Validator, sets *dataset.Store,
	versions *version.Store, h Hooks, log *slog.Logger) *Store {
	hook.Complete(h)
	s := &Store{db: d, approvals: approvals, jobs: jobs, validator: v, sets: sets, versions: versions, hooks: h,
		log: log}
	s.watch = d.NewWatch("judges", log, func(context.Context) error { s.forget(); return nil })
	for _, act := range []approval.Act{approval.ThresholdOn, approval.JudgeOn} {
		approvals.Handle(act.Kind, s.handler())
	}
	job.Register(jobs, s.work)
	job.Register(jobs, s.order)
	return s
}

// Validator is what is measured.
func (s *Store) Validator() *compliance.Validator { return s.validator }

// Start begins a run over a version of a set; number 0 is the newest. split "" takes all of it. queue has the job do
// it; a command works it by itself. It is a Conflict while the same version is being measured.
func (s *Store) Start(ctx context.Context, datasetID string, number int, split string, by audit.Actor,
	queue bool) (r Run, err error) {
	if split != "" && !slices.Contains(version.Splits, split) {
		return r, fault.New(fault.Invalid, "There is no split %q. Choose from %s.", split,
			strings.Join(version.Splits, ", "))
	}
	v, err := s.versions.Get(ctx, datasetID, number)
	if err != nil {
		return r, err
	}
	for _, label := range v.Head.Labels {
		if !slices.Contains(measure.Labels(), label) {
			return r, fault.New(fault.Invalid,
				"The set %s has the label %q. Judges are measured on sets with the labels %s.", v.Head.Dataset, label,
				strings.Join(measure.Labels(), ", "))
		}
	}
	total := 0
	for name, labels := range v.Head.Splits {
		for _, n := range labels {
			if split == "" || split == name {
				total += n
			}
		}
	}
	if total == 0 {
		return r, fault.New(fault.Invalid, "There is nothing to measure on: version %d of %s has no items here.",
			v.Number, v.Head.Dataset)
	}
	panel := s.validator.Panel()
	r = Run{ID: id.New(), DatasetID: v.DatasetID, VersionID: v.ID,
		Name: fmt.Sprintf("%s, version %d", v.Head.Dataset, v.Number), Split: split,
		Members: Members(panel), PanelID: PanelID(panel), State: Waiting, Total: total, By: by}
	if s.validator.Rubric != nil {
		set, err := s.sets.Get(ctx, v.DatasetID)
		if err != nil {
			return r, err
		}
		r.Rubric = s.validator.Rubric(set.Pack).Version
	}
	who, err := json.Marshal(asked{r.PanelID, r.Members})
	if err != nil {
		return r, fmt.Errorf("evaluate: encode a panel: %w", err)
	}
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		number, err := db.Maybe[int](tx, "evaluate: look for a run", `SELECT number FROM judge_run
			WHERE version_id = $1 AND state IN ('waiting', 'running') AND split = $2`, v.ID, split)
		if err != nil {
			return err
		}
		if number > 0 {
			return fault.New(fault.Conflict, "Run %d measures this already. Wait for it, or stop it first.", number)
		}
		if err := db.One(tx, "evaluate: number a run", `SELECT coalesce(max(number), 0) + 1 FROM judge_run`).
			Scan(&r.Number); err != nil {
			return err
		}
		r.At = tx.Now
		err = db.Exec(tx, "evaluate: begin a run", `INSERT INTO judge_run (id, number, dataset_id, version_id, name,
				split, content_hash, panel, rubric, state, total, started_by, started_name, created_at)
			VALUES ($1, $2, $3, $4, $5, $6, '', $7, $8, 'waiting', $9, $10, $11, $12)`,
			r.ID, r.Number, r.DatasetID, r.VersionID, r.Name, r.Split, string(who), r.Rubric, r.Total, by.ID, by.Name,
			tx.NowMs())
		if err != nil {
			return err
		}
		tx.Touch("judges")
		if err := audit.Note(tx, by, "judges.measured", "dataset_version", v.ID,
			map[string]any{"run": r.ID, "number": r.Number, "split": split, "panel": r.PanelID}); err != nil || !queue {
			return err
		}
		return s.jobs.InsertTx(tx, Work{RunID: r.ID}, job.Network(), job.Unique())
	})
	return r, err
}

const columns = `SELECT id, number, dataset_id, version_id, name, split, content_hash, panel, rubric, state, total,
	done, figures, failure, started_by, started_name, created_at, ended_at
	FROM judge_run `

func scan(row db.Row) (r Run, err error) {
	var who, figures string
	err = row.Scan(&r.ID, &r.Number, &r.DatasetID, &r.VersionID, &r.Name, &r.Split, &r.Hash, &who, &r.Rubric, &r.State,
		&r.Total, &r.Done, &figures, &r.Failure,
		&r.By.ID, &r.By.Name, db.At(&r.At), db.At(&r.EndedAt))
	if err != nil {
		return r, err
	}
	var a asked
	if err := json.Unmarshal([]byte(who), &a); err != nil {
		return r, fmt.Errorf("evaluate: read a panel: %w", err)
	}
	r.PanelID, r.Members = a.ID, a.Members
	if figures != "" {
		r.Figures = &Figures{}
		if err := json.Unmarshal([]byte(figures), r.Figures); err != nil {
			return r, fmt.Errorf("evaluate: read figures: %w", err)
		}
	}
	return r, nil
}

func getTx(tx *db.Tx, runID string) (Run, error) {
	return scan(db.One(tx, "evaluate: read a run", columns+`WHERE id = $1`,
		runID).Or(fault.New(fault.NotFound, "There is no such run.")))
}

// Get reads a run.
func (s *Store) Get(ctx context.Context, runID string) (Run, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) (Run, error) { return getTx(tx, runID) })
}

// List is a page of runs, the newest first: those whose number is below before, which is 0 for the first page.
func (s *Store) List(ctx context.Context, before, limit int) ([]Run, bool, error) {
	return page(ctx, s, before, limit, "evaluate: list runs", scan, columns+`WHERE number < $1
		ORDER BY number DESC LIMIT $2`)
}

// page reads at most limit rows whose number is below before, 0 for the first page, and whether there are more.
func page[T any](ctx context.Context, s *Store, before, limit int, doing string, scan func(db.Row) (T, error),
	query string) (list []T, more bool, err error) {
	if before <= 0 {
		before = 1 << 53
	}
	list, err = db.Read(ctx, s.db, func(tx *db.Tx) ([]T, error) {
		return db.List(tx, doing, scan, query, before, limit+1)
	})
	return list[:min(limit, len(list))], len(list) > limit, err
}

// Newest is the newest finished run of the panel as it is now; nil when there is none among the last fifty.
func (s *Store) Newest(ctx context.Context) (*Run, error) {
	now := PanelID(s.validator.Panel())
	list, _, err := s.List(ctx, 0, 50)
	if err != nil {
		return nil, err
	}
	for _, r := range list {
		if r.State == Done && r.PanelID == now {
			return &r, nil
		}
	}
	return nil, nil
}

// Stop ends a run that is not done; what was answered stays.
func (s *Store) Stop(ctx context.Context, runID string, by audit.Actor) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		r, err := getTx(tx, runID)
		if err != nil {
			return err
		}
		if r.State != Waiting && r.State != Running {
			return fault.New(fault.Conflict, "Run %d has ended already.", r.Number)
		}
		if err := endTx(tx, runID, Stopped, ""); err != nil {
			return err
		}
		return audit.Note(tx, by, "judges.stopped", "dataset_version", r.VersionID, map[string]any{"run": runID})
	})
}

func endTx(tx *db.Tx, runID, state, failure string) error {
	err := db.Exec(tx, "evaluate: end a run", `UPDATE judge_run SET state = $1, failure = $2, ended_at = $3
		WHERE id = $4 AND state IN ('waiting', 'running')`, state, failure, tx.NowMs(), runID)
	if err != nil {
		return err
	}
	tx.Touch("judges")
	return nil
}
