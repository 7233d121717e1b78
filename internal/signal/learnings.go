package signal

import (
	"cmp"
	"context"
	"io"
	"strings"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/signal/learned"
	"preceptor/internal/signal/turn"
)

// mostLearnings is how many bytes a LEARNINGS.md may have.
const mostLearnings = 1 << 20

// mostEntries is how many learnings it may have.
const mostEntries = 2_000

// ImportLearnings reads an agent's LEARNINGS.md. What is new in it waits for a person; a line that was in the file as
// it was last read or given out, and is gone, is withdrawn with the rule that came of it, unless that is all agents'.
// A file without any of the four sections is refused: it was no edit of this one.
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
		if len(old.Entries()) > 0 && !doc.HasSections() {
			return fault.New(fault.Invalid, "This file has none of the sections of LEARNINGS.md, such as "+
				"## User Preferences, so nothing was changed.")
		}
		known, err := learningsTx(tx, of.AgentID)
		if err != nil {
			return err
		}
		now := map[[2]string]bool{}
		for _, e := range doc.Entries() {
			key := e.Key()
			if _, ok := known[key]; ok || now[key] {
				now[key] = true
				continue
			}
			now[key] = true
			if fresh++; fresh == 1 {
				of.ID, err = s.fileTalkTx(tx, of, "LEARNINGS.md, "+tx.Now.Format("2 January 2006 15:04:05"),
					Told{By: byFile})
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
			g := known[e.Key()]
			if now[e.Key()] || !g.Waits() && (g.State != Approved || strings.HasPrefix(g.Scope, "pack:")) {
				continue
			}
			now[e.Key()] = true
			gone++
			if err := s.takeOutTx(tx, g); err != nil {
				return err
			}
		}
		tx.Touch(Topic)
		return keepFileTx(tx, of.AgentID, markdown)
	})
	return fresh, gone, err
}

// takeOutTx withdraws a learning whose line was deleted, with what came of it.
func (s *Store) takeOutTx(tx *db.Tx, g Signal) error {
	if err := db.Exec(tx, "signal: take a learning out", `UPDATE signal SET state = 'rejected',
		decided_by = 'LEARNINGS.md', updated_at = $1
		WHERE id = $2`, tx.NowMs(), g.ID); err != nil || g.State != Approved {
		return err
	}
	return s.lessons.WithdrawProposalTx(tx, g.ID)
}

func keepFileTx(tx *db.Tx, agentID, markdown string) error {
	return db.Exec(tx, "signal: keep LEARNINGS.md", `INSERT INTO learned_file (agent_id, markdown, updated_at)
		VALUES ($1, $2, $3)
		ON CONFLICT (agent_id) DO UPDATE SET markdown = excluded.markdown,
			updated_at = excluded.updated_at`, agentID, markdown, tx.NowMs())
}

// WriteLearnings writes an agent's LEARNINGS.md: the one before, letter by letter, without what people rejected and
// with what they approved since. What is given out is kept, as its editor's deletions go by it.
func (s *Store) WriteLearnings(ctx context.Context, agentID string, w io.Writer) error {
	markdown, err := db.Write(ctx, s.d, func(tx *db.Tx) (string, error) {
		doc, err := documentTx(tx, agentID)
		if err != nil {
			return "", err
		}
		before := doc.String()
		known, err := learningsTx(tx, agentID)
		if err != nil {
			return "", err
		}
		has := map[[2]string]bool{}
		doc.Drop(func(e learned.Entry) bool {
			has[e.Key()] = true
			return known[e.Key()].State == Rejected
		})
		list, err := db.List(tx, "signal: list learnings", scanSignal, `SELECT `+columns+` FROM signal
			WHERE agent_id = $1 AND kind = 'learning' AND state = 'approved' AND content <> ''
			ORDER BY created_at, id LIMIT $2`, agentID, mostLooked)
		for _, g := range list {
			if !has[g.key()] && err == nil {
				has[g.key()] = true
				err = doc.Add(learned.Entry{Category: g.Category, Content: g.key()[1], Day: g.CreatedAt})
			}
		}
		if err == nil && doc.String() != before {
			err = keepFileTx(tx, agentID, doc.String())
		}
		return doc.String(), err
	})
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, markdown)
	return err
}

// key is a learning's category and line in the file.
func (g Signal) key() [2]string { return learned.Entry{Category: g.Category, Content: g.Content}.Key() }

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
		out[g.key()] = g
	}
	return out, err
}
