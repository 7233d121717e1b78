package app

import (
	"context"

	"preceptor/internal/advisor"
	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/pack"
)

// joinArms hands the learning path the advisor that writes its pairs of drafts: the embedded one, whoever drafts for customers. It
// asks nobody and is the same twice, so a case costs no call and a trial can be repeated.
func (a *App) joinArms() { a.Learning.UseDrafter(a.draftArm) }

// draftArm drafts for a customer under rules, from what the agent knows but for the case that is looked at and others with its words.
func (a *App) draftArm(ctx context.Context, d learning.DraftFor) (string, error) {
	r, err := a.Knowledge.Recall(ctx, knowledge.Query{AgentID: d.AgentID, Text: d.Situation.Question, Situation: d.Situation, TopCases: armCases})
	if err != nil {
		return "", err
	}
	shown := &knowledge.Recall{}
	for _, it := range r.Cases {
		// What people approved for like customers would hide what a rule does: it holds the corrections that rules are made of.
		if it.ID != d.CaseID && it.Case != nil && it.Case.Source == knowledge.FromDocument {
			shown.Cases = append(shown.Cases, it)
		}
	}
	for i, text := range d.Rules {
		if pr, err := pack.ParsePrinciple(text); err == nil {
			if ok, _ := pr.Applies(d.Situation); ok {
				shown.Rules = append(shown.Rules, knowledge.Item{Kind: "rule", Number: i + 1, Text: text})
			}
		}
	}
	draft, err := advisor.Embedded{}.Draft(ctx, advisor.Request{Situation: d.Situation, Recall: shown})
	return draft.Text, err
}

// armCases is how many cases a pair draws on at most; enough that some are documents.
const armCases = 12
