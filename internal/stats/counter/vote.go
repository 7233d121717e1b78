package counter

import (
	"math"

	"preceptor/internal/feedback"
	"preceptor/internal/platform/db"
)

// CastSQL is the condition of rows that are votes, for lists beside the counts.
const CastSQL = feedback.CastSQL

// voteAdds is what a vote adds; a nil one nothing, nor one that was taken back.
func (k *Keeper) voteAdds(v *feedback.Vote) []entry {
	if v == nil || !v.Cast() {
		return nil
	}
	day := k.day(db.Ms(v.At))
	e := entry{Measure: Neutral, Day: day, Sum: units(v.Norm), Squares: true}
	switch {
	case v.Norm > 0.5:
		e.Measure = Positive
	case v.Norm < 0.5:
		e.Measure = Negative
	}
	out := []entry{e}
	if v.Kind == feedback.Rating {
		out = append(out, entry{Measure: Rating, Day: day, Sum: units(v.Value),
			Squares: true}.spread(int(math.Round(v.Value))))
	}
	return out
}

// units is a number with fractions as it is kept.
func units(v float64) int64 { return int64(math.Round(v * Unit)) }

// VoteTx counts a vote in the transaction that stores it; old is what it replaces, nil when it is the first.
func (k *Keeper) VoteTx(tx *db.Tx, old *feedback.Vote, now feedback.Vote, about feedback.Subject) error {
	return replaceTx(tx, about.AgentType, about.Topic, k.voteAdds(old), k.voteAdds(&now))
}

// LoggedTx counts an observed interaction in the transaction that stores it.
func (k *Keeper) LoggedTx(tx *db.Tx, o feedback.Observation) error {
	return replaceTx(tx, o.AgentType, o.Topic, nil, []entry{{Measure: Logged, Day: k.day(db.Ms(o.At))}})
}

// outcomeAdds is what an outcome adds; a nil one nothing.
func (k *Keeper) outcomeAdds(o *feedback.Outcome) []entry {
	if o == nil {
		return nil
	}
	day := k.day(db.Ms(o.At))
	out := []entry{{Measure: Outcomes, Day: day}}
	for _, score := range []struct {
		measure string
		value   float64
	}{{Satisfaction, o.Satisfaction}, {Comprehension, o.Comprehension}, {GoalAlignment, o.GoalAlignment}} {
		out = append(out, entry{Measure: score.measure, Day: day, Sum: units(score.value), Squares: true})
	}
	for _, said := range []struct {
		measure string
		is      *bool
	}{{GoalsMet, o.GoalsMet}, {Understanding, o.UnderstandingChecked}, {Signposted, o.Signposted},
		{DBWarning, o.DBWarningGiven}} {
		if said.is != nil {
			out = append(out, part(said.measure, day, *said.is))
		}
	}
	return out
}

// OutcomeTx counts an outcome in the transaction that stores it; old is what it replaces, nil when it is the first.
func (k *Keeper) OutcomeTx(tx *db.Tx, old *feedback.Outcome, now feedback.Outcome, about feedback.Subject) error {
	return replaceTx(tx, about.AgentType, about.Topic, k.outcomeAdds(old), k.outcomeAdds(&now))
}

// replaceTx takes out what was added before, and adds what is added now.
func replaceTx(tx *db.Tx, agent, topic string, before, now []entry) error {
	s := newSheet()
	s.addAll(agent, topic, before, -1)
	s.addAll(agent, topic, now, 1)
	return s.write(tx)
}
