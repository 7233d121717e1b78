package practice

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/rule"
)

// Arms of an ablation (seed 000, ablation_study), and two that must not look like learning.
const (
	Baseline  = "baseline"   // documents alone
	CasesOnly = "cases only" // and cases
	RulesOnly = "rules only" // and rules
	Full      = "full"       // and both
	Shuffled  = "full, needs shuffled among customers"
	WrongArm  = "full, wrong rules added"
	OtherArm  = "another domain's memory"

	shuffledBase = "baseline, needs shuffled among customers"
	fullCopy     = "full, in the copy" // of an agent's own memory, without what came of real customers
)

// Arm is how one of them did on the test customers of a split, over all seeds.
type Arm struct {
	Split   int     `json:"split"`
	Name    string  `json:"arm"`
	Metrics Metrics `json:"metrics"`
	// Differences from the arm it is held against, on the same customers.
	Against      string `json:"against,omitempty"`
	Quality      Figure `json:"quality_difference"`
	NeedsMet     Figure `json:"needs_met_difference"`
	Satisfaction Figure `json:"satisfaction_difference"`
}

// against is what each arm is held against.
var against = map[string]string{CasesOnly: Baseline, RulesOnly: Baseline, Full: Baseline, Shuffled: shuffledBase,
	WrongArm: Full, OtherArm: Baseline}

// armNames are the arms in the order in which they are shown.
var armNames = []string{Baseline, CasesOnly, RulesOnly, Full, Shuffled, WrongArm, OtherArm}

// Seeds is how many trainings of each split an ablation has, unless somebody asks for another number.
const Seeds = 5

// Ablated is an ablation.
type Ablated struct {
	Pack      string    `json:"pack"`
	Own       bool      `json:"own_memory"` // what the agent knows; nothing was trained
	Customers int       `json:"customers"`  // of each training
	Seeds     int       `json:"seeds"`
	Judge     Told      `json:"judge"`
	Arms      []Arm     `json:"arms"`
	Trainings []Trained `json:"trainings"`
}

// OpenSchool opens a school on documents alone; what it learns is gone with done.
type OpenSchool func(ctx context.Context) (s *School, done func() error, err error)

// Ablate trains with each of so many seeds on each split, and has each arm answer the split's test customers.
func Ablate(ctx context.Context, open OpenSchool, p *People, customers, splits, seeds int) (out Ablated, err error) {
	out = Ablated{Pack: p.Pack, Customers: customers, Seeds: seeds, Judge: p.recognise().told}
	for split := range splits {
		arms := map[string][]Session{}
		for seed := range seeds {
			trained, err := one(ctx, open, p, customers, split, uint64(seed+1), arms)
			if err != nil {
				return out, err
			}
			out.Trainings = append(out.Trainings, trained)
		}
		out.add(split, arms)
	}
	return out, nil
}

// add sums the arms of a split up.
func (a *Ablated) add(split int, arms map[string][]Session) {
	for _, name := range armNames {
		arm := Arm{Split: split, Name: name, Metrics: Measure(arms[name]), Against: against[name]}
		if a.Own && name == WrongArm {
			arm.Against = fullCopy
		}
		if than := arms[arm.Against]; than != nil {
			arm.Quality, arm.NeedsMet, arm.Satisfaction = gain(arms[name], than, quality),
				gain(arms[name], than, needsMet), gain(arms[name], than, satisfaction)
		}
		a.Arms = append(a.Arms, arm)
	}
}

// AblateOwn has each arm answer the test customers of all splits with what an agent knows. Nothing is trained. What
// must not be in the base is planted in a copy, which apart opens and deletes. It stops at once where same, which is
// asked around each arm until there is the copy, says that the base is not what it was.
func AblateOwn(ctx context.Context, s *School, same func() error,
	apart func(do func(*School) error) error) (out Ablated, err error) {
	out = Ablated{Pack: s.People.Pack, Own: true, Judge: s.People.recognise().told}
	arms := make([]map[string][]Session, Splits)
	answer := func(to *School, name string, without knowledge.Withhold) {
		for split := range arms {
			if err == nil && to == s {
				err = same()
			}
			if arms[split] == nil {
				arms[split] = map[string][]Session{}
			}
			who := s.People.All(Test, split)
			if name == Shuffled || name == shuffledBase {
				who = shuffled(who, 1)
			}
			if err == nil {
				arms[split][name], err = to.Evaluate(ctx, who, without)
			}
		}
	}
	answer(s, Baseline, knowledge.Withhold{Cases: true, Rules: true})
	answer(s, CasesOnly, knowledge.Withhold{Rules: true})
	answer(s, RulesOnly, knowledge.Withhold{Cases: true})
	answer(s, Full, knowledge.Withhold{})
	answer(s, Shuffled, knowledge.Withhold{})
	answer(s, shuffledBase, knowledge.Withhold{Cases: true, Rules: true})
	if err != nil {
		return out, err
	}
	if err := apart(func(s *School) error {
		if err = same(); err != nil {
			return err
		}
		answer(s, fullCopy, knowledge.Withhold{})
		if err == nil {
			err = s.Plant(ctx, s.People.Wrong)
		}
		answer(s, WrongArm, knowledge.Withhold{})
		if err == nil {
			err = s.retireRules(ctx)
		}
		if err == nil {
			err = s.Plant(ctx, s.People.Foreign)
		}
		answer(s, OtherArm, knowledge.Withhold{Cases: true})
		return err
	}); err != nil {
		return out, err
	}
	for split := range arms {
		out.add(split, arms[split])
	}
	return out, nil
}

// retireRules takes every rule out of use, in a copy.
func (s *School) retireRules(ctx context.Context) error {
	list, err := s.Knowledge.RulesInForce(ctx, s.AgentID)
	if err != nil {
		return err
	}
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		for _, r := range list {
			if _, err := s.Knowledge.SetRuleStatusTx(tx, r.ID, knowledge.Retired,
				knowledge.Change{By: audit.System("practice"), Reason: "Another memory is tried."}); err != nil {
				return err
			}
		}
		return nil
	})
}

// one is a training of a split, and its arms.
func one(ctx context.Context, open OpenSchool, p *People, customers, split int, seed uint64,
	arms map[string][]Session) (trained Trained, err error) {
	s, done, err := open(ctx)
	if err != nil {
		return trained, err
	}
	defer func() {
		if derr := done(); err == nil {
			err = derr
		}
	}()
	tested := p.All(Test, split)
	answer := func(name string, who []*Person, without knowledge.Withhold) {
		if err == nil {
			var list []Session
			list, err = s.Evaluate(ctx, who, without)
			arms[name] = append(arms[name], list...)
		}
	}
	if trained, err = s.Train(ctx, customers, split, seed); err != nil {
		return trained, err
	}
	answer(Baseline, tested, knowledge.Withhold{Cases: true, Rules: true})
	answer(CasesOnly, tested, knowledge.Withhold{Rules: true})
	answer(RulesOnly, tested, knowledge.Withhold{Cases: true})
	answer(Full, tested, knowledge.Withhold{})
	answer(Shuffled, shuffled(tested, seed), knowledge.Withhold{})
	answer(shuffledBase, shuffled(tested, seed), knowledge.Withhold{Cases: true, Rules: true})
	if err == nil {
		err = s.Plant(ctx, p.Wrong)
	}
	answer(WrongArm, tested, knowledge.Withhold{})
	if err != nil {
		return trained, err
	}
	strange, close, err := open(ctx)
	if err != nil {
		return trained, err
	}
	if err = strange.Plant(ctx, p.Foreign); err == nil {
		s = strange
		answer(OtherArm, tested, knowledge.Withhold{})
	}
	if cerr := close(); err == nil {
		err = cerr
	}
	return trained, err
}

// shuffled gives each person the needs of another whose question is another one.
func shuffled(list []*Person, seed uint64) []*Person {
	r := rand.New(rand.NewPCG(seed, 7)) //nolint:gosec // the same again
	order := r.Perm(len(list))
	out := make([]*Person, len(list))
	for i, who := range list {
		other := *who
		other.Needs = list[order[i]].Needs
		out[i] = &other
	}
	return out
}

// PlantedRule is a rule as Plant stores it.
func PlantedRule(agentID, packName string, st rule.Statement) knowledge.Rule {
	text := knowledge.RuleOf(st, pack.Of(packName))
	text.Confidence = 1
	return knowledge.Rule{AgentID: agentID, Status: knowledge.Active, Domain: pack.Of(packName).Domains[0].Name,
		RuleText: text,
		By:       audit.System("practice"), Reason: "Planted to see what it does."}
}

// Verdict says in words what the ablation shows. A gain counts where the interval is above 0 on every split.
func (a Ablated) Verdict() string {
	gained := func(f Figure) bool { return f.Low > 0 }
	if !a.every(Full, needsMetBy, gained) {
		return "No gain was shown." + a.doubts()
	}
	said := "What was learned meets more needs, on every split." + a.alone("Cases", CasesOnly) +
		a.alone("Rules", RulesOnly)
	if !a.every(Full, func(arm Arm) Figure { return arm.Quality }, gained) {
		said += " It was not shown to make more consultations successful."
	}
	return said + a.doubts()
}

// alone is what a part of the memory gains by itself where not every split shows it.
func (a Ablated) alone(what, name string) string {
	var gains []string
	shown := 0
	for _, arm := range a.Arms {
		if f := arm.NeedsMet; arm.Name == name {
			gains = append(gains, fmt.Sprintf("%+.1f (%+.1f to %+.1f)", f.Of*100, f.Low*100, f.High*100))
			if f.Low > 0 {
				shown++
			}
		}
	}
	if shown == len(gains) {
		return ""
	}
	return fmt.Sprintf(" %s alone were shown to help on %d of %d splits: needs met, in points with 95%% CI, %s.", what,
		shown, len(gains), strings.Join(gains, ", "))
}

// doubts are what speaks against trusting the score: it should fall with wrong rules, and not rise with what has
// nothing to do with learning.
func (a Ablated) doubts() (said string) {
	if !a.every(WrongArm, needsMetBy, func(f Figure) bool { return f.High < 0 }) {
		said += " Wrong rules were not found to harm on every split, so the score can't be trusted."
	}
	noGain := func(f Figure) bool { return f.Low <= 0 }
	if !a.every(OtherArm, needsMetBy, noGain) {
		said += " Another domain's memory also met more needs on at least one split, so not all of the gain is " +
			"learning."
	}
	if !a.every(Shuffled, needsMetBy, noGain) {
		said += " Part of the gain is not about the customer: with needs shuffled, more were also met on at least " +
			"one split."
	}
	return said
}

// every reports whether an arm's difference is such on every split.
func (a Ablated) every(name string, of func(Arm) Figure, is func(Figure) bool) bool {
	for _, arm := range a.Arms {
		if arm.Name == name && !is(of(arm)) {
			return false
		}
	}
	return true
}

func needsMetBy(a Arm) Figure { return a.NeedsMet }
