package demo

import (
	"context"
	"fmt"
	"time"

	"preceptor/internal/learning"
	"preceptor/internal/pack"
	"preceptor/internal/rule"
)

// stopped is where the demo leaves a lesson halfway, and what an expert stated for it. A step takes a second, so the
// demo stops it there, and the lesson says so.
var stopped = []struct {
	stage string
	says  rule.Statement
}{
	{learning.StageValidate, rule.Statement{When: []rule.Condition{topics(pack.Contributions)},
		Because: "people who still work are caught out by it",
		Do: rule.Act{Kind: rule.Include,
			Text: "Taking taxable money from a pot can reduce what may be paid into a pension later."}}},
	{learning.StageRefine, rule.Statement{When: []rule.Condition{topics(pack.Tax, pack.Access)},
		Because: "the bill comes as a surprise",
		Do: rule.Act{Kind: rule.Include,
			Text: "A large lump sum can push a person into a higher tax band in the year it is taken."}}},
	{learning.StageJudge, rule.Statement{When: []rule.Condition{topics(pack.Consolidation, pack.Charges)},
		Because: "they eat into what is left",
		Do:      rule.Act{Kind: rule.Include, Text: "Charges differ between providers."}}},
}

// board leaves the board of lessons as a working one looks: beside what waits and what needs a sentence, one lesson
// stands at each stage in between. An expert stated them; none is the newcomer's.
func (w *Filling) board(ctx context.Context) error {
	page, err := w.Learning.List(ctx, learning.Filter{State: learning.Unstated})
	if err != nil {
		return err
	}
	for i, s := range stopped {
		if i >= len(page.Items)-1 { // one is left for the newcomer
			break
		}
		l := page.Items[len(page.Items)-1-i]
		w.clock.Set(w.clock.Now().Add(5 * time.Minute))
		release := w.Learning.HoldAt(s.stage,
			"The demo stopped it here, so that there is a lesson at every stage. Try it again and it goes on.")
		if err := w.Learning.State(ctx, l.ID, []rule.Statement{s.says}, l.Version,
			w.expert[i%len(w.expert)]); err != nil {
			release()
			return fmt.Errorf("state a lesson: %w", err)
		}
		err := w.Jobs.Drain(ctx)
		release()
		if err != nil {
			return err
		}
	}
	return nil
}
