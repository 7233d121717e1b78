package learning

import (
	"context"
	"fmt"

	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/pension"
)

// validate tries the principle on the corrected case, on guidance that people approved for such customers, and on
// customers it is not for.
func (p *Pipeline) validate(ctx context.Context, l Lesson, src *Source) (outcome, error) {
	var r Reflection
	if err := p.d.Read(ctx, func(tx *db.Tx) error { return lastOutputTx(tx, l.ID, StageReflect, &r) }); err != nil {
		return outcome{}, err
	}
	trials, err := p.trials(ctx, src, r)
	if err != nil {
		return outcome{}, err
	}
	tests := make([]CaseTest, 0, len(trials))
	for _, t := range trials {
		f, err := p.reasoner.Validate(ctx, t.Trial)
		if err != nil {
			return outcome{}, err
		}
		if f.Verdict != Helped && f.Verdict != Hurt && f.Verdict != Silent {
			return outcome{}, fault.New(fault.Unavailable, "A case test came back without a verdict. It will be tried again.")
		}
		tests = append(tests, CaseTest{CaseID: t.caseID, Number: t.number, Kind: t.Kind, Verdict: f.Verdict, Fired: f.Fired, Why: f.Why})
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

// Gate is what the case tests add up to.
type Gate struct {
	Valid       bool    `json:"valid"`
	Helpful     int     `json:"helpful"`
	Tried       int     `json:"tried"`
	Silent      int     `json:"silent"`
	Held        int     `json:"held"`
	MustNotFire int     `json:"must_not_fire"`
	Confidence  float64 `json:"confidence"`
	Provisional bool    `json:"provisional"`
	Why         string  `json:"why"`
}

// gate decides on case tests (seed 000 "Step 2: Validation", threshold 0.7). Only cases that speak for or against are
// counted. With fewer of them than the policy asks for the rule is provisional, and its confidence is the share shrunk
// towards one half, with the corrected case counted once on its side.
func (p Policy) gate(tests []CaseTest) Gate {
	var g Gate
	origin := true
	for _, t := range tests {
		switch {
		case t.Kind == TestOrigin:
			origin = t.Verdict != Hurt
		case t.Kind == TestMustNotFire:
			g.MustNotFire++
			if t.Verdict == Helped {
				g.Held++
			}
		case t.Verdict == Silent:
			g.Silent++
		default:
			g.Tried++
			if t.Verdict == Helped {
				g.Helpful++
			}
		}
	}
	g.Provisional = g.Tried < p.Exemplars
	g.Confidence = float64(g.Helpful+2) / float64(g.Tried+3)
	if !g.Provisional {
		g.Confidence = float64(g.Helpful) / float64(g.Tried)
	}
	enough := float64(g.Helpful) >= p.Threshold*float64(g.Tried)-1e-9
	g.Valid = origin && enough && g.Held == g.MustNotFire
	g.Why = g.explain(p, origin, enough)
	return g
}

func (g Gate) explain(p Policy, origin, enough bool) string {
	if !origin {
		return "it would not have changed the very draft that it comes from."
	}
	if !enough {
		return fmt.Sprintf("it helped in %d of %d cases, and %.0f %% is asked for.", g.Helpful, g.Tried, p.Threshold*100)
	}
	if g.Held < g.MustNotFire {
		return fmt.Sprintf("it also fired in %d of %d cases that it is not for.", g.MustNotFire-g.Held, g.MustNotFire)
	}
	if g.Tried == 0 {
		return "Tried on the corrected case only; provisional: no approved case speaks for or against it yet."
	}
	s := fmt.Sprintf("%d of %d cases", g.Helpful, g.Tried)
	if g.Provisional {
		s += fmt.Sprintf("; provisional: fewer than %d exemplars", p.Exemplars)
	}
	return s + "."
}

// trial is a Trial and the case it was made from.
type trial struct {
	Trial
	caseID string
	number int
}

// pool is how many approved cases are looked through for exemplars.
const pool = 200

// trials picks what to try a principle on: the corrected case, approved cases of customers whom the reflection says it is
// for, and, as cases where it must not fire, such that lack what it depends on; made-up customers fill what real ones
// leave open. The reflection's conditions choose, so the principle's words are tested against them and not by themselves.
func (p *Pipeline) trials(ctx context.Context, src *Source, r Reflection) ([]trial, error) {
	base := Trial{Principle: r.Principle, Domain: r.Domain}
	origin := base
	origin.Kind, origin.Situation, origin.Summary, origin.Approved, origin.Negative = TestOrigin, src.Situation, situationText(src.Situation), src.HumanText, src.AgentText
	out := []trial{{Trial: origin}}
	cases, err := p.approvedCases(ctx, src, r.Domain)
	if err != nil {
		return nil, err
	}
	exemplars, aliens := 0, 0
	for _, c := range cases {
		t := base
		t.Situation, t.Summary, t.Approved, t.Negative = c.situation, c.Situation, c.Guidance, c.Negative
		switch fit := fits(r, c.situation); {
		case fit && exemplars < p.policy.Exemplars:
			exemplars++
			t.Kind = TestExemplar
		case !fit && aliens < p.policy.MustNotFire:
			aliens++
			t.Kind = TestMustNotFire
		default:
			continue
		}
		out = append(out, trial{t, c.ID, c.Number})
	}
	for _, t := range contrasts(r, src, p.policy.MustNotFire-aliens) {
		t.Principle, t.Domain, t.Kind = r.Principle, r.Domain, TestMustNotFire
		out = append(out, trial{Trial: t})
	}
	return out, nil
}

// fits tells whether a customer has everything that a reflection says its principle depends on.
func fits(r Reflection, s pension.Situation) bool {
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
func meets(s pension.Situation, condition string) bool {
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
