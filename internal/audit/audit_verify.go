package audit

import (
	"context"
	"database/sql"
	"fmt"
	"math"

	"preceptor/internal/platform/db"
)

// batch is how many rows one query of Verify reads: long reads would keep the log of pages from being folded back.
const batch = 5000

// BadRow is the first place where the record is not what it was: its number and what is wrong there.
type BadRow struct {
	Seq int64  `json:"seq"`
	Why string `json:"why"`
}

// Report is the outcome of Verify. Bad is nil when everything agrees.
type Report struct {
	Rows   int64   `json:"rows"`   // how many rows were read
	Erased int64   `json:"erased"` // how many of them had their content erased, as a tombstone tells
	Head   Head    `json:"head"`   // the last good row; keep it elsewhere
	Bad    *BadRow `json:"bad,omitempty"`
}

// Verify reads the whole chain, in batches, and names the first row that is wrong. With an anchor, a head that was kept
// elsewhere, it also finds that the tail was cut off or that the chain was rewritten. The error is about reading; a
// broken chain is a Report with Bad.
func Verify(ctx context.Context, d *db.DB, anchor *Head) (Report, error) {
	v := verifier{anchor: anchor, after: math.MinInt64, erased: map[[2]string][]erasure{}}
	for v.bad == nil {
		n, err := v.readBatch(ctx, d)
		if err != nil {
			return Report{}, err
		}
		if n < batch {
			break
		}
	}
	if v.bad == nil {
		if err := v.finish(ctx, d); err != nil {
			return Report{}, err
		}
	}
	return Report{Rows: v.rows, Erased: v.erasedRows, Head: v.head, Bad: v.bad}, nil
}

// verifier walks the chain row by row and remembers the last good one.
type verifier struct {
	anchor     *Head
	head       Head
	after      int64 // the number of the last row read, which a forger may have set below 1
	rows       int64
	erasedRows int64
	erased     map[[2]string][]erasure // by object: emptied rows whose tombstone is still to come
	bad        *BadRow
}

type erasure struct{ seq, at int64 }

// content is the row of audit_content beside a record.
type content struct {
	salt, name, text sql.NullString
	erasedAt         sql.NullInt64
}

func (v *verifier) readBatch(ctx context.Context, d *db.DB) (n int, err error) {
	rows, err := d.Reader().QueryContext(ctx, `
		SELECT a.seq, a.at, a.actor_kind, a.actor_id, a.action, a.object_kind, a.object_id, a.content_hash, a.prev_hash,
			a.hash, c.salt, c.actor_name, c.content, c.erased_at
		FROM audit a LEFT JOIN audit_content c ON c.seq = a.seq
		WHERE a.seq > $1 ORDER BY a.seq LIMIT $2`, v.after, batch)
	if err != nil {
		return 0, fmt.Errorf("audit: read the chain: %w", err)
	}
	defer rows.Close()
	for rows.Next() && v.bad == nil {
		var l Link
		var prev, hash string
		var c content
		if err := rows.Scan(append(l.columns(), &prev, &hash, &c.salt, &c.name, &c.text, &c.erasedAt)...); err != nil {
			return n, fmt.Errorf("audit: read row %d: %w", v.head.Seq+1, err)
		}
		n, v.after = n+1, l.Seq
		v.row(l, prev, hash, c)
	}
	return n, rows.Err()
}

// row checks one record against the one before it and against its content.
func (v *verifier) row(r Link, prev, hash string, c content) {
	v.rows++
	switch {
	case r.Seq < 1:
		v.fail(r.Seq, "no row has such a number: it was slipped in")
	case r.Seq != v.head.Seq+1:
		v.fail(v.head.Seq+1, "it is missing: row %d follows row %d", r.Seq, v.head.Seq)
	case prev != v.head.Hash:
		v.fail(r.Seq, "it does not follow from the row before it")
	case hash != r.Hash(prev):
		v.fail(r.Seq, "its fields do not give its hash: it was changed after it was written")
	case !c.salt.Valid:
		v.fail(r.Seq, "its content is missing")
	case c.erasedAt.Int64 != 0:
		v.emptied(r, c)
	case r.ContentHash != contentHash(c.salt.String, c.name.String, c.text.String):
		v.fail(r.Seq, "its content is not what was recorded")
	}
	if v.bad == nil && v.anchor != nil && v.anchor.Seq == r.Seq && v.anchor.Hash != hash {
		v.fail(r.Seq, "its hash is not the anchor's: the chain was rewritten")
	}
	if v.bad != nil {
		return
	}
	if r.Action == ActionErased {
		v.tombstone(r)
	}
	v.head = Head{r.Seq, hash}
}

func (v *verifier) emptied(r Link, c content) {
	if c.salt.String != "" || c.name.String != "" || c.text.String != "" {
		v.fail(r.Seq, "it is marked as erased and still has content")
		return
	}
	v.erasedRows++
	key := [2]string{r.ObjectKind, r.ObjectID}
	v.erased[key] = append(v.erased[key], erasure{r.Seq, c.erasedAt.Int64})
}

// tombstone settles the erasures of its object that were made at its time.
func (v *verifier) tombstone(r Link) {
	key := [2]string{r.ObjectKind, r.ObjectID}
	var open []erasure
	for _, e := range v.erased[key] {
		if e.at != r.At {
			open = append(open, e)
		}
	}
	if len(open) == 0 {
		delete(v.erased, key)
		return
	}
	v.erased[key] = open
}

// finish looks at what only the end of the chain can tell.
func (v *verifier) finish(ctx context.Context, d *db.DB) error {
	var first int64
	for _, list := range v.erased {
		for _, e := range list {
			if first == 0 || e.seq < first {
				first = e.seq
			}
		}
	}
	if first != 0 {
		v.fail(first, "its content was removed and no tombstone says so")
		return nil
	}
	if v.anchor != nil && v.anchor.Seq > v.head.Seq {
		v.fail(v.head.Seq+1, "the log ends at row %d and the anchor knows row %d: its tail was cut off", v.head.Seq,
			v.anchor.Seq)
		return nil
	}
	var stray sql.NullInt64
	// Every row up to the head was read beside its content, so only numbers outside are of interest. Rows that were
	// recorded since are there on both sides.
	err := d.Reader().QueryRowContext(ctx, `
		SELECT min(c.seq) FROM audit_content c
		WHERE (c.seq > $1 OR c.seq < 1) AND NOT EXISTS (SELECT 1 FROM audit a WHERE a.seq = c.seq)`,
		v.head.Seq).Scan(&stray)
	if err != nil {
		return fmt.Errorf("audit: look for stray content: %w", err)
	}
	if stray.Valid {
		v.fail(stray.Int64, "there is content for it and no row: the tail was cut off, or the content was slipped in")
	}
	return nil
}

func (v *verifier) fail(seq int64, format string, args ...any) {
	v.bad = &BadRow{Seq: seq, Why: fmt.Sprintf(format, args...)}
}
