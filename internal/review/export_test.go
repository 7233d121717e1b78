package review

import (
	"context"
	"strings"

	"preceptor/internal/platform/text"
)

// Opening is what lists show of a question.
func Opening(q string) string { return text.Opening(q, openingLength) }

// Statement is SQL with its arguments.
type Statement struct {
	SQL  string
	Args []any
}

// ListSQL are the statements of List, forth and back, and of the search for the next case.
func ListSQL(f Filter) (list []Statement) {
	from, err := parseCursor(f.Cursor)
	if err != nil {
		panic(err)
	}
	l := &listing{Filter: f, now: 1_793_000_000_000}
	l.asks = append(f.stateAsks(l.now), f.narrowing(l.now)...)
	for _, back := range []bool{false, true} {
		for _, s := range l.stretches(from, back) {
			b := l.part(`review.id`, s, from, back, 26)
			list = append(list, Statement{b.SQL, b.Args})
		}
	}
	return list
}

// OldestSQL finds the oldest case that waits.
func OldestSQL() string { return strings.TrimSpace(oldestWaiting) }

// ReleaseForTest runs the release job of a decision.
func (q *Queue) ReleaseForTest(ctx context.Context, id string) error {
	return q.release(ctx, releaseArgs{DecisionID: id})
}

// PruneDraftsForTest runs the job that forgets old drafts.
func (q *Queue) PruneDraftsForTest(ctx context.Context) error { return q.pruneDrafts(ctx) }

// LookAtMostForTest has searches look at fewer cases with a field.
func LookAtMostForTest(n int) (back func()) {
	was := many
	many = n
	return func() { many = was }
}
