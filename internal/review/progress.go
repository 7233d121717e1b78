package review

import (
	"context"
	"fmt"
	"slices"
	"time"

	"preceptor/internal/platform/db"
)

// Progress is how far one person is, against what was given to them. Weeks begin on Monday, days at midnight in the
// desk's zone (time.Local).
type Progress struct {
	Today    int // decided or signed second, today
	Week     int // the same since Monday
	Given    int // of Week: was assigned to them
	Seconded int // of Week: second signatures

	Approved, Revised, Rejected, Returned int // of Week: first signatures and decisions, by what was done
	Pending                               int // of Week: first signatures of these that wait for a second

	Waiting int // assigned to them and theirs to act on now
	Skipped int // skipped by them, and theirs to act on now
	Signed  int // signed by them first, a second signature is awaited
	Second  int // signed first by somebody else, and nobody works on it: theirs to sign
}

// Today is when the desk's day of now began.
func Today(now time.Time) time.Time {
	y, m, d := now.Local().Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.Local)
}

// Week is when the desk's week of now began.
func Week(now time.Time) time.Time {
	day := Today(now)
	return day.AddDate(0, 0, -((int(day.Weekday()) + 6) % 7))
}

// Progress counts for these accounts, in as many statements for one as for many. Nobody's figures are left out: whoever
// did nothing has zeros.
func (q *Queue) Progress(ctx context.Context, accounts []string) (of map[string]*Progress, err error) {
	of = map[string]*Progress{}
	ids := make([]any, len(accounts))
	for i, a := range accounts {
		of[a], ids[i] = &Progress{}, a
	}
	err = q.db.Read(ctx, func(tx *db.Tx) error {
		for _, part := range db.Batches(ids) {
			for _, count := range []func(*db.Tx, []any, map[string]*Progress) error{
				countDecided, countSeconded, countGiven, countSkipped,
			} {
				if err := count(tx, part, of); err != nil {
					return fmt.Errorf("review: progress: %w", err)
				}
			}
		}
		if err := countSigned(tx, of); err != nil {
			return fmt.Errorf("review: progress: %w", err)
		}
		return nil
	})
	return of, err
}

// Waiting counts what waits and is assigned to each of these accounts or teams' keys.
func (q *Queue) Waiting(ctx context.Context, keys []string) (n map[string]int, err error) {
	n = map[string]int{}
	ids := db.Anys(keys)
	err = q.db.Read(ctx, func(tx *db.Tx) error {
		for _, part := range db.Batches(ids) {
			if err := each(tx, assignedSQL+db.In(1, len(part))+assignedEnd, part, func(key string, f []int) {
				n[key] = f[0]
			}, 1); err != nil {
				return fmt.Errorf("review: count what is assigned: %w", err)
			}
		}
		return nil
	})
	return n, err
}

const (
	assignedSQL = `SELECT assigned_to, COUNT(*) FROM review
		WHERE assigned_to <> '' AND state = 'waiting' AND assigned_to IN (`
	assignedEnd = `) GROUP BY assigned_to`
)

// each runs a query whose rows are a name and n figures.
func each(tx *db.Tx, query string, args []any, f func(name string, figures []int), n int) error {
	return db.Each(tx, "review: each", func(row db.Row) error {
		var name string
		figures, into := make([]int, n), []any{&name}
		for i := range figures {
			into = append(into, &figures[i])
		}
		if err := row.Scan(into...); err != nil {
			return err
		}
		f(name, figures)
		return nil
	}, query, args...)
}

// countDecided counts what was decided and not taken back by the person, and what of it was given to them.
func countDecided(tx *db.Tx, part []any, of map[string]*Progress) error {
	args := append([]any{db.Ms(Today(tx.Now)), db.Ms(Week(tx.Now))}, part...)
	return each(tx, `SELECT d.by_id, COUNT(*), SUM(CASE WHEN d.decided_at >= $1 THEN 1 ELSE 0 END),
		SUM(CASE WHEN r.assigned_to = d.by_id THEN 1 ELSE 0 END),
			SUM(CASE WHEN d.kind = 'approve' OR d.words_by <> '' THEN 1 ELSE 0 END),
			SUM(CASE WHEN d.kind = 'revise' AND d.words_by = '' THEN 1 ELSE 0 END),
			SUM(CASE d.kind WHEN 'reject' THEN 1 ELSE 0 END), SUM(CASE d.kind WHEN 'return' THEN 1 ELSE 0 END),
			SUM(CASE d.state WHEN 'pending' THEN 1 ELSE 0 END)
		FROM decision d JOIN review r ON r.id = d.review_id
		WHERE d.decided_at >= $2 AND d.state <> 'undone' AND d.by_id IN (`+db.In(3, len(part))+`) GROUP BY d.by_id`,
		args,
		func(who string, f []int) {
			p := of[who]
			p.Week, p.Today, p.Given = p.Week+f[0], p.Today+f[1], p.Given+f[2]
			p.Approved, p.Revised, p.Rejected, p.Returned, p.Pending = f[3], f[4], f[5], f[6], f[7]
		}, 8)
}

func countSeconded(tx *db.Tx, part []any, of map[string]*Progress) error {
	args := append([]any{db.Ms(Today(tx.Now)), db.Ms(Week(tx.Now))}, part...)
	return each(tx, `SELECT d.second_by, COUNT(*), SUM(CASE WHEN d.second_at >= $1 THEN 1 ELSE 0 END),
		SUM(CASE WHEN r.assigned_to = d.second_by THEN 1 ELSE 0 END)
		FROM decision d JOIN review r ON r.id = d.review_id
		WHERE d.second_by <> '' AND d.second_at >= $2 AND d.state <> 'undone' AND d.second_by IN (`+db.In(3, len(part))+
		`) GROUP BY d.second_by`, args,
		func(who string, f []int) {
			p := of[who]
			p.Week, p.Today, p.Given, p.Seconded = p.Week+f[0], p.Today+f[1], p.Given+f[2], f[0]
		}, 3)
}

func countGiven(tx *db.Tx, part []any, of map[string]*Progress) error {
	free := `) AND first_by <> assigned_to AND (claimed_by = assigned_to OR claimed_until <= $` +
		fmt.Sprint(len(part)+1)
	return each(tx, assignedSQL+db.In(1, len(part))+free+assignedEnd, append(slices.Clone(part), tx.NowMs()),
		func(who string, f []int) { of[who].Waiting = f[0] }, 1)
}

func countSkipped(tx *db.Tx, part []any, of map[string]*Progress) error {
	return each(tx, `SELECT s.by_id, COUNT(DISTINCT s.review_id)`+skippedSQL+`IN (`+db.In(2, len(part))+`) GROUP BY 1`,
		append([]any{tx.NowMs()}, part...),
		func(who string, f []int) { of[who].Skipped = f[0] }, 1)
}

// countSigned counts what waits for a second signature: by whom it was signed first, and for everybody else.
func countSigned(tx *db.Tx, of map[string]*Progress) error {
	return db.Each(tx, "review: each", func(row db.Row) error {
		var first, holder string
		var n int
		err := row.Scan(&first, &holder, &n)
		for id, p := range of {
			if id == first {
				p.Signed += n
			} else if holder == "" || holder == id {
				p.Second += n
			}
		}
		return err
	}, `SELECT first_by, CASE WHEN claimed_until > $1 THEN claimed_by ELSE '' END, COUNT(*) FROM review
		WHERE first_by <> '' AND state = 'waiting'
		GROUP BY 1, 2`, tx.NowMs())
}

// RowTx reads one row of the queue in the caller's transaction; NotFound when there is none.
func (q *Queue) RowTx(tx *db.Tx, id string) (Row, error) { return getRow(tx, id) }
