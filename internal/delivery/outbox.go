package delivery

import (
	"context"
	"strings"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
)

// EnqueueTx writes an event and its job, if and only if tx commits. An agent without an endpoint gets none.
func (s *Service) EnqueueTx(tx *db.Tx, agentID, eventType, objectID, sourceID string) error {
	if _, err := endpointTx(tx, agentID); fault.Is(err, fault.NotFound) {
		return nil
	} else if err != nil {
		return err
	}
	_, err := s.addTx(tx, agentID, eventType, objectID, sourceID)
	return err
}

func (s *Service) addTx(tx *db.Tx, agentID, eventType, objectID, sourceID string) (string, error) {
	msg := "msg_" + strings.ReplaceAll(id.New(), "-", "")
	if err := db.Exec(tx, "delivery: enqueue", `INSERT INTO delivery (seq, id, agent_id, type, object_id, source_id,
			state, next_at, created_at)
		VALUES ((SELECT coalesce(max(seq), 0) + 1 FROM delivery), $1, $2, $3, $4, $5, 'waiting', $6, $6)`,
		msg, agentID, eventType, objectID, sourceID, tx.NowMs()); err != nil {
		return "", err
	}
	tx.Touch(Topic)
	return msg, s.kickTx(tx, agentID, time.Time{})
}

// SendTest sends an event that says nothing but that it works; once.
func (s *Service) SendTest(ctx context.Context, agentID string, by audit.Actor) (msg string, err error) {
	return db.Write(ctx, s.db, func(tx *db.Tx) (string, error) {
		e, err := endpointTx(tx, agentID)
		if err != nil {
			return "", err
		}
		if !e.Enabled {
			return "", fault.New(fault.Conflict, "The webhook is disabled. Enable it before you send a test.")
		}
		under, err := db.Value[bool](tx, "delivery: look for a test", `SELECT
			EXISTS (SELECT 1 FROM delivery WHERE agent_id = $1 AND object_id = '' AND state = 'waiting')`, agentID)
		if err != nil {
			return "", err
		}
		if under {
			return "", fault.New(fault.Conflict, "A test is already being sent. Check the list below in a moment.")
		}
		msg, err := s.addTx(tx, agentID, TestType, "", "")
		if err != nil {
			return "", err
		}
		return msg, record(tx, by, "webhook.tested", agentID, map[string]any{"event": msg})
	})
}

// Replay sends a settled event again, under the same id, with a schedule of its own.
func (s *Service) Replay(ctx context.Context, msg string, by audit.Actor) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		var agentID, state string
		err := db.One(tx, "delivery: replay", `SELECT agent_id, state FROM delivery
			WHERE id = $1`, msg).Or(noEvent()).Scan(&agentID, &state)
		if err != nil {
			return err
		}
		switch {
		case state == Waiting:
			return fault.New(fault.Conflict, "This event is still being delivered; the next attempt is automatic.")
		case state == Failed:
			return fault.New(fault.Conflict, "A test can't be sent again. Send a new one.")
		}
		_, err = s.replayTx(tx, agentID, by, ` AND id = $3 AND state IN ('delivered', 'dead')`, msg)
		return err
	})
}

// ReplayDead sends all dead events of an agent again, and tells how many there are.
func (s *Service) ReplayDead(ctx context.Context, agentID string, by audit.Actor) (n int, err error) {
	return db.Write(ctx, s.db, func(tx *db.Tx) (int, error) {
		return s.replayTx(tx, agentID, by, ` AND state = $3`, Dead)
	})
}

func (s *Service) replayTx(tx *db.Tx, agentID string, by audit.Actor, which string, arg string) (int, error) {
	e, err := endpointTx(tx, agentID)
	if err != nil {
		return 0, err
	}
	if !e.Enabled {
		return 0, fault.New(fault.Conflict, "The webhook is disabled. Enable it before you replay.")
	}
	n, err := db.Change(tx, "delivery: replay", `UPDATE delivery SET state = 'waiting', attempt = 0, next_at = $1,
		settled_at = 0
		WHERE agent_id = $2`+which, tx.NowMs(), agentID, arg)
	if err != nil || n == 0 {
		return 0, err
	}
	for range min(n, perEndpoint) {
		if err := s.kickTx(tx, agentID, time.Time{}); err != nil {
			return 0, err
		}
	}
	content := map[string]any{"events": n}
	if n == 1 && arg != Dead {
		content["event"] = arg
	}
	return int(n), record(tx, by, "webhook.replayed", agentID, content)
}

func noEvent() error {
	return fault.New(fault.NotFound, "There is no such event.")
}
