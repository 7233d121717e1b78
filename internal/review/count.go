package review

import (
	"context"
	"fmt"
	"strings"
	"time"

	"preceptor/internal/db"
)

// Counts are the figures above the queue, for one viewer.
type Counts struct {
	Needs     int // waiting, and free or mine
	Others    int // waiting, and somebody else works on it
	Mine      int // of Needs: I work on it
	Skipped   int // of Needs: I skipped it, and ClaimNext passes over it
	Done      int // decided, ever
	DoneToday int // decided since midnight UTC
	Oldest    time.Time
}

// Counts reads the figures; none of them walks the queue.
func (q *Queue) Counts(ctx context.Context, viewer string) (c Counts, err error) {
	err = q.db.Read(ctx, func(tx *db.Tx) error {
		c, err = countsTx(tx, viewer)
		return err
	})
	return c, err
}

func countsTx(tx *db.Tx, viewer string) (c Counts, err error) {
	midnight := tx.Now.Truncate(24 * time.Hour)
	var waiting int
	var oldest int64
	for _, one := range []struct {
		into any
		sql  string
		args []any
	}{
		{&waiting, `SELECT n FROM review_count WHERE state = 'waiting'`, nil},
		{&c.Done, `SELECT n FROM review_count WHERE state = 'decided'`, nil},
		{&c.Others, `SELECT COUNT(*) FROM review WHERE claimed_until > 0 AND claimed_until > $1 AND claimed_by <> $2`, []any{tx.NowMs(), viewer}},
		{&c.Mine, `SELECT COUNT(*) FROM review WHERE claimed_until > 0 AND claimed_until > $1 AND claimed_by = $2`, []any{tx.NowMs(), viewer}},
		{&c.Skipped, `SELECT COUNT(DISTINCT s.review_id) FROM review_skip s JOIN review r ON r.id = s.review_id
			WHERE s.by_id = $1 AND s.version = r.version AND r.state = 'waiting' AND (r.claimed_until <= $2 OR r.claimed_by = $1)`, []any{viewer, tx.NowMs()}},
		{&c.DoneToday, `SELECT COUNT(*) FROM review WHERE state = 'decided' AND decided_at >= $1`, []any{db.Ms(midnight)}},
		{&oldest, oldestWaiting, nil},
	} {
		if err := tx.QueryRow(one.sql, one.args...).Scan(one.into); err != nil {
			return c, fmt.Errorf("review: count: %w", err)
		}
	}
	c.Needs, c.Oldest = waiting-c.Others, db.Time(oldest)
	return c, nil
}

// oldestWaiting asks for the oldest of each priority: one step along the index each.
var oldestWaiting = func() string {
	var arms []string
	for p := range priorityRest + 1 {
		arms = append(arms, fmt.Sprintf(`SELECT MIN(created_at) AS at FROM review WHERE state = 'waiting' AND priority = %d`, p))
	}
	return `SELECT COALESCE(MIN(at), 0) FROM (` + strings.Join(arms, ` UNION ALL `) + `) AS oldest`
}()

// Neighbours is where a case stands in its list, and what stands beside it. Others' claims don't count here: their cases
// can be read, too.
type Neighbours struct {
	Pos   int    // from 1, at most 10,000; 0 when the filter does not choose the case
	Total int    // at most 10,000 when filtered
	Prev  string // ids; empty at the ends
	Next  string
}

// Neighbours finds the cases before and after id among those that f's agent and task choose: of what waits, or of what is
// decided, whichever id is.
func (q *Queue) Neighbours(ctx context.Context, id string, f Filter) (n Neighbours, err error) {
	err = q.db.Read(ctx, func(tx *db.Tx) error {
		r, err := getRow(tx, id)
		if err != nil {
			return err
		}
		order, reverse, before, after := `priority, created_at, id`, `priority DESC, created_at DESC, id DESC`, `<`, `>`
		p := r.place()
		key, args := `(priority, created_at, id)`, []any{p.priority, p.ms, p.id}
		if r.State == "decided" {
			order, reverse, before, after = `decided_at DESC, id DESC`, `decided_at, id`, `>`, `<`
			key, args = `(decided_at, id)`, args[1:]
		}
		marks := `(?` + strings.Repeat(`, ?`, len(args)-1) + `)`
		beside := func(op, order string) (string, error) {
			b := &query{}
			b.add(`SELECT COALESCE((SELECT id FROM review WHERE state = ?`, r.State)
			b.narrow(f)
			b.add(` AND `+key+` `+op+` `+marks, args...)
			b.add(` ORDER BY ` + order + ` LIMIT 1), '')`)
			var id string
			err := tx.QueryRow(b.sql.String(), b.args...).Scan(&id)
			return id, err
		}
		if n.Prev, err = beside(before, reverse); err != nil {
			return fmt.Errorf("review: find the case before: %w", err)
		}
		if n.Next, err = beside(after, order); err != nil {
			return fmt.Errorf("review: find the case after: %w", err)
		}
		if f.AgentID != "" && f.AgentID != r.AgentID || f.Task != "" && f.Task != r.Task {
			return nil
		}
		if n.Pos, err = depth(tx, f, r.State, ` AND `+key+` `+before+` `+marks, args); err != nil {
			return err
		}
		n.Pos = min(n.Pos+1, maxPosition)
		n.Total, err = total(tx, f, r.State)
		return err
	})
	return n, err
}

// total is how long a list is: kept, if nothing narrows it, and else counted up to maxPosition.
func total(tx *db.Tx, f Filter, state string) (n int, err error) {
	if f.AgentID != "" || f.Task != "" {
		return depth(tx, f, state, ``, nil)
	}
	if err := tx.QueryRow(`SELECT n FROM review_count WHERE state = $1`, state).Scan(&n); err != nil {
		return 0, fmt.Errorf("review: count: %w", err)
	}
	return n, nil
}

// depth counts rows of a list, up to maxPosition.
func depth(tx *db.Tx, f Filter, state, cond string, args []any) (n int, err error) {
	b := &query{}
	b.add(`SELECT COUNT(*) FROM (SELECT 1 FROM review WHERE state = ?`, state)
	b.narrow(f)
	b.add(cond, args...)
	b.add(` LIMIT ?) AS part`, maxPosition)
	if err := tx.QueryRow(b.sql.String(), b.args...).Scan(&n); err != nil {
		return 0, fmt.Errorf("review: count: %w", err)
	}
	return n, nil
}
