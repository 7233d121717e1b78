package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"preceptor/internal/account"
)

// ruleLine is one rule as a list shows it.
type ruleLine struct {
	ID         string  `json:"id"`
	Label      string  `json:"label" doc:"What people call it, as R-12."`
	Version    int     `json:"version"`
	Domain     string  `json:"domain"`
	Text       string  `json:"text" doc:"When [situation], [action] because [reason]."`
	Confidence float64 `json:"confidence"`
	Own        bool    `json:"own" doc:"It is of your agent alone; others hold for all agents."`
}

type ruleList struct {
	Items []ruleLine `json:"items" doc:"By number."`
}

func (h *handlers) mountRules(a huma.API) {
	give(h, a, huma.Operation{
		OperationID: "list-rules", Method: http.MethodGet, Path: "/api/rules", Tags: []string{"Knowledge"},
		Summary:     "List the rules in force",
		Description: "Every rule that recall may give your agent. For a question, ask recall: it chooses those that apply.",
	}, account.Recall, h.rules)
}

func (h *handlers) rules(ctx context.Context, _ *struct{}) (out ruleList, err error) {
	list, err := h.Rules(ctx, callOf(ctx).token.AgentID)
	if err != nil {
		return out, err
	}
	out = ruleList{Items: []ruleLine{}}
	for _, r := range list {
		out.Items = append(out.Items, ruleLine{ID: r.ID, Label: r.Label(), Version: r.Version, Domain: r.Domain, Text: r.Principle,
			Confidence: r.Confidence, Own: r.AgentID != ""})
	}
	return out, nil
}
