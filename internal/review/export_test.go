package review

import (
	"context"
	"strings"
)

// Opening is opening, for tests.
func Opening(q string) string { return opening(q) }

// ListSQL is the statement of List, for tests of its plan.
func ListSQL(f Filter) (string, []any) {
	if f.Limit == 0 {
		f.Limit = defaultLimit
	}
	b, err := listQuery(f, 1)
	if err != nil {
		panic(err)
	}
	return b.sql.String(), b.args
}

// ClaimNextSQL is the statement of ClaimNext.
func ClaimNextSQL(f Filter) (string, []any) {
	b := claimNextQuery(f, Person{ID: "ann"}, 1, 2)
	return b.sql.String(), b.args
}

// OldestSQL finds the oldest case that waits.
func OldestSQL() string { return strings.TrimSpace(oldestWaiting) }

// ReleaseForTest runs the release job of a decision.
func (q *Queue) ReleaseForTest(ctx context.Context, id string) error {
	return q.release(ctx, releaseArgs{DecisionID: id})
}

// PruneDraftsForTest runs the job that forgets old drafts.
func (q *Queue) PruneDraftsForTest(ctx context.Context) error { return q.pruneDrafts(ctx) }
