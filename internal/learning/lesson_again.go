package learning

import (
	"context"
	"errors"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/llm"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

const (
	againMost  = 20 // lessons of one run: each is a question to the model
	againFails = 3  // in a row: it is still down
)

// AgainArgs has the model reflect on a lesson that was reflected on without it. By asked for it.
type AgainArgs struct {
	LessonID string `json:"lesson_id"`
	By       string `json:"by"`
}

// Kind names the job.
func (AgainArgs) Kind() string { return "learning.again" }

// MayReflectAgain reports whether the model may be asked about a lesson: one that nobody has put into a sentence that
// can be a rule, or that was reflected on while the model was down. What a reflection over many memories counted is put
// into a sentence by an expert.
func (l Lesson) MayReflectAgain() bool {
	return l.State == Unstated && l.Origin != Reflected ||
		l.WithoutModel && l.State == Waiting && l.Stage == StageAccept && l.Guessed
}

// Again asks the model about a lesson once more, in a job. Only experts and admins may.
func (p *Pipeline) Again(ctx context.Context, lessonID string, by knowledge.Person) error {
	if err := by.May("ask the model again"); err != nil {
		return err
	}
	return p.d.Write(ctx, func(tx *db.Tx) error {
		l, err := lessonTx(tx, lessonID)
		if err != nil {
			return err
		}
		if !l.MayReflectAgain() || !p.HasModel() {
			return movedOn(l)
		}
		if err := audit.Note(tx, by.Actor(), "lesson.reflected_again", "lesson", l.ID, map[string]any{}); err != nil {
			return err
		}
		return p.jobs.InsertTx(tx, AgainArgs{l.ID, by.Name})
	})
}

// HasModel reports whether the path has a model, up or down.
func (p *Pipeline) HasModel() bool { return p.reasoner.Name() != embeddedName }

// AgainAll asks the model about the lessons that it missed while it was down, the longest untried first, until it is
// found down. A lesson that fails is stepped over.
func (p *Pipeline) AgainAll(ctx context.Context) error {
	if !p.HasModel() {
		return nil
	}
	down := 0 // in a row
	list, err := db.Read(ctx, p.d, func(tx *db.Tx) ([]Lesson, error) {
		return lessonsTx(tx, `WHERE without_model = 1
			AND (state = 'unstated' OR state = 'waiting' AND stage = 'accept' AND guessed = 1)
			ORDER BY asked_at, updated_at, id LIMIT $1`, againMost)
	})
	for _, l := range list {
		up, failed := p.again(ctx, l.ID, "")
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if failed != nil {
			p.log.Warn("a lesson was not reflected on again", "lesson", l.ID, "error", failed)
			if err := p.d.Write(ctx, func(tx *db.Tx) error {
				return db.Exec(tx, "learning: step over a lesson", `UPDATE lesson SET asked_at = $1 WHERE id = $2`,
					tx.NowMs(), l.ID)
			}); err != nil {
				return err
			}
		}
		if down++; up {
			down = 0
		}
		if down == againFails {
			break
		}
	}
	return err
}

// again reflects outside any transaction and writes once. Where the model failed again the lesson stays as it is, and
// whoever asked for it finds a step that says so. up is false where the model was down for any lesson.
func (p *Pipeline) again(ctx context.Context, lessonID, by string) (up bool, err error) {
	l, src, err := p.sourced(ctx, lessonID)
	if fault.Is(err, fault.NotFound) || err == nil && (src == nil || !l.MayReflectAgain()) {
		return true, nil // erased, or a person was faster
	}
	if err != nil {
		return true, err
	}
	began := time.Now()
	metered, spent := withMeter(ctx)
	out, err := guarded(p, l, func() (outcome, error) { return p.reflect(metered, l, src) })
	if err != nil {
		return true, err
	}
	down := modelDown(metered)
	out.step.Name, out.step.State = StageReflect, StepDone
	spent.onto(&out.step, time.Since(began))
	if down != nil {
		if by == "" { // what it refused, it may take of another lesson
			return fault.Is(down, fault.Invalid) || errors.Is(down, llm.ErrContent), down
		}
		out.step.State = StepFailed
		out.step.Output = jsonOf(map[string]string{"error": "The model still doesn't answer. The lesson is as it was."})
		out.change = func(*db.Tx, *Lesson) error { return nil }
	}
	err = p.d.Write(ctx, func(tx *db.Tx) error { return p.againTx(tx, l, out, down == nil) })
	if errors.Is(err, errStale) {
		err = nil
	}
	return true, err
}

// againTx writes a second reflection. One that says the same as the first changes nothing but who answered.
func (p *Pipeline) againTx(tx *db.Tx, was Lesson, out outcome, answered bool) error {
	l, err := lessonTx(tx, was.ID)
	if err != nil {
		return err
	}
	if l.Version != was.Version || !l.MayReflectAgain() {
		return errStale
	}
	if err := addStepTx(tx, l.ID, out.step); err != nil {
		return err
	}
	if answered {
		next := l
		next.tried(Gate{})
		if err := out.change(tx, &next); err != nil {
			return err
		}
		if l.WithoutModel = false; l.State == Unstated || !sameStatement(l.Statement, next.Statement) ||
			next.State == Nothing || next.State == Unstated {
			if err := p.shelveTx(tx, l, me, "The model was asked again."); err != nil {
				return err
			}
			l = next
			if err := out.further(tx, l); err != nil {
				return err
			}
		}
	}
	if err := saveTx(tx, &l); err != nil {
		return err
	}
	if l.State == Running {
		return p.enqueueTx(tx, l.ID, l.Stage)
	}
	return nil
}
