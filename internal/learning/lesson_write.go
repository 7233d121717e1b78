package learning

import (
	"cmp"
	"encoding/json"
	"errors"

	"preceptor/internal/platform/db"
	"preceptor/internal/rule"
)

// errStale says that the lesson has moved on since it was read: the work that was done for it has no effect.
var errStale = errors.New("learning: the lesson has moved on")

// saveTx writes everything about l that changes on the path, under the next version, if the row still has l.Version.
func saveTx(tx *db.Tx, l *Lesson) error {
	n, err := db.Change(tx, "learning: save a lesson", `UPDATE lesson SET stage = $1, state = $2, title = $3,
		outcome = $4, problem = $5, root_cause = $6, principle = $7,
			rule_text = $8, domain = $9, confidence = $10, provisional = $11, helpful = $12, tried = $13, silent = $14,
				held = $15,
			must_not_fire = $16, rule_id = $17, rule_number = $18, same_as = $19, attempts = $20, sent_back = $21,
				updated_at = $22,
			statement = $23, guessed = $24, without_model = $25, version = version + 1
		WHERE id = $26 AND version = $27`,
		l.Stage, l.State, l.Title, l.Outcome, l.Problem, l.RootCause, l.Principle, l.RuleText, l.Domain, l.Confidence,
		l.Provisional,
		l.Helpful, l.Tried, l.Silent, l.Held, l.MustNotFire, l.RuleID, l.RuleNumber, l.SameAs, l.Attempts, l.SentBack,
		tx.NowMs(), statementText(l.Statement), l.Guessed, l.WithoutModel, l.ID, l.Version)
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	l.Version++
	l.UpdatedAt = tx.Now
	tx.Touch("learning")
	return nil
}

// statementText is a statement as it is stored; "" where nothing is stated.
func statementText(st rule.Statement) string {
	if st.Empty() {
		return ""
	}
	return string(jsonOf(st))
}

// saveCaseTx writes the state of l's case, if it is still one of the states in from. It leaves the version alone: the
// case runs beside the rule's path and changes nothing that a person accepts.
func saveCaseTx(tx *db.Tx, l *Lesson, from ...string) error {
	args := append([]any{l.CaseState, l.CaseID, l.CaseNumber, tx.NowMs(), l.ID}, db.Anys(from)...)
	n, err := db.Change(tx, "learning: save a lesson's case", `UPDATE lesson SET case_state = $1, case_id = $2,
		case_number = $3, updated_at = $4
		WHERE id = $5 AND case_state IN (`+db.In(6, len(from))+`)`, args...)
	if err != nil {
		return err
	}
	if n == 0 {
		return errStale
	}
	tx.Touch("learning")
	return nil
}

// addStepTx appends a step and its case tests to a lesson's story.
func addStepTx(tx *db.Tx, lessonID string, s Step) error {
	s.State = cmp.Or(s.State, StepDone)
	if err := db.One(tx, "learning: number a step", `SELECT coalesce(max(seq), 0) + 1 FROM lesson_step
		WHERE lesson_id = $1`, lessonID).Scan(&s.Seq); err != nil {
		return err
	}
	_, err := tx.Exec(`INSERT INTO lesson_step (lesson_id, seq, name, state, answered_by, duration_ms, tokens_in,
			tokens_out, input, output, at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		lessonID, s.Seq, s.Name, s.State, s.AnsweredBy, s.Duration.Milliseconds(), s.TokensIn, s.TokensOut,
		string(s.Input), string(s.Output), tx.NowMs())
	if err != nil {
		return err
	}
	for i, c := range s.Cases {
		if _, err := tx.Exec(`INSERT INTO lesson_test (lesson_id, seq, nr, case_id, number, kind, verdict, fired, why)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
			lessonID, s.Seq, i+1, c.CaseID, c.Number, c.Kind, c.Verdict, c.Fired, c.Why); err != nil {
			return err
		}
	}
	return nil
}

// jsonOf encodes what was made here; it can't fail on our own types.
func jsonOf(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		b, _ = json.Marshal(map[string]string{"error": err.Error()})
	}
	return b
}
