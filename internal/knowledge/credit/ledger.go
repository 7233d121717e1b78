package credit

import (
	"errors"
	"fmt"
	"slices"

	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
	"preceptor/internal/search"
)

// RecordTx counts what became of a draft, for everything it was shown, in the transaction of the decision. Again for
// the same id it changes nothing, and neither does it for one that was undone.
func (l *Ledger) RecordTx(tx *db.Tx, o Outcome) error {
	if o.ID == "" {
		return fmt.Errorf("credit: an outcome needs its id")
	}
	draft := line{agent: o.AgentID, task: o.Task, approved: o.Approved}
	if isNew, err := draft.record(tx, o.ID); err != nil || !isNew {
		return err
	}
	shown, err := l.kb.ShownTx(tx, o.InteractionID)
	if err != nil {
		return err
	}
	lines, err := company(tx, draft, shown)
	if err != nil {
		return err
	}
	for _, s := range lines {
		if _, err := s.record(tx, o.ID); err != nil {
			return err
		}
	}
	return errors.Join(l.value(tx, lines), l.judge(tx, o.ID, lines))
}

// line is an item that a draft was shown, or with id "" the draft itself, or a planted item.
type line struct {
	id, kind    string
	version     int
	agent, task string
	approved    bool
	others      float64
	askedBy     string // account; "" nobody was asked
	misled      bool
}

// company finds for each item what the others that were shown with it are thought to do.
func company(tx *db.Tx, draft line, shown []knowledge.ShownItem) ([]line, error) {
	lines := lists.Map(shown, func(s knowledge.ShownItem) line {
		one := draft
		one.id, one.kind, one.version = s.ID, s.Kind, s.Version
		return one
	})
	b, err := openBook(tx, ids(lines))
	total := 0.0
	for _, s := range lines {
		total += b[s.id].Effect
	}
	for i, s := range lines {
		lines[i].others = min(mostOthers, max(-mostOthers, total-b[s.id].Effect))
	}
	return lines, err
}

func ids(lines []line) []string {
	return lists.Map(lines, func(s line) string { return s.id })
}

// record writes a line and counts it; false for one that is there.
func (s line) record(tx *db.Tx, outcomeID string) (bool, error) {
	n, err := db.Change(tx, "credit: record an outcome", `INSERT INTO credit (outcome_id, item_id, kind, version,
			agent_id, task, approved, others, counted, below, asked_by, misled, at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 1, 0, $9, $10, $11) ON CONFLICT (outcome_id, item_id) DO NOTHING`,
		outcomeID, s.id, s.kind, s.version, s.agent, s.task, s.approved, s.others, s.askedBy, s.misled, tx.NowMs())
	if err != nil || n == 0 {
		return false, err
	}
	return true, s.count(tx, 1)
}

// What is summed up of an item: the drafts that it was shown to, and the answers about it.
const (
	shownTo = "shown"
	askedOf = "asked"
)

// count adds a line to the sums, or takes it out with -1.
func (s line) count(tx *db.Tx, by int) (err error) {
	if s.agent != "" {
		err = s.sum(tx, shownTo, s.agent, s.task, by, s.approved, s.others)
	}
	if s.askedBy != "" && err == nil {
		err = s.sum(tx, askedOf, s.askedBy, "", by, s.misled, 0)
	}
	return err
}

func (s line) sum(tx *db.Tx, what, who, task string, by int, hit bool, others float64) error {
	return db.Exec(tx, "credit: count", `INSERT INTO credit_sum (item_id, what, agent_id, task, n, hits, others)
		VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (item_id, what, agent_id, task) DO UPDATE SET n = credit_sum.n + excluded.n,
			hits = credit_sum.hits + excluded.hits, others = credit_sum.others + excluded.others`,
		s.id, what, who, task, by, by*bit(hit), float64(by)*others)
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// UndoTx takes out what an outcome had put in, ticks included, in the transaction of the undo. One that was never
// counted, or is out already, changes nothing. A rule that was quarantined and no longer deserves it goes back into
// use.
func (l *Ledger) UndoTx(tx *db.Tx, id string) error {
	lines, err := linesTx(tx, id)
	if err != nil || len(lines) == 0 {
		return err
	}
	if err := db.Exec(tx, "credit: undo an outcome", `UPDATE credit SET counted = 0
		WHERE outcome_id = $1`, id); err != nil {
		return err
	}
	for _, s := range lines {
		if err := s.count(tx, -1); err != nil {
			return err
		}
	}
	return errors.Join(l.value(tx, lines), l.lift(tx, lines))
}

// linesTx are the lines of an outcome that count, the draft itself first.
func linesTx(tx *db.Tx, outcomeID string) (list []line, err error) {
	return db.Rows(tx, "credit: read what was shown", func(s *line) []any {
		return []any{&s.id, &s.kind, &s.version, &s.agent, &s.task, &s.approved, &s.others, &s.askedBy, &s.misled}
	}, `SELECT item_id, kind, version, agent_id, task, approved, others, asked_by, misled FROM credit
		WHERE outcome_id = $1 AND counted = 1 ORDER BY item_id`, outcomeID)
}

// TickTx keeps which items a person said misled the draft, of those they were asked about. A later answer about the
// same outcome takes the place of an earlier one. Items that the draft was not shown are left out.
func (l *Ledger) TickTx(tx *db.Tx, t Ticks) error {
	lines, err := linesTx(tx, t.OutcomeID)
	switch {
	case err != nil:
		return err
	case len(lines) == 0 || lines[0].id != "":
		return fault.New(fault.NotFound, "There is no decision to which this answer belongs.")
	case t.By == "":
		return fault.New(fault.Invalid, "An answer needs the person who gave it.")
	case lines[0].approved:
		return fault.New(fault.Invalid, "Only a draft that was not approved can have been misled.")
	}
	for _, s := range lines[1:] {
		now := s
		if now.askedBy, now.misled = "", false; slices.Contains(t.Asked, s.id) {
			now.askedBy, now.misled = t.By, slices.Contains(t.Misled, s.id)
		}
		if err := db.Exec(tx, "credit: keep a tick", `UPDATE credit SET asked_by = $1, misled = $2
			WHERE outcome_id = $3 AND item_id = $4`, now.askedBy, now.misled, t.OutcomeID, s.id); err != nil {
			return err
		}
		if err := errors.Join(s.count(tx, -1), now.count(tx, 1)); err != nil {
			return err
		}
	}
	return errors.Join(l.value(tx, lines), l.judge(tx, t.OutcomeID, lines))
}

// CheckTx keeps a person's answer about a planted item; the same id again changes nothing.
func (l *Ledger) CheckTx(tx *db.Tx, c Check) error {
	if c.ID == "" || c.By == "" {
		return fmt.Errorf("credit: a check needs its id and its person")
	}
	_, err := line{id: checkName(c.Misleads), askedBy: c.By, misled: c.Ticked}.record(tx, c.ID)
	return err
}

// of leaves the lines of a kind.
func of(kind string, lines []line) []line {
	return slices.DeleteFunc(slices.Clone(lines), func(s line) bool { return s.kind != kind })
}

// rules leaves the rules of lines.
func rules(lines []line) []line { return of(search.KindRule, lines) }
