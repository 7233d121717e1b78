package preference

import (
	"context"
	"slices"
	"time"

	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/id"
)

// Work is what a judge does next.
type Work struct {
	Now     *Task // nil: nothing waits for this judge
	Waiting int   // pairs that wait for them, Now with it; counted up to waitingMost
	Skipped int   // that they passed over
	Done    int   // that they answered
}

const waitingMost = 1_000

// waits chooses the pairs that a judge, $2, may still be asked about; $1 is Enough.
const waits = ` FROM preference_pair p WHERE p.state = 'open' AND p.origin <> 'revision' AND p.answers < $1
	AND p.by_id <> $2
	AND NOT EXISTS (SELECT 1 FROM preference_answer a WHERE a.pair_id = p.id AND a.judge_id = $2 AND a.undone_at = 0)
	AND NOT EXISTS (SELECT 1 FROM preference_skip k WHERE k.pair_id = p.id AND k.judge_id = $2)`

// Next is what a judge does next: the same until it is answered or passed over.
func (s *Store) Next(ctx context.Context, judge Person) (w Work, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		var pairID string
		if err := db.One(tx, "preference: next", `SELECT coalesce((SELECT p.id`+waits+`
			ORDER BY p.answers, p.at, p.id LIMIT 1), '')`, Enough, judge.ID).Scan(&pairID); err != nil {
			return err
		}
		if pairID != "" {
			p, err := getTx(tx, pairID)
			if err != nil {
				return err
			}
			w.Now = p.task(judge.ID)
		}
		return db.One(tx, "preference: count what waits",
			`SELECT (SELECT count(*) FROM (SELECT 1`+waits+` LIMIT $3) AS some),
				(SELECT count(*) FROM preference_skip k JOIN preference_pair p ON p.id = k.pair_id WHERE k.judge_id = $2 AND p.state = 'open'),
				(SELECT count(*) FROM preference_answer WHERE judge_id = $2 AND undone_at = 0)`, Enough, judge.ID,
			waitingMost).Scan(&w.Waiting, &w.Skipped, &w.Done)
	})
	return w, err
}

// judgedTx reads a pair that the judge may answer. NotFound for pairs that are not judged, are gone, or are their own.
func judgedTx(tx *db.Tx, pairID string, judge Person) (*Pair, error) {
	if judge.ID == "" {
		return nil, fault.New(fault.Unsigned, "Sign in first.")
	}
	p, err := getTx(tx, pairID)
	if err != nil {
		return nil, err
	}
	if p.Origin == Revision || p.State != Open || p.By.ID == judge.ID {
		return nil, fault.New(fault.NotFound, "This pair no longer needs judging. Go to the next one.")
	}
	return p, nil
}

// sides says what a choice on the screen means in the store.
func sides(choice, first string) (string, bool) {
	other := map[string]string{"left": "right", "right": "left"}
	switch choice {
	case ABetter:
		return first, true
	case BBetter:
		return other[first], true
	case Tie, BothBad:
		return choice, true
	}
	return "", false
}

// Answer stores what a judge says of a pair: ABetter, BBetter, Tie or BothBad. Invalid for anything else; Conflict when
// they answered it already.
func (s *Store) Answer(ctx context.Context, pairID, choice string, judge Person) error {
	first := Order(pairID, judge.ID)
	side, ok := sides(choice, first)
	if !ok {
		return fault.Wrong("Choose one of the four.", "choice",
			"Say which is better, that there is no difference, or that both are bad.")
	}
	return s.db.Write(ctx, func(tx *db.Tx) error {
		p, err := judgedTx(tx, pairID, judge)
		if err != nil {
			return err
		}
		var answered bool
		if err := db.One(tx, "preference: answer", `SELECT
			EXISTS (SELECT 1 FROM preference_answer WHERE pair_id = $1 AND judge_id = $2 AND undone_at = 0)`, pairID,
			judge.ID).Scan(&answered); err != nil {
			return err
		}
		if answered {
			return fault.New(fault.Conflict, "You have judged this pair already. Undo your answer to change it.")
		}
		if p.Tally.Answers >= Enough {
			return fault.New(fault.Conflict, "This pair now has enough answers. Go to the next one.")
		}
		if err := db.Exec(tx, "preference: answer", `INSERT INTO preference_answer (id, pair_id, judge_id, judge_name,
				first, choice, at)
			VALUES ($1, $2, $3, $4, $5, $6, $7)`,
			id.New(), pairID, judge.ID, judge.Name, first, side, tx.NowMs()); err != nil {
			return err
		}
		if err := db.Exec(tx, "preference: answer", `DELETE FROM preference_skip
			WHERE pair_id = $1 AND judge_id = $2`, pairID, judge.ID); err != nil {
			return err
		}
		return countTx(tx, p, side, 1)
	})
}

// Undo takes a judge's answer back, or that they passed the pair over: it is on their list again. NotFound when there
// is neither.
func (s *Store) Undo(ctx context.Context, pairID string, judge Person) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		p, err := getTx(tx, pairID)
		if err != nil {
			return err
		}
		skips, err := db.Change(tx, "preference: unskip",
			`DELETE FROM preference_skip WHERE pair_id = $1 AND judge_id = $2`, pairID, judge.ID)
		if err != nil || skips > 0 {
			return err
		}
		var side string
		err = db.One(tx, "preference: take an answer back", `UPDATE preference_answer SET undone_at = $1
			WHERE pair_id = $2 AND judge_id = $3 AND undone_at = 0 RETURNING choice`, tx.NowMs(), pairID, judge.ID).
			Or(fault.New(fault.NotFound, "You haven't answered this pair.")).Scan(&side)
		if err != nil {
			return err
		}
		return countTx(tx, p, side, -1)
	})
}

// countTx adds n answers for a side to the pair.
func countTx(tx *db.Tx, p *Pair, side string, n int) error {
	l, r, t, b := 0, 0, 0, 0
	switch side {
	case "left":
		l = n
	case "right":
		r = n
	case Tie:
		t = n
	case BothBad:
		b = n
	}
	tx.Touch("preferences")
	return db.Exec(tx, "preference: count", `UPDATE preference_pair SET answers = answers + $1, lefts = lefts + $2,
		rights = rights + $3, ties = ties + $4, bad = bad + $5
		WHERE id = $6`,
		n, l, r, t, b, p.ID)
}

// Skip passes a pair over; it waits for others, and comes again only after Undo or Unskip.
func (s *Store) Skip(ctx context.Context, pairID string, judge Person) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		if _, err := judgedTx(tx, pairID, judge); err != nil {
			return err
		}
		return db.Exec(tx, "preference: skip", `INSERT INTO preference_skip (pair_id, judge_id, at)
			VALUES ($1, $2, $3) ON CONFLICT (pair_id, judge_id) DO NOTHING`, pairID, judge.ID, tx.NowMs())
	})
}

// Unskip puts back what a judge passed over.
func (s *Store) Unskip(ctx context.Context, judge Person) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		return db.Exec(tx, "preference: unskip", `DELETE FROM preference_skip WHERE judge_id = $1`, judge.ID)
	})
}

// Mine is an answer of one's own, or a pair passed over, for the list under the pair: without whose texts they were.
type Mine struct {
	PairID  string
	Opening string // first words of the prompt; "" once erased
	Choice  string // as it was on the screen; "" of what was passed over
	At      time.Time
}

const (
	myAnswers = `SELECT a.pair_id, substr(p.prompt, 1, 80), a.first, a.choice, a.at
		FROM preference_answer a JOIN preference_pair p ON p.id = a.pair_id
	WHERE a.judge_id = $1 AND a.undone_at = 0 ORDER BY a.at DESC, a.id DESC LIMIT $2`
	mySkips = `SELECT k.pair_id, substr(p.prompt, 1, 80), '', '', k.at
	FROM preference_skip k JOIN preference_pair p ON p.id = k.pair_id
	WHERE k.judge_id = $1 ORDER BY k.at DESC, k.pair_id DESC LIMIT $2`
)

// Mine lists a judge's last answers and what they passed over, newest first.
func (s *Store) Mine(ctx context.Context, judge Person, n int) (list []Mine, err error) {
	scan := func(row db.Row) (m Mine, err error) {
		var first string
		err = row.Scan(&m.PairID, &m.Opening, &first, &m.Choice, db.At(&m.At))
		switch {
		case m.Choice == "":
		case m.Choice == first:
			m.Choice = ABetter
		case m.Choice == "left" || m.Choice == "right":
			m.Choice = BBetter
		}
		return m, err
	}
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		for _, query := range []string{mySkips, myAnswers} {
			part, err := db.List(tx, "preference: list answers", scan, query, judge.ID, n)
			if err != nil {
				return err
			}
			list = append(list, part...)
		}
		return nil
	})
	slices.SortStableFunc(list, func(a, b Mine) int { return b.At.Compare(a.At) })
	return list[:min(n, len(list))], err
}
