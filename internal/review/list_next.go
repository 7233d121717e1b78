package review

import (
	"context"

	"preceptor/internal/db"
	"preceptor/internal/fault"
)

// ClaimNext takes the first case of the queue that f chooses and that by may act on now: nobody else holds it, by did not
// sign it first, it is not reserved for somebody else, and by did not skip it (unless f.WithSkipped). The order is List's, from behind
// f.Except. ok is false when there is none; Counts then tells why.
//
// The case is looked for in read transactions, each of bounded work, however rare the match, so that no search holds up
// other people's decisions; it is taken by one statement that asks everything again. Two people never get the same case.
func (q *Queue) ClaimNext(ctx context.Context, by Person, f Filter) (id string, ok bool, err error) {
	var from place
	for try := 1; ; try++ {
		at, found, err := q.next(ctx, by, f, from)
		if err != nil || !found {
			return "", false, err
		}
		took, err := q.takeNext(ctx, by, f, at.id)
		if err != nil || took {
			return at.id, took, err
		}
		if try%20 == 0 {
			from = at // somebody was faster every time: go on behind it
		}
	}
}

// Ahead is the case that ClaimNext would hand out now. It takes nothing: it is for loading a page before it is needed,
// and whether that page may be decided on is settled when the case is claimed, by its version and the hash of its text.
func (q *Queue) Ahead(ctx context.Context, by Person, f Filter) (id string, ok bool, err error) {
	at, ok, err := q.next(ctx, by, f, place{})
	return at.id, ok, err
}

// next finds the case that is handed out next, behind from; where that is the start, behind the case that was just decided (f.Except), and
// then from the start: whoever left one undecided does not come back to it after each decision.
func (q *Queue) next(ctx context.Context, by Person, f Filter, from place) (at place, ok bool, err error) {
	f.State, f.Viewer, f.Cursor = Needs, by.ID, ""
	behind := from == place{} && f.Except != ""
	for first := behind; ; first = false {
		var found []place
		var end place
		err = q.db.Read(ctx, func(tx *db.Tx) error {
			if _, err := q.prepare(tx, &f); err != nil {
				return err
			}
			if first {
				if from, err = f.placeJustLeft(tx, by); err != nil {
					return err
				}
			}
			w, err := nextWalk(f, tx.NowMs())
			if err != nil {
				return err
			}
			found, end, err = w.take(tx, from, 1)
			return err
		})
		if err == nil && len(found) == 0 && end.id == "" && behind {
			from, behind = place{}, false
			continue
		}
		if err != nil || len(found) > 0 || end.id == "" {
			if len(found) > 0 {
				return found[0], true, err
			}
			return at, false, err
		}
		from = end
	}
}

// placeJustLeft is where the case f.Except stood before by decided it; the start when there is none.
func (f Filter) placeJustLeft(tx *db.Tx, by Person) (place, error) {
	r, err := getRow(tx, f.Except)
	if fault.Is(err, fault.NotFound) {
		return place{}, nil
	}
	r.State = "waiting" // as it did before
	if r.First.ID == by.ID {
		r.First = Person{} // theirs is the first approval
	}
	return f.placeOf(&r, tx.NowMs()), err
}

// nextWalk is the walk of what may be handed out. Those conditions count as cheap: the search in next goes on until it
// finds one.
func nextWalk(f Filter, now int64) (walk, error) {
	w, err := newWalk(f, now)
	for i := range w.arms {
		a := &w.arms[i]
		a.rest = append(f.handOut(now), a.rest...)
	}
	return w, err
}

// handOut are the conditions beyond the list's under which a case is handed out.
func (f Filter) handOut(now int64) (list []cond) {
	if f.Assigned == "" || f.Assigned == ToNobody {
		args := []any{"", f.Viewer}
		marks := `?, ?`
		for _, key := range f.teams {
			args, marks = append(args, key), marks+`, ?`
		}
		list = append(list, cond{`(review.reserved_until <= ? OR ` + plain(`review.assigned_to`) + ` IN (` + marks + `))`, append([]any{now}, args...)})
	}
	if f.Except != "" {
		list = append(list, cond{`review.id <> ?`, []any{f.Except}})
	}
	if !f.WithSkipped {
		list = append(list, cond{`NOT EXISTS (SELECT 1 FROM review_skip s WHERE s.by_id = ? AND s.review_id = review.id AND s.over_at = 0 AND s.version = review.version)`, []any{f.Viewer}})
	}
	return list
}

// takeNext claims the case if it may still be handed out.
func (q *Queue) takeNext(ctx context.Context, by Person, f Filter, id string) (ok bool, err error) {
	f.State, f.Viewer = Needs, by.ID
	err = q.db.Write(ctx, func(tx *db.Tx) error {
		if f.teams, err = q.teamsOf(tx, by.ID); err != nil {
			return err
		}
		b := takeQuery(f, by, id, tx.NowMs(), q.claimEnd(tx))
		var got string
		found, err := db.One(tx, "review: claim the next case", b.sql.String(), b.args...).Find(&got)
		if err != nil || !found {
			return err
		}
		ok = true
		tx.Touch("reviews")
		return nil
	})
	return ok && err == nil, err
}

func takeQuery(f Filter, by Person, id string, now, until int64) *query {
	b := &query{}
	b.add(`UPDATE review SET claimed_by = ?, claimed_name = ?`, by.ID, by.Name)
	b.add(`, claimed_at = CASE WHEN claimed_by = $1 AND claimed_until > ? THEN claimed_at ELSE $3 END, claimed_until = ?`, now, until)
	b.add(` WHERE id = ? AND review.state = 'waiting'`, id)
	for _, c := range append(f.stateAsks(now), f.handOut(now)...) {
		b.add(` AND `+c.sql, c.args...)
	}
	b.add(` RETURNING id`)
	return b
}
