package review

import (
	"context"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// closedToOthers selects the decision of a case that was a planted check and is closed, unless the viewer (asked for
// twice) signed it. Who reads what was wrong with a draft of the library catches it the next time without having
// looked.
const closedToOthers = `SELECT 1 FROM decision d
	WHERE d.id = review.decision_id AND d.state = 'closed' AND d.by_id <> ? AND d.second_by <> ?`

// HiddenFrom finds which of some cases are closed planted checks that the viewer did not sign. Callers keep the list
// short.
func (q *Queue) HiddenFrom(ctx context.Context, viewer string, ids ...string) (hidden map[string]bool, err error) {
	hidden = map[string]bool{}
	if len(ids) == 0 {
		return hidden, nil
	}
	b := &query{}
	b.Add(`SELECT review.id FROM review WHERE review.planted = 1 AND `)
	b.where(in(`review.id`, ids), cond{`EXISTS (` + closedToOthers + `)`, []any{viewer, viewer}})
	err = q.db.Read(ctx, func(tx *db.Tx) error {
		return db.Each(tx, "review: closed planted checks", db.Keys(hidden), b.SQL, b.Args...)
	})
	return hidden, err
}

// MayRead answers NotFound, as for a case that does not exist, where HiddenFrom hides it.
func (q *Queue) MayRead(ctx context.Context, viewer, id string) error {
	hidden, err := q.HiddenFrom(ctx, viewer, id)
	if err == nil && hidden[id] {
		err = noSuchCase()
	}
	return err
}

func noSuchCase() error {
	return fault.New(fault.NotFound,
		"There is no such review. It may belong to another desk, or the address was cut off.")
}
