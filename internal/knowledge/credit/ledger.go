package credit

import (
	"errors"
	"fmt"

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
	if n, err := db.Change(tx, "credit: record an outcome", `INSERT INTO credit_outcome (id, evidence, interaction_id,
			agent_id, task, approved, counted, at)
		VALUES ($1, $2, $3, $4, $5, $6, 1, $7) ON CONFLICT (id) DO NOTHING`, o.ID, evidence, o.InteractionID, o.AgentID,
		o.Task, o.Approved, tx.NowMs()); err != nil || n == 0 {
		return err
	}
	shown, err := l.kb.ShownTx(tx, o.InteractionID)
	if err != nil {
		return err
	}
	lines, err := company(tx, shown)
	if err != nil {
		return err
	}
	if err := countTask(tx, o, 1); err != nil {
		return err
	}
	for _, s := range lines {
		if err := db.Exec(tx, "credit: record what was shown", `INSERT INTO credit_shown (outcome_id, item_id, kind,
				version, epoch, others, counted)
			VALUES ($1, $2, $3, $4, $5, $6, 1)`,
			o.ID, s.id, s.kind, s.version, s.epoch, s.others); err != nil {
			return err
		}
		if err := countItem(tx, o, s, 1); err != nil {
			return err
		}
	}
	return errors.Join(l.value(tx, lines), l.judge(tx, o.ID, lines))
}

// line is an item that a draft was shown.
type line struct {
	id, kind string
	version  int
	epoch    int
	others   float64
	askedBy  string // account; "" nobody was asked
	misled   bool
}

// company finds for each item what the others that were shown with it are thought to do.
func company(tx *db.Tx, shown []knowledge.ShownItem) ([]line, error) {
	lines := lists.Map(shown, func(s knowledge.ShownItem) line {
		return line{id: s.ID, kind: s.Kind, version: s.Version}
	})
	b, err := openBook(tx, ids(lines))
	if err != nil {
		return nil, err
	}
	total := 0.0
	effects := make([]float64, len(lines))
	for i := range lines {
		it := b.items[lines[i].id]
		lines[i].epoch, effects[i] = it.epoch, it.estimate().Effect
		total += effects[i]
	}
	for i := range lines {
		lines[i].others = min(mostOthers, max(-mostOthers, total-effects[i]))
	}
	return lines, nil
}

func ids(lines []line) []string {
	return lists.Map(lines, func(s line) string { return s.id })
}

// countTask adds an outcome to its task, or takes it out with -1.
func countTask(tx *db.Tx, o Outcome, by int) error {
	return db.Exec(tx, "credit: count a task", `INSERT INTO credit_task (evidence, agent_id, task, decided, approved)
		VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (evidence, agent_id, task) DO UPDATE SET decided = credit_task.decided + excluded.decided,
			approved = credit_task.approved + excluded.approved`,
		evidence, o.AgentID, o.Task, by, by*bit(o.Approved))
}

// countItem adds an outcome to an item, or takes it out with -1.
func countItem(tx *db.Tx, o Outcome, s line, by int) error {
	return db.Exec(tx, "credit: count an item", `INSERT INTO credit_item (evidence, item_id, epoch, agent_id, task,
			shown, approved, others) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (evidence, item_id, epoch, agent_id, task) DO UPDATE SET shown = credit_item.shown + excluded.shown,
			approved = credit_item.approved + excluded.approved, others = credit_item.others + excluded.others`,
		evidence, s.id, s.epoch, o.AgentID, o.Task, by, by*bit(o.Approved), float64(by)*s.others)
}

// countAsked adds what a person was asked of an item, or takes it out with -1.
func countAsked(tx *db.Tx, s line, by int) error {
	if s.askedBy == "" {
		return nil
	}
	return db.Exec(tx, "credit: count a tick", `INSERT INTO credit_asked (item_id, epoch, by_id, asked, ticked)
		VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (item_id, epoch, by_id) DO UPDATE SET asked = credit_asked.asked + excluded.asked,
			ticked = credit_asked.ticked + excluded.ticked`,
		s.id, s.epoch, s.askedBy, by, by*bit(s.misled))
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
	o, ok, err := outcomeTx(tx, id)
	if err != nil || !ok {
		return err
	}
	lines, err := linesTx(tx, id)
	if err != nil {
		return err
	}
	if err := db.Exec(tx, "credit: undo an outcome", `UPDATE credit_outcome SET counted = 0
		WHERE id = $1`, id); err != nil {
		return err
	}
	if err := db.Exec(tx, "credit: undo an outcome", `UPDATE credit_shown SET counted = 0
		WHERE outcome_id = $1`, id); err != nil {
		return err
	}
	if err := countTask(tx, o, -1); err != nil {
		return err
	}
	for _, s := range lines {
		if err := errors.Join(countItem(tx, o, s, -1), countAsked(tx, s, -1)); err != nil {
			return err
		}
	}
	return errors.Join(l.value(tx, lines), l.lift(tx, lines))
}

// outcomeTx is an outcome that counts; ok is false for one that does not.
func outcomeTx(tx *db.Tx, id string) (o Outcome, ok bool, err error) {
	ok, err = db.One(tx, "credit: read an outcome", `SELECT id, interaction_id, agent_id, task, approved
		FROM credit_outcome WHERE id = $1 AND counted = 1`, id).
		Find(&o.ID, &o.InteractionID, &o.AgentID, &o.Task, &o.Approved)
	return o, ok, err
}

func linesTx(tx *db.Tx, outcomeID string) (list []line, err error) {
	return db.Rows(tx, "credit: read what was shown", func(s *line) []any {
		return []any{&s.id, &s.kind, &s.version, &s.epoch, &s.others, &s.askedBy, &s.misled}
	}, `SELECT item_id, kind, version, epoch, others, asked_by, misled FROM credit_shown
		WHERE outcome_id = $1 ORDER BY item_id`, outcomeID)
}

// TickTx keeps which items a person said misled the draft, of those they were asked about. A later answer about the
// same outcome takes the place of an earlier one. Items that the draft was not shown are left out.
func (l *Ledger) TickTx(tx *db.Tx, t Ticks) error {
	o, ok, err := outcomeTx(tx, t.OutcomeID)
	if err != nil {
		return err
	}
	switch {
	case !ok:
		return fault.New(fault.NotFound, "There is no decision to which this answer belongs.")
	case t.By == "":
		return fault.New(fault.Invalid, "An answer needs the person who gave it.")
	case o.Approved:
		return fault.New(fault.Invalid, "Only a draft that was not approved can have been misled.")
	}
	misled, asked := set(t.Misled), set(t.Asked)
	lines, err := linesTx(tx, o.ID)
	if err != nil {
		return err
	}
	for _, s := range lines {
		now := s
		if now.askedBy, now.misled = "", false; asked[s.id] {
			now.askedBy, now.misled = t.By, misled[s.id]
		}
		if err := db.Exec(tx, "credit: keep a tick", `UPDATE credit_shown SET asked_by = $1, misled = $2
			WHERE outcome_id = $3 AND item_id = $4`,
			now.askedBy, bit(now.misled), o.ID, s.id); err != nil {
			return err
		}
		if err := errors.Join(countAsked(tx, s, -1), countAsked(tx, now, 1)); err != nil {
			return err
		}
	}
	return errors.Join(l.value(tx, lines), l.judge(tx, o.ID, lines))
}

func set(list []string) map[string]bool {
	m := make(map[string]bool, len(list))
	for _, s := range list {
		m[s] = true
	}
	return m
}

// CheckTx keeps a person's answer about a planted item; the same id again changes nothing.
func (l *Ledger) CheckTx(tx *db.Tx, c Check) error {
	if c.ID == "" || c.By == "" {
		return fmt.Errorf("credit: a check needs its id and its person")
	}
	if n, err := db.Change(tx, "credit: keep a check", `INSERT INTO credit_check (id, by_id, misleads, ticked, at)
		VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO NOTHING`,
		c.ID, c.By, c.Misleads, c.Ticked, tx.NowMs()); err != nil || n == 0 {
		return err
	}
	return db.Exec(tx, "credit: count a check", `INSERT INTO credit_checked (by_id, misleads, asked, ticked)
		VALUES ($1, $2, 1, $3)
		ON CONFLICT (by_id, misleads) DO UPDATE SET asked = credit_checked.asked + 1,
			ticked = credit_checked.ticked + excluded.ticked`,
		c.By, c.Misleads, bit(c.Ticked))
}

// rules leaves the rules of lines.
func rules(lines []line) (out []line) {
	for _, s := range lines {
		if s.kind == search.KindRule {
			out = append(out, s)
		}
	}
	return out
}
