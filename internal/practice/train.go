package practice

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/rule"
)

// School is a room with a base that learns. It must be one of its own: what is learned here is for practice alone.
type School struct {
	Room
	People    *People
	DB        *db.DB
	Knowledge *knowledge.Base
	Learning  *learning.Pipeline
	Drain     func(ctx context.Context) error // runs the jobs of the learning path
	Progress  func(done int)                  // nil for nobody

	met map[string]Session // who was had since the base last changed, by Person.Key

	Runs  *Runs  // where consultations are kept, so that a training that was stopped goes on; nil for nowhere
	RunID string // of this training
}

// kept are the consultations of a phase that this training has had already.
func (s *School) kept(ctx context.Context, phase string) ([]Session, error) {
	if s.Runs == nil {
		return nil, nil
	}
	return s.Runs.Sessions(ctx, s.RunID, phase)
}

// keepAll keeps consultations, before anything is learned from them.
func (s *School) keepAll(ctx context.Context, phase string, list []Session) error {
	if s.Runs == nil {
		return nil
	}
	return s.Runs.store(ctx, s.RunID, phase, list)
}

// batch is how many customers are answered against one state of the base.
const batch = 20

// pointEvery is how many customers a point of the curve sums up.
const pointEvery = 100

// Point is a place of a training's curve.
type Point struct {
	Customers int    `json:"customers"`
	Quality   Figure `json:"quality"` // of the customers since the point before
	NeedsMet  Figure `json:"needs_met"`
	Cases     int    `json:"cases"`
	Rules     int    `json:"rules"`
}

// Trained is what came of a training.
type Trained struct {
	Customers int     `json:"customers"`
	Curve     []Point `json:"curve"`
	Lessons   int     `json:"lessons"`
	Accepted  int     `json:"accepted"`
	Rules     []Rule  `json:"rules"`
	Before    Metrics `json:"before"` // on the split's test customers, whom the training did not have
	After     Metrics `json:"after"`
	Gain      Figure  `json:"needs_met_gain"`
}

// Rule is one that practice taught, in words.
type Rule struct {
	Need      string         `json:"need"`
	Rule      string         `json:"rule"`
	Accepted  bool           `json:"accepted"`
	Why       string         `json:"why"`
	Statement rule.Statement `json:"statement"`
}

// Train has n customers of a split's training part (seed 000, virtual_training_phase): a success makes a case, what
// enough customers missed a lesson, which goes down the learning path as any other and is accepted where gate and judge
// let it through. Consultations are kept before they are learned from, and each step of learning has its own key: a
// training that was killed goes on from what it kept.
func (s *School) Train(ctx context.Context, n, split int, seed uint64) (out Trained, err error) {
	from := s.People.drawer(Train, split, seed)
	mind, rules := newReflector(s.People.Pack), map[string]string{}
	cases, since := map[string]float64{}, []Session(nil)
	had, err := s.kept(ctx, phaseTrain)
	if err != nil {
		return out, err
	}
	for done := 0; done < n; {
		who := make([]*Person, min(batch, n-done))
		for i := range who {
			who[i] = from.at(done + i)
		}
		var sessions []Session
		if len(had) >= done+len(who) { // learned from again, which changes nothing that was learned
			sessions = had[done : done+len(who)]
		} else {
			if sessions, err = s.meet(ctx, done, who); err == nil {
				err = s.keepAll(ctx, phaseTrain, sessions)
			}
			if err != nil {
				return out, err
			}
		}
		for i := range sessions {
			mind.see(sessions[i], who[i].Situation)
			if key, good := who[i].Key(), sessions[i].good(); sessions[i].Successful && good > cases[key] {
				cases[key] = good // a better answer takes the place of the one before
				if err := s.keep(ctx, who[i], &sessions[i]); err != nil {
					return out, err
				}
			}
		}
		for _, t := range mind.lessons(s.People.Needs) {
			if err := s.teach(ctx, t, rules, &out); err != nil {
				return out, err
			}
		}
		done += len(who)
		since = append(since, sessions...)
		if len(since) >= pointEvery || done == n {
			m := Measure(since)
			out.Curve = append(out.Curve, Point{done, m.OverallQuality, m.NeedsMet, len(cases), len(rules)})
			since = nil
		}
		out.Customers = done
		if s.Progress != nil {
			s.Progress(len(who))
		}
	}
	return out, nil
}

// Measured is Train, and what it changes for the test customers of the split.
func (s *School) Measured(ctx context.Context, n, split int, seed uint64) (out Trained, err error) {
	tested := s.People.All(Test, split)
	before, err := s.phase(ctx, phaseBefore, tested)
	if err != nil {
		return out, err
	}
	if out, err = s.Train(ctx, n, split, seed); err != nil {
		return out, err
	}
	after, err := s.phase(ctx, phaseAfter, tested)
	out.Before, out.After, out.Gain = Measure(before), Measure(after), gain(after, before, needsMet)
	return out, err
}

// phase has the test customers once.
func (s *School) phase(ctx context.Context, phase string, tested []*Person) ([]Session, error) {
	list, err := s.kept(ctx, phase)
	if err != nil || len(list) > 0 {
		return list, err
	}
	if list, err = s.hold(ctx, 0, tested, knowledge.Withhold{}); err == nil {
		err = s.keepAll(ctx, phase, list)
	}
	return list, err
}

// Propose begins a lesson of each rule that a training taught, in the base of real people: it goes down the path and
// waits for an expert. One that is there already is not begun again.
func (s *School) Propose(ctx context.Context, run string, list []Rule) (n int, err error) {
	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		for _, r := range list {
			src := s.source(run+"/"+r.Need, r.Statement)
			src.Approver, src.Situation.Pack = "", s.People.Pack
			switch _, err := s.Learning.FromProposalTx(tx, src); {
			case fault.Is(err, fault.Conflict):
			case err != nil:
				return err
			default:
				n++
			}
		}
		return nil
	})
	return n, err
}

// hold has consultations side by side, and gives them in the order of who.
func (r *Room) hold(ctx context.Context, first int, who []*Person, without knowledge.Withhold) ([]Session, error) {
	out, errs := make([]Session, len(who)), make([]error, len(who))
	next := make(chan int)
	var all sync.WaitGroup
	for range min(len(who), runtime.GOMAXPROCS(0)) {
		all.Go(func() {
			for i := range next {
				out[i], errs[i] = r.consult(ctx, first+i, who[i], without)
			}
		})
	}
	for i := range who {
		next <- i
	}
	close(next)
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// meet is hold, but asks nobody twice of a base that hasn't changed since: the embedded advisor and customer would say
// the same again.
func (s *School) meet(ctx context.Context, first int, who []*Person) ([]Session, error) {
	if _, same := s.Customer.(Embedded); !same {
		return s.hold(ctx, first, who, knowledge.Withhold{})
	}
	var strangers []*Person
	for _, p := range who {
		if _, known := s.met[p.Key()]; !known && !slices.Contains(strangers, p) {
			strangers = append(strangers, p)
		}
	}
	list, err := s.hold(ctx, first, strangers, knowledge.Withhold{})
	if err != nil {
		return nil, err
	}
	if s.met == nil {
		s.met = map[string]Session{}
	}
	for _, one := range list {
		s.met[one.Person] = one
	}
	out := make([]Session, len(who))
	for i, p := range who {
		out[i] = s.met[p.Key()]
		out[i].N = first + i
	}
	return out, nil
}

// source is what a lesson of practice is made of.
func (s *School) source(causeID string, st ...rule.Statement) learning.Source {
	return learning.Source{Kind: learning.Proposed, Origin: learning.Practice, CauseID: causeID, AgentID: s.AgentID,
		By: teacher, Approver: "practice",
		At: s.DB.Now(), Statements: st}
}

const teacher = "Practice"

// good is how good a consultation was for its customer, to choose among several.
func (s *Session) good() float64 { return s.Satisfaction + s.Comprehension + s.GoalAlignment }

// keep makes a case of a success, one for each customer (learn_from_successful_consultation).
func (s *School) keep(ctx context.Context, who *Person, c *Session) error {
	s.met = nil
	src := s.success(who, c)
	return s.DB.Write(ctx, func(tx *db.Tx) error { return s.Learning.SucceededTx(tx, src) })
}

// teach takes a lesson down the path. A rule about the same need that was learned before gives way.
func (s *School) teach(ctx context.Context, t taught, rules map[string]string, out *Trained) error {
	s.met = nil
	src := s.source(fmt.Sprintf("%s/%d", t.need, out.Lessons), t.Statement)
	src.Situation.Pack = s.People.Pack
	var lessonID string
	err := s.DB.Write(ctx, func(tx *db.Tx) (err error) { lessonID, err = s.Learning.FromProposalTx(tx, src); return })
	if fault.Is(err, fault.Conflict) { // begun before this training was stopped
		var list []learning.Lesson
		if list, err = s.Learning.OfCause(ctx, learning.CauseProposal, src.CauseID); err == nil {
			lessonID = list[0].ID
		}
	}
	if err != nil {
		return err
	}
	if err := s.Drain(ctx); err != nil {
		return err
	}
	l, err := s.Learning.Get(ctx, lessonID)
	if err != nil {
		return err
	}
	out.Lessons++
	made := Rule{Need: t.need, Rule: l.RuleText, Accepted: l.State == learning.Accepted && l.RuleID != "",
		Why: l.Outcome, Statement: t.Statement}
	out.Rules = append(out.Rules, made)
	if !made.Accepted {
		return nil
	}
	out.Accepted++
	old := rules[t.need]
	rules[t.need] = l.RuleID
	if old == "" || old == l.RuleID {
		return nil
	}
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		r, err := s.Knowledge.RuleTx(tx, old)
		if err != nil {
			return err
		}
		_, err = s.Knowledge.SetRuleStatusTx(tx, old, knowledge.Retired, knowledge.Change{By: audit.System("practice"),
			Reason: "Practice found better for whom it is meant.", Version: r.Version})
		return err
	})
}

// Plant puts rules into the base without path or gate, to see what they do.
func (s *School) Plant(ctx context.Context, list []rule.Statement) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		for _, st := range list {
			if _, err := s.Knowledge.PlantRuleTx(tx, PlantedRule(s.AgentID, s.People.Pack, st)); err != nil {
				return err
			}
		}
		return nil
	})
}

// Evaluate measures the base on a part of the people, each once (seed 000, evaluate_advisor).
func (r *Room) Evaluate(ctx context.Context, list []*Person, without knowledge.Withhold) ([]Session, error) {
	return r.hold(ctx, 0, list, without)
}
