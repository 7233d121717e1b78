package delivery

import (
	"context"
	"net/url"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// Why an endpoint is disabled.
const (
	WhyPerson = "person"
	WhyGone   = "gone" // it answered 410
)

// Endpoint is where an agent's events go.
type Endpoint struct {
	AgentID      string
	URL          string // may carry a secret of the receiver: for administrators only
	WithText     bool   // the released text goes with the event
	Enabled      bool
	DisabledWhy  string
	DisabledAt   time.Time
	Failures     int // failed attempts since the last good one
	FailingSince time.Time
	Failure      string    // what the last failed attempt said
	DeliveredAt  time.Time // the last good attempt
	PausedUntil  time.Time // it asked us to come back later
	CreatedAt    time.Time
	OldUntil     time.Time // until then an older secret signs too; zero when there is none
	Waiting      int       // events that are not settled
	Dead         int       // events that could not be delivered
	version      int
}

const endpointColumns = `agent_id, url, include_text, state, disabled_why, disabled_at, failures, failing_since,
	failure, delivered_at, paused_until, created_at, version`

func scanEndpoint(row db.Row) (e Endpoint, err error) {
	var state string
	err = row.Scan(&e.AgentID, &e.URL, &e.WithText, &state, &e.DisabledWhy, db.At(&e.DisabledAt), &e.Failures,
		db.At(&e.FailingSince), &e.Failure,
		db.At(&e.DeliveredAt), db.At(&e.PausedUntil), db.At(&e.CreatedAt), &e.version)
	e.Enabled = state == "enabled"
	return e, err
}

func endpointTx(tx *db.Tx, agentID string) (Endpoint, error) {
	return scanEndpoint(db.One(tx, "delivery: read an endpoint",
		`SELECT `+endpointColumns+` FROM webhook_endpoint WHERE agent_id = $1`, agentID).
		Or(fault.New(fault.NotFound, "This agent has no webhook. Enter an address first.")))
}

// Endpoints lists all, with how many events wait and are dead at each.
func (s *Service) Endpoints(ctx context.Context) ([]Endpoint, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) ([]Endpoint, error) { return endpointsTx(tx, ``) })
}

// Endpoint reads an agent's; NotFound when it has none.
func (s *Service) Endpoint(ctx context.Context, agentID string) (e Endpoint, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		list, err := endpointsTx(tx, ` WHERE e.agent_id = $2`, agentID)
		if err == nil && len(list) == 0 {
			_, err = endpointTx(tx, agentID)
		}
		if err == nil {
			e = list[0]
		}
		return err
	})
	return e, err
}

func endpointsTx(tx *db.Tx, where string, args ...any) (list []Endpoint, err error) {
	return db.List(tx, "delivery: list endpoints", func(row db.Row) (Endpoint, error) {
		var more Endpoint
		e, err := scanEndpoint(db.More(row, db.At(&more.OldUntil), &more.Waiting, &more.Dead))
		e.OldUntil, e.Waiting, e.Dead = more.OldUntil, more.Waiting, more.Dead
		return e, err
	}, `SELECT `+endpointColumns+`,
		coalesce((SELECT max(k.expires_at) FROM webhook_secret k
			WHERE k.agent_id = e.agent_id AND k.expires_at > $1), 0),
		(SELECT count(*) FROM delivery d WHERE d.agent_id = e.agent_id AND d.state = 'waiting'),
		(SELECT count(*) FROM delivery d WHERE d.agent_id = e.agent_id AND d.state = 'dead')
		FROM webhook_endpoint e`+where+` ORDER BY agent_id`, append([]any{tx.NowMs()}, args...)...)
}

// Words are what Save sets.
func (e Endpoint) Words() string {
	switch {
	case e.URL == "":
		return "no webhook"
	case e.WithText:
		return e.URL + " with the text"
	}
	return e.URL + " without the text"
}

// Save sets where an agent's events go. The first time it returns the secret, which is shown once. base is
// Endpoint.Words of what was on the screen, see fault.Stale.
func (s *Service) Save(ctx context.Context, agentID, address string, withText bool, by audit.Actor,
	base string) (secret string, err error) {
	address, err = s.CheckURL(ctx, address) // looks a name up, so before the transaction
	if err != nil {
		return "", err
	}
	return db.Write(ctx, s.db, func(tx *db.Tx) (string, error) {
		secret, err := s.saveTx(tx, agentID, address, withText, base)
		if err != nil {
			return "", err
		}
		return secret, record(tx, by, "webhook.saved", agentID,
			map[string]any{"host": hostOf(address), "with_text": withText})
	})
}

func (s *Service) saveTx(tx *db.Tx, agentID, address string, withText bool, base string) (secret string, err error) {
	old, err := endpointTx(tx, agentID)
	if stale := fault.Stale(base, old.Words()); stale != nil && (err == nil || fault.Is(err, fault.NotFound)) {
		return "", stale
	}
	if fault.Is(err, fault.NotFound) {
		if err := db.Exec(tx, "delivery: save an endpoint", `INSERT INTO webhook_endpoint (agent_id, url, include_text,
				state, created_at)
			VALUES ($1, $2, $3, 'enabled', $4)`,
			agentID, address, withText, tx.NowMs()); err != nil {
			return "", err
		}
		return addSecretTx(tx, agentID)
	}
	if err != nil {
		return "", err
	}
	if err := db.Exec(tx, "delivery: save an endpoint", `UPDATE webhook_endpoint SET url = $1, include_text = $2,
		version = version + 1
		WHERE agent_id = $3`, address, withText, agentID); err != nil {
		return "", err
	}
	if old.URL == address || old.DisabledWhy == WhyPerson {
		return "", nil
	}
	// What the old address did, 410 included, says nothing about the new one.
	return "", s.enableTx(tx, agentID)
}

// hostOf is what the record keeps of an address: its path may be a secret of the receiver.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// Rotate makes a new secret and returns it, to be shown once. Both sign for a day.
func (s *Service) Rotate(ctx context.Context, agentID string, by audit.Actor) (secret string, err error) {
	return db.Write(ctx, s.db, func(tx *db.Tx) (string, error) {
		if _, err := endpointTx(tx, agentID); err != nil {
			return "", err
		}
		secret, err := addSecretTx(tx, agentID)
		if err != nil {
			return "", err
		}
		return secret, record(tx, by, "webhook.secret_rotated", agentID, nil)
	})
}

// Disable stops sending. What happens meanwhile is kept.
func (s *Service) Disable(ctx context.Context, agentID string, by audit.Actor) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		e, err := endpointTx(tx, agentID)
		if err != nil {
			return err
		}
		if !e.Enabled {
			return fault.New(fault.Conflict, "It is already disabled.")
		}
		return disableTx(tx, agentID, WhyPerson, by)
	})
}

func disableTx(tx *db.Tx, agentID, why string, by audit.Actor) error {
	if err := db.Exec(tx, "delivery: disable an endpoint", `UPDATE webhook_endpoint SET state = 'disabled',
		disabled_why = $1, disabled_at = $2, version = version + 1
		WHERE agent_id = $3 AND state = 'enabled'`, why, tx.NowMs(), agentID); err != nil {
		return err
	}
	return record(tx, by, "webhook.disabled", agentID, map[string]any{"why": why})
}

// Enable starts sending again, beginning with everything that waits.
func (s *Service) Enable(ctx context.Context, agentID string, by audit.Actor) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		e, err := endpointTx(tx, agentID)
		if err != nil {
			return err
		}
		if e.Enabled {
			return fault.New(fault.Conflict, "It is already enabled.")
		}
		if err := s.enableTx(tx, agentID); err != nil {
			return err
		}
		return record(tx, by, "webhook.enabled", agentID, nil)
	})
}

func (s *Service) enableTx(tx *db.Tx, agentID string) error {
	if err := db.Exec(tx, "delivery: enable an endpoint", `UPDATE webhook_endpoint SET state = 'enabled',
		disabled_why = '', disabled_at = 0, failures = 0, failing_since = 0, failure = '',
		paused_until = 0, version = version + 1 WHERE agent_id = $1`, agentID); err != nil {
		return err
	}
	return s.hurryTx(tx, agentID)
}

// Hurry has everything that waits at an endpoint tried now, whatever its schedule and the receiver said: somebody knows
// that it works again.
func (s *Service) Hurry(ctx context.Context, agentID string, by audit.Actor) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		e, err := endpointTx(tx, agentID)
		if err != nil {
			return err
		}
		if !e.Enabled {
			return fault.New(fault.Conflict, "The webhook is disabled. Enable it to send everything that is waiting.")
		}
		if err := s.hurryTx(tx, agentID); err != nil {
			return err
		}
		return record(tx, by, "webhook.hurried", agentID, nil)
	})
}

func (s *Service) hurryTx(tx *db.Tx, agentID string) error {
	if err := db.Exec(tx, "delivery: end a pause", `UPDATE webhook_endpoint SET paused_until = 0
		WHERE agent_id = $1`, agentID); err != nil {
		return err
	}
	if err := db.Exec(tx, "delivery: hurry", `UPDATE delivery SET next_at = $1
		WHERE agent_id = $2 AND state = 'waiting' AND next_at > $1`, tx.NowMs(), agentID); err != nil {
		return err
	}
	for range perEndpoint {
		if err := s.kickTx(tx, agentID, time.Time{}); err != nil {
			return err
		}
	}
	return nil
}

func record(tx *db.Tx, by audit.Actor, action, agentID string, content map[string]any) error {
	tx.Touch(Topic)
	return audit.Note(tx, by, action, "agent", agentID, content)
}
