package audit

import (
	"context"
	"fmt"

	"preceptor/internal/db"
)

// Link is a row of the chain without what was said in it: enough to go from the hash before to its own, so that a row can be
// shown to belong to a chain without showing what stands between.
type Link struct {
	Seq, At              int64
	ActorKind, ActorID   string
	Action               string
	ObjectKind, ObjectID string
	ContentHash          string
}

// Hash is the row's hash after a row with the hash prev.
func (l Link) Hash(prev string) string {
	return record{l.Seq, l.At, l.ActorKind, l.ActorID, l.Action, l.ObjectKind, l.ObjectID, l.ContentHash, prev}.hash()
}

// Link is the record without what was said in it.
func (e Exported) Link() Link {
	return Link{e.Seq, e.At, e.ActorKind, e.ActorID, e.Action, e.ObjectKind, e.ObjectID, e.ContentHash}
}

// Wrong says what of a record does not agree with its hashes; "" when all does.
func (e Exported) Wrong() string {
	content := string(e.Content)
	if content == "null" && e.ErasedAt != 0 {
		content = ""
	}
	switch {
	case e.Link().Hash(e.PrevHash) != e.Hash:
		return "its fields do not give its hash: it was changed"
	case e.ErasedAt != 0 && (e.Salt != "" || e.ActorName != "" || content != ""):
		return "it is marked as erased and still has content"
	case e.ErasedAt == 0 && contentHash(e.Salt, e.ActorName, content) != e.ContentHash:
		return "its content is not what was recorded"
	}
	return ""
}

// RowsAbout lists every record about an object, oldest first, with all that its hash is made of.
func RowsAbout(ctx context.Context, d *db.DB, objectKind, objectID string) (list []Exported, err error) {
	f := Filter{ObjectKind: objectKind, ObjectID: objectID}
	for after, n := int64(0), batch; n == batch; {
		rows, err := exportBatch(ctx, d, f, after)
		if err != nil {
			return nil, err
		}
		if n = len(rows); n > 0 {
			after = rows[n-1].Seq
		}
		list = append(list, rows...)
	}
	return list, nil
}

// NewestTx is the record that was written last, in the transaction that wrote it; NotFound while there is none.
func NewestTx(tx *db.Tx) (e Exported, err error) {
	var content string
	err = db.One(tx, "audit: read the newest row", `
		SELECT a.seq, a.at, a.actor_kind, a.actor_id, c.actor_name, a.action, a.object_kind, a.object_id, c.content, c.salt,
			a.content_hash, a.prev_hash, a.hash, c.erased_at
		FROM audit a JOIN audit_content c ON c.seq = a.seq ORDER BY a.seq DESC LIMIT 1`).
		Scan(&e.Seq, &e.At, &e.ActorKind, &e.ActorID, &e.ActorName, &e.Action, &e.ObjectKind, &e.ObjectID, &content, &e.Salt,
			&e.ContentHash, &e.PrevHash, &e.Hash, &e.ErasedAt)
	if err != nil {
		return e, db.Classify(err)
	}
	if content != "" {
		e.Content = []byte(content)
	}
	return e, nil
}

// HeadOf is the end of the chain now; the zero value while it is empty.
func HeadOf(ctx context.Context, d *db.DB) (Head, error) {
	return db.Read(ctx, d, func(tx *db.Tx) (Head, error) { return head(tx) })
}

// Links lists the rows from first to last, both included, in order, and the hash of the row before the first.
func Links(ctx context.Context, d *db.DB, first, last int64) (before string, list []Link, err error) {
	for from := first; from <= last; from += batch {
		err := d.Read(ctx, func(tx *db.Tx) error {
			return db.Each(tx, "audit: links", func(row db.Row) error {
				var l Link
				var prev string
				if err := row.Scan(&l.Seq, &l.At, &l.ActorKind, &l.ActorID, &l.Action, &l.ObjectKind, &l.ObjectID, &l.ContentHash, &prev); err != nil {
					return err
				}
				if len(list) == 0 {
					before = prev
				}
				list = append(list, l)
				return nil
			}, `SELECT seq, at, actor_kind, actor_id, action, object_kind, object_id, content_hash, prev_hash
				FROM audit WHERE seq >= $1 AND seq <= $2 ORDER BY seq`, from, min(last, from+batch-1))
		})
		if err != nil {
			return "", nil, fmt.Errorf("audit: read links: %w", err)
		}
	}
	return before, list, nil
}

// Known is what this log has under a number.
type Known struct {
	Hash   string // "" when there is no such row
	Erased bool   // its content was erased
}

// KnownOf tells what this log has under some numbers.
func KnownOf(ctx context.Context, d *db.DB, seqs []int64) (map[int64]Known, error) {
	out := make(map[int64]Known, len(seqs))
	err := d.Read(ctx, func(tx *db.Tx) error {
		for _, seq := range seqs {
			var k Known
			if _, err := db.One(tx, "audit: look up a row", `SELECT a.hash, CASE WHEN c.erased_at > 0 THEN 1 ELSE 0 END FROM audit a JOIN audit_content c ON c.seq = a.seq WHERE a.seq = $1`, seq).Find(&k.Hash, &k.Erased); err != nil {
				return err
			}
			out[seq] = k
		}
		return nil
	})
	return out, err
}
