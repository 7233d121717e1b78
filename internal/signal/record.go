package signal

import (
	"cmp"
	"context"
	"encoding/json"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/job"
	"preceptor/internal/signal/turn"
)

func jsonOf(v any) string {
	b, _ := json.Marshal(v) // of plain values
	return string(b)
}

// Record stores a turn and what is noticed in it at once; what takes a while follows. A turn with a Ref that was
// recorded before is not recorded again, and its id is given. Invalid names the fields.
func (s *Store) Record(ctx context.Context, t turn.Turn) (turnID string, err error) {
	if t, err = t.Checked(); err != nil {
		return "", err
	}
	set, err := db.Read(ctx, s.d, func(tx *db.Tx) (set Settings, err error) {
		if t.Noted, err = notedTx(tx, t); err != nil {
			return set, err
		}
		if t.Seen, err = seenTx(tx, t); err != nil {
			return set, err
		}
		return settingsTx(tx, t.AgentID)
	})
	if err != nil {
		return "", err
	}
	noticed := s.notice(ctx, t, set)
	return db.Write(ctx, s.d, func(tx *db.Tx) (string, error) {
		if t.Ref != "" {
			had, err := db.Maybe[string](tx, "signal: look for a turn", `SELECT id FROM turn
				WHERE agent_id = $1 AND ref = $2 AND ref <> ''`, t.AgentID, t.Ref)
			if err != nil || had != "" {
				return had, err
			}
		}
		return s.recordTx(tx, t, noticed, set.behind(t))
	})
}

// mostSeen is in how many turns of a session what tools answered is looked for, the newest.
const mostSeen = 50

// seenTx is what tools answered earlier in the open session of a turn with steps.
func seenTx(tx *db.Tx, t turn.Turn) (out []string, err error) {
	if len(t.Steps) == 0 {
		return nil, nil
	}
	earlier, err := turnsTx(tx, `WHERE talk_id IN (SELECT id FROM talk
			WHERE agent_id = $1 AND user_id = $2 AND name = $3 AND state = 'open')
		ORDER BY created_at DESC, id DESC LIMIT $4`, t.AgentID, t.User, t.Session, mostSeen)
	for _, e := range earlier {
		for _, s := range e.Steps {
			if s.Output != "" {
				out = append(out, s.Output)
			}
		}
	}
	return out, err
}

// GuidanceTx records guidance whose agent said how it came to it, in the transaction of its submission: its steps are
// evaluated as those of any turn. Its texts stand with the guidance, whose id is t.Ref. Guidance without steps that can
// be read is no turn.
func (s *Store) GuidanceTx(tx *db.Tx, t turn.Turn) error {
	if len(t.Steps) == 0 || len(t.Steps) > turn.MostSteps {
		return nil
	}
	set, err := settingsTx(tx, t.AgentID)
	if err == nil {
		t.Noted, err = notedTx(tx, t)
	}
	if err != nil {
		return err
	}
	_, err = s.recordTx(tx, t, s.notice(context.Background(), t, set), set.behind(t))
	return err
}

func (s *Store) recordTx(tx *db.Tx, t turn.Turn, noticed []Signal, behind bool) (string, error) {
	t.ID = id.New()
	if t.At.IsZero() {
		t.At = tx.Now
	}
	talk, err := talkTx(tx, t)
	if err != nil {
		return "", err
	}
	if err := db.Exec(tx, "signal: record a turn", `INSERT INTO turn (id, talk_id, agent_id, user_id, ref, query,
			response, model, task, action, reaction, steps, context, source, pending, created_at, noted)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`, t.ID, talk, t.AgentID,
		t.User, t.Ref, t.Query, t.Response, t.Model, t.Task, t.Action, t.Reaction,
		jsonOf(t.Steps), jsonOf(t.Context), t.Source, behind, db.Ms(t.At), t.Noted); err != nil {
		return "", err
	}
	for _, sig := range noticed {
		sig.TalkID, sig.TurnID = talk, t.ID
		if err := addTx(tx, sig); err != nil {
			return "", err
		}
	}
	tx.Touch(Topic)
	if behind {
		return t.ID, s.jobs.InsertTx(tx, behindArgs{t.ID}, job.Network())
	}
	return t.ID, nil
}

// talkTx is the open session that a turn belongs to, begun if there is none.
func talkTx(tx *db.Tx, t turn.Turn) (string, error) {
	talk, err := db.Maybe[string](tx, "signal: find a session", `SELECT id FROM talk
		WHERE agent_id = $1 AND user_id = $2 AND name = $3 AND state = 'open'`, t.AgentID, t.User, t.Session)
	if err != nil {
		return "", err
	}
	if talk != "" {
		return talk, db.Exec(tx, "signal: go on with a session", `UPDATE talk SET turns = turns + 1, last_at = $1
			WHERE id = $2`, db.Ms(t.At), talk)
	}
	talk = id.New()
	return talk, db.Exec(tx, "signal: begin a session", `INSERT INTO talk (id, agent_id, agent_name, user_id, name,
			state, turns, started_at, last_at)
		VALUES ($1, $2, $3, $4, $5, 'open', 1, $6, $7)`,
		talk, t.AgentID, t.Agent, t.User, t.Session, db.Ms(t.At), db.Ms(t.At))
}

const columns = `id, agent_id, agent_name, user_id, talk_id, turn_id, producer, kind, category, scope, action, said,
	content, score, scored, confidence, priority, count, noted,
	evidence, context, expires_at, state, lesson_id, decided_by, created_at, updated_at,
	shown, again`

// addTx stores a signal.
func addTx(tx *db.Tx, s Signal) error {
	score := 0.0
	if s.Score != nil {
		score = *s.Score
	}
	return db.Exec(tx, "signal: note a signal", `INSERT INTO signal (`+columns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27,
			$28, $29)`,
		id.New(), s.AgentID, s.AgentName, s.User, s.TalkID, s.TurnID, s.Producer, s.Kind, s.Category, s.Scope, s.Action,
		s.Said, s.Content, score, s.Score != nil, s.Confidence, s.Priority, max(s.Count, 1), s.Noted,
		jsonOf(s.Evidence), jsonOf(s.Context), db.Ms(s.ExpiresAt), cmp.Or(s.State, Noted), s.LessonID, s.DecidedBy,
		db.Ms(cmp.Or(s.CreatedAt, tx.Now)), tx.NowMs(), s.Shown, s.Again)
}

// signalsTx lists signals; doing is what for.
func signalsTx(tx *db.Tx, doing, where string, args ...any) ([]Signal, error) {
	return db.List(tx, "signal: "+doing, scanSignal, `SELECT `+columns+` FROM signal `+where, args...)
}

func scanSignal(row db.Row) (s Signal, err error) {
	var score float64
	var scored bool
	err = row.Scan(&s.ID, &s.AgentID, &s.AgentName, &s.User, &s.TalkID, &s.TurnID, &s.Producer, &s.Kind, &s.Category,
		&s.Scope, &s.Action, &s.Said, &s.Content, &score, &scored, &s.Confidence,
		&s.Priority, &s.Count, &s.Noted, db.JSON(&s.Evidence), db.JSON(&s.Context), db.At(&s.ExpiresAt), &s.State,
		&s.LessonID, &s.DecidedBy, db.At(&s.CreatedAt), db.At(&s.UpdatedAt), &s.Shown, &s.Again)
	if scored {
		s.Score = &score
	}
	return s, err
}
