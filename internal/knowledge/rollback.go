package knowledge

import (
	"context"
	"errors"
	"strings"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
)

// atOnce is how many items a rollback indexes in its own transaction; more are indexed afterwards, some at a time, so
// that nobody waits long to write.
const atOnce = 50

// Preview is what putting the base back to a state would do.
type Preview struct {
	State State
	Seq   int64 // of the base as it was looked at; Rollback wants it back
	Items []RollbackItem
}

// Rollback is one that was done.
type Rollback struct {
	ID        string
	State     State // that it went back to
	Before    State // that undoes it
	Reason    string
	By        audit.Actor
	Changed   int // items that got a version
	LeftOut   int // items that stayed as they were, because they were erased or quarantined
	Items     []RollbackItem
	CreatedAt time.Time

	touchesDocuments bool
}

// PreviewRollback says what putting the base back to a state would do, and to which items.
func (b *Base) PreviewRollback(ctx context.Context, stateID string) (p Preview, err error) {
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		if p.State, err = stateTx(tx, stateID); err != nil {
			return err
		}
		if p.Seq, err = lastSeq(tx); err != nil {
			return err
		}
		p.Items, err = b.planTx(tx, p.State)
		return err
	})
	return p, err
}

// Rollback puts the whole base back to a state: recall gives what it gave then. Nothing is rewritten: each item that
// was different then gets a new version. What was erased or quarantined since stays out and is listed. seen is the
// preview's Seq; when the base has changed since, nothing is done and the fault is a Conflict. The state from just
// before is kept, so that the rollback can be rolled back. Only experts and administrators may, with a reason.
//
// The versions are written in one transaction, so that recall never gives a mixture: what it may give stands there. The
// search index follows in the same transaction where few items change, and else some at a time; until then an item that
// came back may not be found by its words.
func (b *Base) Rollback(ctx context.Context, stateID, reason string, seen int64, by Person) (r Rollback, err error) {
	if err := by.May("roll the knowledge back"); err != nil {
		return r, err
	}
	if reason, err = Reason(reason); err != nil {
		return r, err
	}
	r, err = db.Write(ctx, b.db, func(tx *db.Tx) (Rollback, error) {
		return b.rollbackTx(tx, stateID, reason, seen, by.Actor())
	})
	if err != nil {
		return r, err
	}
	ctx = context.WithoutCancel(ctx)
	switch {
	case r.Changed <= atOnce:
		err = b.indexed(ctx, r.touchesDocuments)
	case b.jobs == nil:
		err = b.Reindex(ctx)
	}
	return r, err
}

func (b *Base) rollbackTx(tx *db.Tx, stateID, reason string, seen int64, by audit.Actor) (r Rollback, err error) {
	r = Rollback{ID: id.New(), Reason: reason, By: by, CreatedAt: tx.Now}
	if r.State, err = stateTx(tx, stateID); err != nil {
		return r, err
	}
	seq, err := lastSeq(tx)
	if err != nil {
		return r, err
	}
	if seq != seen {
		return r, fault.New(fault.Conflict,
			"The knowledge has changed since you looked. Check again what the rollback would change, then decide.")
	}
	if r.Items, err = b.planTx(tx, r.State); err != nil {
		return r, err
	}
	for _, it := range r.Items {
		if it.LeftOut() {
			r.LeftOut++
		} else {
			r.Changed++
		}
	}
	if r.Changed == 0 {
		return r, fault.New(fault.Conflict, "Nothing has changed since then, so there is nothing to roll back.")
	}
	if r.Before, err = b.AutomaticStateTx(tx, nameBefore(r.State.Name), by); err != nil {
		return r, err
	}
	if err := r.writePlan(tx); err != nil {
		return r, err
	}
	if err := b.beforePlanned(tx, &r); err != nil {
		return r, err
	}
	if err := r.apply(tx); err != nil {
		return r, err
	}
	if err := errors.Join(b.follow(tx, &r), b.rolledTx(tx, &r)); err != nil {
		return r, err
	}
	if err := b.opts.OnMany(tx); err != nil {
		return r, err
	}
	tx.Touch("knowledge")
	return r, record(tx, by, "knowledge.rolled_back", "knowledge_state", r.State.ID,
		map[string]any{"rollback": r.ID, "state": r.State.Name,
			"before": r.Before.ID, "changed": r.Changed, "left_out": r.LeftOut, "reason": reason})
}

// nameBefore names the state before a rollback to a state; one that undoes a rollback leaves where that one went.
func nameBefore(to string) string {
	const back, leaving = "Before going back to ", "Before leaving "
	if name, undo := strings.CutPrefix(to, back); undo {
		return leaving + name
	}
	return back + strings.TrimPrefix(to, leaving)
}

func (r *Rollback) writePlan(tx *db.Tx) error {
	err := db.Exec(tx, "knowledge: keep a rollback",
		`INSERT INTO knowledge_rollback (id, state_id, before_id, reason, by_kind, by_id, by_name, changed, left_out,
				created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		r.ID, r.State.ID, r.Before.ID, r.Reason, r.By.Kind, r.By.ID, r.By.Name, r.Changed, r.LeftOut, tx.NowMs())
	if err != nil {
		return err
	}
	for _, it := range r.Items {
		if err := db.Exec(tx, "knowledge: keep what a rollback does",
			`INSERT INTO knowledge_rollback_item (rollback_id, kind, item_id, from_version, to_version, status, outcome)
				VALUES ($1, $2, $3, $4, $5, $6, $7)`,
			r.ID, it.Kind, it.ID, it.From, it.To, it.Status, it.Outcome); err != nil {
			return err
		}
	}
	return nil
}

// apply writes the new versions of all items, in two statements for each kind however many there are.
func (r *Rollback) apply(tx *db.Tx) error {
	seq, err := nextSeq(tx)
	if err != nil {
		return err
	}
	reason := r.why()
	for _, s := range []struct {
		query string
		args  []any
	}{
		{`INSERT INTO knowledge_rule_version (rule_id, version, status, content, domain, valid_from, valid_to,
				review_by, by_kind, by_id, reason, created_at, seq)
			SELECT i.item_id, i.from_version + 1, i.status, t.content, t.domain, t.valid_from, t.valid_to, t.review_by,
				$1, $2, $3, $4, $5
			FROM knowledge_rollback_item i JOIN knowledge_rule_version t ON t.rule_id = i.item_id
				AND t.version = i.to_version
			WHERE i.rollback_id = $6 AND i.kind = 'rule' AND i.outcome NOT IN ('erased', 'quarantined')`,
			[]any{r.By.Kind, r.By.ID, reason, tx.NowMs(), seq, r.ID}},
		{`UPDATE knowledge_rule SET version = version + 1, updated_at = $1,
				status = (SELECT v.status FROM knowledge_rule_version v
					WHERE v.rule_id = knowledge_rule.id AND v.version = knowledge_rule.version + 1),
				domain = (SELECT v.domain FROM knowledge_rule_version v
					WHERE v.rule_id = knowledge_rule.id AND v.version = knowledge_rule.version + 1),
				review_by = (SELECT v.review_by FROM knowledge_rule_version v
					WHERE v.rule_id = knowledge_rule.id AND v.version = knowledge_rule.version + 1)
			WHERE id IN (SELECT item_id FROM knowledge_rollback_item
				WHERE rollback_id = $2 AND kind = 'rule' AND outcome NOT IN ('erased', 'quarantined'))`,
			[]any{tx.NowMs(), r.ID}},
		{`INSERT INTO knowledge_case_version (case_id, version, status, content, hash, task, domain, exemplar, approved,
				flagged, valid_from, valid_to, by_kind, by_id, reason, created_at, seq)
			SELECT i.item_id, i.from_version + 1, i.status, t.content, t.hash, t.task, t.domain, t.exemplar, t.approved,
				t.flagged, t.valid_from, t.valid_to, $1, $2, $3, $4, $5
			FROM knowledge_rollback_item i JOIN knowledge_case_version t ON t.case_id = i.item_id
				AND t.version = i.to_version
			WHERE i.rollback_id = $6 AND i.kind = 'case' AND i.outcome NOT IN ('erased', 'quarantined')`,
			[]any{r.By.Kind, r.By.ID, reason, tx.NowMs(), seq, r.ID}},
		{`UPDATE knowledge_case SET version = version + 1, updated_at = $1,
				status = (SELECT v.status FROM knowledge_case_version v
					WHERE v.case_id = knowledge_case.id AND v.version = knowledge_case.version + 1),
				task = (SELECT v.task FROM knowledge_case_version v
					WHERE v.case_id = knowledge_case.id AND v.version = knowledge_case.version + 1),
				domain = (SELECT v.domain FROM knowledge_case_version v
					WHERE v.case_id = knowledge_case.id AND v.version = knowledge_case.version + 1),
				exemplar = (SELECT v.exemplar FROM knowledge_case_version v
					WHERE v.case_id = knowledge_case.id AND v.version = knowledge_case.version + 1),
				approved = (SELECT v.approved FROM knowledge_case_version v
					WHERE v.case_id = knowledge_case.id AND v.version = knowledge_case.version + 1),
				flagged = (SELECT v.flagged FROM knowledge_case_version v
					WHERE v.case_id = knowledge_case.id AND v.version = knowledge_case.version + 1)
			WHERE id IN (SELECT item_id FROM knowledge_rollback_item
				WHERE rollback_id = $2 AND kind = 'case' AND outcome NOT IN ('erased', 'quarantined'))`,
			[]any{tx.NowMs(), r.ID}},
	} {
		if err := db.Exec(tx, "knowledge: roll back", s.query, s.args...); err != nil {
			return err
		}
	}
	return nil
}

// follow has the search index follow: here when it is little, and else by the background job.
func (b *Base) follow(tx *db.Tx, r *Rollback) error {
	if err := db.Exec(tx, "knowledge: note what to index",
		`INSERT INTO knowledge_reindex (kind, item_id) SELECT kind, item_id FROM knowledge_rollback_item
		WHERE rollback_id = $1 AND outcome NOT IN ('erased', 'quarantined')
			ON CONFLICT (kind, item_id) DO NOTHING`, r.ID); err != nil {
		return err
	}
	if err := db.One(tx, "knowledge: look for documents", `SELECT
		EXISTS (SELECT 1 FROM knowledge_rollback_item i JOIN knowledge_case c ON c.id = i.item_id
		WHERE i.rollback_id = $1 AND i.kind = 'case' AND c.source = 'document')`,
		r.ID).Scan(&r.touchesDocuments); err != nil {
		return err
	}
	if r.Changed > atOnce {
		if b.jobs == nil {
			return nil
		}
		return b.enqueueReindexTx(tx)
	}
	for _, it := range r.Items {
		if it.LeftOut() {
			continue
		}
		if err := b.reindexTx(tx, it.Kind, it.ID); err != nil {
			return err
		}
	}
	return nil
}

// Rollbacks lists the rollbacks, newest first, up to n.
func (b *Base) Rollbacks(ctx context.Context, n int) (list []Rollback, err error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) ([]Rollback, error) {
		return db.Rows(tx, "knowledge: list rollbacks", func(r *Rollback) []any {
			return []any{&r.ID, &r.Reason, &r.By.Kind, &r.By.ID, &r.By.Name, &r.Changed, &r.LeftOut,
				db.At(&r.CreatedAt), &r.State.ID, &r.State.Name, &r.Before.ID, &r.Before.Name}
		},
			`SELECT r.id, r.reason, r.by_kind, r.by_id, r.by_name, r.changed, r.left_out, r.created_at, s.id, s.name,
				f.id, f.name
			FROM knowledge_rollback r JOIN knowledge_state s ON s.id = r.state_id
				JOIN knowledge_state f ON f.id = r.before_id ORDER BY r.id DESC LIMIT $1`, n)
	})
}
