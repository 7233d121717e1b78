package learning

import (
	"errors"
	"fmt"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/privacy"
)

// Erased says what an erasure found on the learning path.
type Erased struct {
	Lessons []string // ids
	Steps   int
	Cases   []string // knowledge cases that the lessons made
	// ids of other customers' lessons that had its question as an example
	Examples []string
}

// EraseTx takes away what lessons were learned from and every step's input and output, for all lessons of an
// interaction. A lesson on its way ends; one that is over stays as it ended, without the words of the problem. The
// principle and the rule speak of customers in general and stay, unless they hold one of known, which is then taken
// out. Its case is the knowledge base's to erase.
func (p *Pipeline) EraseTx(tx *db.Tx, interactionID string, known []string) (n Erased, err error) {
	list, err := queryLessons(tx, `SELECT `+lessonColumns+` FROM lesson
		WHERE interaction_id = $1 ORDER BY created_at, id`, interactionID)
	if err != nil {
		return n, fmt.Errorf("learning: erase the lessons of %s: %w", interactionID, err)
	}
	for i := range list {
		if err := p.eraseLessonTx(tx, &list[i], known, &n); err != nil {
			return n, fmt.Errorf("learning: erase lesson %s: %w", list[i].ID, err)
		}
	}
	about := db.Containing(interactionID)
	ids, err := db.Column[string](tx, "learning: find examples", `SELECT id FROM lesson
		WHERE lower(statement) LIKE $1 ESCAPE '\'
		UNION SELECT lesson_id FROM lesson_source WHERE lower(source) LIKE $2 ESCAPE '\'
		UNION SELECT lesson_id FROM lesson_step WHERE lower(input || output) LIKE $3 ESCAPE '\'`, about, about, about)
	for _, id := range ids {
		if err == nil {
			err = p.forgetTx(tx, id, interactionID, &n)
		}
	}
	return n, err
}

// forgetTx takes the question of an interaction out of another customer's lesson, where it was picked as an example.
func (p *Pipeline) forgetTx(tx *db.Tx, lessonID, of string, n *Erased) error {
	var err error
	var said []string
	forget := func(text string) (string, bool) {
		without, quoted, wrong := privacy.Forget(text, of, said...)
		said, err = append(said, quoted...), errors.Join(err, wrong)
		return without, without != ""
	}
	for _, q := range []struct{ find, write string }{
		{`SELECT source FROM lesson_source WHERE lesson_id = $1`,
			`UPDATE lesson_source SET source = $1 WHERE lesson_id = $2 AND source = $3`},
		{`SELECT statement FROM lesson WHERE id = $1`,
			`UPDATE lesson SET statement = $1 WHERE id = $2 AND statement = $3`},
		{`SELECT input FROM lesson_step WHERE lesson_id = $1`,
			`UPDATE lesson_step SET input = $1 WHERE lesson_id = $2 AND input = $3`},
		{`SELECT output FROM lesson_step WHERE lesson_id = $1`,
			`UPDATE lesson_step SET output = $1 WHERE lesson_id = $2 AND output = $3`}} {
		texts, wrong := db.Column[string](tx, "learning: find examples", q.find, lessonID)
		err = errors.Join(err, wrong)
		for _, text := range texts {
			if text == "" {
				continue
			}
			if without, found := forget(text); found {
				n.Steps++
				err = errors.Join(err, db.Exec(tx, "learning: erase an example", q.write, without, lessonID, text))
			}
		}
	}
	if err != nil || len(said) == 0 {
		return err
	}
	n.Examples = append(n.Examples, lessonID)
	l, err := lessonTx(tx, lessonID)
	if err != nil {
		return err
	}
	l.Principle, l.RuleText = privacy.Without(l.Principle, said...), privacy.Without(l.RuleText, said...)
	if !l.Statement.Empty() {
		l.state(l.Statement)
	}
	err = db.Exec(tx, "learning: erase an example", `UPDATE lesson_test SET why = '' WHERE lesson_id = $1`, lessonID)
	if err == nil {
		err = saveTx(tx, &l)
	}
	if err == nil && l.State == Running { // what is being worked out for it has no effect
		err = p.enqueueTx(tx, l.ID, l.Stage)
	}
	return err
}

// EraseLessonTx is EraseTx for one lesson that came from elsewhere, as from an item of a dataset. None is fine.
func (p *Pipeline) EraseLessonTx(tx *db.Tx, lessonID string, known []string) (n Erased, err error) {
	l, err := lessonTx(tx, lessonID)
	if fault.Is(err, fault.NotFound) {
		return n, nil
	}
	if err == nil {
		err = p.eraseLessonTx(tx, &l, known, &n)
	}
	if err != nil {
		return n, fmt.Errorf("learning: erase lesson %s: %w", lessonID, err)
	}
	return n, nil
}

func (p *Pipeline) eraseLessonTx(tx *db.Tx, l *Lesson, known []string, n *Erased) error {
	n.Lessons = append(n.Lessons, l.ID)
	if l.CaseID != "" {
		n.Cases = append(n.Cases, l.CaseID)
	}
	res, err := tx.Exec(`UPDATE lesson_step SET input = '{}', output = '{}'
		WHERE lesson_id = $1 AND (input <> '{}' OR output <> '{}')`, l.ID)
	if err != nil {
		return err
	}
	steps, err := res.RowsAffected()
	if err != nil {
		return err
	}
	n.Steps += int(steps)
	for _, q := range []struct{ sql, id string }{
		{`UPDATE lesson_source SET source = '' WHERE lesson_id = $1`, l.ID},
		{`UPDATE lesson_test SET why = '' WHERE lesson_id = $1`, l.ID},
		// what others' rules said to its case quotes it
		{`UPDATE lesson_test SET why = '' WHERE case_id = $1 AND case_id <> ''`, l.CaseID},
	} {
		if _, err := tx.Exec(q.sql, q.id); err != nil {
			return err
		}
	}
	if l.CaseState != CaseNone && l.CaseState != CaseWithdrawn {
		from := l.CaseState
		l.CaseState = CaseWithdrawn
		if err := saveCaseTx(tx, l, from); err != nil {
			return err
		}
	}
	l.Problem, l.RootCause, l.Outcome = audit.ErasedIn(l.Problem, tx.Now), audit.ErasedIn(l.RootCause, tx.Now),
		audit.ErasedIn(l.Outcome, tx.Now)
	eachText(&l.Statement, func(text *string) { *text = privacy.Without(*text, known...) })
	l.Title, l.Principle, l.RuleText = privacy.Without(l.Title, known...), privacy.Without(l.Principle, known...),
		privacy.Without(l.RuleText, known...)
	if l.State == Running || l.State == Unstated || l.State == Failed || l.State == Waiting && l.Stage == StageCase {
		l.State, l.Outcome = Nothing, audit.ErasedText(tx.Now)+" Nothing is left to learn from."
	}
	return saveTx(tx, l)
}
