package experiment

import (
	"context"
	"fmt"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

const columns = `SELECT id, name, purpose, agent_id, agent_name, rule_id, treatment, control, metric, baseline, effect,
	alpha, power, split, fixed, size_t, size_c,
	information, boundary, state, ended, note, assigned_t, assigned_c, n_t, n_c, good_t, good_c, version, created_at,
		by_id, by_name, started_at, stopped_at FROM experiment`

func scan(row db.Row) (e Experiment, err error) {
	err = row.Scan(&e.ID, &e.Name, &e.Purpose, &e.AgentID, &e.AgentName, &e.RuleID, &e.Treatment, &e.Control, &e.Metric,
		&e.Baseline, &e.Effect, &e.Alpha, &e.Power,
		&e.Split, &e.Fixed, &e.SizeT, &e.SizeC, &e.Information, &e.Boundary, &e.State, &e.Ended, &e.Note,
		&e.Assigned[0], &e.Assigned[1],
		&e.Counts.N[0], &e.Counts.N[1], &e.Counts.Good[0], &e.Counts.Good[1], &e.Version, db.At(&e.CreatedAt), &e.By.ID,
		&e.By.Name, db.At(&e.StartedAt), db.At(&e.StoppedAt))
	return e, err
}

// maybeTx reads one experiment, or none.
func maybeTx(tx *db.Tx, where string, args ...any) (e Experiment, found bool, err error) {
	return db.First(tx, "experiment: read", scan, columns+where, args...)
}

func getTx(tx *db.Tx, id string) (Experiment, error) {
	e, found, err := maybeTx(tx, ` WHERE id = $1`, id)
	if err == nil && !found {
		err = fault.New(fault.NotFound, "There is no such experiment.")
	}
	return e, err
}

// Get reads one experiment; NotFound when there is none.
func (s *Store) Get(ctx context.Context, id string) (e *Experiment, err error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) (*Experiment, error) {
		found, err := getTx(tx, id)
		return &found, err
	})
}

// Newest is the experiment of a purpose that started last of those that have an outcome, whether it runs or has ended;
// nil when none has.
func (s *Store) Newest(ctx context.Context, purpose string) (e *Experiment, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		found, ok, err := maybeTx(tx, ` WHERE purpose = $1 AND started_at > 0 AND n_t + n_c > 0
			ORDER BY started_at DESC, id DESC LIMIT 1`, purpose)
		if ok {
			e = &found
		}
		return err
	})
	return e, err
}

// listed is how many experiments List gives at most: more are not made in years.
const listed = 200

// List gives the experiments, newest first; the newest 200.
func (s *Store) List(ctx context.Context) (list []Experiment, err error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) ([]Experiment, error) {
		return db.List(tx, "experiment: list", scan, columns+` ORDER BY created_at DESC, id DESC LIMIT $1`, listed)
	})
}

// Point is the interval as it was at one moment.
type Point struct {
	N                 int // outcomes of both arms
	Percent           int // of the way, 0 to 100
	Effect, Low, High float64
	At                time.Time
}

// Path is how the interval went: at most one point for each percent of the way, in order.
func (s *Store) Path(ctx context.Context, id string) ([]Point, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) ([]Point, error) {
		return db.Rows(tx, fmt.Sprintf("experiment: read the looks of %s", id), func(p *Point) []any {
			return []any{&p.Percent, &p.N, &p.Effect, &p.Low, &p.High, db.At(&p.At)}
		},
			`SELECT percent, n, effect, low, high, at FROM experiment_look
				WHERE experiment_id = $1 ORDER BY percent`, id)
	})
}
