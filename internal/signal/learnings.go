package signal

import (
	"cmp"
	"context"
	"io"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/rule"
	"preceptor/internal/signal/learned"
	"preceptor/internal/signal/turn"
)

// mostLearnings is how many bytes a LEARNINGS.md may have.
const mostLearnings = 1 << 20

// mostEntries is how many learnings it may have.
const mostEntries = 2_000

// Imported is what became of a LEARNINGS.md.
type Imported struct {
	New  int `json:"new" doc:"Learnings that wait for a person."`
	Gone int `json:"gone" doc:"Entries that were removed from the file. Those that waited are rejected; the rule of an approved one is out of use until a person has looked at it."`
	Kept int `json:"kept" doc:"Entries missing in your file that stay: they are for other agents too, a regulator asks for them, or it is an older copy."`
}

// ImportLearnings reads an agent's LEARNINGS.md. What is new in it waits for a person; a line that is gone from the
// copy that is given out now, as its version tells, is withdrawn: while it waits it is rejected, and the rule of one
// that was approved is in quarantine, out of use until a person has looked at it. A file without any of the four
// sections is refused: it was no edit of this one.
func (s *Store) ImportLearnings(ctx context.Context, of turn.Turn, markdown string) (out Imported, err error) {
	edited, markdown := learned.CutVersion(markdown)
	doc, err := learned.Read(markdown, mostLearnings)
	if err != nil {
		return out, err
	}
	if n := len(doc.Entries()); n > mostEntries {
		return out, fault.New(fault.Invalid, "LEARNINGS.md has %d entries. Keep at most %d.", n, mostEntries)
	}
	err = s.d.Write(ctx, func(tx *db.Tx) error {
		out = Imported{}
		old, known, err := s.givenTx(tx, of.AgentID, true)
		sure := err == nil && edited == old.Version()
		if err == nil && !sure {
			old, known, err = s.givenTx(tx, of.AgentID, false)
			sure = err == nil && edited == old.Version()
		}
		if err != nil {
			return err
		}
		read, err := documentTx(tx, of.AgentID)
		if err != nil {
			return err
		}
		rules, err := s.rulesTx(tx)
		if err != nil {
			return err
		}
		if !doc.HasSections() && doc.String() != old.String() {
			return fault.New(fault.Invalid, "This file has none of the sections of LEARNINGS.md, such as "+
				"## User Preferences, so nothing was changed.")
		}
		now := map[[2]string]bool{}
		for _, e := range doc.Entries() {
			key := e.Key()
			if _, ok := known[key]; ok || now[key] {
				now[key] = true
				continue
			}
			now[key] = true
			if out.New++; out.New == 1 {
				of.ID, err = s.fileTalkTx(tx, of, "LEARNINGS.md, "+tx.Now.Format("2 January 2006 15:04:05"), TalkTold,
					Told{By: byFile})
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
			switch {
			case now[e.Key()] || !g.Waits() && g.State != Approved:
				continue
			case sure && g.Waits():
				out.Gone++
				err = db.Exec(tx, "signal: take a learning out", `UPDATE signal SET state = 'rejected',
					decided_by = 'LEARNINGS.md', updated_at = $1
					WHERE id = $2`, tx.NowMs(), g.ID)
			case sure && rules[g.LessonID].AgentID == of.AgentID && !knowledge.Protected(rules[g.LessonID].Domain):
				out.Gone++
				_, err = s.kb.SetRuleStatusTx(tx, rules[g.LessonID].ID, knowledge.Quarantined,
					knowledge.Change{By: audit.Actor{Kind: audit.Agent, ID: of.AgentID, Name: of.Agent},
						Reason: "Its line was deleted from LEARNINGS.md."})
			default:
				out.Kept++
				err = doc.Add(learned.Entry{Category: e.Category, Content: e.Key()[1], Day: g.CreatedAt})
			}
			if err != nil {
				return err
			}
			now[e.Key()] = true
		}
		// What waited in the copy as it was given out is no part of the file before somebody approves it.
		doc.Drop(func(e learned.Entry) bool {
			return known[e.Key()].Waits() && old.Has(e) && !read.Has(e)
		})
		tx.Touch(Topic)
		return db.Exec(tx, "signal: keep LEARNINGS.md", `INSERT INTO learned_file (agent_id, markdown, updated_at)
			VALUES ($1, $2, $3)
			ON CONFLICT (agent_id) DO UPDATE SET markdown = excluded.markdown,
				updated_at = excluded.updated_at`, of.AgentID, doc.String(), tx.NowMs())
	})
	return out, err
}

// WriteLearnings writes an agent's LEARNINGS.md behind its version: the one that was read last, letter by letter,
// without what people rejected or took out of use and with what they approved since; with waiting, with what waits for
// them, too.
func (s *Store) WriteLearnings(ctx context.Context, agentID string, waiting bool, w io.Writer) error {
	doc, err := db.Read(ctx, s.d, func(tx *db.Tx) (*learned.Document, error) {
		doc, _, err := s.givenTx(tx, agentID, waiting)
		return doc, err
	})
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, doc.Versioned())
	return err
}

// givenTx is LEARNINGS.md as it is given out now, and an agent's learnings by category and content.
func (s *Store) givenTx(tx *db.Tx, agentID string, waiting bool) (*learned.Document, map[[2]string]Signal, error) {
	doc, err := documentTx(tx, agentID)
	if err != nil {
		return nil, nil, err
	}
	rules, err := s.rulesTx(tx)
	if err != nil {
		return nil, nil, err
	}
	known, err := learningsTx(tx, agentID)
	if err != nil {
		return nil, nil, err
	}
	has := map[[2]string]bool{}
	doc.Drop(func(e learned.Entry) bool {
		has[e.Key()] = true
		g := known[e.Key()]
		return g.State == Rejected || g.State == Approved && rules[g.LessonID].ID == ""
	})
	list, err := db.List(tx, "signal: list learnings", scanSignal, `SELECT `+columns+` FROM signal
		WHERE agent_id = $1 AND kind = 'learning' AND state IN ('approved', 'open', 'kept') AND content <> ''
		ORDER BY created_at, id LIMIT $2`, agentID, mostLooked)
	for _, g := range list {
		if g.State == Approved && rules[g.LessonID].ID == "" {
			continue // a person took it back
		}
		if (waiting || g.State == Approved) && !has[g.key()] && err == nil {
			has[g.key()] = true
			err = doc.Add(learned.Entry{Category: g.Category, Content: g.key()[1], Day: g.CreatedAt})
		}
	}
	return doc, known, err
}

// rulesTx are the rules in use, by the lesson that they came of.
func (s *Store) rulesTx(tx *db.Tx) (map[string]knowledge.Rule, error) {
	out := map[string]knowledge.Rule{}
	list, err := s.kb.LivingTx(tx)
	for _, r := range list {
		if r.Status == knowledge.Active {
			out[r.CreatedFrom] = r
		}
	}
	return out, err
}

// key is a learning's category and line in the file, which says for which work it is.
func (g Signal) key() [2]string {
	if g.Scope != rule.Universal {
		g.Content = pack.Upper(rule.ScopeWords(g.Scope)) + ": " + g.Content
	}
	return learned.Entry{Category: g.Category, Content: g.Content}.Key()
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
		out[g.key()] = g
	}
	return out, err
}
