package review

import (
	"context"
	"strings"

	"preceptor/internal/text"
)

// Opening is what lists show of a question.
func Opening(q string) string { return text.Opening(q, openingLength) }

// Statement is SQL with its arguments. Sorted: by the engine, over a few rows.
type Statement struct {
	SQL    string
	Args   []any
	Sorted bool
}

// ListSQL are the statements of List: of every arm, reading, looking ahead and looking back.
func ListSQL(f Filter) []Statement {
	if f.State == "" {
		f.State = Needs
	}
	w, err := newWalk(f, 1_793_000_000_000)
	if err != nil {
		panic(err)
	}
	return w.statements(f)
}

// ClaimNextSQL are those with which ClaimNext looks for a case.
func ClaimNextSQL(f Filter) []Statement {
	f.State, f.Viewer = Needs, "ann"
	w, err := nextWalk(f, 1_793_000_000_000)
	if err != nil {
		panic(err)
	}
	return w.statements(f)
}

func (w walk) statements(f Filter) (list []Statement) {
	after, err := parseCursor(f.Cursor)
	if err != nil {
		panic(err)
	}
	for _, a := range w.arms {
		for _, p := range []part{{from: after, limit: 26}, {from: after, limit: 1, offset: 10, all: true}, {from: after, back: true, limit: 1}} {
			if b, ok := w.sql(a, "", p); ok {
				list = append(list, Statement{b.sql.String(), b.args, a.bounded})
			}
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
