package borderline

import (
	"encoding/json"
	"fmt"

	"preceptor/internal/audit"
	"preceptor/internal/labelling"
	"preceptor/internal/platform/db"
)

// Erased says what an erasure found with the experts.
type Erased struct {
	Texts   int      // of cases and ratings, notes and answers
	Rulings []string // ids, for whoever made something of them
	Cases   []string
}

// EraseTx takes the words out of everything that the experts have of an interaction: the texts, what people noted,
// answered and typed, the marks, the clicks and the phrases that divided the judges. What was ruled on its sentences
// holds no more. Labels, and who gave them when, stay, and so does the fact of a ruling. An open case is overtaken.
func (s *Store) EraseTx(tx *db.Tx, interactionID string) (n Erased, err error) {
	if err := s.overtakeTx(tx, interactionID, audit.System("Erasure"), erased); err != nil {
		return n, err
	}
	mark := audit.ErasedText(tx.Now)
	if n.Cases, err = db.Column[string](tx, "borderline: erase", `SELECT id FROM borderline_case
		WHERE interaction_id = $1 ORDER BY id`, interactionID); err != nil {
		return n, err
	}
	if n.Rulings, err = db.Column[string](tx, "borderline: erase", `SELECT id FROM borderline_ruling
		WHERE interaction_id = $1 ORDER BY id`, interactionID); err != nil {
		return n, err
	}
	if err := bareVerdicts(tx, interactionID); err != nil {
		return n, err
	}
	for _, q := range []struct {
		sql  string
		args []any
	}{
		{`UPDATE borderline_case SET who = '', opening = $1, text = $1, text_hash = '', note = CASE note
			WHEN '' THEN '' ELSE $1 END
			WHERE interaction_id = $2 AND text <> $1`, []any{mark, interactionID}},
		{`UPDATE borderline_rating SET who = '', opening = $1, text = $1, note = CASE note WHEN '' THEN '' ELSE $1 END,
			state = CASE state WHEN 'waiting' THEN 'dropped' ELSE state END
				WHERE interaction_id = $2 AND text <> $1`, []any{mark, interactionID}},
		{`UPDATE borderline_ruling SET rationale = $1, pattern = '{}', text_hash = '', clicks = '[]'
			WHERE interaction_id = $2 AND rationale <> $1`, []any{mark, interactionID}},
		{`UPDATE borderline_remark SET text = $1, quote = '', start = 0, finish = 0
			WHERE text <> $1 AND case_id IN (SELECT id FROM borderline_case WHERE interaction_id = $2)`,
			[]any{mark, interactionID}},
	} {
		rows, err := db.Change(tx, "borderline: erase "+interactionID, q.sql, q.args...)
		if err != nil {
			return n, err
		}
		n.Texts += int(rows)
	}
	for _, caseID := range n.Cases {
		texts, err := bareAnswers(tx, caseID, mark)
		if n.Texts += texts; err != nil {
			return n, err
		}
	}
	rows, err := s.sentences.EraseTx(tx, interactionID)
	n.Texts += rows
	touch(tx)
	return n, err
}

// bareVerdicts takes the words out of the verdicts that cases were made with.
func bareVerdicts(tx *db.Tx, interactionID string) error {
	list, err := casesTx(tx, ` WHERE interaction_id = $1`, interactionID)
	if err != nil {
		return err
	}
	for _, c := range list {
		verdict, err := json.Marshal(c.verdict.Bare())
		if err != nil {
			return fmt.Errorf("borderline: encode a verdict: %w", err)
		}
		if err := db.Exec(tx, "borderline: erase "+interactionID, `UPDATE borderline_case SET verdict = $1
			WHERE id = $2`, string(verdict), c.ID); err != nil {
			return err
		}
	}
	return nil
}

// bareAnswers takes the words out of all answers to a case.
func bareAnswers(tx *db.Tx, caseID, mark string) (n int, err error) {
	all, err := labelling.OfItem(tx, set, caseID)
	for _, l := range all {
		var a Answer
		if err := json.Unmarshal([]byte(l.Body), &a); err != nil {
			return n, fmt.Errorf("borderline: read an answer to %s: %w", caseID, err)
		}
		if a.Rationale == mark {
			continue
		}
		if a.Marks, a.Clicks = nil, nil; a.Rationale != "" {
			a.Rationale = mark
		}
		body, err := json.Marshal(a)
		if err == nil {
			err = labelling.Rewrite(tx, l.ID, string(body))
		}
		if n++; err != nil {
			return n, err
		}
	}
	return n, err
}
