package review

import (
	"context"
	"slices"

	"preceptor/internal/db"
)

// Neighbours is where a case stands in its list, and what stands beside it. A case that is not in the viewer's list, because
// somebody else works on it or the viewer signed it, stands among all that wait.
type Neighbours struct {
	Pos   int    // from 1, at most 2,000; 0 when the filter does not choose the case, or when to count would take too long
	Total int    // at most 2,000 when filtered; 0 with Pos
	Prev  string // ids; empty at the ends, and where none is near enough to be found
	Next  string
}

// Neighbours finds the cases before and after id among those that f chooses: of what waits, or of what is decided,
// whichever id is. The work is bounded like List's.
func (q *Queue) Neighbours(ctx context.Context, id string, f Filter) (n Neighbours, err error) {
	f.Cursor = ""
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
			f.State = anyState
		default:
			f.State = Needs
		}
		if _, err := q.prepare(tx, &f); err != nil {
			return err
		}
		w, err := newWalk(f, tx.NowMs())
		if err != nil {
			return err
		}
		return n.find(tx, w, f, f.placeOf(&r, tx.NowMs()))
	})
	return n, err
}

func (n *Neighbours) find(tx *db.Tx, w walk, f Filter, at place) error {
	if f.Search != "" {
		return n.among(tx, w, at)
	}
	for _, side := range []struct {
		back bool
		into *string
	}{{true, &n.Prev}, {false, &n.Next}} {
		found, _, err := w.read(tx, part{from: at, back: side.back, limit: 1})
		if err != nil {
			return err
		}
		if len(found) > 0 {
			*side.into = found[0].id
		}
	}
	in, err := w.has(tx, at)
	if err != nil || !in {
		return err
	}
	before, known, err := w.count(tx, at, true)
	if err != nil || !known {
		return err
	}
	total := 0
	if f.Narrowed() || f.State == Signed {
		if total, known, err = f.count(tx); err != nil || !known {
			return err
		}
	} else if f.State == Needs {
		if total, _, err = needsTx(tx, f.Viewer); err != nil {
			return err
		}
	} else if total, err = db.Value[int](tx, "review: count", `SELECT n FROM review_count WHERE state = $1`, f.stored()); err != nil {
		return err
	}
	n.Pos, n.Total = min(before+1, MaxPosition), total
	return nil
}

// among finds them among the hits of a search, which are few enough to be read at once.
func (n *Neighbours) among(tx *db.Tx, w walk, at place) error {
	hits, _, err := w.read(tx, part{limit: maxHits})
	if err != nil {
		return err
	}
	i, in := slices.BinarySearchFunc(hits, at, w.compare)
	if i > 0 {
		n.Prev = hits[i-1].id
	}
	if in {
		n.Pos, n.Total = i+1, len(hits)
		i++
	}
	if i < len(hits) {
		n.Next = hits[i].id
	}
	return nil
}

// has tells whether the list chooses the case at this place.
func (w walk) has(tx *db.Tx, at place) (bool, error) {
	for _, a := range w.arms {
		a.rest = append([]cond{{map[bool]string{false: `review.id = ?`, true: `f.review_id = ?`}[a.flag], []any{at.id}}}, a.rest...)
		found, err := w.places(tx, a, part{until: at, back: true, limit: 1})
		if err != nil || len(found) > 0 {
			return len(found) > 0, err
		}
	}
	return false, nil
}
