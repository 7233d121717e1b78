package delivery

import (
	"context"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
)

var system = audit.System("Delivery")

// The states of an event.
const (
	Waiting = "waiting" // not settled: due, between attempts, or held because the endpoint is disabled
	Done    = "delivered"
	Dead    = "dead"   // after its last attempt; a person may replay it
	Failed  = "failed" // a test that did not arrive; tried once
)

// settle marks how an attempt ended, in one transaction: the event, the attempt, the endpoint, and the job for the
// next. It does not follow a stop: an answer that came must not be forgotten.
func (s *Service) settle(c claimed, a answer) error {
	err := s.db.Write(context.Background(), func(tx *db.Tx) error {
		state, next := verdict(tx.Now, c, a)
		settled := int64(0)
		if state != Waiting {
			settled = tx.NowMs()
		}
		if err := db.Exec(tx, "delivery: settle "+c.id, `UPDATE delivery SET state = $1, attempt = $2, tried = $3,
			next_at = $4, settled_at = $5
			WHERE seq = $6 AND state = 'waiting'`,
			state, c.attempt+1, c.tried+1, db.Ms(next), settled, c.seq); err != nil {
			return err
		}
		if err := db.Exec(tx, "delivery: record an attempt at "+c.id, `INSERT INTO delivery_attempt (delivery_id, n, at,
				took_ms, outcome, status, note, body_hash)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
			c.id, c.tried+1, db.Ms(a.at), a.took.Milliseconds(), a.outcome, a.status, a.note, a.bodyHash); err != nil {
			return err
		}
		if state == Waiting {
			if err := s.kickTx(tx, c.AgentID, next); err != nil {
				return err
			}
		}
		tx.Touch(Topic)
		return s.markEndpointTx(tx, c, a)
	})
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.counts[a.outcome]++
	s.mu.Unlock()
	if a.outcome != Delivered {
		s.log.Info("delivery failed", "delivery", c.id, "agent", c.AgentID, "type", c.Type, "attempt", c.attempt+1,
			"of", Attempts, "outcome", a.outcome, "status", a.status)
	}
	return nil
}

// verdict is where an event stands after an attempt, and when it is due again.
func verdict(now time.Time, c claimed, a answer) (state string, next time.Time) {
	failed := c.attempt + 1
	switch {
	case a.outcome == Delivered:
		return Done, time.Time{}
	case c.Type == TestType:
		return Failed, time.Time{}
	case a.outcome == Lost || failed >= Attempts:
		return Dead, time.Time{}
	default:
		return Waiting, nextAt(now, failed, a.asked)
	}
}

// markEndpointTx keeps an endpoint's health. An answer from an address that was changed meanwhile says nothing about
// it, nor does an event that never left.
func (s *Service) markEndpointTx(tx *db.Tx, c claimed, a answer) error {
	e, err := endpointTx(tx, c.AgentID)
	if err != nil || e.version != c.version || a.outcome == Lost || a.outcome == Unmade {
		return err
	}
	if a.outcome == Delivered {
		if err := db.Exec(tx, "delivery: mark an endpoint", `UPDATE webhook_endpoint SET failures = 0,
			failing_since = 0, failure = '', delivered_at = $1
			WHERE agent_id = $2`,
			tx.NowMs(), c.AgentID); err != nil {
			return err
		}
		return s.widenTx(tx, e)
	}
	paused := e.PausedUntil
	if a.asked > 0 {
		paused = tx.Now.Add(a.asked)
		if err := s.kickTx(tx, c.AgentID, paused); err != nil {
			return err
		}
	}
	if err := db.Exec(tx, "delivery: mark an endpoint", `UPDATE webhook_endpoint SET failures = failures + 1,
		failing_since = CASE failing_since WHEN 0 THEN $1 ELSE failing_since END,
		failure = $2, paused_until = $3 WHERE agent_id = $4`, tx.NowMs(), a.note, db.Ms(paused), c.AgentID); err !=
		nil {
		return err
	}
	if a.outcome == Gone {
		return disableTx(tx, c.AgentID, WhyGone, system)
	}
	return nil
}

// widenTx has an endpoint that works again taken up by as many workers as it may have: while it failed there was one.
func (s *Service) widenTx(tx *db.Tx, before Endpoint) error {
	if before.Failures == 0 {
		return nil
	}
	for range perEndpoint - 1 {
		if err := s.kickTx(tx, before.AgentID, time.Time{}); err != nil {
			return err
		}
	}
	return nil
}

// sweep is the net below: it has somebody look at each endpoint where something is due, and drops secrets that ran out.
func (s *Service) sweep(ctx context.Context) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		if err := db.Exec(tx, "delivery: drop old secrets", `DELETE FROM webhook_secret
			WHERE expires_at > 0 AND expires_at <= $1`, tx.NowMs()); err != nil {
			return err
		}
		due, err := db.Column[string](tx, "delivery: sweep", `SELECT agent_id FROM webhook_endpoint e
			WHERE state = 'enabled' AND paused_until <= $1
			AND EXISTS (SELECT 1 FROM delivery d
				WHERE d.agent_id = e.agent_id AND d.state = 'waiting' AND d.next_at <= $1)`, tx.NowMs())
		if err != nil {
			return err
		}
		for _, agentID := range due {
			if err := s.kickTx(tx, agentID, time.Time{}); err != nil {
				return err
			}
		}
		return nil
	})
}
