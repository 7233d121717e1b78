package learning

import (
	"context"

	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/pack"
)

// validate tries the principle on the corrected case, on guidance that people approved for such customers, and on
// customers it is not for.
func (p *Pipeline) validate(ctx context.Context, l Lesson, src *Source) (outcome, error) {
	var r Reflection
	if err := p.d.Read(ctx, func(tx *db.Tx) error { return lastOutputTx(tx, l.ID, StageReflect, &r) }); err != nil {
		return outcome{}, err
	}
	trials, err := p.trials(ctx, src, r, nil)
	if err != nil {
		return outcome{}, err
	}
	tests, err := p.try(ctx, l.AgentID, trials, nil)
	if err != nil {
		return outcome{}, err
	}
	g := p.policy.gate(tests)
	return outcome{
		step: Step{AnsweredBy: p.reasoner.Name(), Cases: tests, Output: jsonOf(g),
			Input: jsonOf(map[string]any{"principle": r.Principle, "domain": r.Domain, "conditions": r.Conditions, "tasks": r.Tasks})},
		change: func(_ *db.Tx, l *Lesson) error {
			l.Helpful, l.Tried, l.Silent, l.Held, l.MustNotFire = g.Helpful, g.Tried, g.Silent, g.Held, g.MustNotFire
			l.Confidence, l.Provisional, l.Stage = g.Confidence, g.Provisional, StageRefine
			if !g.Valid {
				l.Stage, l.State, l.Outcome = StageValidate, Rejected, "Not kept: "+g.Why
			}
			return nil
		},
	}, nil
}

// try puts trials to the reasoner, after those that were made before, until the gate needs no more of them or enough have told. It
// returns all.
func (p *Pipeline) try(ctx context.Context, agentID string, trials []trial, before []CaseTest) ([]CaseTest, error) {
	tests := append(make([]CaseTest, 0, len(before)+len(trials)), before...)
	inUse, err := p.rulesInUse(ctx, agentID)
	if err != nil {
		return nil, err
	}
	for _, t := range trials {
		if g := p.policy.gate(tests); t.Kind == TestExemplar && (g.settled() || g.Tried >= p.policy.Exemplars) {
			break
		}
		if t.Arms, err = p.draftArms(ctx, agentID, t, inUse); err != nil {
			return nil, err
		}
		f, err := p.reasoner.Validate(ctx, t.Trial)
		if err != nil {
			return nil, err
		}
		if f.Verdict != Helped && f.Verdict != Hurt && f.Verdict != Silent {
			return nil, fault.New(fault.Unavailable, "A case test came back without a verdict. It will be tried again.")
		}
		tests = append(tests, CaseTest{CaseID: t.caseID, Number: t.number, Kind: t.Kind, Verdict: f.Verdict, Fired: f.Fired, Why: f.Why})
	}
	return tests, nil
}

// trial is a Trial and the case it was made from.
type trial struct {
	Trial
	caseID string
	number int
}

// pool is how many approved cases are looked through for exemplars, of the domain and task and then of all.
const pool = 400

// trials picks what to try a principle on: the corrected case, as cases where it must not fire such customers as lack what it
// depends on, and approved cases of customers whom the reflection says it is for; made-up customers fill what real ones leave
// open. The reflection's conditions choose, so the principle's words are tested against them and not by themselves. Cases in
// but were tried before.
func (p *Pipeline) trials(ctx context.Context, src *Source, r Reflection, but []CaseTest) ([]trial, error) {
	base := Trial{Principle: r.Principle, Domain: r.Domain}
	origin := base
	origin.Kind, origin.Situation, origin.Summary, origin.Approved, origin.Negative = TestOrigin, src.Situation, situationText(src.Situation), src.HumanText, src.AgentText
	cases, err := p.approvedCases(ctx, src, r.Domain)
	if err != nil {
		return nil, err
	}
	had, tried := map[string]bool{}, map[string]int{}
	for _, t := range but {
		had[t.CaseID] = t.CaseID != ""
		tried[t.Kind]++
	}
	var exemplars, aliens []trial
	if tried[TestOrigin] == 0 {
		aliens = append(aliens, trial{Trial: origin})
		tried[TestMustNotFire]-- // the origin stands among them
	}
	for _, c := range cases {
		t := base
		t.Situation, t.Summary, t.Approved, t.Negative = c.situation, c.Situation, c.Guidance, c.Negative
		switch fit := fits(r, c.situation); {
		case had[c.ID]:
		case fit && len(exemplars) < mostAsked:
			t.Kind = TestExemplar
			exemplars = append(exemplars, trial{t, c.ID, c.Number})
		case !fit && tried[TestMustNotFire]+len(aliens) < p.policy.MustNotFire:
			t.Kind = TestMustNotFire
			aliens = append(aliens, trial{t, c.ID, c.Number})
		}
	}
	if len(but) == 0 {
		for _, t := range contrasts(r, src, p.policy.MustNotFire-tried[TestMustNotFire]-len(aliens)) {
			t.Principle, t.Domain, t.Kind = r.Principle, r.Domain, TestMustNotFire
			aliens = append(aliens, trial{Trial: t})
		}
	}
	return append(aliens, exemplars...), nil
}

// fits tells whether a customer has everything that a reflection says its principle depends on.
func fits(r Reflection, s pack.Situation) bool {
	for _, c := range r.Conditions {
		if !meets(s, c) {
			return false
		}
	}
	if len(r.Tasks) == 0 {
		return true
	}
	for _, t := range r.Tasks {
		if s.Task == t {
			return true
		}
	}
	return false
}

// meets tells whether one condition holds for a customer.
func meets(s pack.Situation, condition string) bool {
	switch condition {
	case CondDB:
		return s.HoldsDB()
	case CondDC:
		return s.HasDC
	case CondState:
		return s.HasState
	case CondLow:
		return s.Literacy == "low"
	case CondVulnerable:
		return s.Fragile()
	case CondYoung:
		return s.Age > 0 && s.Age < 55
	case CondChoice:
		return s.AsksForChoice()
	case CondScam:
		return s.ScamSigns()
	}
	return false
}
