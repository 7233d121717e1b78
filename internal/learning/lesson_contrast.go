package learning

import (
	"context"
	"slices"
	"strings"

	"preceptor/internal/db"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
)

// approvedCase is a case that people approved, with the customer it was for.
type approvedCase struct {
	knowledge.Case
	situation pack.Situation
}

// approvedCases are the agent's exemplars, those of the domain and task first and then the others: a case is filed under
// the weightiest thing it does, and speaks for lighter ones too. The customer of a reviewed case is read from the lesson
// that it came with; of another case, from its words.
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
			if c.Guidance == "" || !c.Approved {
				continue
			}
			s, err := p.customerTx(tx, c)
			if err != nil {
				return err
			}
			out = append(out, approvedCase{c, s})
		}
		return nil
	})
	return out, err
}

func (p *Pipeline) customerTx(tx *db.Tx, c knowledge.Case) (pack.Situation, error) {
	if c.Source == knowledge.FromReview && c.Origin != "" {
		l, ok, err := byDecisionTx(tx, c.Origin)
		if err != nil {
			return pack.Situation{}, err
		}
		if ok {
			src, err := sourceTx(tx, l.ID)
			if err != nil {
				return pack.Situation{}, err
			}
			if src != nil {
				return src.Situation, nil
			}
		}
	}
	return situationFrom(c.Situation, c.Task), nil
}

// situationFrom reads a customer from words, for cases that did not come through a review here.
func situationFrom(text, task string) pack.Situation {
	t := strings.ToLower(text)
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(t, w) })
	}
	s := pack.Situation{Text: text, Task: task, Question: text}
	s.HasDB = has("defined benefit", "final salary", "career average") && !has("no defined benefit", "without a defined benefit")
	s.HasDC = has("defined contribution", "personal pension", "pension pot")
	s.HasState = has("state pension")
	s.Vulnerable = has("vulnerable")
	if has("low literacy", "low financial literacy", "literacy low") {
		s.Literacy = "low"
	}
	return s
}

// questions are what made-up customers ask, by task.
var questions = []struct{ task, text string }{
	{pack.TaxFreeCash, "How much of my pot can I take tax free?"},
	{pack.StatePension, "When will I get my State Pension?"},
	{pack.Drawdown, "How would a flexible income from my pot work?"},
	{pack.Contributions, "How much can I pay in each year?"},
	{pack.Scams, "Somebody rang me about my pot. Is it a scam?"},
	{pack.Divorce, "What happens to my pot in a divorce?"},
}

// contrasts makes up to n customers whom a principle is not for: the corrected customer with one condition turned round
// and another question. There are none for a principle that is for everybody.
func contrasts(r Reflection, src *Source, n int) []Trial {
	var out []Trial
	for i := 0; len(out) < n && i < len(questions)*2; i++ {
		q := questions[i%len(questions)]
		s := pack.Situation{Question: q.text, Task: q.task, Age: src.Situation.Age, HasDC: true, DCValue: 60_000, Literacy: "medium", At: src.Situation.At}
		switch {
		case len(r.Conditions) > 0:
			s = without(s, src.Situation, r.Conditions[i%len(r.Conditions)])
		case len(r.Tasks) == 0:
			return nil
		}
		if fits(r, s) || i >= len(questions) && len(r.Conditions) < 2 {
			continue
		}
		out = append(out, Trial{Situation: s, Summary: "Made up: " + situationText(s)})
	}
	return out
}

// without gives s the customer's facts except the one that condition is about.
func without(s, customer pack.Situation, condition string) pack.Situation {
	s.HasDB, s.DBValue = customer.HasDB, customer.DBValue
	s.Literacy, s.Vulnerable, s.HasState = customer.Literacy, customer.Vulnerable, customer.HasState
	switch condition {
	case CondDB:
		s.HasDB, s.DBValue = false, 0
	case CondDC:
		s.HasDC, s.DCValue, s.HasDB = false, 0, false
		s.HasState = true
	case CondState:
		s.HasState = false
	case CondLow:
		s.Literacy = "high"
	case CondVulnerable:
		s.Vulnerable = false
	case CondYoung:
		s.Age = 60
	}
	return s
}

// situationText is a customer in words, without sums or names; it is what a case is found by.
func situationText(s pack.Situation) string {
	var have []string
	if s.HasDB {
		have = append(have, "a defined benefit pension")
	}
	if s.HasDC {
		have = append(have, "a defined contribution pension")
	}
	if s.HasState {
		have = append(have, "State Pension")
	}
	text := "Customer"
	if s.Age > 0 {
		text += " aged " + itoa(s.Age)
	}
	if len(have) > 0 {
		text += " with " + joinAnd(have)
	}
	if s.Literacy != "" {
		text += "; " + s.Literacy + " financial literacy"
	}
	if s.Vulnerable {
		text += "; vulnerable"
	}
	if len(s.Features) > 0 {
		text += "; " + strings.Join(s.Features, ", ")
	}
	if s.Goal != "" {
		text += ". Goal: " + strings.TrimRight(s.Goal, ". ")
	}
	if s.Question != "" {
		text += ". Asked: “" + strings.TrimSpace(s.Question) + "”"
	}
	return text
}

func joinAnd(list []string) string {
	switch n := len(list); n {
	case 0:
		return ""
	case 1:
		return list[0]
	default:
		return strings.Join(list[:n-1], ", ") + " and " + list[n-1]
	}
}
