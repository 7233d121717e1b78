package borderline

import (
	"context"
	"time"

	"preceptor/internal/platform/db"
)

// Counts is what the tabs and the overview show.
type Counts struct {
	Waiting      int // for an answer of the viewer; of anybody, where the viewer is no expert
	Adjudication int
	Ratings      int       // decisions that wait to be rated
	Late         int       // of Open, past their target
	Oldest       time.Time // open case; zero when there is none
}

// Open is how many cases the experts have.
func (c Counts) Open() int { return c.Waiting + c.Adjudication }

// Counts counts what is open.
func (s *Store) Counts(ctx context.Context, v Viewer) (c Counts, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		return db.One(tx, "borderline: count", countsSQL, v.self(), tx.NowMs()).Scan(&c.Waiting, &c.Adjudication,
			&c.Ratings, &c.Late, db.At(&c.Oldest))
	})
	return c, err
}

// self is who has answers of their own; "" for whoever is no expert.
func (v Viewer) self() string {
	if v.Expert {
		return v.ID
	}
	return ""
}

const oldestOpen = `SELECT coalesce(min(at), 0)
	FROM (SELECT min(created_at) AS at FROM borderline_case WHERE state = 'waiting'
	UNION ALL SELECT min(created_at) AS at FROM borderline_case WHERE state = 'adjudication') AS oldest`

// The figures for one expert: the cases they sent, those they answered for good, those that all who are asked have
// answered without them, and disputed ones they answered, so can't rule on. The plus keeps SQLite from looking at the
// value to learn whether another index serves, for which it would plan anew each time.
const (
	sentByMe = `SELECT count(*) FROM borderline_case WHERE state = 'waiting' AND sent_by <> '' AND sent_by = $1`
	doneByMe = `SELECT count(*) FROM borderline_case c
		WHERE c.state = 'waiting' AND c.answered > 0 AND +c.sent_by <> $1 AND EXISTS (
		SELECT 1 FROM labelling_turn t WHERE t.item_id = c.id AND t.person_id = $1 AND t.state = 'done')`
	fullWithoutMe = `SELECT count(*) FROM borderline_case
		WHERE state = 'waiting' AND answered > 0 AND answered >= wanted AND $1 <> '' AND +sent_by <> $1
		AND NOT ` + mine
	answeredByMe = `SELECT count(*) FROM borderline_case c
		WHERE c.state = 'adjudication' AND EXISTS (SELECT 1 FROM labelling_answer a
			WHERE a.item_id = c.id AND a.by_id = $1 AND a.standing = 1)`
)

const isLate = ` AND (reminded_at > 0 OR target_at < $2)`

// countsSQL is all of it, for the expert $1, or everybody where that is "", at $2. What was reminded of is late.
const countsSQL = `SELECT (SELECT count(*) FROM borderline_case WHERE state = 'waiting') - (` + sentByMe + `) - (` +
	doneByMe + `) - (` + fullWithoutMe + `),
	(SELECT count(*) FROM borderline_case WHERE state = 'adjudication') - (` + answeredByMe + `),
	(SELECT count(*) FROM borderline_rating
		WHERE state = 'waiting' AND ($1 = '' OR decided_by <> $1 AND second_by <> $1)),
	(SELECT count(*) FROM borderline_case WHERE state IN ('waiting', 'adjudication')
		AND reminded_at = 0 AND target_at < $2)
		+ (SELECT count(*) FROM borderline_case WHERE state IN ('waiting', 'adjudication') AND reminded_at > 0)
		- (` + sentByMe + isLate + `) - (` + doneByMe + isLate + `)
		- (` + fullWithoutMe + isLate + `) - (` + answeredByMe + isLate + `),
	(` + oldestOpen + `)`
