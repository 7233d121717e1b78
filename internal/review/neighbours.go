package review

import (
	"context"

	"preceptor/internal/platform/db"
)

// Neighbours is where a case stands in its list, and what stands beside it. A case that is not in the viewer's list,
// because somebody else works on it or the viewer signed it, stands among all that wait.
type Neighbours struct {
	Pos   int    // from 1, at most MaxPosition; 0 when the filter does not choose the case
	Total int    // at most MaxPosition; 0 with Pos
	Prev  string // ids; empty at the ends
	Next  string
}

// Neighbours finds the cases before and after id among those that f chooses: of what waits, or of what is decided,
// whichever id is.
func (q *Queue) Neighbours(ctx context.Context, id string, f Filter) (n Neighbours, err error) {
	err = q.db.Read(ctx, func(tx *db.Tx) error {
		r, err := getRow(tx, id)
		if err != nil {
			return err
		}
		switch {
		case r.State == "decided":
			f.State = Done
		case f.State == Signed:
		case f.Viewer == "" || r.First.ID == f.Viewer || r.Claim.HeldByOther(f.Viewer, tx.Now):
			f.State = All
		default:
			f.State = Needs
		}
		l, err := q.prepare(tx, f)
		if err != nil {
			return err
		}
		at := l.placeOf(&r, l.now)
		for back, into := range map[bool]*string{true: &n.Prev, false: &n.Next} {
			found, err := l.read(tx, at, back, 1)
			if err != nil {
				return err
			}
			if len(found) > 0 {
				*into = found[0].id
			}
		}
		if in, err := l.has(tx, id); err != nil || !in {
			return err
		}
		before, err := l.count(tx, at)
		if err != nil {
			return err
		}
		n.Pos = min(before+1, MaxPosition)
		n.Total, err = l.count(tx, place{})
		return err
	})
	return n, err
}
