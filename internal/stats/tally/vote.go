package tally

import (
	"database/sql"
	"math"

	"preceptor/internal/db"
)

// Vote is what is counted of a vote (feedback.Vote and its subject).
type Vote struct {
	AgentType, Topic string
	Rating           bool // Value is of 0 to 10
	Value, Norm      float64
	At               int64 // ms, of this version
}

// adds is what a vote adds.
func (v Vote) adds(k *Keeper) []entry {
	day := k.day(v.At)
	e := entry{Measure: Neutral, Day: day, Sum: units(v.Norm), Squares: true}
	switch {
	case v.Norm > 0.5:
		e.Measure = Positive
	case v.Norm < 0.5:
		e.Measure = Negative
	}
	out := []entry{e}
	if v.Rating {
		out = append(out, entry{Measure: Rating, Day: day, Sum: units(v.Value), Squares: true}.spread(int(math.Round(v.Value))))
	}
	return out
}

// units is a number with fractions as it is kept.
func units(v float64) int64 { return int64(math.Round(v * Unit)) }

// VoteTx counts a vote in the transaction that stores it; old is what it replaces, nil when it is the first.
func (k *Keeper) VoteTx(tx *db.Tx, old *Vote, now Vote) error {
	s := newSheet()
	if old != nil {
		for _, e := range old.adds(k) {
			s.add(old.AgentType, old.Topic, e, -1)
		}
	}
	for _, e := range now.adds(k) {
		s.add(now.AgentType, now.Topic, e, 1)
	}
	return s.write(tx)
}

// LoggedTx counts an observed interaction in the transaction that stores it.
func (k *Keeper) LoggedTx(tx *db.Tx, agentType, topic string, at int64) error {
	s := newSheet()
	s.add(agentType, topic, entry{Measure: Logged, Day: k.day(at)}, 1)
	return s.write(tx)
}

// Outcome is what is counted of an outcome (feedback.Outcome and its subject). What nobody said is not Valid.
type Outcome struct {
	AgentType, Topic                             string
	Satisfaction, Comprehension, GoalAlignment   float64 // 0 to 10
	GoalsMet, Understanding, Signposted, Warning sql.NullBool
	At                                           int64 // ms
}

func (o Outcome) adds(k *Keeper) []entry {
	day := k.day(o.At)
	out := []entry{{Measure: Outcomes, Day: day}}
	for _, score := range []struct {
		measure string
		value   float64
	}{{Satisfaction, o.Satisfaction}, {Comprehension, o.Comprehension}, {GoalAlignment, o.GoalAlignment}} {
		out = append(out, entry{Measure: score.measure, Day: day, Sum: units(score.value), Squares: true})
	}
	for _, said := range []struct {
		measure string
		is      sql.NullBool
	}{{GoalsMet, o.GoalsMet}, {Understanding, o.Understanding}, {Signposted, o.Signposted}, {DBWarning, o.Warning}} {
		if said.is.Valid {
			out = append(out, part(said.measure, day, said.is.Bool))
		}
	}
	return out
}

// OutcomeTx counts an outcome in the transaction that stores it; old is what it replaces, nil when it is the first.
func (k *Keeper) OutcomeTx(tx *db.Tx, old *Outcome, now Outcome) error {
	s := newSheet()
	if old != nil {
		for _, e := range old.adds(k) {
			s.add(old.AgentType, old.Topic, e, -1)
		}
	}
	for _, e := range now.adds(k) {
		s.add(now.AgentType, now.Topic, e, 1)
	}
	return s.write(tx)
}
