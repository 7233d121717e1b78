package learning

import (
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
	list, err := lessonsTx(tx, `WHERE interaction_id = $1 ORDER BY created_at, id`, interactionID)
	if err != nil {
		return n, fmt.Errorf("learning: erase the lessons of %s: %w", interactionID, err)
	}
	for i := range list {
		if err := p.eraseLessonTx(tx, &list[i], known, &n); err != nil {
			return n, fmt.Errorf("learning: erase lesson %s: %w", list[i].ID, err)
		}
	}
	about := db.Containing(`"of":"` + interactionID)
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
	l, err := lessonTx(tx, lessonID)
	if err != nil {
		return err
	}
	n.Examples = append(n.Examples, l.ID)
	src, err := sourceTx(tx, l.ID)
	if src != nil {
		for i := range src.Statements {
			src.Statements[i] = src.Statements[i].Without(of)
		}
		for i := range src.Notes {
			src.Notes[i].Rule = ""
		}
		err = writeSourceTx(tx, l.ID, src)
	}
	if err == nil {
		err = n.stepsTx(tx, l.ID)
	}
	if err != nil {
		return err
	}
	if l.Principle = ""; !l.Statement.Empty() {
		l.state(l.Statement.Without(of))
		l.Principle = l.RuleText
	}
	if err = saveTx(tx, &l); err == nil && l.State == Running { // what is being worked out for it has no effect
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

// stepsTx empties the steps of a lesson and what was said to the cases that it was tried on.
func (n *Erased) stepsTx(tx *db.Tx, lessonID string) error {
	steps, err := db.Change(tx, "learning: empty steps", `UPDATE lesson_step SET input = '{}', output = '{}'
		WHERE lesson_id = $1 AND (input <> '{}' OR output <> '{}')`, lessonID)
	if err != nil {
		return err
	}
	n.Steps += steps
	return db.Exec(tx, "learning: empty tests", `UPDATE lesson_test SET why = '' WHERE lesson_id = $1`, lessonID)
}

func (p *Pipeline) eraseLessonTx(tx *db.Tx, l *Lesson, known []string, n *Erased) error {
	n.Lessons = append(n.Lessons, l.ID)
	if l.CaseID != "" {
		n.Cases = append(n.Cases, l.CaseID)
	}
	if err := n.stepsTx(tx, l.ID); err != nil {
		return err
	}
	for _, q := range []struct{ sql, id string }{
		{`UPDATE lesson_source SET source = '' WHERE lesson_id = $1`, l.ID},
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
