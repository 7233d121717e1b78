package review

import (
	"context"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// ClaimNext takes the first case of the queue that f chooses and that by may act on now: nobody else holds it, by did
// not sign it first, it is not reserved for somebody else, and by did not skip it (unless f.WithSkipped). The order is
// List's, from behind f.Behind, and then from the start. ok is false when there is none; Counts then tells why.
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

// Ahead is the case that ClaimNext would hand out now: the next behind the one on the screen (f.Behind), then from the
// start: whoever left one undecided does not come back to it after each decision. It takes nothing: it is for loading a
// page before it is needed, and whether that page may be decided on is settled when the case is claimed, by its version
// and the hash of its text.
func (q *Queue) Ahead(ctx context.Context, by Person, f Filter) (id string, ok bool, err error) {
	f.State, f.Viewer = Needs, by.ID
	err = q.db.Read(ctx, func(tx *db.Tx) error {
		l, err := q.prepare(tx, f)
		if err != nil {
			return err
		}
		l.asks = append(l.asks, l.handOut(l.now)...)
		from, err := parseCursor(f.Behind)
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

// Place is where a review is in the viewer's list, for Filter.Behind; "" when there is no such review. It is asked
// before a decision, a skip or an assignment, which end what the review's place comes from: its assignment, its first
// approval.
func (q *Queue) Place(ctx context.Context, by Person, id string, f Filter) (string, error) {
	f.State, f.Viewer = Needs, by.ID
	return db.Read(ctx, q.db, func(tx *db.Tx) (string, error) {
		r, err := getRow(tx, id)
		if fault.Is(err, fault.NotFound) {
			return "", nil
		}
		if err != nil {
			return "", err
		}
		l, err := q.prepare(tx, f)
		if err != nil {
			return "", err
		}
		r.State = "waiting" // of one that was decided meanwhile: where it was
		return l.placeOf(&r, l.now).cursor(), nil
	})
}

// handOut are the conditions beyond the list's under which a case is handed out.
func (f Filter) handOut(now int64) (list []cond) {
	if f.Assigned == "" || f.Assigned == ToNobody {
		mine := in(`review.assigned_to`, append([]string{""}, f.own()...))
		list = append(list, cond{`(review.reserved_until <= ? OR ` + mine.sql + `)`, append([]any{now}, mine.args...)})
	}
	if at, err := parseCursor(f.Behind); err == nil && at.id != "" {
		list = append(list, cond{`review.id <> ?`, []any{at.id}})
	}
	if !f.WithSkipped {
		list = append(list, cond{`NOT EXISTS (SELECT 1 FROM review_skip s
				WHERE s.by_id = ? AND s.review_id = review.id AND s.over_at = 0
				AND s.version = review.version)`, []any{f.Viewer}})
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
		n, err := db.Change(tx, "review: claim the next case", b.SQL, b.Args...)
		if ok = n > 0; ok && err == nil {
			tx.Touch("reviews")
			err = q.shareClaimTx(tx, id)
		}
		return err
	})
	return ok && err == nil, err
}

func takeQuery(f Filter, by Person, id string, now, until int64) *query {
	b := &query{}
	b.Add(`UPDATE review SET claimed_by = ?, claimed_name = ?`, by.ID, by.Name)
	b.Add(`, claimed_at = CASE WHEN claimed_by = $1 AND claimed_until > ? THEN claimed_at ELSE $3 END,
		claimed_until = ?`, now, until)
	b.Add(` WHERE id = ? AND review.state = 'waiting' AND `, id)
	b.where(append(f.stateAsks(now), f.handOut(now)...)...)
	return b
}
