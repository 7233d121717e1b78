package stream

import (
	"context"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
)

const columns = `seq, id, agent_id, kind, what, cause_id, interaction_id, task, codes, shown, situation, text,
	importance, scored_by, at, withdrawn_at`

const reflectionColumns = `id, agent_id, agent_name, state, total, memories, from_seq, to_seq, answered_by, due_at,
	done_at`

func scanMemory(r db.Row) (m Memory, err error) {
	var withdrawn int64
	err = r.Scan(&m.Seq, &m.ID, &m.AgentID, &m.Kind, &m.What, &m.CauseID, &m.InteractionID, &m.Task, db.JSON(&m.Codes),
		db.JSON(&m.Shown), db.JSON(&m.Situation), &m.Text,
		&m.Importance, &m.ScoredBy, db.At(&m.At), &withdrawn)
	m.Withdrawn = withdrawn > 0
	return m, err
}

func memoriesTx(tx *db.Tx, where string, args ...any) (out []Memory, err error) {
	return db.List(tx, "stream: read memories", scanMemory, `SELECT `+columns+` FROM memory `+where, args...)
}

func scanReflection(r db.Row) (out Reflection, err error) {
	err = r.Scan(&out.ID, &out.AgentID, &out.AgentName, &out.State, &out.Total, &out.Memories, &out.from, &out.to,
		&out.AnsweredBy, db.At(&out.DueAt), db.At(&out.DoneAt))
	return out, err
}

func reflectionTx(tx *db.Tx, reflectionID string) (Reflection, error) {
	return scanReflection(db.One(tx, "stream: read reflection "+reflectionID,
		`SELECT `+reflectionColumns+` FROM reflection WHERE id = $1`, reflectionID))
}

// Filter picks reflections and memories; the zero value is the newest of all.
type Filter struct {
	AgentID string `form:"agent"`
	Kind    string `form:"kind"`   // of memories
	What    string `form:"what"`   // of memories
	Cursor  string `form:"cursor"` // the Next of the page before
	Limit   int    // 10 reflections or 30 memories when 0
}

// List gives reflections with their insights and what these cite, newest first, and where the next page begins.
func (s *Store) List(ctx context.Context, f Filter) (out []Reflection, next string, err error) {
	from, err := keyset.Parse(f.Cursor)
	if err != nil {
		return nil, "", err
	}
	if f.Limit <= 0 {
		f.Limit = 10
	}
	query, args := keyset.Order{At: `due_at`, ID: `id`}.Page(`SELECT `+reflectionColumns+` FROM reflection
		WHERE ($1 = '' OR agent_id = $1)`, []any{f.AgentID}, from, f.Limit+1)
	err = s.d.Read(ctx, func(tx *db.Tx) (err error) {
		out, err = db.List(tx, "stream: list reflections", scanReflection, query, args...)
		if err != nil {
			return err
		}
		out, next = keyset.Cut(out, f.Limit, func(r *Reflection) string { return keyset.At(r.DueAt, r.ID).Cursor() })
		for i := range out {
			if out[i].Insights, err = insightsTx(tx, out[i].ID); err != nil {
				return err
			}
		}
		return nil
	})
	return out, next, err
}

func insightsTx(tx *db.Tx, reflectionID string) (out []Insight, err error) {
	out, err = db.Rows(tx, "stream: list insights", func(in *Insight) []any {
		return []any{&in.ID, &in.Theme, &in.Text, &in.Importance, &in.Principle, &in.LessonID, &in.Again}
	}, `SELECT id, theme, text, importance, principle, lesson_id, again FROM insight
		WHERE reflection_id = $1 ORDER BY nr`, reflectionID)
	if err != nil {
		return nil, err
	}
	for i := range out {
		if out[i].Cites, err = citesTx(tx, out[i].ID); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func citesTx(tx *db.Tx, insightID string) (out []Cite, err error) {
	return db.List(tx, "stream: list citations", func(row db.Row) (c Cite, err error) {
		c.Memory, err = scanMemory(db.More(row, &c.Earlier))
		return c, err
	}, `SELECT `+columns+
		`, earlier FROM insight_memory JOIN memory ON memory.id = memory_id WHERE insight_id = $1 ORDER BY earlier, seq`, insightID)
}

// Memories gives an agent's memories, newest first. The cursor is the last one's number.
func (s *Store) Memories(ctx context.Context, f Filter) (out []Memory, next string, err error) {
	before := int64(beyond)
	if f.Cursor != "" {
		if err := keyset.Read(f.Cursor, &before); err != nil {
			return nil, "", err
		}
	}
	if f.Limit <= 0 {
		f.Limit = 30
	}
	agent, kind, what := `$1 = ''`, `$2 = ''`, `$3 = ''` // an index serves what is asked for
	if f.AgentID != "" {
		agent = `agent_id = $1`
	}
	if f.Kind != "" {
		kind = `kind = $2`
	}
	if f.What != "" {
		what = `what = $3`
	}
	err = s.d.Read(ctx, func(tx *db.Tx) (err error) {
		out, err = memoriesTx(tx, `WHERE `+agent+` AND `+kind+` AND `+what+
			` AND seq < $4 ORDER BY seq DESC LIMIT $5`,
			f.AgentID, f.Kind, f.What, before, f.Limit+1)
		return err
	})
	out, next = keyset.Cut(out, f.Limit, func(m *Memory) string { return keyset.Cursor(m.Seq) })
	return out, next, err
}

// Standing is how far an agent is from its next reflection.
type Standing struct {
	AgentID  string
	Total    int // importance since the last reflection, of the window
	Memories int
	Day      map[string]int // memories of the window by band, of verdicts
}

// Standing weighs an agent's last day.
func (s *Store) Standing(ctx context.Context, agentID string) (st Standing, err error) {
	st = Standing{AgentID: agentID, Day: map[string]int{}}
	err = s.d.Read(ctx, func(tx *db.Tx) error {
		first, err := s.firstTx(tx, agentID)
		if err != nil {
			return err
		}
		err = db.One(tx, "stream: weigh", `SELECT coalesce(sum(importance), 0), count(*) FROM memory
			WHERE agent_id = $1 AND seq >= $2 AND kind <> 'insight' AND withdrawn_at = 0
			AND seq > (SELECT coalesce(max(to_seq), 0) FROM reflection WHERE agent_id = $1)`, agentID,
			first).Scan(&st.Total, &st.Memories)
		if err != nil {
			return err
		}
		return db.Each(tx, "stream: count bands", db.Pairs(st.Day),
			`SELECT what, count(*) FROM memory
				WHERE agent_id = $1 AND seq >= $2 AND kind = 'verdict' AND withdrawn_at = 0
				GROUP BY what`, agentID, first)
	})
	return st, err
}
