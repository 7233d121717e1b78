package audit

import (
	"context"
	"encoding/binary"
	"fmt"

	"preceptor/internal/platform/db"
)

// Link is a row of the chain without what was said in it: enough to go from the hash before to its own, so that a row
// can be shown to belong to a chain without showing what stands between.
type Link struct {
	Seq, At              int64
	ActorKind, ActorID   string
	Action               string
	ObjectKind, ObjectID string
	ContentHash          string
}

func (l *Link) columns() []any {
	return []any{&l.Seq, &l.At, &l.ActorKind, &l.ActorID, &l.Action, &l.ObjectKind, &l.ObjectID, &l.ContentHash}
}

// Hash is the row's hash after a row with the hash prev.
func (l Link) Hash(prev string) string {
	b := make([]byte, 0, 512)
	b = field(b, prev)
	b = binary.BigEndian.AppendUint64(b, uint64(l.Seq))
	b = binary.BigEndian.AppendUint64(b, uint64(l.At))
	for _, s := range [...]string{l.ActorKind, l.ActorID, l.Action, l.ObjectKind, l.ObjectID, l.ContentHash} {
		b = field(b, s)
	}
	return hexSum(b)
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
func NewestTx(tx *db.Tx) (Exported, error) {
	e, err := scanExported(db.One(tx, "audit: read the newest row",
		`SELECT `+exportedColumns+` ORDER BY a.seq DESC LIMIT 1`))
	return e, db.Classify(err)
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
				err := row.Scan(append(l.columns(), &prev)...)
				if len(list) == 0 {
					before = prev
				}
				list = append(list, l)
				return err
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
			if _, err := db.One(tx, "audit: look up a row", `SELECT a.hash, CASE WHEN c.erased_at > 0 THEN 1 ELSE 0 END
				FROM audit a JOIN audit_content c ON c.seq = a.seq
				WHERE a.seq = $1`, seq).Find(&k.Hash, &k.Erased); err != nil {
				return err
			}
			out[seq] = k
		}
		return nil
	})
	return out, err
}
