// Package labelling is how people judge texts, whatever is judged: who has an item before them, what they answered,
// revised, took back and passed over, and what several answers come to.
//
// It owns the tables labelling_turn and labelling_answer. What an item is, who may have it, which comes next, to whom
// answers are shown and what follows from them is the kind's: gold sets (dataset), borderline cases
// (compliance/borderline), pairs of answers (feedback/preference) and practice cases (practice/drill). A kind keeps its
// items and its rulings, and joins these tables to them. The review desk keeps its own: a decision there is signed and
// sent, by one, and a skip is of a version.
//
// What it promises.
//   - A person has one turn at an item and at most one answer that stands. Nothing is overwritten: a revision is
//     another row, and what is taken back stays with the time when it was.
//   - An answer ends the turn and the draft. Taking it back leaves everything as it was before it, with the item before
//     the person.
//   - What is answered can't be passed over; what is passed over comes again only when asked for.
//   - Who is at work on an item is so for as long as the kind says since their last act (Holders).
//   - Nothing that one person does changes what another has. OfItem alone reads what several said: who calls it says to
//     whom.
//
// Decided against: an interface that kinds implement (they share rows and rules, not behaviour), items in one table (a
// pair, a case and a gold item have three columns in common), and one table of rulings (two kinds rule, and what
// follows differs).
package labelling

import (
	"errors"
	"time"

	"preceptor/internal/person"
	"preceptor/internal/platform/db"
)

// Person is who judges.
type Person = person.Person

// States of a turn.
const (
	Open    = "open"    // before the person, or theirs to take up again
	Done    = "done"    // answered
	Skipped = "skipped" // passed over
	Dropped = "dropped" // given back, or no longer needed
	Seen    = "seen"    // the person read the answers, and never gives one
)

// Place is one person's at an item of a set.
type Place struct {
	Set, Item string
	By        Person
}

// At is by's place at an item.
func At(set, item string, by Person) Place { return Place{set, item, by} }

// Turn is how far a person is with an item; without a state, they never had it.
type Turn struct {
	Seq    int64 // on the person's list
	State  string
	Origin string
	Flag   string
	Draft  string // what they typed and have not sent
}

// Turn reads it.
func (p Place) Turn(tx *db.Tx) (t Turn, err error) {
	_, err = db.One(tx, "labelling: read a turn", `SELECT seq, state, origin, flag, draft FROM labelling_turn
		WHERE item_id = $1 AND person_id = $2 AND set_id = $3`, p.Item, p.By.ID, p.Set).
		Find(&t.Seq, &t.State, &t.Origin, &t.Flag, &t.Draft)
	return t, err
}

// exec runs a statement whose last arguments are the place.
func (p Place) exec(tx *db.Tx, doing, query string, args ...any) error {
	return db.Exec(tx, "labelling: "+doing, query, append(args, p.Item, p.By.ID, p.Set)...)
}

// Put has a turn begin, or begin again, now.
func (p Place) Put(tx *db.Tx, t Turn) error {
	return p.exec(tx, "begin a turn", `INSERT INTO labelling_turn (name, seq, state, origin, since, at, item_id,
			person_id, set_id)
		VALUES ($1, $2, $3, $4, $5, $5, $6, $7, $8)
		ON CONFLICT (item_id, person_id, set_id)
			DO UPDATE SET name = excluded.name, seq = excluded.seq, state = excluded.state,
			origin = excluded.origin, since = excluded.since, at = excluded.at`, p.By.Name, t.Seq, t.State, t.Origin,
		tx.NowMs())
}

// Move has a turn come to another state.
func (p Place) Move(tx *db.Tx, to string) error {
	return p.exec(tx, "move a turn", `UPDATE labelling_turn SET state = $1, at = $2
		WHERE item_id = $3 AND person_id = $4 AND set_id = $5`, to, tx.NowMs())
}

// come has a turn come to a state, from wherever it is, unless the item is answered.
func (p Place) come(tx *db.Tx, to string) error {
	switch t, err := p.Turn(tx); {
	case err != nil || t.State == Done:
		return err
	case t.State == "":
		return p.Put(tx, Turn{State: to})
	}
	return p.Move(tx, to)
}

// Claim has the person be at work on an item now, unless they answered it. How long that lasts is the kind's to say
// (Holders).
func (p Place) Claim(tx *db.Tx) error { return p.come(tx, Open) }

// Skip passes an item over, unless it is answered.
func (p Place) Skip(tx *db.Tx) error { return p.come(tx, Skipped) }

// SaveDraft keeps what the person typed, until they answer.
func (p Place) SaveDraft(tx *db.Tx, draft string) error {
	return p.exec(tx, "keep a draft", `UPDATE labelling_turn SET draft = $1
		WHERE item_id = $2 AND person_id = $3 AND set_id = $4 AND state <> 'done'`, draft)
}

// Holders are who has been at work on an item since a time.
func Holders(tx *db.Tx, set, item string, since time.Time) ([]Person, error) {
	return db.Rows(tx, "labelling: read who works on it", func(p *Person) []any { return []any{&p.ID, &p.Name} },
		`SELECT person_id, name FROM labelling_turn
			WHERE item_id = $1 AND set_id = $2 AND state = 'open' AND at > $3
			ORDER BY since, person_id`,
		item, set, db.Ms(since))
}

// Unskip has all that a person passed over in a set wait for them again.
func Unskip(tx *db.Tx, set, personID string) error {
	return db.Exec(tx, "labelling: unskip", `UPDATE labelling_turn SET state = 'open', at = $1
		WHERE set_id = $2 AND person_id = $3 AND state = 'skipped'`, tx.NowMs(), set, personID)
}

// Off takes an item off everybody's list.
func Off(tx *db.Tx, set, item string) error {
	return db.Exec(tx, "labelling: take off the lists", `UPDATE labelling_turn SET state = 'dropped', at = $1
		WHERE item_id = $2 AND set_id = $3 AND state = 'open'`, tx.NowMs(), item, set)
}

// Clear forgets who had an item without answering it, and what they typed.
func Clear(tx *db.Tx, set, item string) error {
	return db.Exec(tx, "labelling: clear the turns", `DELETE FROM labelling_turn
		WHERE item_id = $1 AND set_id = $2 AND state IN ('open', 'skipped')`,
		item, set)
}

// Rename gives a person their new name where they are at work.
func Rename(tx *db.Tx, set, personID, name string) error {
	return db.Exec(tx, "labelling: rename", `UPDATE labelling_turn SET name = $1
		WHERE set_id = $2 AND person_id = $3`, name, set, personID)
}

// Forget takes out what a person has and answered in a set that is theirs alone.
func Forget(tx *db.Tx, set, personID string) error {
	return errors.Join(
		db.Exec(tx, "labelling: forget", `DELETE FROM labelling_turn
			WHERE set_id = $1 AND person_id = $2`, set, personID),
		db.Exec(tx, "labelling: forget", `DELETE FROM labelling_answer
			WHERE set_id = $1 AND by_id = $2`, set, personID))
}
