package labelling

import (
	"errors"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/id"
)

// Answer is one person's answer to an item.
type Answer struct {
	ID       string
	Set      string
	Item     string
	By       Person
	Revision int    // 1, 2 ...
	First    bool   // agreement is measured on it
	Standing bool   // neither revised nor taken back
	Late     bool   // revised after the answers were there to be seen
	Label    string // what answers are compared by
	Body     string // the answer, whole, in the kind's own form
	Seq      int    // the person's n-th in this set, where the kind counts them
	SpentMs  int64
	Outcome  int // of a check item: 1 right, -1 wrong; else 0
	Rubric   string
	At       time.Time
	UndoneAt time.Time // zero: it was not taken back
}

const answerColumns = `SELECT id, set_id, item_id, by_id, by_name, revision, first, standing, late, label, answer, seq,
	spent_ms, outcome, rubric, at, undone_at
	FROM labelling_answer`

func answersTx(tx *db.Tx, query string, args ...any) ([]Answer, error) {
	return db.Rows(tx, "labelling: read answers", func(a *Answer) []any {
		return []any{&a.ID, &a.Set, &a.Item, &a.By.ID, &a.By.Name, &a.Revision, &a.First, &a.Standing, &a.Late,
			&a.Label, &a.Body, &a.Seq,
			&a.SpentMs, &a.Outcome, &a.Rubric, db.At(&a.At), db.At(&a.UndoneAt)}
	}, query, args...)
}

// OfItem are all answers to an item, by time, also those that were revised or taken back.
func OfItem(tx *db.Tx, set, item string) ([]Answer, error) {
	return answersTx(tx, answerColumns+` WHERE item_id = $1 AND set_id = $2 ORDER BY at, id`, item, set)
}

// Answers are the person's that were not taken back, by revision: the last one stands.
func (p Place) Answers(tx *db.Tx) ([]Answer, error) {
	return answersTx(tx, answerColumns+` WHERE item_id = $1 AND by_id = $2 AND set_id = $3 AND undone_at = 0
		ORDER BY revision`, p.Item, p.By.ID, p.Set)
}

// Answer stores the person's answer in the place of one that stands, and ends their turn.
func (p Place) Answer(tx *db.Tx, a *Answer) error {
	var counting int
	if err := db.One(tx, "labelling: read earlier answers", `SELECT coalesce(max(revision), 0) + 1,
		count(*) FILTER (WHERE undone_at = 0)
		FROM labelling_answer WHERE item_id = $1 AND by_id = $2 AND set_id = $3`, p.Item, p.By.ID,
		p.Set).Scan(&a.Revision, &counting); err != nil {
		return err
	}
	a.ID, a.Set, a.Item, a.By, a.First, a.Standing, a.At = id.New(), p.Set, p.Item, p.By, counting == 0, true, tx.Now
	return errors.Join(
		p.exec(tx, "revise an answer", `UPDATE labelling_answer SET standing = 0
			WHERE item_id = $1 AND by_id = $2 AND set_id = $3 AND standing = 1`),
		p.exec(tx, "store an answer", `INSERT INTO labelling_answer (id, by_name, revision, first, standing, late,
				label, answer, seq, spent_ms,
				outcome, rubric, at, item_id, by_id, set_id)
			VALUES ($1, $2, $3, $4, 1, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`, a.ID, p.By.Name, a.Revision,
			a.First, a.Late, a.Label,
			a.Body, a.Seq, a.SpentMs, a.Outcome, a.Rubric, tx.NowMs()),
		p.exec(tx, "end a turn", `INSERT INTO labelling_turn (name, state, since, at, item_id, person_id, set_id)
			VALUES ($1, 'done', $2, $2, $3, $4, $5)
			ON CONFLICT (item_id, person_id, set_id) DO UPDATE SET state = 'done', draft = '',
				at = CASE labelling_turn.state WHEN 'done' THEN labelling_turn.at ELSE excluded.at END`, p.By.Name,
			tx.NowMs()))
}

// TakeBack takes the person's answer back with its revisions: they have the item before them again. It returns them;
// none, if there was nothing to take back.
func (p Place) TakeBack(tx *db.Tx) ([]Answer, error) {
	list, err := p.Answers(tx)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return list, errors.Join(p.exec(tx, "take an answer back", `UPDATE labelling_answer SET standing = 0, outcome = 0,
		undone_at = $1
		WHERE item_id = $2 AND by_id = $3 AND set_id = $4 AND undone_at = 0`, tx.NowMs()), p.Move(tx, Open))
}

// Unrevise takes the revisions of an answer back: the first stands again, and the person has the item before them.
func (p Place) Unrevise(tx *db.Tx) error {
	return errors.Join(p.exec(tx, "take a revision back", `UPDATE labelling_answer SET undone_at = $1, standing = 0
			WHERE item_id = $2 AND by_id = $3 AND set_id = $4 AND undone_at = 0 AND first = 0`, tx.NowMs()),
		p.exec(tx, "take a revision back", `UPDATE labelling_answer SET standing = 1
			WHERE item_id = $1 AND by_id = $2 AND set_id = $3 AND undone_at = 0`), p.Move(tx, Open))
}

// Rewrite replaces the body of an answer: an erasure takes words out.
func Rewrite(tx *db.Tx, answerID, body string) error {
	return db.Exec(tx, "labelling: rewrite an answer", `UPDATE labelling_answer SET answer = $1
		WHERE id = $2`, body, answerID)
}

// Mine are a person's answers that stand in a set and what they passed over there, newest first, at most n. What they
// passed over has no id.
func Mine(tx *db.Tx, set, personID string, n int) ([]Answer, error) {
	return answersTx(tx, mineSQL, set, personID, n)
}

const mineSQL = `SELECT * FROM (` + answerColumns + ` WHERE set_id = $1 AND by_id = $2 AND standing = 1
	ORDER BY at DESC, id DESC LIMIT $3) AS said
	UNION ALL SELECT '', set_id, item_id, person_id, name, 0, 0, 0, 0, '', '', 0, 0, 0, '', at, 0 FROM labelling_turn
	WHERE set_id = $1 AND person_id = $2 AND state = 'skipped' ORDER BY 16 DESC, 3 DESC, 1 DESC LIMIT $3`
