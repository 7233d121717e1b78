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
// The case is looked for in a read transaction, so that no search holds up other people's decisions; it is taken by one
// statement that asks everything again. Two people never get the same case.
func (q *Queue) ClaimNext(ctx context.Context, by Person, f Filter) (id string, ok bool, err error) {
	for {
		id, found, err := q.Ahead(ctx, by, f)
		if err != nil || !found {
			return "", false, err
		}
		if took, err := q.takeNext(ctx, by, f, id); err != nil || took {
			return id, took, err
		}
	}
}

// Ahead is the case that ClaimNext would hand out now: the next behind the one that was just decided (f.Except), then from the start:
// whoever left one undecided does not come back to it after each decision. It takes nothing: it is for loading a page before it is
// needed, and whether that page may be decided on is settled when the case is claimed, by its version and the hash of its text.
func (q *Queue) Ahead(ctx context.Context, by Person, f Filter) (id string, ok bool, err error) {
	f.State, f.Viewer = Needs, by.ID
	err = q.db.Read(ctx, func(tx *db.Tx) error {
		l, err := q.prepare(tx, f)
		if err != nil {
			return err
		}
		l.asks = append(l.asks, l.handOut(l.now)...)
		from, err := l.placeJustLeft(tx, by)
		if err != nil {
			return err
		}
		found, err := l.read(tx, from, false, 1)
		if err == nil && len(found) == 0 && from.id != "" {
			found, err = l.read(tx, place{}, false, 1)
		}
		if len(found) > 0 {
			id, ok = found[0].id, true
		}
		return err
	})
	return id, ok, err
}

// placeJustLeft is where the case f.Except stood before by decided it; the start when there is none.
func (f Filter) placeJustLeft(tx *db.Tx, by Person) (place, error) {
	if f.Except == "" {
		return place{}, nil
	}
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

// handOut are the conditions beyond the list's under which a case is handed out.
func (f Filter) handOut(now int64) (list []cond) {
	if f.Assigned == "" || f.Assigned == ToNobody {
		mine := in(`review.assigned_to`, append([]string{""}, f.own()...))
		list = append(list, cond{`(review.reserved_until <= ? OR ` + mine.sql + `)`, append([]any{now}, mine.args...)})
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
		n, err := db.Change(tx, "review: claim the next case", b.sql.String(), b.args...)
		if ok = n > 0; ok {
			tx.Touch("reviews")
		}
		return err
	})
	return ok && err == nil, err
}

func takeQuery(f Filter, by Person, id string, now, until int64) *query {
	b := &query{}
	b.add(`UPDATE review SET claimed_by = ?, claimed_name = ?`, by.ID, by.Name)
	b.add(`, claimed_at = CASE WHEN claimed_by = $1 AND claimed_until > ? THEN claimed_at ELSE $3 END, claimed_until = ?`, now, until)
	b.add(` WHERE id = ? AND review.state = 'waiting' AND `, id)
	b.where(append(f.stateAsks(now), f.handOut(now)...)...)
	return b
}
