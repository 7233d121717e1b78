package signal

import (
	"cmp"
	"context"
	"io"
	"slices"

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

// Imported is what became of a LEARNINGS.md.
type Imported struct {
	New  int `json:"new" doc:"Learnings that wait for a person."`
	Gone int `json:"gone" doc:"Entries that were removed from the file. Those that waited are rejected; the rule of an approved one is in quarantine, out of use until an expert puts it back or retires it."`
	Kept int `json:"kept" doc:"Entries missing in your file that stay: they are for other agents too, a regulator asks for them, or it is an older copy."`

	NotRead []learned.Aside `json:"not_read,omitempty" doc:"What of the file is no entry: no item of a list below a heading of the four. It stays in the file for people; agents aren't given it. At most 100."`
}

// ImportLearnings reads an agent's LEARNINGS.md. What is new in it waits for a person; a line that is gone from the
// copy that is given out now, as its version tells, is withdrawn: while it waits it is rejected, and the rule of one
// that was approved is in quarantine, out of use until a person has looked at it. A file without any of the four
// sections is refused: it was no edit of this one.
func (s *Store) ImportLearnings(ctx context.Context, of turn.Turn, markdown string) (out Imported, err error) {
	sent, err := learned.Read(markdown, mostLearnings)
	if err == nil {
		err = sent.Check()
	}
	if err != nil {
		return out, err
	}
	err = s.d.Write(ctx, func(tx *db.Tx) error {
		doc := sent.Clone()
		out = Imported{NotRead: doc.Asides()}
		old, known, err := s.givenTx(tx, of.AgentID, true)
		if err != nil {
			return err
		}
		sure := doc.Edited == old.Version()
		if doc.OfGiven() {
			plain, _, err := s.givenTx(tx, of.AgentID, false)
			if err != nil {
				return err
			}
			doc.Keep(old, plain)
			old, sure = plain, doc.Edited == plain.Version()
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
			l := known[e.Key()]
			if now[e.Key()] {
				continue
			}
			now[e.Key()] = true
			if !sure || slices.ContainsFunc(l.rules, func(r knowledge.Rule) bool {
				return r.AgentID != of.AgentID || knowledge.Protected(r.Domain)
			}) {
				out.Kept++
				if err := doc.Add(l.entry); err != nil {
					return err
				}
				continue
			}
			out.Gone++
			for _, id := range l.waiting {
				if err := db.Exec(tx, "signal: take a learning out", `UPDATE signal SET state = 'rejected',
					decided_by = 'LEARNINGS.md', updated_at = $1
					WHERE id = $2`, tx.NowMs(), id); err != nil {
					return err
				}
			}
			for _, r := range l.rules {
				if _, err := s.kb.SetRuleStatusTx(tx, r.ID, knowledge.Quarantined,
					knowledge.Change{By: audit.Actor{Kind: audit.Agent, ID: of.AgentID, Name: of.Agent},
						Reason: "Its line was deleted from LEARNINGS.md."}); err != nil {
					return err
				}
			}
		}
		tx.Touch(Topic)
		return db.Exec(tx, "signal: keep LEARNINGS.md", `INSERT INTO learned_file (agent_id, markdown, updated_at)
			VALUES ($1, $2, $3)
			ON CONFLICT (agent_id) DO UPDATE SET markdown = excluded.markdown,
				updated_at = excluded.updated_at`, of.AgentID, doc.String(), tx.NowMs())
	})
	return out, err
}

// WriteLearnings writes an agent's LEARNINGS.md behind its version: of the one that was read last, in its order, the
// entries that somebody approved; with waiting also those that wait, each marked, and what else a person wrote.
func (s *Store) WriteLearnings(ctx context.Context, agentID string, waiting bool, w io.Writer) error {
	markdown, err := db.Read(ctx, s.d, func(tx *db.Tx) (string, error) {
		doc, known, err := s.givenTx(tx, agentID, waiting)
		if err != nil {
			return "", err
		}
		return doc.Versioned(func(e learned.Entry) bool { return len(known[e.Key()].rules) == 0 }), nil
	})
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, markdown)
	return err
}

// givenTx is LEARNINGS.md as it is given out now, and what an agent's learnings say.
func (s *Store) givenTx(tx *db.Tx, agentID string, waiting bool) (*learned.Document, map[[2]string]said, error) {
	doc, err := documentTx(tx, agentID)
	if err != nil {
		return nil, nil, err
	}
	rules, err := s.rulesTx(tx)
	if err != nil {
		return nil, nil, err
	}
	list, err := signalsTx(tx, "list learnings", `
		WHERE agent_id = $1 AND (kind = 'learning' AND state <> 'noted' OR kind = 'proposal' AND state = 'approved')
			AND content <> ''
		ORDER BY created_at DESC, id DESC LIMIT $2`, agentID, mostLooked)
	if err != nil {
		return nil, nil, err
	}
	slices.Reverse(list)
	known, given := map[[2]string]said{}, map[[2]string]bool{}
	var order []learned.Entry
	for _, g := range list {
		r := rules[g.LessonID]
		if words := r.Statement.Do.Text; g.State == Approved && words != "" && words != g.Statement().Do.Text {
			g.Content = words // what was approved, for all whose wishes it stands for
		}
		e := g.entry()
		l, ok := known[e.Key()]
		if !ok {
			l.entry, order = e, append(order, e)
		}
		if g.State == Approved && r.ID != "" {
			l.rules = append(l.rules, r)
		}
		if g.Waits() {
			l.waiting = append(l.waiting, g.ID)
		}
		known[e.Key()] = l
		given[e.Key()] = len(l.rules) > 0 || waiting && len(l.waiting) > 0
	}
	has := map[[2]string]bool{}
	doc.Drop(func(e learned.Entry) bool {
		has[e.Key()] = true
		return !given[e.Key()]
	})
	for _, e := range order {
		if given[e.Key()] && !has[e.Key()] && err == nil {
			err = doc.Add(e)
		}
	}
	if !waiting {
		doc = doc.Given()
	}
	return doc, known, err
}

// said is what became of all learnings that say the same: the rules of them that are in use, and the ids of those that
// wait for a person.
type said struct {
	entry   learned.Entry
	rules   []knowledge.Rule
	waiting []string
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

// entry is a learning's line in the file, which says for which work it is.
func (g Signal) entry() learned.Entry {
	if g.Scope != rule.Universal {
		g.Content = pack.Upper(rule.ScopeWords(g.Scope)) + ": " + g.Content
	}
	if !slices.Contains(learned.Categories, g.Category) {
		g.Category = learned.Pattern // a detector's "rule": what was done and approved
	}
	return learned.EntryOf(g.Category, g.Content, g.CreatedAt)
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
