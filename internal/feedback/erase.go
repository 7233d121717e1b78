package feedback

import (
	"context"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
)

// EraseTx takes every text away that hangs on a subject: what people wrote with their votes, named issues, exemplars
// made of it, and, of an observed one, its query, response and metadata. Votes and scores stay as numbers without a
// user. It returns how many texts there were, and the subjects whose prompts may hold an exemplar that is gone.
func (b *Book) EraseTx(tx *db.Tx, subjectID string) (texts int, shown []string, err error) {
	if subjectID == "" {
		return 0, nil, nil
	}
	gone := audit.ErasedText(tx.Now)
	for _, q := range []struct {
		text string
		args []any
	}{
		{`UPDATE vote_history SET text = ''
			WHERE text <> '' AND vote_id IN (SELECT id FROM vote WHERE subject_id = $1)`, []any{subjectID}},
		{`UPDATE vote SET text = '', erased_at = $1
			WHERE text <> '' AND subject_id = $2`, []any{tx.NowMs(), subjectID}},
		{`UPDATE outcome_history SET issues = '[]'
			WHERE issues <> '[]' AND outcome_id IN (SELECT id FROM outcome WHERE subject_id = $1)`, []any{subjectID}},
		{`UPDATE outcome SET issues = '[]', erased_at = $1
			WHERE issues <> '[]' AND subject_id = $2`, []any{tx.NowMs(), subjectID}},
		{`UPDATE experience SET query = '', response = '', metadata = '', erased_at = $1
			WHERE erased_at = 0 AND subject_id = $2`, []any{tx.NowMs(), subjectID}},
		{`UPDATE observed SET query = $1, response = $2, metadata = '', user_id = '', session_id = '', erased_at = $3
			WHERE id = $4 AND erased_at = 0`, []any{gone, gone, tx.NowMs(), subjectID}},
	} {
		n, err := changed(tx, q.text, q.args...)
		if err != nil {
			return texts, nil, err
		}
		texts += n
	}
	// A user's own id may be personal; which vote replaced which is settled, so it can go.
	if _, err := changed(tx, `UPDATE vote SET user_id = id WHERE subject_id = $1`, subjectID); err != nil {
		return texts, nil, err
	}
	if _, err := changed(tx, `UPDATE outcome SET by_id = ''
		WHERE subject_id = $1 AND channel <> 'desk'`, subjectID); err != nil {
		return texts, nil, err
	}
	n, shown, err := b.eraseExemplarsTx(tx, subjectID, gone)
	texts += n
	if err != nil {
		return texts, nil, err
	}
	if texts > 0 {
		tx.Touch(Topic)
	}
	return texts, shown, b.leaveTx(tx, subjectID)
}

// eraseExemplarsTx empties exemplars whose good answer is the subject's, and takes its answer out of those where it is
// the bad one.
func (b *Book) eraseExemplarsTx(tx *db.Tx, subjectID, gone string) (n int, shown []string, err error) {
	list, err := exemplarsTx(tx, `WHERE good_subject = $1 AND state <> 'erased'`, subjectID)
	if err != nil {
		return 0, nil, err
	}
	for _, e := range list {
		if shown, err = usersTx(tx, shown, e.ID); err != nil {
			return n, nil, err
		}
		if _, err := changed(tx, `UPDATE exemplar SET query = $1, good = $2, bad = '', bad_subject = '', answer = '',
			state = 'erased', why = $3, changed_at = $4
			WHERE id = $5`, gone, gone, gone, tx.NowMs(), e.ID); err != nil {
			return n, nil, err
		}
		if err := audit.Note(tx, me, "exemplar.erased", "exemplar", e.ID, nil); err != nil {
			return n, nil, err
		}
		n++
	}
	more, err := changed(tx, `UPDATE exemplar SET bad = '', bad_subject = '', changed_at = $1
		WHERE bad_subject = $2`, tx.NowMs(), subjectID)
	b.changed(tx)
	return n + more, shown, err
}

func usersTx(tx *db.Tx, into []string, exemplarID string) ([]string, error) {
	users, err := db.Column[string](tx, "feedback: find what used an exemplar", `SELECT subject_id
		FROM exemplar_use WHERE exemplar_id = $1`, exemplarID)
	return append(into, users...), err
}

// leaveTx has what was erased carry nothing from now on. The vector of its query goes too where it stood for the group:
// a vector tells of its text.
func (b *Book) leaveTx(tx *db.Tx, subjectID string) error {
	groupID, err := memberTx(tx, subjectID)
	if err != nil || groupID == "" {
		return err
	}
	for _, q := range []string{
		`UPDATE query_member SET eligible = 0, answer = '', query_hash = subject_id WHERE subject_id = $1`,
		`UPDATE query_group SET model = '', vector = coalesce(substr(vector, 1, 0), vector)
			WHERE id = (SELECT group_id FROM query_member WHERE subject_id = $1)
			AND $1 = (SELECT m.subject_id FROM query_member m WHERE m.group_id = query_group.id
				ORDER BY m.at, m.subject_id LIMIT 1)`,
	} {
		if _, err := changed(tx, q, subjectID); err != nil {
			return err
		}
	}
	_, err = b.weighTx(tx, groupID)
	return err
}

func changed(tx *db.Tx, query string, args ...any) (int, error) {
	return db.Change(tx, "feedback: erase", query, args...)
}

// What a user's own id stands on, as WalkUsers and EraseOfUserTx take it.
const (
	UserObserved = "observed"
	UserVote     = "vote"
	UserOutcome  = "outcome"
)

// UserKinds lists them.
var UserKinds = []string{UserObserved, UserVote, UserOutcome}

var walks = map[string]string{
	UserObserved: `SELECT id, user_id FROM observed
		WHERE id > $1 AND erased_at = 0 AND user_id <> ''
		ORDER BY id LIMIT $2`,
	UserVote: `SELECT id, user_id FROM vote WHERE id > $1 AND user_id <> id ORDER BY id LIMIT $2`,
	UserOutcome: `SELECT id, by_id FROM outcome WHERE id > $1 AND by_id <> '' AND channel <> 'desk'
		ORDER BY id LIMIT $2`,
}

// WalkUsers gives every row of a kind that names its user, after the one of id after, in the order of ids: at most n.
// It is for erasure, which looks through all of them.
func (b *Book) WalkUsers(ctx context.Context, kind, after string, n int,
	give func(id, userID string)) (last string, err error) {
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		return db.Each(tx, "feedback: look for a user", func(row db.Row) error {
			var rowID, userID string
			if err := row.Scan(&rowID, &userID); err != nil {
				return err
			}
			last = rowID
			give(rowID, userID)
			return nil
		}, walks[kind], after, n)
	})
	return last, err
}

// EraseOfUserTx takes a user out of one row: of an observed interaction everything, as EraseTx does; of a vote or an
// outcome what they wrote and who they are. The numbers stay. It returns how many texts there were, and the subjects as
// EraseTx does.
func (b *Book) EraseOfUserTx(tx *db.Tx, kind, rowID string) (texts int, shown []string, err error) {
	switch kind {
	case UserObserved:
		return b.EraseTx(tx, rowID)
	case UserVote:
		if _, err := changed(tx, `UPDATE vote_history SET text = '' WHERE vote_id = $1`, rowID); err != nil {
			return 0, nil, err
		}
		texts, err = changed(tx, `UPDATE vote SET text = '', user_id = id, erased_at = $1
			WHERE id = $2 AND user_id <> id`, tx.NowMs(), rowID)
	default:
		if _, err := changed(tx, `UPDATE outcome_history SET issues = '[]' WHERE outcome_id = $1`, rowID); err != nil {
			return 0, nil, err
		}
		texts, err = changed(tx, `UPDATE outcome SET issues = '[]', by_id = '', erased_at = $1
			WHERE id = $2 AND by_id <> ''`, tx.NowMs(), rowID)
	}
	tx.Touch(Topic)
	return texts, nil, err
}
