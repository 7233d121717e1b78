package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/credit"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/estimate"
	"preceptor/internal/platform/id"
	"preceptor/internal/rule"
)

// The simulated world. These are assumptions, in the shape of the one in learning-peers.md: they rank ways of finding
// harm and predict no firm's figures. Approval differs by task, rules belong to tasks, and four rules are shown to a
// draft; that is what makes raw counts wrong.
const (
	// simRules and simHarmful are how many rules there are, and how many of them do harm.
	simRules   = 60
	simHarmful = 6
	simShown   = 4
	simHome    = 4.0  // how much likelier a rule is shown in the task it belongs to than in another
	simHarmLow = 0.15 // by how much a harmful rule lowers the chance of approval: from here
	simHarmTop = 0.30 // to here
	simGoodTop = 0.04 // good ones raise it by up to this
	// planted checks per decision while a person is new, each with one item that misleads and three that don't
	simEarly  = 0.10
	simLater  = 0.044 // and afterwards: 5 % of a thousand decisions in all
	simNew    = 100
	simAgent  = "simulated agent"
	simPerson = "simulated supervisor"
)

// simTasks are how often each task comes and how often its drafts are approved when no rule does anything.
var simTasks = []struct{ often, approved float64 }{{0.24, 0.95}, {0.20, 0.86}, {0.18, 0.77}, {0.14, 0.68}, {0.13, 0.58},
	{0.11, 0.45}}

// simMarks are the numbers of decisions at which the simulation looks.
var simMarks = []int{100, 300, 1000}

// ticking is how supervisors of the simulation tick; the zero value does not.
type ticking struct{ Hits, False float64 }

// goodTicks and sloppyTicks are those that the simulation compares.
var (
	noTicks     = ticking{}
	goodTicks   = ticking{0.60, 0.05}
	sloppyTicks = ticking{0.20, 0.15}
)

// creditRun is one replayed stream.
type creditRun struct {
	Raw, Found  []float64 // AUROC of finding the harmful rules, at each mark: by raw counts, by this package
	Quarantined int       // harmful rules, at the end
	Wrongly     int       // good rules that ever were
	FoundAt     []int     // decisions until each harmful rule's quarantine
}

type sim struct {
	ctx     context.Context
	d       *db.DB
	kb      *knowledge.Base
	l       *credit.Ledger
	rnd     *rand.Rand // of the world
	ticker  *rand.Rand // of who ticks, apart so that the world is the same whoever ticks
	rules   []knowledge.Rule
	effects []float64
	gone    []bool
	how     ticking
}

// replay runs simMarks' last number of decisions through a ledger on d, an empty database, with 60 rules of which 6 do
// harm. What is quarantined is shown no more. The same seed makes the same world.
func replay(ctx context.Context, d *db.DB, kb *knowledge.Base, seed uint64, how ticking) (run creditRun, err error) {
	s := &sim{ctx: ctx, d: d, kb: kb, l: credit.New(d, kb), rnd: rand.New(rand.NewPCG(seed, 1)),
		ticker: rand.New(rand.NewPCG(seed, 2)), how: how}
	if err := s.plant(); err != nil {
		return run, err
	}
	n := 0
	for _, mark := range simMarks {
		for n < mark {
			if ctx.Err() != nil {
				return run, ctx.Err()
			}
			upTo := min(n+50, mark) // many decisions per transaction, to spare the disk
			if err := d.Write(ctx, func(tx *db.Tx) error {
				for ; n < upTo; n++ {
					if err := s.decision(tx, n, &run); err != nil {
						return err
					}
				}
				return nil
			}); err != nil {
				return run, fmt.Errorf("simulate credit: %w", err)
			}
		}
		if err := s.measure(&run); err != nil {
			return run, err
		}
	}
	return run, nil
}

// plant makes the rules, the first six of them harmful.
func (s *sim) plant() error {
	return s.d.Write(s.ctx, func(tx *db.Tx) error {
		for i := range simRules {
			text := knowledge.RuleOf(
				rule.Statement{When: []rule.Condition{
					{Kind: rule.Mentions, Values: []string{fmt.Sprintf("point %d", i)}}},
					Do: rule.Act{Kind: rule.Other, Text: fmt.Sprintf("mention detail %d", i)}},
				pack.Of(pack.GeneralName))
			text.Confidence = 0.8
			r, err := s.kb.AddRuleTx(tx,
				knowledge.Rule{Status: knowledge.Active, Domain: knowledge.PensionEducation,
					By: audit.System("simulation"), RuleText: text})
			if err != nil {
				return err
			}
			effect := simGoodTop * s.rnd.Float64()
			if i < simHarmful {
				effect = -simHarmLow - (simHarmTop-simHarmLow)*s.rnd.Float64()
			}
			s.rules, s.effects, s.gone = append(s.rules, r), append(s.effects, effect), append(s.gone, false)
		}
		return nil
	})
}

// decision draws one draft, what it was shown and what became of it.
func (s *sim) decision(tx *db.Tx, n int, run *creditRun) error {
	task := s.task()
	shown := s.draw(task)
	chance := simTasks[task].approved
	for _, i := range shown {
		chance += s.effects[i]
	}
	o := credit.Outcome{ID: id.New(), InteractionID: id.New(), AgentID: simAgent, Task: fmt.Sprintf("task %d", task)}
	o.Approved = s.rnd.Float64() < min(0.98, max(0.02, chance))
	used := make([]knowledge.Used, 0, len(shown))
	for rank, i := range shown {
		used = append(used, knowledge.Used{ID: s.rules[i].ID, Rank: rank + 1})
	}
	if _, err := s.kb.RecordUsageTx(tx, o.InteractionID, simAgent, used); err != nil {
		return err
	}
	if err := s.l.RecordTx(tx, o); err != nil {
		return err
	}
	if s.how != noTicks {
		if err := s.tick(tx, n, o, shown); err != nil {
			return err
		}
	}
	for _, i := range shown {
		r, err := s.kb.RuleTx(tx, s.rules[i].ID)
		if err != nil {
			return err
		}
		if r.Status != knowledge.Quarantined {
			continue
		}
		s.gone[i] = true
		if i < simHarmful {
			run.Quarantined++
			run.FoundAt = append(run.FoundAt, n+1)
		} else {
			run.Wrongly++
		}
	}
	return nil
}

func (s *sim) task() int {
	at := s.rnd.Float64()
	for i, t := range simTasks {
		if at -= t.often; at < 0 {
			return i
		}
	}
	return len(simTasks) - 1
}

// draw picks the rules that a draft is shown. A harmful rule belongs to a task as any other does.
func (s *sim) draw(task int) []int {
	weights := make([]float64, len(s.rules))
	for i := range s.rules {
		switch {
		case s.gone[i]:
		case i%len(simTasks) == task:
			weights[i] = simHome
		default:
			weights[i] = 1
		}
	}
	var out []int
	for len(out) < simShown {
		total := 0.0
		for _, w := range weights {
			total += w
		}
		at := s.rnd.Float64() * total
		for i, w := range weights {
			if at -= w; at < 0 && w > 0 {
				out, weights[i] = append(out, i), 0
				break
			}
		}
	}
	return out
}

// tick has the supervisor say what misled a draft that was not approved, and answer the planted checks.
func (s *sim) tick(tx *db.Tx, n int, o credit.Outcome, shown []int) error {
	if !o.Approved {
		t := credit.Ticks{OutcomeID: o.ID, By: simPerson}
		for _, i := range shown {
			t.Asked = append(t.Asked, s.rules[i].ID)
			if s.ticks(i < simHarmful) {
				t.Misled = append(t.Misled, s.rules[i].ID)
			}
		}
		if err := s.l.TickTx(tx, t); err != nil {
			return err
		}
	}
	rate := simLater
	if n < simNew {
		rate = simEarly
	}
	if s.ticker.Float64() >= rate {
		return nil
	}
	for i := range simShown {
		if err := s.l.CheckTx(tx, credit.Check{ID: id.New(), By: simPerson, Misleads: i == 0,
			Ticked: s.ticks(i == 0)}); err != nil {
			return err
		}
	}
	return nil
}

func (s *sim) ticks(misleads bool) bool {
	if misleads {
		return s.ticker.Float64() < s.how.Hits
	}
	return s.ticker.Float64() < s.how.False
}

// measure compares how the rules stand with what they are.
func (s *sim) measure(run *creditRun) error {
	raw, found := make([]float64, len(s.rules)), make([]float64, len(s.rules))
	err := s.d.Read(s.ctx, func(tx *db.Tx) error {
		for i, r := range s.rules {
			st, err := s.l.StandingTx(tx, r.ID)
			if err != nil {
				return err
			}
			raw[i] = float64(st.Shown-st.Approved+1) / float64(st.Shown+2)
			found[i] = -st.Effect
		}
		return nil
	})
	run.Raw, run.Found = append(run.Raw, auroc(raw, simHarmful)), append(run.Found, auroc(found, simHarmful))
	return err
}

// auroc is the chance that one of the first n scores, drawn at random, is higher than one of the rest; a tie counts
// half.
func auroc(scores []float64, n int) float64 {
	won := 0.0
	for _, a := range scores[:n] {
		for _, b := range scores[n:] {
			switch {
			case a > b:
				won++
			case a == b:
				won += 0.5
			}
		}
	}
	return won / float64(n*(len(scores)-n))
}

// mean is the mean of a figure over runs.
func mean(list []float64) float64 {
	sum := 0.0
	for _, x := range list {
		sum += x
	}
	return sum / float64(max(1, len(list)))
}

// meanInterval is the 95 % interval of mean, from 0 to 1.
func meanInterval(list []float64) (low, high float64) {
	middle, sum := mean(list), 0.0
	for _, x := range list {
		sum += (x - middle) * (x - middle)
	}
	n := float64(len(list))
	if n < 2 {
		return 0, 1
	}
	half := estimate.Z95 * math.Sqrt(sum/(n-1)/n)
	return max(0, middle-half), min(1, middle+half)
}
