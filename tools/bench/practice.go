package main

import (
	"time"

	"preceptor/internal/app"
	"preceptor/internal/demo"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/practice"
)

// practice times consultations of a training, whose base grows as it goes on, and consultations alone with the base as
// it then is.
func (b *bencher) practice() error {
	people, err := practice.Of(pack.Pension)
	if err != nil {
		return err
	}
	y, err := app.NewYard(b.t.Ctx, b.dir, people.Pack, demo.Documents(people.Pack))
	if err != nil {
		return err
	}
	s, done, err := y.Open(b.t.Ctx)
	if err != nil {
		return err
	}
	defer done()
	s.Runs = practice.NewRuns(s.DB, s.Knowledge)
	run, err := s.Runs.Begin(b.t.Ctx,
		practice.Plan{AgentID: s.AgentID, Kind: practice.Training, Seed: 1, Customers: b.many}, nil)
	if err != nil {
		return err
	}
	s.RunID = run.ID
	tested := people.All(practice.Test, 0)
	had, took, began, worked := 0, []time.Duration(nil), time.Now(), cpu()
	whole := worked
	var failed error
	s.Progress = func(n int) {
		for range n { // customers are had side by side: each has its share of the batch
			took = append(took, time.Since(began)/time.Duration(n))
		}
		if had += n; had >= b.few && had-n < b.few || had == b.many {
			rows := b.many
			if had < b.many {
				rows = b.few
			}
			b.keep("practice", "customer of a training", rows, took, cpu()-worked)
			failed = b.time("practice", "test customers, each once", rows, max(1, b.n/len(tested)), func(int) error {
				_, err := s.Evaluate(b.t.Ctx, tested, knowledge.Withhold{})
				return err
			})
		}
		if had/b.few > (had-n)/b.few { // the newest are measured
			took, worked = nil, cpu()
		}
		began = time.Now()
	}
	all := time.Now()
	if _, err := s.Train(b.t.Ctx, b.many, 0, 1); err != nil {
		return err
	}
	b.flow = append(b.flow, rate{Bench: "practice", Name: "customers of a training", Rows: b.many,
		Seconds: time.Since(all).Seconds(), RSS: memory("VmHWM:")})
	b.t.Say("%d customers took %.1f s of the processors' time.", b.many, (cpu() - whole).Seconds())
	return failed
}
