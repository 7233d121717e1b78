package learning

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/rule"
)

// State says what a lesson teaches, in one step: what needs a sentence, and what failed, was not kept or taught
// nothing. It goes on to validation at once; each statement beside the first becomes a lesson of its own on the same
// cause. Each goes through the base's gate: what that refuses is Invalid, with fields as in rule.Check. version is the
// lesson's as it was on the screen. Only experts and admins may.
func (p *Pipeline) State(ctx context.Context, lessonID string, list []rule.Statement, version int,
	by knowledge.Person) error {
	if err := by.May("state what should change"); err != nil {
		return err
	}
	l, err := p.Get(ctx, lessonID)
	if err != nil {
		return err
	}
	if err := l.statable(version); err != nil {
		return err
	}
	if list, err = p.stateable(ctx, l, list); err != nil {
		return err
	}
	return p.d.Write(ctx, func(tx *db.Tx) error {
		cur, err := lessonTx(tx, l.ID)
		if err != nil {
			return err
		}
		if err := cur.statable(version); err != nil {
			return err
		}
		return p.stateTx(tx, cur, list, by)
	})
}

// stateable are the statements as they come out of the base's gate.
func (p *Pipeline) stateable(ctx context.Context, l *Lesson, list []rule.Statement) (out []rule.Statement, err error) {
	for _, st := range list {
		if st = st.Tidy(); st.Empty() {
			continue
		}
		v, err := p.vet(ctx, *l, l.Source, st)
		if err != nil {
			return nil, err
		}
		out = append(out, v.Statement)
	}
	if len(out) == 0 {
		return nil, fault.Wrong("Say what should change next time.", "do", "Choose what to do.")
	}
	return out, nil
}

// MayBeStated reports whether a person can say what the lesson teaches as it is.
func (l Lesson) MayBeStated() bool { return l.statable(l.Version) == nil }

func (l Lesson) statable(version int) error {
	open := l.State == Unstated || l.State == Failed || l.State == Rejected || l.State == Nothing && !l.SameAs ||
		l.State == Running && l.Stage == StageReflect
	if l.Stage == StageCase || !open {
		return movedOn(l)
	}
	if version != l.Version {
		return changedLesson()
	}
	return nil
}

func (p *Pipeline) stateTx(tx *db.Tx, l Lesson, list []rule.Statement, by knowledge.Person) error {
	src, err := sourceTx(tx, l.ID)
	if err != nil {
		return err
	}
	if src == nil {
		return fault.New(fault.Conflict, "The text for this lesson has been erased, so there is nothing to learn from.")
	}
	src.StatedBy, src.Statements = by.Name, list
	r, err := new(Embedded).Reflect(context.Background(), *src)
	if err != nil {
		return err
	}
	if r.Nothing { // a text that may go out teaches nothing by itself; a person may say otherwise
		r = Reflection{Statements: list, Why: "Stated by " + by.Name + ".", Problem: src.problem(),
			Domain: src.domain()}
	}
	if err := r.check(l.Pack); err != nil {
		return err
	}
	l.tried(Gate{})
	l.Attempts, l.Outcome, l.WithoutModel = 0, "Stated by "+by.Name+".", false
	src.Statements = list[:1]
	if err := p.shelveTx(tx, l, by.Actor(), "Sent back by "+by.Name+"."); err != nil {
		return err
	}
	if err := writeSourceTx(tx, l.ID, src); err != nil {
		return err
	}
	if err := addStepTx(tx, l.ID, Step{Name: StageReflect, AnsweredBy: by.Name,
		Input: jsonOf(src.material()), Output: jsonOf(r)}); err != nil {
		return err
	}
	l.reflected(r)
	if err := p.furtherTx(tx, l, *src, r.further()); err != nil {
		return err
	}
	if err := saveTx(tx, &l); err != nil {
		return err
	}
	if err := p.enqueueTx(tx, l.ID, l.Stage); err != nil {
		return err
	}
	return audit.Note(tx, by.Actor(), "lesson.stated", "lesson", l.ID,
		map[string]any{"statements": slices.Clone(list)})
}

// writeSourceTx replaces what a lesson is learned from.
func writeSourceTx(tx *db.Tx, lessonID string, src *Source) error {
	text, err := json.Marshal(src)
	if err != nil {
		return fmt.Errorf("learning: encode a source: %w", err)
	}
	_, err = tx.Exec(`UPDATE lesson_source SET source = $1 WHERE lesson_id = $2`, string(text), lessonID)
	return err
}
