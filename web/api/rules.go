package api

import (
	"context"
)

// ruleLine is one rule as a list shows it.
type ruleLine struct {
	ID         string   `json:"id"`
	Label      string   `json:"label" doc:"Its label, such as R-12."`
	Version    int      `json:"version"`
	Domain     string   `json:"domain"`
	Text       string   `json:"text" doc:"When [situation], [action] because [reason] (not where R-9 applies: [its situation])."`
	YieldsTo   []string `json:"yields_to,omitempty" doc:"Ids of the rules that hold instead of this one where they apply, as an expert decided. The text says so, too."`
	Confidence *float64 `json:"confidence,omitempty" doc:"0 to 1. Left out until a case has tested the rule."`
	Own        bool     `json:"own" doc:"Whether it is only for your agent; other rules apply to all agents."`
}

type ruleList struct {
	Items []ruleLine `json:"items" doc:"In order of number."`
}

func (h *handlers) rules(ctx context.Context, _ *struct{}) (out ruleList, err error) {
	list, err := h.Rules(ctx, callOf(ctx).token.AgentID)
	if err != nil {
		return out, err
	}
	out = ruleList{Items: []ruleLine{}}
	for _, r := range list {
		line := ruleLine{ID: r.ID, Label: r.Label(), Version: r.Version, Domain: r.Domain, Text: r.Line(),
			Own: r.AgentID != ""}
		for _, o := range r.Yields {
			line.YieldsTo = append(line.YieldsTo, o.ID)
		}
		if !r.Untested() {
			line.Confidence = &r.Confidence
		}
		out.Items = append(out.Items, line)
	}
	return out, nil
}
