package borderline

import (
	"context"
	"errors"
	"fmt"

	"preceptor/internal/platform/db"
)

// Stuck are the open cases that every expert has answered or sent: a manager or an administrator decides them, or
// closes them as unresolved.
func (s *Store) Stuck(ctx context.Context) ([]Case, error) {
	return db.Read(ctx, s.db, s.stuckTx)
}

func (s *Store) stuckTx(tx *db.Tx) (list []Case, err error) {
	experts, err := s.hooks.Experts(tx)
	if err != nil {
		return nil, err
	}
	begun := ` AND (answered > 0 OR sent_by <> '')`
	if len(experts) == 0 {
		begun = ""
	}
	open, err := casesTx(tx, ` WHERE state IN ('waiting', 'adjudication') AND text_hash <> ''`+begun+
		` ORDER BY created_at, id LIMIT $1`, mostStuck)
	if err != nil {
		return nil, err
	}
	for _, c := range open {
		left, err := leftTx(tx, &c, experts)
		if err != nil {
			return nil, err
		}
		if !left {
			list = append(list, c)
		}
	}
	return list, nil
}

// mostStuck is how many of the oldest cases are looked at.
const mostStuck = 500

// leftTx reports whether one of some people can bring a case further: answer it, settle an answer, or adjudicate.
func leftTx(tx *db.Tx, c *Case, people []Person) (bool, error) {
	answers, err := answersTx(tx, c.ID)
	if err != nil {
		return false, fmt.Errorf("borderline: who can bring %s further: %w", c.ID, err)
	}
	for _, p := range people {
		mine := latest(answers, p.ID)
		if p.ID != c.sentBy.ID && (mine == nil || c.State == Waiting && mine.Step != Final) {
			return true, nil
		}
	}
	return false, nil
}

// tellIfStuck tells at once of a case that the last answer left with no expert.
func (s *Store) tellIfStuck(tx *db.Tx, c *Case) error {
	experts, err := s.hooks.Experts(tx)
	left, err2 := leftTx(tx, c, experts)
	if err = errors.Join(err, err2); left || err != nil {
		return err
	}
	return s.hooks.OnStuck(tx, []Case{*c})
}

// TellStuck hands what Stuck finds, if only nothing, to OnStuck, which decides who hears of it and how often. It
// returns how many there were.
func (s *Store) TellStuck(ctx context.Context) (n int, err error) {
	list, err := s.Stuck(ctx)
	if err != nil {
		return 0, err
	}
	return len(list), s.db.Write(ctx, func(tx *db.Tx) error { return s.hooks.OnStuck(tx, list) })
}
