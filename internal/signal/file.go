package signal

import (
	"cmp"
	"context"
	"io"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/lists"
	"preceptor/internal/signal/observe"
	"preceptor/internal/signal/turn"
)

// fileID is where a proposal's context has the id that its file gave it.
const fileID = "file_id"

// Import stores a file of observations (seed 002's agent_observations.json) as a session of its own, with the kinds and
// confidences that the file gives, and ends it: what its users said is analysed as any session's. Its own proposals
// wait for a person beside what that finds. A session that was imported before is Conflict.
func (s *Store) Import(ctx context.Context, of turn.Turn, file observe.Session) (talkID string, err error) {
	if err := file.Ready(s.d.Now(), mostSent); err != nil {
		return "", err
	}
	of.Session, of.Source = file.ID, turn.ByFile
	err = s.d.Write(ctx, func(tx *db.Tx) error {
		if n, err := db.Value[int](tx, "signal: look for a session", `SELECT COUNT(*) FROM talk
			WHERE agent_id = $1 AND user_id = $2 AND name = $3`, of.AgentID, of.User, file.ID); err != nil {
			return err
		} else if n > 0 {
			return fault.New(fault.Conflict, "There is already a session %s. Give the file another session_id.",
				file.ID)
		}
		if talkID, err = s.fileTalkTx(tx, of, file.ID, TalkOpen, toldOf(file)); err != nil {
			return err
		}
		for _, o := range file.Observations {
			t := of
			t.Action, t.Reaction, t.Context, t.At = o.Action, o.Said, o.Context, o.At
			if _, err := s.recordTx(tx, t, []Signal{s.observed(t, o)}, false); err != nil {
				return err
			}
		}
		for _, p := range file.Proposals {
			g := proposed(Session{ID: talkID, AgentID: of.AgentID, AgentName: of.Agent, User: of.User}, p)
			g.Context = map[string]any{fileID: p.ID}
			if err := addTx(tx, g); err != nil {
				return err
			}
		}
		tx.Touch(Topic)
		return s.endTx(tx, talkID, "")
	})
	return talkID, err
}

// fileTalkTx begins the session that a file becomes; one that is told already has nothing to be looked through.
func (s *Store) fileTalkTx(tx *db.Tx, of turn.Turn, name, state string, told Told) (string, error) {
	talkID := id.New()
	return talkID, db.Exec(tx, "signal: import a session", `INSERT INTO talk (id, agent_id, agent_name, user_id, name,
			state, turns, started_at, last_at, told)
		VALUES ($1, $2, $3, $4, $5, $6, 0, $7, $8, $9)`,
		talkID, of.AgentID, of.Agent, of.User, name, state, tx.NowMs(), tx.NowMs(), jsonOf(told))
}

// toldOf is what the summary of a file counts.
func toldOf(file observe.Session) Told {
	told := Told{Observations: len(file.Observations), By: byFile}
	for _, p := range file.Proposals {
		told.Tokens += p.Tokens()
		if p.Category == observe.Correction {
			told.Corrected++
		} else {
			told.Noticed++
		}
	}
	return told
}

// Export writes a session of an agent's as a file of observations.
func (s *Store) Export(ctx context.Context, talkID, agentID string, w io.Writer) error {
	file, err := db.Read(ctx, s.d, func(tx *db.Tx) (file observe.Session, err error) {
		t, err := namedTx(tx, talkID, agentID)
		if err != nil {
			return file, err
		}
		file.ID = cmp.Or(t.Name, t.StartedAt.UTC().Format("20060102-150405"))
		file.Observations, err = db.Rows(tx, "signal: export observations", func(o *observe.Observation) []any {
			return []any{&o.Kind, &o.Action, &o.Said, db.JSON(&o.Context), &o.Confidence, db.At(&o.At)}
		}, `SELECT g.category, t.action, t.reaction, g.context, g.confidence, g.created_at
			FROM signal g JOIN turn t ON t.id = g.turn_id
			WHERE g.talk_id = $1 AND g.kind = 'observation'
			ORDER BY g.id`, t.ID)
		if err != nil {
			return file, err
		}
		proposals, err := signalsTx(tx, "export proposals", `WHERE talk_id = $1 AND kind = 'proposal'
			ORDER BY id`, t.ID)
		file.Proposals = lists.Map(proposals, func(g Signal) observe.Proposal {
			named, _ := g.Context[fileID].(string)
			if named == "" {
				named = "agent-" + g.ID
			}
			return observe.Proposal{ID: named, Category: g.Category, Scope: g.Scope, Content: g.Content,
				Evidence: g.Evidence, Confidence: g.Confidence, Priority: g.Priority}
		})
		return file, err
	})
	if err != nil {
		return err
	}
	return observe.WriteFile(w, file)
}
