package practice

import (
	"context"

	"preceptor/internal/platform/fault"
)

// Compare measures what some of the rules that a training taught change together, on up to 50 customers whom it didn't
// have, and says it in the words of a training. The rules go down the learning path as in the training; the base has to
// be a copy.
func (s *School) Compare(ctx context.Context, split int, list []Rule) (out Trained, err error) {
	tested := s.People.Held(split)
	before, err := s.phase(ctx, phaseBefore, tested)
	if err != nil {
		return out, err
	}
	rules := map[string]string{}
	for _, r := range list {
		if err := s.teach(ctx, taught{need: r.Need, Statement: r.Statement}, rules, &out); err != nil {
			return out, err
		}
	}
	after, err := s.phase(ctx, phaseAfter, tested)
	out.Customers, out.Before, out.After, out.Gain = len(tested), Measure(before), Measure(after),
		gain(after, before, needsMet)
	return out, err
}

// Night is what a nightly run found, against the one before it.
type Night struct {
	Last Run
	Gain Figure // in needs met, on the test customers of both
}

// Worse reports whether the base does worse than the night before, by more than the noise.
func (n Night) Worse() bool { return n.Gain.N > 0 && n.Gain.High < 0 }

// Against holds a nightly run against the last one before it that is done; nil where there is none. Who was tested in
// both counts.
func (s *Runs) Against(ctx context.Context, run Run) (*Night, error) {
	last, err := s.one(ctx, "This was the first night.", `WHERE agent_id = $1 AND nightly = 1 AND state = $2
		AND started_at < $3
		ORDER BY started_at DESC, id DESC LIMIT 1`,
		run.AgentID, Done, run.StartedAt.UnixMilli())
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	now, err := s.Sessions(ctx, run.ID, phaseBefore)
	if err != nil {
		return nil, err
	}
	then, err := s.Sessions(ctx, last.ID, phaseBefore)
	if err != nil {
		return nil, err
	}
	at := map[string]Session{}
	for _, one := range then {
		at[one.Person] = one
	}
	var both, before []Session
	for _, one := range now {
		if old, ok := at[one.Person]; ok {
			both, before = append(both, one), append(before, old)
		}
	}
	return &Night{Last: last, Gain: gain(both, before, needsMet)}, nil
}
