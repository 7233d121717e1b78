package app

import (
	"context"
	"fmt"

	"preceptor/internal/db"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
)

// joinPlanted ties the planted checks to what they imitate and to what closes them.
func (a *App) joinPlanted() {
	a.Interactions.OnSubmitted = append(a.Interactions.OnSubmitted, a.Planted.ArrivedTx)
	a.Reviews.OnClosed = append(a.Reviews.OnClosed, a.Planted.ClosedTx)
	a.Planted.PolicyFor = a.Policies.ForTx
	a.Planted.Compose = a.Advisor.Compose
	a.Planted.Recall = a.recalled
	a.Planted.Forget = func(tx *db.Tx, id string) error { return a.Knowledge.ForgetUsageTx(tx, id) }
}

// recalled is what an agent would have been shown for a consultation.
func (a *App) recalled(ctx context.Context, agentID string, c interaction.Consultation, n int) ([]interaction.Used, error) {
	situation := c.Situation()
	situation.At = a.DB.Now()
	r, err := a.Knowledge.Recall(ctx, knowledge.Query{AgentID: agentID, Text: c.Question, Situation: situation, Known: c.Customer.Personal()})
	if err != nil {
		return nil, fmt.Errorf("app: recall for a planted check: %w", err)
	}
	used := make([]interaction.Used, 0, n)
	for _, it := range r.Items[:min(n, len(r.Items))] {
		used = append(used, interaction.Used{ID: it.ID, Version: it.Version})
	}
	return used, nil
}
