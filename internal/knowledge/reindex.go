package knowledge

import (
	"context"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/job"
	"preceptor/internal/search"
)

// turnEvery is how often what begins or ends by date is brought into the search index. Recall minds the dates by
// itself, to the moment; this is only so that words are found.
const turnEvery = 10 * time.Minute

// reindexBatch is how many entries one transaction writes.
const reindexBatch = 32

// Reindexing is the background job that makes the search index follow a rollback of many items.
type Reindexing struct{}

// Kind names the job.
func (Reindexing) Kind() string { return "knowledge.reindex" }

func (b *Base) enqueueReindexTx(tx *db.Tx) error {
	return b.jobs.InsertTx(tx, Reindexing{}, job.Unique())
}

// waiting is an item whose entry has to be made anew.
type waiting struct {
	kind, id string
	document bool
}

// Reindex makes the entries anew that wait for it, some at a time. It may be stopped and run again: it goes on where it
// was.
func (b *Base) Reindex(ctx context.Context) error {
	relink := false
	for {
		list, err := b.nextToReindex(ctx)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			break
		}
		if err := b.db.Write(ctx, func(tx *db.Tx) error {
			for _, w := range list {
				relink = relink || w.document
				if err := b.reindexTx(tx, w.kind, w.id); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return b.indexed(ctx, relink)
}

// indexed does what follows once entries are made anew: near-duplicates among documents are linked again, and what
// lacks a vector gets one.
func (b *Base) indexed(ctx context.Context, relink bool) error {
	if relink {
		if _, err := b.linkDuplicates(ctx, func(Case) bool { return false }); err != nil {
			return err
		}
	}
	if !b.local && b.jobs != nil {
		return b.EnsureEmbedded(ctx, b.jobs)
	}
	return nil
}

func (b *Base) nextToReindex(ctx context.Context) (list []waiting, err error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) ([]waiting, error) {
		return db.Rows(tx, "knowledge: list what to index", func(w *waiting) []any {
			return []any{&w.kind, &w.id, &w.document}
		},
			`SELECT w.kind, w.item_id, CASE WHEN c.source = 'document' THEN 1 ELSE 0 END FROM knowledge_reindex w
			LEFT JOIN knowledge_case c ON w.kind = 'case' AND c.id = w.item_id ORDER BY w.kind DESC, w.item_id
				LIMIT $1`, reindexBatch)
	})
}

// reindexTx makes an item's entry anew from what holds now.
func (b *Base) reindexTx(tx *db.Tx, kind, id string) error {
	var err error
	switch kind {
	case search.KindRule:
		var r *Rule
		if r, err = b.RuleTx(tx, id); err == nil {
			err = b.indexRule(tx, r)
		}
	default:
		var c *Case
		if c, err = b.CaseTx(tx, id); err == nil {
			err = b.indexCase(tx, c)
		}
	}
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	return db.Exec(tx, "knowledge: note what is indexed",
		`DELETE FROM knowledge_reindex WHERE kind = $1 AND item_id = $2`, kind, id)
}

// Turn brings into the search index what has begun or ended by its date since it last ran, and tells of rules that did
// (OnMany).
func (b *Base) Turn(ctx context.Context) error {
	err := b.db.Write(ctx, func(tx *db.Tx) error {
		var since int64
		turned := false
		if err := db.One(tx, "knowledge: when dates were last minded", `SELECT turned_at FROM knowledge_seq
			WHERE id = 1`).Scan(&since); err != nil {
			return err
		}
		for _, q := range []string{
			`INSERT INTO knowledge_reindex (kind, item_id) SELECT DISTINCT 'rule', rule_id FROM knowledge_rule_version
				WHERE valid_from > 0 AND valid_from > $1 AND valid_from <= $2 OR valid_to > 0 AND valid_to > $1
					AND valid_to <= $2
				ON CONFLICT (kind, item_id) DO NOTHING`,
			`INSERT INTO knowledge_reindex (kind, item_id) SELECT DISTINCT 'case', case_id FROM knowledge_case_version
				WHERE valid_from > 0 AND valid_from > $1 AND valid_from <= $2 OR valid_to > 0 AND valid_to > $1
					AND valid_to <= $2
				ON CONFLICT (kind, item_id) DO NOTHING`,
		} {
			n, err := db.Change(tx, "knowledge: find what begins or ends", q, since, tx.NowMs())
			if err != nil {
				return err
			}
			turned = turned || n > 0
		}
		if turned {
			if err := b.opts.OnMany(tx); err != nil {
				return err
			}
		}
		_, err := tx.Exec(`UPDATE knowledge_seq SET turned_at = $1 WHERE id = 1`, tx.NowMs())
		return err
	})
	if err != nil {
		return err
	}
	return b.Reindex(ctx)
}
