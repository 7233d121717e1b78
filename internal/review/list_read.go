package review

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"preceptor/internal/platform/db"
)

// listing is a filter made ready: a list that can be read from any place on, forth and back. It is read stretch by
// stretch, one statement each, which SQLite walks along an index in the list's order until the page is full; what no
// index answers is asked of each row.
type listing struct {
	Filter
	now     int64
	asks    []cond // which rows
	tooMany bool   // more cases have the words of the search than were looked at
}

// read is the next n places behind from, the nearest first; back: before it.
func (l *listing) read(tx *db.Tx, from place, back bool, n int) (found []place, err error) {
	for _, s := range l.stretches(from, back) {
		what := `review.priority, review.created_at, review.id`
		if l.over() {
			what = `0, review.decided_at, review.id`
		}
		b := l.part(what, s, from, back, n) // not n-len(found): for each limit SQLite plans anew
		list, err := db.Rows(tx, "review: read a list", func(at *place) []any {
			at.group = s.group
			return []any{&at.priority, &at.ms, &at.id}
		}, b.SQL, b.Args...)
		if err != nil {
			return nil, err
		}
		if found = append(found, list...); len(found) >= n {
			break
		}
	}
	return found[:min(n, len(found))], nil
}

// count counts the rows before a place, or all where that is zero, up to MaxPosition.
func (l *listing) count(tx *db.Tx, before place) (n int, err error) {
	stretches := l.stretches(before, true)
	if before.id == "" {
		stretches = wholeList
	}
	for _, s := range stretches {
		b := l.part(`1`, s, before, true, MaxPosition)
		more, err := db.Value[int](tx, "review: count a list", `SELECT COUNT(*) FROM (`+b.SQL+`) AS part`,
			b.Args...)
		if err != nil {
			return 0, err
		}
		if n += more; n >= MaxPosition {
			return MaxPosition, nil
		}
	}
	return n, nil
}

// oldest is when the oldest of the rows arrived. Within a priority that is the first.
func (l *listing) oldest(tx *db.Tx) (at time.Time, err error) {
	for p := priorityFirst; p <= priorityRest; p++ {
		b := &query{}
		b.Add(`SELECT created_at FROM review WHERE `)
		b.where(slices.Concat([]cond{{l.state(Ungrouped), nil}}, l.asks,
			[]cond{{fmt.Sprintf(`review.priority = %d`, p), nil}})...)
		b.Add(` ORDER BY created_at LIMIT 1`)
		first, err := db.Maybe[int64](tx, "review: the oldest of a list", b.SQL, b.Args...)
		if err != nil {
			return at, err
		}
		if t := db.Time(first); first > 0 && (at.IsZero() || t.Before(at)) {
			at = t
		}
	}
	return at, nil
}

// Count is how many reviews a filter chooses, up to MaxPosition: what List would show.
func (q *Queue) Count(ctx context.Context, f Filter) (int, error) {
	return db.Read(ctx, q.db, func(tx *db.Tx) (int, error) { return q.countList(tx, f) })
}

// AnyTx reports whether a filter chooses any review.
func (q *Queue) AnyTx(tx *db.Tx, f Filter) (bool, error) {
	l, err := q.prepare(tx, f)
	if err != nil {
		return false, err
	}
	found, err := l.read(tx, place{}, false, 1)
	return len(found) > 0, err
}

func (q *Queue) countList(tx *db.Tx, f Filter) (int, error) {
	l, err := q.prepare(tx, f)
	if err != nil {
		return 0, err
	}
	return l.count(tx, place{})
}

// StandingTx is how many reviews of an agent and a task wait, whoever works on them, and how many of them are past
// their target; "" is for any. Only all of them are counted beyond MaxPosition.
func (q *Queue) StandingTx(tx *db.Tx, agentID, task string) (waiting, late int, err error) {
	f := Filter{State: All, AgentID: agentID, Task: task}
	if !f.Narrowed() {
		waiting, err = db.Value[int](tx, "review: count", `SELECT n FROM review_count WHERE state = 'waiting'`)
	} else {
		waiting, err = q.countList(tx, f)
	}
	if err != nil {
		return 0, 0, err
	}
	f.Age = Late
	late, err = q.countList(tx, f)
	return waiting, late, err
}

// has reports whether the list has a row.
func (l *listing) has(tx *db.Tx, id string) (bool, error) {
	one := *l
	one.asks = append([]cond{{`review.id = ?`, []any{id}}}, l.asks...)
	n, err := one.count(tx, place{})
	return n > 0, err
}

// part selects a column or more of the rows of a stretch that stand behind a place, or, back, before it.
func (l *listing) part(what string, s stretch, from place, back bool, limit int) *query {
	keys := []string{`review.priority`, `review.created_at`, `review.id`}
	if l.over() {
		keys = []string{`review.decided_at`, `review.id`}
	}
	than, way := ` > `, ``
	if back != l.over() {
		than, way = ` < `, ` DESC`
	}
	asks := slices.Concat([]cond{{l.state(s.group), nil}}, l.asks, l.within(s))
	if from.id != "" && from.group == s.group {
		args := []any{from.priority, from.ms, from.id}[3-len(keys):]
		asks = append(asks,
			cond{`(` + strings.Join(keys, `, `) + `)` + than + `(?` + strings.Repeat(`, ?`, len(keys)-1) + `)`, args})
	}
	b := &query{}
	b.Add(`SELECT ` + what + ` FROM review WHERE `)
	b.where(asks...)
	b.Add(` ORDER BY `+strings.Join(keys, way+`, `)+way+` LIMIT ?`, limit)
	return b
}

// state asks for the state as the table has it. Spelt out it has SQLite walk along the index of what waits or is
// decided; where another condition has a sharper index it is disguised, because SQLite would prefer the list's.
func (l *listing) state(g Group) string {
	state := `'waiting'`
	if l.over() {
		state = `'decided'`
	}
	if l.Search != "" || l.State == Ended || len(l.assignees()) > 0 || l.State == Others || l.State == Signed ||
		l.Reviewer != "" ||
		!l.over() && l.Eyes != "" || g == GroupMine || g == GroupSecond {
		state += ` || ''`
	}
	return `review.state = ` + state
}
