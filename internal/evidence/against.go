package evidence

import (
	"context"
	"fmt"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
)

// InLog is what a desk's own log says about a pack.
type InLog struct {
	Rows        int64      `json:"rows"` // of the log, all of which were read
	Head        audit.Head `json:"head"` // of the log now
	ErasedSince int        `json:"erased_since"`
}

// Against holds a pack that Verify found good against the log of d: the log must be whole, and have the pack's seal and
// all its rows. With an anchor the log must go through it too. ErasedSince counts rows whose content the pack still has
// and the desk erased since: the pack is then to be destroyed, too.
func (rep *Report) Against(ctx context.Context, d *db.DB, anchor *audit.Head) error {
	if rep.Bad != nil {
		return nil
	}
	v, err := audit.Verify(ctx, d, anchor)
	if err != nil {
		return err
	}
	rep.Log = &InLog{Rows: v.Rows, Head: v.Head}
	if v.Bad != nil {
		rep.fail("this server’s log", "it has changed: row %d: %s", v.Bad.Seq, v.Bad.Why)
		return nil
	}
	seqs := []int64{rep.Seal.Seq}
	for _, r := range rep.rows {
		seqs = append(seqs, r.Seq)
	}
	known, err := audit.KnownOf(ctx, d, seqs)
	if err != nil {
		return err
	}
	for _, r := range append([]audit.Head{rep.Seal}, rep.rows...) {
		k := known[r.Seq]
		switch {
		case k.Hash == "":
			rep.fail(fmt.Sprintf("row %d", r.Seq),
				"this server’s log has no such row: the file comes from another server, or the log was cut off")
		case k.Hash != r.Hash:
			rep.fail(fmt.Sprintf("row %d", r.Seq),
				"this server’s log has a different row under this number: the file comes from another server, or the "+
					"log was rewritten")
		case k.Erased && r != rep.Seal:
			rep.Log.ErasedSince++
		}
	}
	rep.Log.ErasedSince -= min(rep.Erased, rep.Log.ErasedSince)
	return nil
}
