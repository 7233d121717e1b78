package borderline

import (
	"context"
	"time"

	"preceptor/internal/db"
)

// Counts is what the tabs and the overview show.
type Counts struct {
	Waiting      int // for an answer of the viewer; of anybody, where the viewer is no expert
	Adjudication int
	Ratings      int       // decisions that wait to be rated
	Late         int       // open past their target
	Oldest       time.Time // open case; zero when there is none
}

// Open is how many cases the experts have.
func (c Counts) Open() int { return c.Waiting + c.Adjudication }

// one figure: where it goes, and what finds it.
type figure struct {
	into any
	sql  string
	args []any
}

// Counts counts what is open.
func (s *Store) Counts(ctx context.Context, v Viewer) (c Counts, err error) {
	who := v.self()
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		if err := c.open(tx, who); err != nil {
			return err
		}
		var reminded, oldest int64
		err := read(tx, []figure{
			{&c.Late, `SELECT count(*) FROM borderline_case WHERE state IN ('waiting', 'adjudication') AND reminded_at = 0 AND target_at < $1`, []any{tx.NowMs()}},
			{&reminded, `SELECT count(*) FROM borderline_case WHERE state IN ('waiting', 'adjudication') AND reminded_at > 0`, nil},
			{&oldest, oldestOpen, nil},
			{&c.Ratings, `SELECT count(*) FROM borderline_rating WHERE state = 'waiting' AND ($1 = '' OR decided_by <> $1 AND second_by <> $1)`, []any{who}},
		})
		c.Late += int(reminded)
		c.Oldest = db.Time(oldest)
		return err
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

const oldestOpen = `SELECT coalesce(min(at), 0) FROM (SELECT min(created_at) AS at FROM borderline_case WHERE state = 'waiting'
	UNION ALL SELECT min(created_at) AS at FROM borderline_case WHERE state = 'adjudication') AS oldest`

// ofMine are the figures for one expert: the cases they sent, those they answered for good, and disputed ones they answered, so can't rule on.
// The plus keeps SQLite from looking at the value to learn whether another index serves, for which it would plan anew each time.
const (
	sentByMe = `SELECT count(*) FROM borderline_case WHERE state = 'waiting' AND sent_by <> '' AND sent_by = $1`
	doneByMe = `SELECT count(*) FROM borderline_case c WHERE c.state = 'waiting' AND c.answered > 0 AND +c.sent_by <> $1 AND EXISTS (
		SELECT 1 FROM borderline_answer a WHERE a.case_id = c.id AND a.by_id = $1 AND a.step = 'final' AND a.undone_at = 0)`
	answeredByMe = `SELECT count(*) FROM borderline_case c WHERE c.state = 'adjudication' AND EXISTS (SELECT 1 FROM borderline_answer a WHERE a.case_id = c.id AND a.by_id = $1 AND a.undone_at = 0)`
)

// open fills in Waiting and Adjudication for one expert; who is "" for everybody.
func (c *Counts) open(tx *db.Tx, who string) error {
	var sent, done, answered int
	figures := []figure{
		{&c.Waiting, `SELECT count(*) FROM borderline_case WHERE state = 'waiting'`, nil},
		{&c.Adjudication, `SELECT count(*) FROM borderline_case WHERE state = 'adjudication'`, nil},
	}
	if who != "" {
		figures = append(figures, figure{&sent, sentByMe, []any{who}}, figure{&done, doneByMe, []any{who}}, figure{&answered, answeredByMe, []any{who}})
	}
	err := read(tx, figures)
	c.Waiting, c.Adjudication = c.Waiting-sent-done, c.Adjudication-answered
	return err
}

func read(tx *db.Tx, figures []figure) error {
	for _, f := range figures {
		if err := db.One(tx, "borderline: count", f.sql, f.args...).Scan(f.into); err != nil {
			return err
		}
	}
	return nil
}
