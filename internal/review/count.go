package review

import (
	"context"
	"fmt"
	"strings"
	"time"

	"preceptor/internal/platform/db"
)

// Counts are the figures above the queue, for one viewer.
type Counts struct {
	Needs     int       // waiting, and I may act on it now: free or mine, and not signed by me
	Others    int       // waiting, and somebody else works on it
	Mine      int       // of Needs: I work on it
	Signed    int       // waiting for a second supervisor after me, whether somebody works on it or not
	Skipped   int       // of Needs: I skipped it, and ClaimNext passes over it
	Assigned  int       // of Needs: assigned to me, at most MaxPosition
	Waiting   int       // whoever works on it or signed it
	Done      int       // decided, ever, but for closed planted checks that I may not see
	Ended     int       // withdrawn or expired before anyone decided, at most MaxPosition
	DoneToday int       // decided since midnight
	Oldest    time.Time // of Waiting; that of a list is Page.Oldest
}

// Counts reads the figures; none of them walks the queue. With allPlanted closed planted checks are counted, whoever
// signed them.
func (q *Queue) Counts(ctx context.Context, viewer string, allPlanted bool) (Counts, error) {
	return db.Read(ctx, q.db, func(tx *db.Tx) (Counts, error) { return q.countsTx(tx, viewer, allPlanted) })
}

// Decided is DecidedTx in a transaction of its own.
func (q *Queue) Decided(ctx context.Context) (bool, error) { return db.Read(ctx, q.db, q.DecidedTx) }

// DecidedTx reports whether anything was ever decided here.
func (q *Queue) DecidedTx(tx *db.Tx) (bool, error) {
	return db.Value[bool](tx, "review: was anything decided", `SELECT EXISTS (SELECT 1 FROM decision)`)
}

func (q *Queue) countsTx(tx *db.Tx, viewer string, allPlanted bool) (c Counts, err error) {
	now := tx.NowMs()
	if c.Needs, c.Others, err = needsTx(tx, viewer); err != nil {
		return c, err
	}
	var oldest int64
	var hidden int
	for _, one := range []struct {
		into any
		sql  string
		args []any
	}{
		{&c.Waiting, `SELECT n FROM review_count WHERE state = 'waiting'`, nil},
		{&c.Done, `SELECT n FROM review_count WHERE state = 'decided'`, nil},
		{&hidden, `SELECT COUNT(*) - (SELECT COUNT(*) FROM planted_result WHERE person_id = $1)
			FROM planted_check WHERE closed_at > 0`, []any{viewer}},
		{&c.Mine, `SELECT COUNT(*) FROM review
			WHERE claimed_until > 0 AND claimed_until > $1+0 AND claimed_by = $2`, []any{now, viewer}},
		{&c.Signed, `SELECT COUNT(*) FROM review WHERE first_by <> '' AND first_by = $1`, []any{viewer}},
		{&c.Skipped, `SELECT COUNT(DISTINCT s.review_id)` + skippedSQL + `= $2`, []any{now, viewer}},
		{&c.DoneToday, `SELECT COUNT(*) FROM review
			WHERE state = 'decided' AND decided_at >= $1 AND decision_id <> ''`, []any{db.Ms(Today(tx.Now))}},
		{&c.Ended, `SELECT COUNT(*) FROM (SELECT 1 FROM review WHERE ended <> '' LIMIT $1) AS part`,
			[]any{MaxPosition}},
		{&oldest, oldestWaiting, nil},
	} {
		if err := db.One(tx, "review: count", one.sql, one.args...).Scan(one.into); err != nil {
			return c, err
		}
	}
	c.Oldest = db.Time(oldest)
	if !allPlanted {
		c.Done -= hidden
	}
	if viewer == "" {
		return c, nil
	}
	c.Assigned, err = q.countList(tx, Filter{Viewer: viewer, Assigned: ToMe})
	return c, err
}

// skippedSQL are the skips, of whom the caller adds, of what they may act on now: what the list of them shows.
const skippedSQL = ` FROM review_skip s CROSS JOIN review r WHERE s.over_at = 0
	AND r.id = s.review_id AND s.version = r.version AND r.state = 'waiting'
	AND (r.claimed_until <= $1 OR r.claimed_by = s.by_id) AND s.by_id `

// needsTx counts what a viewer may act on now, and what others work on.
func needsTx(tx *db.Tx, viewer string) (needs, others int, err error) {
	err = db.One(tx, "review: count", `SELECT (SELECT n FROM review_count WHERE state = 'waiting')
			- (SELECT COUNT(*) FROM review WHERE first_by <> '' AND first_by = $1 AND claimed_until <= $2),
		(SELECT COUNT(*) FROM review WHERE claimed_until > 0 AND claimed_until > $2+0 AND claimed_by <> $1)`, viewer,
		tx.NowMs()).Scan(&needs, &others)
	return needs - others, others, err
}

// oldestWaiting asks for the oldest of each priority: one step along the index each.
var oldestWaiting = func() string {
	var arms []string
	for p := priorityFirst; p <= priorityRest; p++ {
		arms = append(arms, fmt.Sprintf(`SELECT MIN(created_at) AS at FROM review
			WHERE state = 'waiting' AND priority = %d`, p))
	}
	return `SELECT COALESCE(MIN(at), 0) FROM (` + strings.Join(arms, ` UNION ALL `) + `) AS oldest`
}()

// flagCodes steps from one code to the next along the index, however many rows have it.
const flagCodes = `WITH RECURSIVE step (code) AS (
		SELECT MIN(code) FROM review_flag
		UNION ALL SELECT (SELECT MIN(f.code) FROM review_flag f WHERE f.code > step.code) FROM step
			WHERE step.code IS NOT NULL)
	SELECT code FROM step WHERE code IS NOT NULL ORDER BY code`

// FlagCodes lists the codes of all flags that a case ever had, in order.
func (q *Queue) FlagCodes(ctx context.Context) (codes []string, err error) {
	return db.Read(ctx, q.db, func(tx *db.Tx) ([]string, error) {
		return db.Column[string](tx, "review: list flags", flagCodes)
	})
}
