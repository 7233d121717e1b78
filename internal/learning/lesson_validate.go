package learning

import (
	"context"
	"slices"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/rule"
)

// validate holds the statement against the corrected text and what people released for other customers who meet its
// conditions.
func (p *Pipeline) validate(ctx context.Context, l Lesson, src *Source) (outcome, error) {
	if l.Statement.Empty() {
		return oldForm(StageValidate), nil
	}
	trials, err := p.trials(ctx, l, src, nil)
	if err != nil {
		return outcome{}, err
	}
	tests, err := p.try(ctx, trials, nil)
	if err != nil {
		return outcome{}, err
	}
	g := p.policy.gate(tests)
	return outcome{
		step: Step{AnsweredBy: p.reasoner.Name(), Cases: tests, Output: jsonOf(g),
			Input: jsonOf(map[string]any{"statement": l.Statement, "domain": l.Domain})},
		change: func(_ *db.Tx, l *Lesson) error {
			l.tried(g)
			l.Stage = StageRefine
			if !g.Valid {
				l.Stage, l.State, l.Outcome = StageValidate, Rejected, "Dropped: "+g.Why
			}
			return nil
		},
	}, nil
}

// oldForm has a lesson that began before statements wait for its sentence.
func oldForm(stage string) outcome {
	why := "It was written before rules had a set form. State what should change."
	return outcome{
		step: Step{Name: stage, AnsweredBy: "system", Input: jsonOf(struct{}{}),
			Output: jsonOf(map[string]string{"why": why})},
		change: func(_ *db.Tx, l *Lesson) error {
			l.Stage, l.State, l.Outcome = StageReflect, Unstated, why
			return nil
		},
	}
}

// tried takes over what the gate says.
func (l *Lesson) tried(g Gate) {
	l.Helpful, l.Tried, l.Silent, l.Held, l.MustNotFire = g.Helpful, g.Tried, g.Silent, 0, 0
	l.Confidence, l.Provisional = g.Confidence, g.Provisional
}

// try puts trials to the reasoner, after those that were made before, until the gate needs no more of them or enough
// have told. It returns all.
func (p *Pipeline) try(ctx context.Context, trials []trial, before []CaseTest) ([]CaseTest, error) {
	tests := append(make([]CaseTest, 0, len(before)+len(trials)), before...)
	for _, t := range trials {
		if g := p.policy.gate(tests); t.Kind == TestExemplar && (g.settled() || g.Tried >= p.policy.Exemplars) {
			break
		}
		f, err := p.reasoner.Validate(ctx, t.Trial)
		if err != nil {
			return nil, err
		}
		if f.Verdict != Helped && f.Verdict != Hurt && f.Verdict != Silent {
			return nil, fault.New(fault.Unavailable, "A case test gave no verdict. It will be tried again.")
		}
		tests = append(tests, CaseTest{CaseID: t.caseID, Number: t.number, Kind: t.Kind, Verdict: f.Verdict,
			Fired: f.Fired, Why: f.Why})
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

// trials picks what to hold a statement against: the corrected case, and what people released for customers who meet
// its conditions. Cases in but were tried before.
func (p *Pipeline) trials(ctx context.Context, l Lesson, src *Source, but []CaseTest) ([]trial, error) {
	had := map[string]bool{}
	for _, t := range but {
		had[t.CaseID] = true
	}
	var out []trial
	if len(but) == 0 {
		t := trial{Trial: Trial{Statement: l.Statement, Kind: TestOrigin, Situation: src.Situation,
			Summary: situationText(src.Situation), Approved: src.HumanText, Negative: src.AgentText}}
		out = append(out, t)
	}
	cases, err := p.approvedCases(ctx, src, l.Domain)
	if err != nil {
		return nil, err
	}
	for _, c := range cases {
		if had[c.ID] || len(out) > mostAsked || p.kb.Match(ctx, l.Statement, c.situation).State != rule.Met {
			continue
		}
		out = append(out,
			trial{Trial{Statement: l.Statement, Kind: TestExemplar, Situation: c.situation, Summary: c.Situation,
				Approved: c.Guidance, Negative: c.Negative}, c.ID, c.Number})
	}
	return out, nil
}

// approvedCase is a text that a person released, with the customer it was for.
type approvedCase struct {
	knowledge.Case
	situation pack.Situation
}

// approvedCases are what people released of the agent's, those of the domain and task first and then the others, with
// the customer as the lesson that the case came with knows them. Documents, and cases whose customer was erased, say
// nothing about a rule.
func (p *Pipeline) approvedCases(ctx context.Context, src *Source, domain string) ([]approvedCase, error) {
	var cases []knowledge.Case
	for _, f := range []knowledge.ExemplarFilter{
		{AgentID: src.AgentID, Domain: domain, Task: src.Task, Not: src.DecisionID},
		{AgentID: src.AgentID, Not: src.DecisionID},
	} {
		more, err := p.kb.Exemplars(ctx, f, pool)
		if err != nil {
			return nil, err
		}
		for _, c := range more {
			if !slices.ContainsFunc(cases, func(have knowledge.Case) bool { return have.ID == c.ID }) {
				cases = append(cases, c)
			}
		}
	}
	out := make([]approvedCase, 0, len(cases))
	err := p.d.Read(ctx, func(tx *db.Tx) error {
		for _, c := range cases {
			if c.Guidance == "" || !c.Approved || c.Source != knowledge.FromReview || c.Origin == "" {
				continue
			}
			l, ok, err := byCauseTx(tx, CauseDecision, c.Origin)
			if err != nil || !ok {
				if err != nil {
					return err
				}
				continue
			}
			of, err := sourceTx(tx, l.ID)
			if err != nil {
				return err
			}
			if of != nil {
				out = append(out, approvedCase{c, of.Situation})
			}
		}
		return nil
	})
	return out, err
}
