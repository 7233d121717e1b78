package drill

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"time"

	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/id"
	"preceptor/internal/review"
)

// Round is one go through all cases of a pack.
type Round struct {
	ID      string
	Pack    string
	Begun   time.Time
	Answers []Answer // in the order of this round
}

// Answer is a case of a round, and what was answered to it.
type Answer struct {
	N          int // its place, from 1
	Case       Case
	Kind       string // as review.Input has it; "" until it is answered
	Text       string
	Reason     string
	ReasonCode string
	Outcome    string
	Left       []int // which faults were still in the text, from 0
	At         time.Time
}

// Answered counts what is answered.
func (r *Round) Answered() (n int) {
	for _, a := range r.Answers {
		if a.Kind != "" {
			n++
		}
	}
	return n
}

// Done tells whether every case is answered.
func (r *Round) Done() bool { return r.Answered() == len(r.Answers) }

// Next is the place of the next case without an answer, after the one at n and then from the beginning; 0 when there is
// none.
func (r *Round) Next(n int) (next int) {
	for _, a := range r.Answers {
		if a.Kind == "" && (next == 0 || next <= n && a.N > n) {
			next = a.N
		}
	}
	return next
}

// Last is the newest answer; nil before the first.
func (r *Round) Last() (last *Answer) {
	for i, a := range r.Answers {
		if a.Kind != "" && (last == nil || !a.At.Before(last.At)) {
			last = &r.Answers[i]
		}
	}
	return last
}

// At is the case at a place; NotFound where there is none.
func (r *Round) At(n int) (*Answer, error) {
	if i := slices.IndexFunc(r.Answers, func(a Answer) bool { return a.N == n }); i >= 0 {
		return &r.Answers[i], nil
	}
	return nil, noSuch()
}

// Count is how many answers had an outcome.
func (r *Round) Count(outcome string) (n int) {
	for _, a := range r.Answers {
		if a.Outcome == outcome {
			n++
		}
	}
	return n
}

func noSuch() error {
	return fault.New(fault.NotFound, "This practice round doesn't exist, or isn't yours.")
}

// Store keeps what people answered.
type Store struct {
	db   *db.DB
	find Find
}

// New makes the store.
func New(d *db.DB, find Find) *Store { return &Store{d, find} }

// Begin begins a round of a pack, in an order of its own; one that the person hasn't finished goes on instead.
func (s *Store) Begin(ctx context.Context, person, packName string) (string, error) {
	cases := Cases(packName)
	if len(cases) == 0 {
		return "", fault.Wrong("There are no practice cases for this work.", "pack", "Choose one from the list.")
	}
	return db.Write(ctx, s.db, func(tx *db.Tx) (string, error) {
		open, err := db.Maybe[string](tx, "drill: find an open round", `SELECT round_id FROM practice_answer
			WHERE person_id = $1 AND pack = $2 AND kind = ''
			ORDER BY begun_at LIMIT 1`, person, packName)
		if err != nil || open != "" {
			return open, err
		}
		round := id.New()
		for i, at := range rand.Perm(len(cases)) {
			if err := db.Exec(tx, "drill: begin", `INSERT INTO practice_answer (round_id, n, person_id, pack, case_id,
					begun_at)
				VALUES ($1, $2, $3, $4, $5, $6)`,
				round, i+1, person, packName, cases[at].ID, tx.NowMs()); err != nil {
				return "", err
			}
		}
		return round, nil
	})
}

// Rounds are a person's, newest first.
func (s *Store) Rounds(ctx context.Context, person string) ([]Round, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) ([]Round, error) { return rounds(tx, person, "") })
}

// Round is one of a person's; NotFound for one of somebody else, too.
func (s *Store) Round(ctx context.Context, person, round string) (*Round, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) (*Round, error) { return roundTx(tx, person, round) })
}

func roundTx(tx *db.Tx, person, round string) (*Round, error) {
	list, err := rounds(tx, person, round)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, noSuch()
	}
	return &list[0], nil
}

// rounds are a person's, or the one of an id. A case that the program no longer has is left out.
func rounds(tx *db.Tx, person, only string) (list []Round, err error) {
	return list, db.Each(tx, "drill: read rounds", func(row db.Row) error {
		var r Round
		var a Answer
		if err := row.Scan(&r.ID, &a.N, &r.Pack, &a.Case.ID, db.At(&r.Begun), &a.Kind, &a.Text, &a.Reason,
			&a.ReasonCode, &a.Outcome, db.JSON(&a.Left), db.At(&a.At)); err != nil {
			return err
		}
		if len(list) == 0 || list[len(list)-1].ID != r.ID {
			list = append(list, r)
		}
		cases, last := Cases(r.Pack), &list[len(list)-1]
		if i := slices.IndexFunc(cases, func(c Case) bool { return c.ID == a.Case.ID }); i >= 0 {
			a.Case = cases[i]
			last.Answers = append(last.Answers, a)
		}
		return nil
	}, `SELECT round_id, n, pack, case_id, begun_at, kind, text, reason, reason_code, outcome, still, answered_at
		FROM practice_answer
		WHERE person_id = $1 AND ($2 = '' OR round_id = $2) ORDER BY begun_at DESC, round_id, n`, person, only)
}

// Answer marks and keeps a person's answer to the case at a place. Its faults are those of the desk: Invalid with the
// fields to mend, and a Conflict for what is answered already.
func (s *Store) Answer(ctx context.Context, person, round string, n int, in review.Input) error {
	r, err := s.Round(ctx, person, round)
	if err != nil {
		return err
	}
	a, err := r.At(n)
	if err != nil {
		return err
	}
	if err := in.Ready(a.Case.Draft); err != nil {
		return err
	}
	outcome, left := a.Case.mark(in, s.find)
	still, err := json.Marshal(append([]int{}, left...))
	if err != nil {
		return err
	}
	return s.db.Write(ctx, func(tx *db.Tx) error {
		changed, err := db.Change(tx, "drill: answer", `UPDATE practice_answer SET kind = $1, text = $2, reason = $3,
			reason_code = $4, outcome = $5, still = $6, answered_at = $7
			WHERE person_id = $8 AND round_id = $9 AND n = $10 AND kind = ''`, in.Kind, in.Text, in.Reason,
			in.ReasonCode, outcome, string(still), tx.NowMs(), person, round, n)
		if err == nil && changed == 0 {
			err = fault.New(fault.Conflict, "You have answered this case already.")
		}
		return err
	})
}

// Undo takes back an answer, as long as the round isn't finished.
func (s *Store) Undo(ctx context.Context, person, round string, n int) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		r, err := roundTx(tx, person, round)
		if err != nil {
			return err
		}
		if _, err := r.At(n); err != nil {
			return err
		}
		if r.Done() {
			return fault.New(fault.Conflict,
				"All cases are answered, so nothing can be undone. Start again to answer them again.")
		}
		return db.Exec(tx, "drill: undo", `UPDATE practice_answer SET kind = '', text = '', reason = '',
			reason_code = '', outcome = '', still = '[]', answered_at = 0
			WHERE person_id = $1 AND round_id = $2 AND n = $3`, person, round, n)
	})
}

// Delete forgets a round.
func (s *Store) Delete(ctx context.Context, person, round string) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		return db.Exec(tx, "drill: delete", `DELETE FROM practice_answer
			WHERE person_id = $1 AND round_id = $2`, person, round)
	})
}

// Prune forgets the rounds in which nothing was answered for longer than Keep.
func (s *Store) Prune(ctx context.Context) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		return db.Exec(tx, "drill: prune", `DELETE FROM practice_answer WHERE round_id IN
			(SELECT round_id FROM practice_answer GROUP BY round_id
				HAVING max(begun_at) < $1 AND max(answered_at) < $1)`, db.Ms(tx.Now.Add(-Keep)))
	})
}
