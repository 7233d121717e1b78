package app

import (
	"context"
	"fmt"

	"preceptor/internal/comment"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/lists"
	"preceptor/internal/review/export"
	"preceptor/internal/review/planted"
)

// noticePlanted tells a person that a case of theirs was a seeded check.
func (a *App) noticePlanted(tx *db.Tx, r planted.Result) error {
	return a.Comments.NoticeTx(tx, []string{r.Person.ID},
		comment.Notice{Kind: comment.Planted, CaseID: r.InteractionID, ObjectID: r.Decision, Task: r.Task})
}

// commentsOf is what was said about some cases, as an export tells it.
func (a *App) commentsOf(ctx context.Context, caseIDs []string) (map[string][]export.Comment, error) {
	found, err := a.Comments.ForCases(ctx, caseIDs)
	if err != nil {
		return nil, err
	}
	out := make(map[string][]export.Comment, len(found))
	for id, list := range found {
		for _, c := range list {
			out[id] = append(out[id], export.Comment{ID: c.ID, At: c.At, By: c.By.Name, ByID: c.By.ID, Text: c.Text})
		}
	}
	return out, nil
}

// recallFor is what an agent would have been shown for a consultation.
func (a *App) recallFor(ctx context.Context, agentID string, c interaction.Consultation,
	n int) ([]interaction.Used, error) {
	situation := c.Situation()
	situation.At = a.DB.Now()
	r, err := a.Knowledge.Recall(ctx,
		knowledge.Query{AgentID: agentID, Text: c.Question, Situation: situation, Known: c.Customer.Personal()})
	if err != nil {
		return nil, fmt.Errorf("app: recall for a seeded check: %w", err)
	}
	used := lists.Map(r.Items[:min(n, len(r.Items))], func(it knowledge.Item) interaction.Used {
		return interaction.Used{ID: it.ID, Version: it.Version}
	})
	return used, nil
}
