package delivery

import (
	"cmp"
	"context"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
	"preceptor/internal/platform/fault"
)

const defaultLimit = 50

// Delivery is an event and where it stands.
type Delivery struct {
	Seq       int64
	ID        string // the webhook-id
	AgentID   string
	Type      string
	ObjectID  string
	State     string
	Attempt   int // attempts since it was queued or replayed
	Tried     int // all attempts
	NextAt    time.Time
	CreatedAt time.Time
	SettledAt time.Time
	Last      Attempt // the last one; zero when there was none
}

// Attempt is one try.
type Attempt struct {
	N        int
	At       time.Time
	Took     time.Duration
	Outcome  string
	Status   int // 0 without an answer
	Note     string
	BodyHash string
}

// Filter chooses events of one agent.
type Filter struct {
	AgentID string
	State   string // "" is all
	Before  int64  // events older than this Seq: the last of the page before; 0 is the first page
	Limit   int    // 50 when 0
}

const deliveryColumns = `d.seq, d.id, d.agent_id, d.type, d.object_id, d.state, d.attempt, d.tried, d.next_at,
	d.created_at, d.settled_at,
	coalesce(a.n, 0), coalesce(a.at, 0), coalesce(a.took_ms, 0), coalesce(a.outcome, ''), coalesce(a.status, 0),
		coalesce(a.note, ''), coalesce(a.body_hash, '')
	FROM delivery d LEFT JOIN delivery_attempt a ON a.delivery_id = d.id AND a.n = d.tried`

func scanDelivery(row db.Row) (d Delivery, err error) {
	var took int64
	err = row.Scan(&d.Seq, &d.ID, &d.AgentID, &d.Type, &d.ObjectID, &d.State, &d.Attempt, &d.Tried, db.At(&d.NextAt),
		db.At(&d.CreatedAt), db.At(&d.SettledAt),
		&d.Last.N, db.At(&d.Last.At), &took, &d.Last.Outcome, &d.Last.Status, &d.Last.Note, &d.Last.BodyHash)
	d.Last.Took = time.Duration(took) * time.Millisecond
	return d, err
}

// List returns an agent's events, newest first.
func (s *Service) List(ctx context.Context, f Filter) (list []Delivery, err error) {
	w := keyset.Where{SQL: `SELECT ` + deliveryColumns + ` WHERE 1 = 1`}
	w.If(true, `d.agent_id = ?`, f.AgentID)
	switch f.State {
	case "", Waiting, Done, Dead, Failed:
		w.Is(`d.state`, f.State)
	default:
		return nil, fault.Wrong("Unknown event state.", "state", "Choose waiting, delivered, dead or failed.")
	}
	w.If(f.Before > 0, `d.seq < ?`, f.Before)
	w.Add(` ORDER BY d.seq DESC LIMIT ?`, cmp.Or(max(0, f.Limit), defaultLimit))
	return db.Read(ctx, s.db, func(tx *db.Tx) ([]Delivery, error) {
		return db.List(tx, "delivery: list", scanDelivery, w.SQL, w.Args...)
	})
}

// Get reads one event with all its attempts, newest first.
func (s *Service) Get(ctx context.Context, msg string) (d Delivery, attempts []Attempt, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		d, err = scanDelivery(db.One(tx, "delivery: get", `SELECT `+deliveryColumns+` WHERE d.id = $1`,
			msg).Or(noEvent()))
		if err != nil {
			return err
		}
		attempts, err = attemptsTx(tx, msg)
		return err
	})
	return d, attempts, err
}

func attemptsTx(tx *db.Tx, msg string) (list []Attempt, err error) {
	return db.List(tx, "delivery: list attempts", func(row db.Row) (a Attempt, err error) {
		var took int64
		if err := row.Scan(&a.N, db.At(&a.At), &took, &a.Outcome, &a.Status, &a.Note, &a.BodyHash); err != nil {
			return a, err
		}
		a.Took = time.Duration(took) * time.Millisecond
		return a, nil
	}, `SELECT n, at, took_ms, outcome, status, note, body_hash FROM delivery_attempt
		WHERE delivery_id = $1 ORDER BY n DESC`, msg)
}

// Standing is how the news of an object gets to its agent.
type Standing struct {
	Endpoint bool     // the agent has one
	Enabled  bool     // and it is
	Latest   Delivery // the newest event about the object; zero when there was none
}

// Of says how the news of an object gets to its agent.
func (s *Service) Of(ctx context.Context, agentID, objectID string) (st Standing, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		e, err := endpointTx(tx, agentID)
		if fault.Is(err, fault.NotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		st.Endpoint, st.Enabled = true, e.Enabled
		st.Latest, _, err = db.First(tx, "delivery: read the news of an object", scanDelivery,
			`SELECT `+deliveryColumns+`
			WHERE d.agent_id = $1 AND d.object_id = $2
			ORDER BY d.seq DESC LIMIT 1`, agentID, objectID)
		return err
	})
	return st, err
}

// Summary is what an operator wants to know at a glance.
type Summary struct {
	Endpoints, Disabled, Gone, Failing int // of endpoints
	Waiting, Dead                      int // of events
	DeadHere                           int // of the dead: at endpoints that are enabled, so that a replay makes sense
}

// Summary counts.
func (s *Service) Summary(ctx context.Context) (sum Summary, err error) {
	list, err := s.Endpoints(ctx)
	for _, e := range list {
		sum.Endpoints++
		sum.Waiting += e.Waiting
		sum.Dead += e.Dead
		if e.Enabled {
			sum.DeadHere += e.Dead
		}
		switch {
		case e.DisabledWhy == WhyGone:
			sum.Gone++
			sum.Disabled++
		case !e.Enabled:
			sum.Disabled++
		case e.Failures > 0:
			sum.Failing++
		}
	}
	return sum, err
}
