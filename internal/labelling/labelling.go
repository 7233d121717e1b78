// Package labelling is how people judge texts, whatever is judged: who has an item before them, what they answered, what they passed
// over or took back, and what several answers come to.
//
// It owns the tables labelling_turn and labelling_answer. What an item is, who may have it, which comes next and what follows from an
// answer is the kind's: pairs of answers (feedback/preference) and practice cases (practice/drill). A kind keeps its items, and
// joins these tables to them.
//
// What it promises.
//   - A person has one turn at an item and at most one answer that stands. Nothing is overwritten: a revision is another row, and
//     what is taken back stays with the time when it was.
//   - An answer ends the turn and the draft. Taking it back leaves the person where they were before it, with the item before them.
//   - What is answered can't be passed over; what is passed over comes again only when asked for.
//   - It shows nobody another person's answer: kinds ask for those by name (OfItem), and say themselves to whom they may be shown.
//
// Decided against: an interface that kinds implement (they share rows, not behaviour), and items in one table (a pair, a case and a
// gold item have three columns in common).
package labelling

import (
	"errors"
	"time"

	"preceptor/internal/db"
	"preceptor/internal/id"
	"preceptor/internal/person"
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

// Turn is how far a person is with an item; without a state, they never had it.
type Turn struct {
	Item   string
	Seq    int64 // on the person's list
	State  string
	Origin string
	Flag   string
	Draft  string
	Since  time.Time
	At     time.Time
	Until  time.Time // an open one lapses then; zero: never
}

const turnColumns = `item_id, seq, state, origin, flag, draft, since, at, until`

func turnFields(t *Turn) []any {
	return []any{&t.Item, &t.Seq, &t.State, &t.Origin, &t.Flag, &t.Draft, db.At(&t.Since), db.At(&t.At), db.At(&t.Until)}
}

// Turn reads it.
func (p Place) Turn(tx *db.Tx) (t Turn, err error) {
	_, err = db.One(tx, "labelling: read a turn", `SELECT `+turnColumns+` FROM labelling_turn
		WHERE item_id = $1 AND person_id = $2 AND set_id = $3`, p.Item, p.By.ID, p.Set).Find(turnFields(&t)...)
	return t, err
}

// Put has a turn begin, or begin again; its times are now, but for the lease.
func (p Place) Put(tx *db.Tx, t Turn) error {
	return db.Exec(tx, "labelling: begin a turn", `INSERT INTO labelling_turn (set_id, item_id, person_id, name, seq, state, origin, since, at, until)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)
		ON CONFLICT (item_id, person_id, set_id) DO UPDATE SET name = excluded.name, seq = excluded.seq, state = excluded.state,
			origin = excluded.origin, since = excluded.since, at = excluded.at, until = excluded.until`,
		p.Set, p.Item, p.By.ID, p.By.Name, t.Seq, t.State, t.Origin, tx.NowMs(), db.Ms(t.Until))
}

// Move has a turn come to another state.
func (p Place) Move(tx *db.Tx, to string) error {
	return db.Exec(tx, "labelling: move a turn", `UPDATE labelling_turn SET state = $1, at = $2 WHERE item_id = $3 AND person_id = $4 AND set_id = $5`,
		to, tx.NowMs(), p.Item, p.By.ID, p.Set)
}

// Skip passes an item over, unless it is answered.
func (p Place) Skip(tx *db.Tx) error {
	t, err := p.Turn(tx)
	switch {
	case err != nil || t.State == Done || t.State == Skipped:
		return err
	case t.State == "":
		return p.Put(tx, Turn{State: Skipped})
	}
	return p.Move(tx, Skipped)
}

// Unskip has all that a person passed over in a set wait for them again.
func Unskip(tx *db.Tx, set, personID string) error {
	return db.Exec(tx, "labelling: unskip", `UPDATE labelling_turn SET state = 'open', at = $1 WHERE set_id = $2 AND person_id = $3 AND state = 'skipped'`,
		tx.NowMs(), set, personID)
}

// Forget takes out what a person has and answered in a set that is theirs alone.
func Forget(tx *db.Tx, set, personID string) error {
	return errors.Join(db.Exec(tx, "labelling: forget", `DELETE FROM labelling_turn WHERE set_id = $1 AND person_id = $2`, set, personID),
		db.Exec(tx, "labelling: forget", `DELETE FROM labelling_answer WHERE set_id = $1 AND by_id = $2`, set, personID))
}

// Answer is one person's answer to an item.
type Answer struct {
	ID       string
	Item     string
	By       Person
	Revision int    // 1, 2 ...
	First    bool   // agreement is measured on it
	Standing bool   // neither revised nor taken back
	Label    string // what answers are compared by
	Body     string // the answer, whole, in the kind's own form
	At       time.Time
	UndoneAt time.Time // zero: it was not taken back
}

const answerColumns = `SELECT a.id, a.item_id, a.by_id, a.by_name, a.revision, a.first, a.standing, a.label, a.answer, a.at, a.undone_at FROM labelling_answer a`

func answerFields(a *Answer) []any {
	return []any{&a.ID, &a.Item, &a.By.ID, &a.By.Name, &a.Revision, &a.First, &a.Standing, &a.Label, &a.Body, db.At(&a.At), db.At(&a.UndoneAt)}
}

// Answer stores the person's answer in the place of one that stands, and ends their turn.
func (p Place) Answer(tx *db.Tx, a *Answer) error {
	var before, counting int
	if err := db.One(tx, "labelling: read earlier answers", `SELECT coalesce(max(revision), 0), count(*) FILTER (WHERE undone_at = 0)
		FROM labelling_answer WHERE item_id = $1 AND by_id = $2 AND set_id = $3`, p.Item, p.By.ID, p.Set).Scan(&before, &counting); err != nil {
		return err
	}
	a.ID, a.Item, a.By, a.Revision, a.First, a.Standing, a.At = id.New(), p.Item, p.By, before+1, counting == 0, true, tx.Now
	if err := db.Exec(tx, "labelling: revise an answer", `UPDATE labelling_answer SET standing = 0
		WHERE item_id = $1 AND by_id = $2 AND set_id = $3 AND standing = 1`, p.Item, p.By.ID, p.Set); err != nil {
		return err
	}
	if err := db.Exec(tx, "labelling: store an answer", `INSERT INTO labelling_answer (id, set_id, item_id, by_id, by_name, revision, first, standing, label, answer, at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8, $9, $10)`,
		a.ID, p.Set, p.Item, p.By.ID, p.By.Name, a.Revision, a.First, a.Label, a.Body, tx.NowMs()); err != nil {
		return err
	}
	return db.Exec(tx, "labelling: end a turn", `INSERT INTO labelling_turn (set_id, item_id, person_id, name, state, since, at) VALUES ($1, $2, $3, $4, 'done', $5, $5)
		ON CONFLICT (item_id, person_id, set_id) DO UPDATE SET state = 'done', draft = '', until = 0, at = excluded.at`,
		p.Set, p.Item, p.By.ID, p.By.Name, tx.NowMs())
}

// TakeBack takes the person's answer back with its revisions: they have the item before them again. It returns the one that stood;
// found is false where none did.
func (p Place) TakeBack(tx *db.Tx) (a Answer, found bool, err error) {
	found, err = db.One(tx, "labelling: read an answer", answerColumns+` WHERE a.item_id = $1 AND a.by_id = $2 AND a.set_id = $3 AND a.standing = 1`,
		p.Item, p.By.ID, p.Set).Find(answerFields(&a)...)
	if err != nil || !found {
		return a, false, err
	}
	return a, true, errors.Join(db.Exec(tx, "labelling: take an answer back", `UPDATE labelling_answer SET standing = 0, outcome = -1, undone_at = $1
		WHERE item_id = $2 AND by_id = $3 AND set_id = $4 AND undone_at = 0`, tx.NowMs(), p.Item, p.By.ID, p.Set), p.Move(tx, Open))
}

// Mine are a person's answers that stand in a set and what they passed over there, newest first, at most n. What they passed over has
// no label.
func Mine(tx *db.Tx, set, personID string, n int) ([]Answer, error) {
	return db.Rows(tx, "labelling: list one's own", answerFields, mineSQL, set, personID, n)
}

const mineSQL = `SELECT * FROM (SELECT a.id, a.item_id, a.by_id, a.by_name, a.revision, a.first, a.standing, a.label, a.answer, a.at, a.undone_at
	FROM labelling_answer a WHERE a.set_id = $1 AND a.by_id = $2 AND a.standing = 1 ORDER BY a.at DESC, a.id DESC LIMIT $3)
	UNION ALL SELECT '', item_id, person_id, name, 0, 0, 0, '', '', at, 0 FROM labelling_turn
	WHERE set_id = $1 AND person_id = $2 AND state = 'skipped' ORDER BY 10 DESC, 1 DESC, 2 DESC LIMIT $3`
