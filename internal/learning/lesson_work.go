package learning

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/job"

	"github.com/riverqueue/river"
)

// The jobs of the path. Their arguments are the lesson's id and nothing else.
type (
	ReflectArgs struct {
		LessonID string `json:"lesson_id"`
	}
	ValidateArgs struct {
		LessonID string `json:"lesson_id"`
	}
	RefineArgs struct {
		LessonID string `json:"lesson_id"`
	}
	JudgeArgs struct {
		LessonID string `json:"lesson_id"`
	}
	CaseArgs struct {
		LessonID string `json:"lesson_id"`
	}
)

// Kind is the job's name.
func (ReflectArgs) Kind() string { return "learning.reflect" }

// Kind is the job's name.
func (ValidateArgs) Kind() string { return "learning.validate" }

// Kind is the job's name.
func (RefineArgs) Kind() string { return "learning.refine" }

// Kind is the job's name.
func (JudgeArgs) Kind() string { return "learning.judge" }

// Kind is the job's name.
func (CaseArgs) Kind() string { return "learning.case" }

// States of a step.
const (
	StepDone   = "done"
	StepFailed = "failed"
)

func (p *Pipeline) register() {
	job.Register(p.jobs, func(ctx context.Context, a ReflectArgs) error {
		return p.work(ctx, a.LessonID, StageReflect, p.reflect)
	})
	job.Register(p.jobs, func(ctx context.Context, a ValidateArgs) error {
		return p.work(ctx, a.LessonID, StageValidate, p.validate)
	})
	job.Register(p.jobs, func(ctx context.Context, a RefineArgs) error {
		return p.work(ctx, a.LessonID, StageRefine, p.refine)
	})
	job.Register(p.jobs, func(ctx context.Context, a JudgeArgs) error {
		return p.work(ctx, a.LessonID, StageJudge, p.judge)
	})
	job.Register(p.jobs, func(ctx context.Context, a CaseArgs) error { return p.keepCase(ctx, a.LessonID) })
	job.Register(p.jobs, func(ctx context.Context, a AgainArgs) error {
		_, err := p.again(ctx, a.LessonID, a.By)
		return err
	})
	job.Register(p.jobs, func(ctx context.Context, a RetestArgs) error { return p.retest(ctx, a.LessonID) })
}

// enqueueTx queues the job of a stage. It is tried a little more often than a lesson allows failures, so that the
// lesson and not the queue is the first to give up, even when a kill cost an attempt.
func (p *Pipeline) enqueueTx(tx *db.Tx, lessonID, stage string) error {
	var a river.JobArgs
	switch stage {
	case StageReflect:
		a = ReflectArgs{lessonID}
	case StageValidate:
		a = ValidateArgs{lessonID}
	case StageRefine:
		a = RefineArgs{lessonID}
	case StageJudge:
		a = JudgeArgs{lessonID}
	case StageCase:
		a = CaseArgs{lessonID}
	default:
		return fmt.Errorf("learning: stage %q has no job", stage)
	}
	options := []job.Option{job.Attempts(p.policy.Attempts + 3)}
	var urgent bool
	if err := db.One(tx, "learning: read what is urgent", `SELECT urgent FROM lesson WHERE id = $1`,
		lessonID).Scan(&urgent); err != nil {
		return err
	}
	if !urgent {
		options = append(options, job.Patient()) // urgent lessons go first
	}
	return p.jobs.InsertTx(tx, a, options...)
}

// outcome is what a stage made of a lesson: the step to record and what changes with it, run in the step's transaction.
type outcome struct {
	step   Step
	change func(tx *db.Tx, l *Lesson) error
	// further begins a lesson for each further statement of a reflection; nil of another stage
	further func(tx *db.Tx, l Lesson) error
}

// sourced is a lesson with what it comes from.
func (p *Pipeline) sourced(ctx context.Context, lessonID string) (l Lesson, src *Source, err error) {
	err = p.d.Read(ctx, func(tx *db.Tx) (err error) {
		if l, err = lessonTx(tx, lessonID); err != nil {
			return err
		}
		src, err = sourceTx(tx, lessonID)
		return err
	})
	return l, src, err
}

// work runs one stage of one lesson: read, ask outside any transaction, write once. A lesson that is no longer at the
// stage is left alone, which is what makes running twice harmless.
func (p *Pipeline) work(ctx context.Context, lessonID, stage string,
	do func(context.Context, Lesson, *Source) (outcome, error)) error {
	l, src, err := p.sourced(ctx, lessonID)
	if fault.Is(err, fault.NotFound) {
		return nil // erased: nothing is left to learn from
	}
	if err != nil {
		return err
	}
	if !atWork(l, stage) {
		return nil
	}
	if src == nil {
		return p.advance(ctx, l, erased(stage))
	}
	began := time.Now()
	metered, spent := withMeter(ctx)
	out, err := guarded(p, l, func() (outcome, error) {
		if err := p.heldAt(stage); err != nil {
			return outcome{}, err
		}
		return do(metered, l, src)
	})
	took := time.Since(began)
	if errors.Is(err, errStale) {
		return nil
	}
	if errors.Is(err, errHeld) {
		return p.advance(ctx, l, heldOutcome(l.Stage, p.reasoner.Name(), took, err))
	}
	if err != nil {
		return p.failed(ctx, l, took, spent, err)
	}
	out.step.Name, out.step.State = stage, StepDone
	spent.onto(&out.step, took)
	return p.advance(ctx, l, out)
}

// atWork reports whether l waits for this stage. A failed lesson counts: its job runs only when somebody retried it.
func atWork(l Lesson, stage string) bool {
	return l.Stage == stage && (l.State == Running || l.State == Failed)
}

func erased(stage string) outcome {
	why := "The text for this lesson has been erased."
	return outcome{
		step: Step{Name: stage, AnsweredBy: "system", Input: jsonOf(struct{}{}),
			Output: jsonOf(map[string]string{"why": why})},
		change: func(_ *db.Tx, l *Lesson) error {
			l.State, l.Outcome = Nothing, why
			return nil
		},
	}
}

// guarded turns a reasoner's panic into an error that counts as a failed try.
func guarded(p *Pipeline, l Lesson, f func() (outcome, error)) (out outcome, err error) {
	defer func() {
		if r := recover(); r != nil {
			p.log.Error("reasoner panicked", "lesson", l.ID, "stage", l.Stage, "stack", string(debug.Stack()))
			err = fmt.Errorf("learning: %s: panic of type %T", l.Stage, r)
		}
	}()
	return f()
}

// advance writes a step's result, the lesson's next stage and the next job, if the lesson still stands where it was
// read.
func (p *Pipeline) advance(ctx context.Context, l Lesson, out outcome) error {
	err := p.d.Write(ctx, func(tx *db.Tx) error {
		cur, err := lessonTx(tx, l.ID)
		if err != nil {
			return err
		}
		if !atWork(cur, l.Stage) || cur.Version != l.Version {
			return errStale
		}
		if err := addStepTx(tx, l.ID, out.step); err != nil {
			return err
		}
		cur.Attempts, cur.State, cur.Outcome = 0, Running, ""
		if err := out.change(tx, &cur); err != nil {
			return err
		}
		if out.further != nil {
			if err := out.further(tx, cur); err != nil {
				return err
			}
		}
		if err := saveTx(tx, &cur); err != nil {
			return err
		}
		if cur.State != Running {
			return nil
		}
		return p.enqueueTx(tx, l.ID, cur.Stage)
	})
	if errors.Is(err, errStale) {
		return nil
	}
	if err != nil {
		return p.failed(ctx, l, out.step.Duration, &spent{in: out.step.TokensIn, out: out.step.TokensOut}, err)
	}
	return nil
}

// failed counts a failed try and returns why, so that the job is tried again. The lesson fails, and says so, when
// trying again is no use or was done often enough.
func (p *Pipeline) failed(ctx context.Context, l Lesson, took time.Duration, cost *spent, why error) error {
	said := fault.Message(why)
	for _, f := range fault.Fields(why) {
		said += " " + f.Msg
	}
	return p.fail(ctx, l.ID, why, func(tx *db.Tx, cur Lesson) (parked string, err error) {
		if !atWork(cur, l.Stage) || cur.Version != l.Version {
			return "", errStale
		}
		state, note := cur.State, fmt.Sprintf("%s failed (attempt %d of %d): %s", stageTitle(l.Stage), cur.Attempts+1,
			p.policy.Attempts, said)
		if p.givesUp(why, cur.Attempts+1) {
			state, note = Failed, fmt.Sprintf("%s failed: %s", stageTitle(l.Stage), said)
			parked = note
			step := Step{Name: l.Stage, State: StepFailed, AnsweredBy: p.reasoner.Name(), Input: jsonOf(struct{}{}),
				Output: jsonOf(map[string]string{"error": said})}
			cost.onto(&step, took)
			if err := addStepTx(tx, l.ID, step); err != nil {
				return "", err
			}
		}
		// The version stays: a twin of this job that did go through may still write its result.
		_, err = tx.Exec(`UPDATE lesson SET state = $1, outcome = $2, attempts = attempts + 1, updated_at = $3
			WHERE id = $4`, state, note, tx.NowMs(), l.ID)
		return parked, err
	})
}

// givesUp reports whether trying again is no use, or was done often enough.
func (p *Pipeline) givesUp(why error, tries int) bool {
	return !fault.KindOf(why).Retriable() || tries >= p.policy.Attempts
}

// fail writes a failed try with count, and returns why, so that the job is tried again; it is parked with what count
// says of a lesson that gave up.
func (p *Pipeline) fail(ctx context.Context, lessonID string, why error,
	count func(*db.Tx, Lesson) (parked string, err error)) error {
	if ctx.Err() != nil {
		return why // stopped, not failed: the next start takes it up
	}
	result := why
	err := p.d.Write(ctx, func(tx *db.Tx) error {
		l, err := lessonTx(tx, lessonID)
		if fault.Is(err, fault.NotFound) {
			return errStale
		}
		if err != nil {
			return err
		}
		parked, err := count(tx, l)
		if parked != "" {
			result = fault.Wrap(fault.Invalid, why, "%s", parked)
		}
		tx.Touch("learning")
		return err
	})
	if errors.Is(err, errStale) {
		return nil
	}
	return errors.Join(result, err)
}

func stageTitle(stage string) string {
	switch stage {
	case StageReflect:
		return "Reflection"
	case StageValidate:
		return "Validation"
	case StageRefine:
		return "Refinement"
	case StageJudge:
		return "Judgement"
	}
	return "The case"
}
