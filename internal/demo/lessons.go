package demo

import (
	"context"
	"fmt"
	"time"

	"preceptor/internal/learning"
)

// board leaves the board of lessons as a working one looks: beside what waits, is in use on trial and was not kept by the cases, which
// the days before brought about, an expert has sent one back with a note and got it back, rejected another, and sent one back with a
// note that says too little, so that its step failed. All of them are lessons that checks and judges began, so what the demo's
// supervisors teach stays as it is. Where a language model reflects it may make something of that note too.
func (w *seeder) board(ctx context.Context) error {
	waiting, err := w.begun(ctx, learning.Filter{Stage: learning.StageAccept, State: learning.Waiting})
	if err != nil {
		return err
	}
	if n := len(waiting); n > 1 {
		last := waiting[n-1]
		if err := w.sentBack(ctx, last, learning.StageRefine, "The reason should be one that customers would give: because people notice too late what can't be changed any more."); err != nil {
			return err
		}
		w.clock.Set(w.clock.Now().Add(4 * time.Minute))
		if err := w.Learning.Reject(ctx, waiting[0].ID, "Right, and the rules in use say it already. One more sentence for the advisor to weigh helps nobody.", waiting[0].Version, w.expert[0]); err != nil {
			return fmt.Errorf("reject a lesson: %w", err)
		}
	}
	nothing, err := w.begun(ctx, learning.Filter{Stage: learning.StageReflect, State: learning.Nothing})
	if err != nil || len(nothing) == 0 {
		return err
	}
	if err := w.sentBack(ctx, nothing[0], learning.StageReflect, "There is more in this one. Please look again."); err != nil {
		return err
	}
	return w.halfway(ctx)
}

// stopped is where the demo leaves a lesson halfway, and what it was sent back for. The reasoner would be done in a second, so the demo
// stops it there, and the lesson says so.
var stopped = []struct{ stage, note string }{
	{learning.StageValidate, "Explain that taking taxable money can reduce what may be paid into a pension later, because people who still work are caught out by it."},
	{learning.StageRefine, "Mention that a large lump sum can push a person into a higher tax band, because the bill comes as a surprise."},
	{learning.StageJudge, "Say that charges differ between providers, because they eat into what is left."},
}

// halfway leaves a lesson at each stage between the first and the last: of those that came to nothing, and then of those that the cases
// did not bear out.
func (w *seeder) halfway(ctx context.Context) error {
	var list []learning.Lesson
	for _, f := range []learning.Filter{{Stage: learning.StageReflect, State: learning.Nothing}, {Stage: learning.StageValidate, State: learning.Rejected}} {
		page, err := w.Learning.List(ctx, f)
		if err != nil {
			return err
		}
		list = append(list, page.Items...)
	}
	for _, s := range stopped {
		release := w.Learning.HoldAt(s.stage, "The demo stopped it here, so that there is a lesson at every stage. Try it again and it goes on.")
		for n := len(list); n > 0 && len(list) == n; {
			l := list[0]
			list = list[1:]
			if !l.MayGoBack(learning.StageReflect) {
				n = len(list)
				continue
			}
			if err := w.sentBack(ctx, l, learning.StageReflect, s.note); err != nil {
				release()
				return err
			}
			now, err := w.Learning.Get(ctx, l.ID)
			if err != nil {
				release()
				return err
			}
			if now.Stage != s.stage {
				n = len(list) // it ended before; the next may get there
			}
		}
		release()
	}
	return nil
}

// begun lists the lessons that judges began, newest first.
func (w *seeder) begun(ctx context.Context, f learning.Filter) ([]learning.Lesson, error) {
	f.Origin = learning.Judged
	page, err := w.Learning.List(ctx, f)
	return page.Items, err
}

func (w *seeder) sentBack(ctx context.Context, l learning.Lesson, to, note string) error {
	w.clock.Set(w.clock.Now().Add(5 * time.Minute))
	if err := w.Learning.SendBack(ctx, l.ID, to, note, l.Version, w.expert[len(w.expert)-1]); err != nil {
		return fmt.Errorf("send a lesson back: %w", err)
	}
	return w.Jobs.Drain(ctx)
}
