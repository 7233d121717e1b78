package preference

import (
	"context"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/labelling"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
)

// Work is what a judge does next.
type Work struct {
	Now     *Task // nil: nothing waits for this judge
	Waiting int   // pairs that wait for them, Now with it; counted up to waitingMost
	Skipped int   // that they passed over
	Done    int   // that they answered
}

const waitingMost = 1_000

// set is the one that all pairs are in.
const set = "preference"

// waits chooses the pairs that a judge, $2, may still be asked about; $1 is Enough.
const waits = ` FROM preference_pair p WHERE p.state = 'open' AND p.origin <> 'revision' AND p.answers < $1
	AND p.by_id <> $2
	AND NOT EXISTS (SELECT 1 FROM labelling_turn t
		WHERE t.item_id = p.id AND t.person_id = $2 AND t.state IN ('done', 'skipped'))`

// Next is what a judge does next: the same until it is answered or passed over.
func (s *Store) Next(ctx context.Context, judge Person) (w Work, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		pairID, err := db.Maybe[string](tx, "preference: next",
			`SELECT p.id`+waits+` ORDER BY p.answers, p.at, p.id LIMIT 1`, Enough, judge.ID)
		if err != nil {
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
			`SELECT (SELECT count(*) FROM (SELECT 1`+waits+` LIMIT $3) AS waiting),
				(SELECT count(*) FROM labelling_turn t JOIN preference_pair p ON p.id = t.item_id
					WHERE t.set_id = 'preference' AND t.person_id = $2 AND t.state = 'skipped' AND p.state = 'open'),
				(SELECT count(*) FROM labelling_turn
					WHERE set_id = 'preference' AND person_id = $2 AND state = 'done')`, Enough, judge.ID,
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
		at := labelling.At(set, pairID, judge)
		t, err := at.Turn(tx)
		if err != nil {
			return err
		}
		if t.State == labelling.Done {
			return fault.New(fault.Conflict, "You have judged this pair already. Undo your answer to change it.")
		}
		if p.Counter.Answers >= Enough {
			return fault.New(fault.Conflict, "This pair now has enough answers. Go to the next one.")
		}
		if err := at.Answer(tx, &labelling.Answer{Label: side, Body: first}); err != nil {
			return err
		}
		if err := audit.Note(tx, judge.Actor(), "preference.judged", "preference_pair", pairID, nil); err != nil {
			return err
		}
		return s.countTx(tx, p, side, 1)
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
		at := labelling.At(set, pairID, judge)
		t, err := at.Turn(tx)
		switch {
		case err != nil:
			return err
		case t.State == labelling.Skipped:
			return at.Move(tx, labelling.Open)
		}
		said, err := at.TakeBack(tx)
		if err == nil && len(said) == 0 {
			err = fault.New(fault.NotFound, "You haven't answered this pair.")
		}
		if err != nil {
			return err
		}
		if err := audit.Note(tx, judge.Actor(), "preference.undone", "preference_pair", pairID, nil); err != nil {
			return err
		}
		return s.countTx(tx, p, said[0].Label, -1)
	})
}

// countTx adds n answers for a side to the pair, and tells others of the choice as it is then.
func (s *Store) countTx(tx *db.Tx, p *Pair, side string, n int) error {
	tx.Touch("preferences")
	column := map[string]string{"left": "lefts", "right": "rights", Tie: "ties", BothBad: "bad"}[side]
	if err := db.Exec(tx, "preference: count", `UPDATE preference_pair SET answers = answers + $1, `+column+` = `+column+
		` + $1 WHERE id = $2`, n, p.ID); err != nil {
		return err
	}
	return s.chosenTx(tx, p.ID)
}

func (s *Store) chosenTx(tx *db.Tx, pairID string) error {
	p, err := getTx(tx, pairID)
	if err != nil || p.Origin == Revision {
		return err
	}
	return s.hooks.OnChosen(tx, *p)
}

// RefreshTx looks anew at the pairs about a guidance: after it was released or recalled.
func (s *Store) RefreshTx(tx *db.Tx, interactionID string) error {
	list, err := db.Column[string](tx, "preference: find pairs", `SELECT id FROM preference_pair
		WHERE interaction_id = $1 AND interaction_id <> '' AND state = 'open' AND origin <> 'revision'`, interactionID)
	for _, id := range list {
		if err == nil {
			err = s.chosenTx(tx, id)
		}
	}
	return err
}

// Skip passes a pair over; it waits for others, and comes again only after Undo or Unskip.
func (s *Store) Skip(ctx context.Context, pairID string, judge Person) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		if _, err := judgedTx(tx, pairID, judge); err != nil {
			return err
		}
		return labelling.At(set, pairID, judge).Skip(tx)
	})
}

// Unskip puts back what a judge passed over.
func (s *Store) Unskip(ctx context.Context, judge Person) error {
	return s.db.Write(ctx, func(tx *db.Tx) error { return labelling.Unskip(tx, set, judge.ID) })
}

// Mine is an answer of one's own, or a pair passed over, for the list under the pair: without whose texts they were.
type Mine struct {
	PairID  string
	Opening string // first words of the prompt; "" once erased
	Choice  string // as it was on the screen; "" of what was passed over
	At      time.Time
}

// Mine lists a judge's last answers and what they passed over, newest first.
func (s *Store) Mine(ctx context.Context, judge Person, n int) (list []Mine, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		said, err := labelling.Mine(tx, set, judge.ID, n)
		for _, a := range said {
			m := Mine{PairID: a.Item, Choice: a.Label, At: a.At}
			switch a.Label {
			case "": // passed over
			case a.Body:
				m.Choice = ABetter
			case "left", "right":
				m.Choice = BBetter
			}
			p, err := getTx(tx, a.Item)
			if err != nil {
				return err
			}
			m.Opening = text.Opening(p.Prompt, 80)
			list = append(list, m)
		}
		return err
	})
	return list, err
}
