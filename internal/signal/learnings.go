package signal

import (
	"cmp"
	"context"
	"io"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
	"preceptor/internal/signal/learned"
	"preceptor/internal/signal/turn"
)

// mostLearnings is how many bytes a LEARNINGS.md may have.
const mostLearnings = 1 << 20

// mostEntries is how many learnings it may have.
const mostEntries = 2_000

// ImportLearnings reads an agent's LEARNINGS.md. What is new in it waits for a person; what was in the one before,
// still waits, and is gone, is taken as rejected by whoever edited the file. Rules that came of the file stay: a person
// takes them out of use.
func (s *Store) ImportLearnings(ctx context.Context, of turn.Turn, markdown string) (fresh, gone int, err error) {
	doc, err := learned.Read(markdown, mostLearnings)
	if err != nil {
		return 0, 0, err
	}
	if n := len(doc.Entries()); n > mostEntries {
		return 0, 0, fault.New(fault.Invalid, "LEARNINGS.md has %d entries. Keep at most %d.", n, mostEntries)
	}
	err = s.d.Write(ctx, func(tx *db.Tx) error {
		fresh, gone = 0, 0
		old, err := documentTx(tx, of.AgentID)
		if err != nil {
			return err
		}
		known, err := learningsTx(tx, of.AgentID)
		if err != nil {
			return err
		}
		now := map[[2]string]bool{}
		for _, e := range doc.Entries() {
			key := [2]string{e.Category, e.Content}
			if now[key] {
				continue
			}
			now[key] = true
			if _, ok := known[key]; ok {
				continue
			}
			if fresh++; fresh == 1 {
				of.ID, err = s.fileTalkTx(tx, of, "LEARNINGS.md, "+tx.Now.Format("2 January 2006 15:04:05"),
					Told{By: "the file"})
				if err == nil {
					err = db.Exec(tx, "signal: import a session", `UPDATE talk SET state = 'told' WHERE id = $1`, of.ID)
				}
				if err != nil {
					return err
				}
			}
			if err := addTx(tx, Signal{AgentID: of.AgentID, AgentName: of.Agent, TalkID: of.ID, Producer: Learner,
				Kind: Learning, Category: e.Category, Scope: "universal", Content: e.Content, Confidence: .5,
				Priority: 2,
				Evidence: []string{"LEARNINGS.md"}, State: Open, CreatedAt: e.Day}); err != nil {
				return err
			}
		}
		for _, e := range old.Entries() {
			if g := known[[2]string{e.Category, e.Content}]; !now[[2]string{e.Category, e.Content}] && g.State == Open {
				gone++
				if err := db.Exec(tx, "signal: take a learning out", `UPDATE signal SET state = 'rejected',
					decided_by = 'LEARNINGS.md', updated_at = $1
					WHERE id = $2`, tx.NowMs(), g.ID); err != nil {
					return err
				}
			}
		}
		tx.Touch(Topic)
		return db.Exec(tx, "signal: keep LEARNINGS.md", `INSERT INTO learned_file (agent_id, markdown, updated_at)
			VALUES ($1, $2, $3)
			ON CONFLICT (agent_id) DO UPDATE SET markdown = excluded.markdown,
				updated_at = excluded.updated_at`, of.AgentID, markdown, tx.NowMs())
	})
	return fresh, gone, err
}

// WriteLearnings writes an agent's LEARNINGS.md: the one that was read last, letter by letter, without what people
// rejected and with what they approved since.
func (s *Store) WriteLearnings(ctx context.Context, agentID string, w io.Writer) error {
	doc, err := db.Read(ctx, s.d, func(tx *db.Tx) (*learned.Document, error) {
		doc, err := documentTx(tx, agentID)
		if err != nil {
			return nil, err
		}
		known, err := learningsTx(tx, agentID)
		if err != nil {
			return nil, err
		}
		has := map[[2]string]bool{}
		for _, e := range doc.Entries() {
			has[[2]string{e.Category, e.Content}] = true
		}
		doc.Drop(func(e learned.Entry) bool { return known[[2]string{e.Category, e.Content}].State == Rejected })
		list, err := db.List(tx, "signal: list learnings", scanSignal, `SELECT `+columns+` FROM signal
			WHERE agent_id = $1 AND kind = 'learning' AND state = 'approved' AND content <> ''
			ORDER BY created_at, id LIMIT $2`, agentID, mostLooked)
		for _, g := range list {
			line := text.Opening(g.Content, learned.MostContent-1)
			if key := [2]string{g.Category, line}; !has[key] && !has[[2]string{g.Category, g.Content}] && err == nil {
				has[key] = true
				err = doc.Add(learned.Entry{Category: g.Category, Content: line, Day: g.CreatedAt})
			}
		}
		return doc, err
	})
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, doc.String())
	return err
}

// documentTx is the LEARNINGS.md that was read last, or a new one.
func documentTx(tx *db.Tx, agentID string) (*learned.Document, error) {
	markdown, err := db.Maybe[string](tx, "signal: read LEARNINGS.md", `SELECT markdown FROM learned_file
		WHERE agent_id = $1`, agentID)
	if err != nil {
		return nil, err
	}
	return learned.Read(cmp.Or(markdown, learned.Title), mostLearnings)
}

// learningsTx are an agent's learnings by category and content.
func learningsTx(tx *db.Tx, agentID string) (map[[2]string]Signal, error) {
	list, err := db.List(tx, "signal: list learnings", scanSignal, `SELECT `+columns+` FROM signal
		WHERE agent_id = $1 AND kind = 'learning' ORDER BY id DESC LIMIT $2`, agentID, mostLooked)
	out := make(map[[2]string]Signal, len(list))
	for _, g := range list {
		out[[2]string{g.Category, g.Content}] = g
	}
	return out, err
}
