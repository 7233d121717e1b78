package knowledge

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
	"preceptor/internal/search"
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
	ID        string // of Before
	State     State  // that it went back to
	Before    State  // that undoes it
	Reason    string
	By        audit.Actor
	Changed   int // items that got a version
	LeftOut   int // items that stayed as they were, because they were erased or quarantined
	Items     []RollbackItem
	CreatedAt time.Time
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
	if reason, err = text.Reason(reason, "reason", "Say why, for people who read the history."); err != nil {
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
		err = b.indexed(ctx, slices.ContainsFunc(r.Items, func(it RollbackItem) bool { return it.document }))
	case b.jobs == nil:
		err = b.Reindex(ctx)
	}
	return r, err
}

func (b *Base) rollbackTx(tx *db.Tx, stateID, reason string, seen int64, by audit.Actor) (r Rollback, err error) {
	r = Rollback{Reason: reason, By: by, CreatedAt: tx.Now}
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
	r.ID = r.Before.ID
	if err := r.apply(tx); err != nil {
		return r, err
	}
	for _, it := range r.Items {
		if !it.document || it.LeftOut() {
			continue
		}
		section, err := b.CaseTx(tx, it.ID)
		if err == nil {
			err = b.rewordedTx(tx, section, "")
		}
		if err != nil {
			return r, err
		}
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

// restored are the columns that a version takes over from the one whose text is put back, and those of them that the
// head repeats.
var restored = map[string]struct{ version, head string }{
	search.KindRule: {"content, domain, valid_from, valid_to, review_by", "status, domain, review_by"},
	search.KindCase: {"content, hash, task, domain, exemplar, approved, flagged, valid_from, valid_to",
		"status, task, domain, exemplar, approved, flagged"},
}

// apply writes the new versions of all items and notes that they are to be indexed.
func (r *Rollback) apply(tx *db.Tx) error {
	for _, it := range r.Items {
		if it.LeftOut() {
			continue
		}
		if it.held != 0 { // or nothing would hold until the day of the one that follows
			if err := r.put(tx, it, it.held, Active); err != nil {
				return err
			}
			it.From++
		}
		if err := errors.Join(r.put(tx, it, it.To, it.Status),
			db.Exec(tx, "knowledge: note what to index", `INSERT INTO knowledge_reindex (kind, item_id) VALUES ($1, $2)
				ON CONFLICT (kind, item_id) DO NOTHING`, it.Kind, it.ID)); err != nil {
			return err
		}
	}
	return db.Exec(tx, "knowledge: keep a rollback", `UPDATE knowledge_state SET back_to = $1, reason = $2, changed = $3,
			left_out = $4 WHERE id = $5`, r.State.ID, r.Reason, r.Changed, r.LeftOut, r.Before.ID)
}

// put writes the next version of an item: what an earlier one says, with a status.
func (r *Rollback) put(tx *db.Tx, it RollbackItem, says int, status string) error {
	seq, err := nextSeq(tx)
	if err != nil {
		return err
	}
	columns, head := restored[it.Kind], "knowledge_"+it.Kind
	err = errors.Join(
		db.Exec(tx, "knowledge: roll back", `INSERT INTO `+head+`_version (`+it.Kind+`_id, version, status, by_kind, by_id,
				reason, created_at, seq, `+columns.version+`)
			SELECT `+it.Kind+`_id, $1, $2, $3, $4, $5, $6, $7, `+columns.version+` FROM `+head+`_version
			WHERE `+it.Kind+`_id = $8 AND version = $9`, it.From+1, status, r.By.Kind, r.By.ID,
			`Rolled back to "`+r.State.Name+`": `+r.Reason, tx.NowMs(), seq, it.ID, says),
		db.Exec(tx, "knowledge: roll back", `UPDATE `+head+` SET version = $1, updated_at = $2,
				(`+columns.head+`) = (SELECT `+columns.head+` FROM `+head+`_version
					WHERE `+it.Kind+`_id = $3 AND version = $4) WHERE id = $5`,
			it.From+1, tx.NowMs(), it.ID, it.From+1, it.ID))
	if err != nil || !it.document {
		return err
	}
	if err := db.Exec(tx, "knowledge: forget what a source said", `UPDATE knowledge_source SET hash = ''
		WHERE (agent_id, path) IN (SELECT c.agent_id, s.path FROM knowledge_case c
			JOIN knowledge_source s ON s.agent_id = c.agent_id AND c.origin >= s.path || '#' AND c.origin < s.path || '$'
			WHERE c.id = $1)`, it.ID); err != nil { // or the next look would find nothing new there
		return err
	}
	return keepPackTx(tx, it)
}

// keepPackTx leaves a section with whom it is given to now: a document that one agent was given since is not
// everybody's again by a rollback, nor the other way round.
func keepPackTx(tx *db.Tx, it RollbackItem) error {
	now, err := caseAtTx(tx, it.ID, it.From)
	if err != nil {
		return err
	}
	c, err := caseAtTx(tx, it.ID, it.From+1)
	if err != nil || c.Pack == now.Pack {
		return err
	}
	c.Pack = now.Pack
	content, err := json.Marshal(c.CaseText)
	if err != nil {
		return err
	}
	return db.Exec(tx, "knowledge: keep a section's pack", `UPDATE knowledge_case_version SET content = $1, hash = $2
		WHERE case_id = $3 AND version = $4`, string(content), c.hash(), it.ID, it.From+1)
}

// follow has the search index follow: here when it is little, and else by the background job.
func (b *Base) follow(tx *db.Tx, r *Rollback) error {
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
				r.id, r.name
			FROM knowledge_state r JOIN knowledge_state s ON s.id = r.back_to
			WHERE r.back_to <> '' ORDER BY r.id DESC LIMIT $1`, n)
	})
}
