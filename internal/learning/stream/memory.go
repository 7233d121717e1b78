package stream

import (
	"context"
	"encoding/json"
	"strings"

	"preceptor/internal/learning"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/job"
)

const (
	maxText  = 600 // characters of a memory
	maxCodes = 12
	maxShown = 40
	beyond   = 1<<62 - 1 // no memory has so high a number
)

// Event is what happened, as it comes in. Known are personal values to hide wherever they stand; they are never stored.
type Event struct {
	Kind, What, CauseID string
	AgentID, AgentName  string
	InteractionID, Task string
	Situation           pack.Situation
	Codes, Shown        []string
	Text                string
	Critical            bool             // a deterministic check stops the text
	Scores              *learning.Scores // of an Outcome
	Known               []string
}

// RememberTx writes what happened into the agent's stream, in the transaction of its cause, and makes a reflection due
// where that fills the measure. A cause has one memory per kind: a second call changes nothing.
func (s *Store) RememberTx(tx *db.Tx, e Event) error {
	if e.CauseID == "" || e.AgentID == "" || e.Kind == "" {
		return fault.New(fault.Invalid, "A memory needs an agent, a kind and a cause.")
	}
	safe, _ := s.priv.Pseudonymise(e.Text, e.Known...)
	m := Memory{ID: id.New(), AgentID: e.AgentID, Kind: e.Kind, What: e.What, CauseID: e.CauseID,
		InteractionID: e.InteractionID, Task: e.Task,
		Codes: unique(e.Codes, maxCodes), Shown: unique(e.Shown, maxShown), Situation: bare(e.Situation),
		Text:       clip(safe, maxText),
		Importance: Importance(e), ScoredBy: embeddedName}
	fresh, err := insertTx(tx, m)
	if err != nil || !fresh {
		return err
	}
	tx.Touch("reflections")
	if s.model != nil && e.Kind != Insights {
		if err := s.jobs.InsertTx(tx, ScoreArgs{m.ID, e.AgentName}, job.Patient()); err != nil {
			return err
		}
	}
	return s.triggerTx(tx, e.AgentID, e.AgentName)
}

// UndoTx takes back the memory of a cause that was undone. None is fine.
func (s *Store) UndoTx(tx *db.Tx, kind, causeID string) error {
	err := db.Exec(tx, "stream: take back a memory", `UPDATE memory SET withdrawn_at = $1
		WHERE kind = $2 AND cause_id = $3 AND withdrawn_at = 0`, tx.NowMs(), kind, causeID)
	if err != nil {
		return err
	}
	tx.Touch("reflections")
	return nil
}

func insertTx(tx *db.Tx, m Memory) (bool, error) {
	n, err := db.Change(tx, "stream: remember", `INSERT INTO memory (id, agent_id, kind, what, cause_id, interaction_id,
			task, codes, shown, situation, text, importance, scored_by, at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) ON CONFLICT (kind, cause_id) DO NOTHING`,
		m.ID, m.AgentID, m.Kind, m.What, m.CauseID, m.InteractionID, m.Task, list(m.Codes), list(m.Shown),
		situation(m.Situation), m.Text, m.Importance, m.ScoredBy, tx.NowMs())
	return n > 0, err
}

// triggerTx makes a reflection due when what the agent lived through since the last one, and within the window, weighs
// enough.
func (s *Store) triggerTx(tx *db.Tx, agentID, agentName string) error {
	var from, to int64
	var total, n int
	err := db.One(tx, "stream: weigh the last day", `SELECT coalesce(sum(m.importance), 0), count(*),
			coalesce(max(b.reflected), 0), coalesce(max(m.seq), 0)
		FROM (SELECT (SELECT coalesce(max(to_seq), 0) FROM reflection WHERE agent_id = $1) AS reflected,
			`+firstSQL+` AS first) b
		JOIN memory m ON m.agent_id = $1
			AND m.seq >= CASE WHEN b.reflected >= b.first THEN b.reflected + 1 ELSE b.first END
		WHERE m.kind <> 'insight' AND m.withdrawn_at = 0`, s.firstArgs(tx, agentID)...).Scan(&total, &n, &from, &to)
	if err != nil {
		return err
	}
	if !TriggersReflection(total, s.policy.Threshold) {
		return nil
	}
	return db.Exec(tx, "stream: make a reflection due", `INSERT INTO reflection (id, agent_id, agent_name, state, total,
			memories, from_seq, to_seq, due_at)
		VALUES ($1, $2, $3, 'due', $4, $5, $6, $7, $8) ON CONFLICT (agent_id, to_seq) DO NOTHING`,
		id.New(), agentID, agentName, total, n, from, to, tx.NowMs())
}

// firstTx is the number of the first memory of the window that ends now; without one, a number that no memory has.
func (s *Store) firstTx(tx *db.Tx, agentID string) (first int64, err error) {
	return db.Value[int64](tx, "stream: find the window", `SELECT `+firstSQL, s.firstArgs(tx, agentID)...)
}

// firstSQL is that number, of firstArgs.
const firstSQL = `coalesce((SELECT seq FROM memory WHERE agent_id = $1 AND at > $2 ORDER BY at, seq LIMIT 1), $3)`

func (s *Store) firstArgs(tx *db.Tx, agentID string) []any {
	return []any{agentID, tx.Now.Add(-s.policy.Window).UnixMilli(), int64(beyond)}
}

// ScoreArgs has the model weigh a memory.
type ScoreArgs struct {
	MemoryID  string `json:"memory_id"`
	AgentName string `json:"agent_name,omitempty"` // for the reflection that a heavier weight may make due
}

// Kind names the job.
func (ScoreArgs) Kind() string { return "stream.score" }

// score puts the model's weight in the place of the embedded one, which stands where the model does not answer. A
// memory that a reflection has used keeps its weight.
func (s *Store) score(ctx context.Context, a ScoreArgs) error {
	if s.model == nil {
		return nil
	}
	var m Memory
	err := s.d.Read(ctx, func(tx *db.Tx) (err error) {
		found, err := memoriesTx(tx, `WHERE id = $1 AND withdrawn_at = 0 AND scored_by = $2`, a.MemoryID, embeddedName)
		if err == nil && len(found) > 0 {
			m = found[0]
		}
		return err
	})
	if err != nil || m.ID == "" {
		return err
	}
	weight, err := s.model.Score(ctx, m)
	if err != nil {
		if ctx.Err() != nil {
			return err // the program stops; the job comes again
		}
		s.log.Warn("a memory keeps its embedded weight", "memory", m.ID, "error", err)
		return nil
	}
	return s.d.Write(ctx, func(tx *db.Tx) error {
		err := db.Exec(tx, "stream: weigh again", `UPDATE memory SET importance = $1, scored_by = $2
			WHERE id = $3 AND scored_by = $4
			AND seq > (SELECT coalesce(max(to_seq), 0) FROM reflection WHERE agent_id = $5)`, weight, s.model.Name(),
			m.ID, embeddedName, m.AgentID)
		if err != nil {
			return err
		}
		tx.Touch("reflections")
		return s.triggerTx(tx, m.AgentID, a.AgentName)
	})
}

// bare is a customer without any words of theirs and without sums: what an insight's principle may depend on.
func bare(s pack.Situation) pack.Situation {
	return pack.Situation{Pack: s.Pack, Task: s.Task, Age: s.Age, HasDB: s.HoldsDB(), HasDC: s.HasDC,
		HasState: s.HasState, Literacy: s.Literacy, Vulnerable: s.Vulnerable, At: s.At}
}

func situation(s pack.Situation) string {
	b, err := json.Marshal(s)
	if err != nil {
		return "{}"
	}
	return string(b)
}

func list(items []string) string {
	if len(items) == 0 {
		return "[]"
	}
	b, err := json.Marshal(items)
	if err != nil {
		return "[]"
	}
	return string(b)
}

func unique(items []string, most int) (out []string) {
	seen := map[string]bool{}
	for _, it := range items {
		if it != "" && !seen[it] && len(out) < most {
			seen[it] = true
			out = append(out, it)
		}
	}
	return out
}

// clip is the beginning of text in one line, at most n characters.
func clip(text string, n int) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > n {
		return strings.TrimSpace(string(r[:n-1])) + "…"
	}
	return text
}
