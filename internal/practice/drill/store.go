package drill

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"preceptor/internal/labelling"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
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
	N    int // its place, from 1
	Case Case
	item string
	Said
}

// Said is an answer as it is kept.
type Said struct {
	Kind       string    `json:"kind"` // as review.Input has it; "" until it is answered
	Text       string    `json:"text"`
	Reason     string    `json:"reason"`
	ReasonCode string    `json:"reason_code"`
	Outcome    string    `json:"-"`    // as it was marked then
	Left       []int     `json:"left"` // which faults were still in the text, from 0
	At         time.Time `json:"-"`
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

// Done reports whether every case is answered.
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

// place is a person's at a case of a round.
func place(person, round, item string) labelling.Place {
	return labelling.At(round, item, labelling.Person{ID: person})
}

// Begin begins a round of a pack, in an order of its own; one that the person hasn't finished goes on instead.
func (s *Store) Begin(ctx context.Context, person, packName string) (string, error) {
	cases := Cases(packName)
	if len(cases) == 0 {
		return "", fault.Wrong("There are no practice cases for this work.", "pack", "Choose one from the list.")
	}
	return db.Write(ctx, s.db, func(tx *db.Tx) (string, error) {
		list, err := rounds(tx, person, "")
		if err != nil {
			return "", err
		}
		for _, r := range slices.Backward(list) {
			if r.Pack == packName && !r.Done() {
				return r.ID, nil
			}
		}
		round := id.New()
		for i, at := range rand.Perm(len(cases)) {
			if err := place(person, round, packName+"/"+cases[at].ID).Put(tx,
				labelling.Turn{Seq: int64(i + 1), State: labelling.Open, Origin: "practice"}); err != nil {
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
		if err := row.Scan(&r.ID, &a.N, &a.item, db.At(&r.Begun), db.JSON(&a.Said), &a.Outcome,
			db.At(&a.At)); err != nil {
			return err
		}
		packName, caseID, _ := strings.Cut(a.item, "/")
		if len(list) == 0 || list[len(list)-1].ID != r.ID {
			r.Pack = packName
			list = append(list, r)
		}
		cases, last := Cases(packName), &list[len(list)-1]
		if i := slices.IndexFunc(cases, func(c Case) bool { return c.ID == caseID }); i >= 0 {
			a.Case = cases[i]
			last.Answers = append(last.Answers, a)
		}
		return nil
	}, `SELECT t.set_id, t.seq, t.item_id, t.since, coalesce(a.answer, '{}'), coalesce(a.label, ''), coalesce(a.at, 0)
		FROM labelling_turn t
		LEFT JOIN labelling_answer a ON a.item_id = t.item_id AND a.by_id = t.person_id AND a.set_id = t.set_id
			AND a.standing = 1
		WHERE t.origin = 'practice' AND t.person_id = $1 AND ($2 = '' OR t.set_id = $2)
			ORDER BY t.since DESC, t.set_id, t.seq`, person, only)
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
	body, err := json.Marshal(Said{Kind: in.Kind, Text: in.Text, Reason: in.Reason, ReasonCode: in.ReasonCode,
		Left: left})
	if err != nil {
		return err
	}
	return s.db.Write(ctx, func(tx *db.Tx) error {
		at := place(person, round, a.item)
		t, err := at.Turn(tx)
		if err != nil {
			return err
		}
		if t.State != labelling.Open {
			return fault.New(fault.Conflict, "You have answered this case already.")
		}
		return at.Answer(tx, &labelling.Answer{Label: outcome, Body: string(body)})
	})
}

// Undo takes back an answer, as long as the round isn't finished.
func (s *Store) Undo(ctx context.Context, person, round string, n int) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		r, err := roundTx(tx, person, round)
		if err != nil {
			return err
		}
		a, err := r.At(n)
		if err != nil {
			return err
		}
		if r.Done() {
			return fault.New(fault.Conflict,
				"All cases are answered, so nothing can be undone. Start again to answer them again.")
		}
		taken, err := place(person, round, a.item).TakeBack(tx)
		for _, old := range taken { // what was taken back is the person's own, and goes
			err = errors.Join(err, labelling.Rewrite(tx, old.ID, "{}"))
		}
		return err
	})
}

// Delete forgets a round.
func (s *Store) Delete(ctx context.Context, person, round string) error {
	return s.db.Write(ctx, func(tx *db.Tx) error { return labelling.Forget(tx, round, person) })
}

// Prune forgets the rounds in which nothing was answered for longer than Keep.
func (s *Store) Prune(ctx context.Context) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		old := map[string]string{}
		err := db.Each(tx, "drill: find old rounds", db.Pairs(old), `SELECT set_id, person_id FROM labelling_turn
			WHERE origin = 'practice'
			GROUP BY 1, 2 HAVING max(at) < $1`, db.Ms(tx.Now.Add(-Keep)))
		for round, person := range old {
			err = errors.Join(err, labelling.Forget(tx, round, person))
		}
		return err
	})
}
