package delivery

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/job"
)

// sendArgs is the job that looks at an endpoint.
type sendArgs struct {
	AgentID string `json:"agent_id"`
}

// Kind is the job's name.
func (sendArgs) Kind() string { return "delivery.send" }

// kickTx has somebody look at an endpoint at t; a zero t is now. The attempts are for being killed again and again:
// what fails at the receiver is no failure of the job.
func (s *Service) kickTx(tx *db.Tx, agentID string, t time.Time) error {
	return s.jobs.InsertTx(tx, sendArgs{agentID}, job.At(t), job.Network(), job.Attempts(100))
}

// send works off what is due at an endpoint.
func (s *Service) send(ctx context.Context, a sendArgs) error {
	began := time.Now()
	for looks := 0; time.Since(began) < perJob; {
		// One server at a time sends to an endpoint. It looks once more when it let go, as others left that to it.
		release, ok, err := s.db.Lease(ctx, "webhook "+a.AgentID)
		if err != nil || !ok {
			return err
		}
		c, err := s.claim(ctx, a.AgentID)
		if looks++; c != nil {
			looks, err = 0, s.deliver(ctx, *c)
		}
		if release(); err != nil || looks == 2 {
			return err
		}
	}
	return s.db.Write(ctx, func(tx *db.Tx) error { return s.kickTx(tx, a.AgentID, time.Time{}) })
}

// claimed is one event that this process is sending.
type claimed struct {
	Event
	seq     int64
	id      string
	attempt int // failed ones, since it was queued or replayed
	tried   int
	url     string
	version int // of the endpoint
	secrets []string
}

// claim picks the next event that is due at an endpoint and may go now; nil when there is none. Claims live in memory:
// one process at a time sends to it, and what it was sending when it was killed is due again.
func (s *Service) claim(ctx context.Context, agentID string) (c *claimed, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		e, err := endpointTx(tx, agentID)
		if fault.Is(err, fault.NotFound) {
			return nil
		}
		if err != nil || !e.Enabled || e.PausedUntil.After(tx.Now) {
			return err
		}
		room := perEndpoint
		if e.Failures > 0 {
			room = 1
		}
		if len(s.flight[agentID]) >= room {
			return nil
		}
		if c, err = s.nextTx(tx, agentID); err != nil || c == nil {
			return err
		}
		c.url, c.version, c.WithText = e.URL, e.version, e.WithText
		c.secrets, err = secretsTx(tx, agentID)
		return err
	})
	if err != nil || c == nil {
		return nil, err
	}
	if s.flight[agentID] == nil {
		s.flight[agentID] = map[int64]string{}
	}
	s.flight[agentID][c.seq] = c.ObjectID
	return c, nil
}

func (s *Service) release(c claimed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.flight[c.AgentID], c.seq)
	if len(s.flight[c.AgentID]) == 0 {
		delete(s.flight, c.AgentID)
	}
}

// nextTx finds what is due, is not under way, and comes after nothing unsettled about the same object.
func (s *Service) nextTx(tx *db.Tx, agentID string) (*claimed, error) {
	args, not := []any{agentID, tx.NowMs()}, ""
	for seq := range s.flight[agentID] {
		args = append(args, seq)
	}
	if n := len(args) - 2; n > 0 {
		not = " AND d.seq NOT IN (" + db.In(3, n) + ")"
	}
	c := &claimed{Event: Event{AgentID: agentID}}
	found, err := db.One(tx, "delivery: find what is due", `SELECT d.seq, d.id, d.type, d.object_id, d.source_id,
		d.attempt, d.tried, d.created_at FROM delivery d
		WHERE d.agent_id = $1 AND d.state = 'waiting' AND d.next_at <= $2`+not+`
		AND (d.object_id = '' OR NOT EXISTS (SELECT 1 FROM delivery e
			WHERE e.agent_id = d.agent_id AND e.object_id = d.object_id AND e.seq < d.seq AND e.state = 'waiting'))
		ORDER BY d.next_at, d.seq LIMIT 1`, args...).Find(&c.seq, &c.id, &c.Type, &c.ObjectID, &c.SourceID, &c.attempt,
		&c.tried, db.At(&c.At))
	if err != nil || !found {
		return nil, err
	}
	return c, nil
}

// deliver makes one attempt and marks how it ended. An attempt that our own stop cut short is no attempt.
func (s *Service) deliver(ctx context.Context, c claimed) error {
	defer s.release(c)
	body, err := s.body(ctx, c.Event)
	if fault.Is(err, fault.NotFound) {
		return s.settle(c, answer{outcome: Lost, note: "What this event was about no longer exists.", at: s.db.Now()})
	}
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		// It must not keep what comes after it from going out, so it counts as an attempt and is due again by the
		// schedule.
		s.log.Error("an event could not be made", "delivery", c.id, "agent", c.AgentID, "type", c.Type, "err", err)
		return s.settle(c, answer{outcome: Unmade, note: "We couldn't create the message; the program's log says why.",
			at: s.db.Now()})
	}
	a := s.post(ctx, c, body)
	if ctx.Err() != nil && a.outcome != Delivered {
		return ctx.Err()
	}
	return s.settle(c, a)
}

// body is what is sent: type, time and data, as the specification recommends.
func (s *Service) body(ctx context.Context, e Event) ([]byte, error) {
	data, err := s.Data(ctx, e)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err = enc.Encode(struct {
		Type      string    `json:"type"`
		Timestamp time.Time `json:"timestamp"`
		Data      any       `json:"data"`
	}{e.Type, e.At.UTC(), data})
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
