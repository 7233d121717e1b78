package stream

import (
	"context"
	"errors"
	"slices"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/learning"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/id"
)

const (
	dueAtOnce   = 20                  // reflections of one run
	leastCites  = 2                   // what rests on fewer memories is no insight
	earlierMost = 3                   // memories from before the window that an insight recalls
	earlierFrom = 0.35                // of which relevance on
	proposedFor = 30 * 24 * time.Hour // a theme proposes one lesson in so long
)

// ReflectDue makes the reflections that are due, the oldest first. It may run twice, and beside itself.
func (s *Store) ReflectDue(ctx context.Context) error {
	var due []string
	err := s.d.Read(ctx, func(tx *db.Tx) (err error) {
		due, err = db.Column[string](tx, "stream: list what is due", `SELECT id FROM reflection
			WHERE state = 'due' ORDER BY due_at, id LIMIT $1`, dueAtOnce)
		return err
	})
	for _, id := range due {
		err = errors.Join(err, s.reflect(ctx, id))
	}
	return err
}

// reflect makes one reflection: it thinks outside any transaction and writes all that came of it in one.
func (s *Store) reflect(ctx context.Context, reflectionID string) error {
	var r Reflection
	m := Material{}
	err := s.d.Read(ctx, func(tx *db.Tx) (err error) {
		if r, err = reflectionTx(tx, reflectionID); err != nil || r.State != Due {
			return err
		}
		m.Agent = r.AgentName
		m.Window, err = memoriesTx(tx, `WHERE agent_id = $1 AND seq > $2 AND seq <= $3 AND at > $4
			AND kind <> 'insight' AND withdrawn_at = 0 ORDER BY seq`, r.AgentID, r.from, r.to,
			r.DueAt.Add(-s.policy.Window).UnixMilli())
		return err
	})
	if err != nil || r.State != Due {
		return err
	}
	thoughts, by, err := s.think(ctx, m)
	if err != nil {
		return err
	}
	earlier := make([][]string, len(thoughts))
	for i, t := range thoughts {
		found, err := s.Retrieve(ctx, r.AgentID, t.Text, r.to, earlierMost, m.Window...)
		if err != nil {
			return err
		}
		for _, f := range found {
			if f.Relevance >= earlierFrom {
				earlier[i] = append(earlier[i], f.ID)
			}
		}
	}
	return s.d.Write(ctx, func(tx *db.Tx) error { return s.writeTx(tx, r, thoughts, earlier, by) })
}

// think asks the model, where there is one, and the embedded reflector where it does not answer.
func (s *Store) think(ctx context.Context, m Material) (thoughts []Thought, by string, err error) {
	var r Reflector = s.embedded
	if s.model != nil {
		thoughts, err = s.model.Reflect(ctx, m)
		if err == nil || ctx.Err() != nil {
			return thoughts, s.model.Name(), err
		}
		s.log.Warn("the model did not reflect; the embedded reflection is taken", "error", err)
	}
	thoughts, err = r.Reflect(ctx, m)
	return thoughts, r.Name(), err
}

// writeTx keeps the insights, their citations and their memories, and proposes lessons; nothing when somebody did it
// before.
func (s *Store) writeTx(tx *db.Tx, r Reflection, thoughts []Thought, earlier [][]string, by string) error {
	if n, err := db.Change(tx, "stream: end a reflection", `UPDATE reflection SET state = 'done', answered_by = $1,
		done_at = $2
		WHERE id = $3 AND state = 'due'`, by, tx.NowMs(), r.ID); err != nil || n == 0 {
		return err
	}
	kept := 0
	for i, t := range thoughts {
		ok, err := s.keepTx(tx, r, kept+1, t, earlier[i], by)
		if err != nil {
			return err
		}
		if ok {
			kept++
		}
	}
	tx.Touch("reflections")
	return audit.Note(tx, me, "reflection.made", "reflection", r.ID,
		map[string]any{"agent": r.AgentID, "total": r.Total, "memories": r.Memories, "insights": kept, "by": by})
}

// keepTx keeps one insight whose citations exist; false when too few do, or the theme stands already.
func (s *Store) keepTx(tx *db.Tx, r Reflection, nr int, t Thought, earlier []string, by string) (bool, error) {
	cites, err := livingTx(tx, r.AgentID, t.Cites)
	if err != nil || len(cites) < leastCites || t.Text == "" {
		return false, err
	}
	if earlier, err = livingTx(tx, r.AgentID, earlier); err != nil {
		return false, err
	}
	in := Insight{ID: id.New(), Theme: t.Theme, Text: clip(t.Text, maxText), Importance: max(1, min(10, t.Importance))}
	if n, err := db.Change(tx, "stream: keep an insight", `INSERT INTO insight (id, reflection_id, nr, agent_id, theme,
			text, importance, principle, by_model, at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (reflection_id, theme) DO NOTHING`,
		in.ID, r.ID, nr, r.AgentID, in.Theme, in.Text, in.Importance, in.Principle, by != s.embedded.Name(),
		tx.NowMs()); err != nil || n == 0 {
		return false, err
	}
	for _, c := range slices.Concat(cites, earlier) {
		if err := db.Exec(tx, "stream: cite", `INSERT INTO insight_memory (insight_id, memory_id, earlier)
			VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
			in.ID, c, !slices.Contains(cites, c)); err != nil {
			return false, err
		}
	}
	if _, err := insertTx(tx, Memory{ID: id.New(), AgentID: r.AgentID, Kind: Insights, What: in.Theme, CauseID: in.ID,
		Text: in.Text, Importance: in.Importance, ScoredBy: by}); err != nil {
		return false, err
	}
	return true, s.proposeTx(tx, r, in, t, by)
}

// proposeTx opens the lesson of a finding that people keep correcting, unless the theme opened one within the last
// month.
func (s *Store) proposeTx(tx *db.Tx, r Reflection, in Insight, t Thought, by string) error {
	if t.Code == "" {
		return nil
	}
	lesson, err := db.Value[string](tx, "stream: look for an earlier proposal",
		`SELECT coalesce(max(lesson_id), '') FROM insight
			WHERE agent_id = $1 AND theme = $2 AND at > $3 AND lesson_id <> ''`,
		r.AgentID, in.Theme, tx.Now.Add(-proposedFor).UnixMilli())
	if err != nil {
		return err
	}
	again := lesson != ""
	if !again {
		lesson, err = s.lessons.FromInsightTx(tx,
			learning.Source{Kind: learning.Reflected, CauseID: in.ID, AgentID: r.AgentID, AgentName: r.AgentName,
				Task: t.Situation.Task, Situation: t.Situation, Reason: in.Text,
				Flags: []learning.Flag{{Code: t.Code, Why: in.Text}}, By: by, At: tx.Now})
		if err != nil {
			return err
		}
	}
	_, err = tx.Exec(`UPDATE insight SET lesson_id = $1, again = $2 WHERE id = $3`, lesson, again, in.ID)
	return err
}

// livingTx are those of the ids that are memories of the agent and were not taken back, in their order.
func livingTx(tx *db.Tx, agentID string, ids []string) (out []string, err error) {
	ids = unique(ids, 2*mostCites)
	if len(ids) == 0 {
		return nil, nil
	}
	args := append([]any{agentID}, db.Anys(ids)...)
	there := map[string]bool{}
	err = db.Each(tx, "stream: look citations up", db.Keys(there),
		`SELECT id FROM memory WHERE agent_id = $1 AND withdrawn_at = 0 AND id IN (`+db.In(2, len(ids))+`)`, args...)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		if there[id] {
			out = append(out, id)
		}
	}
	return out, nil
}
