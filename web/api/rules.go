package api

import "context"

// ruleLine is one rule as a list shows it.
type ruleLine struct {
	ID         string   `json:"id"`
	Label      string   `json:"label" doc:"Such as R-12."`
	Version    int      `json:"version"`
	Domain     string   `json:"domain"`
	Text       string   `json:"text" doc:"When [situation], [action] because [reason]."`
	YieldsTo   []string `json:"yields_to,omitempty" doc:"Ids of rules that hold instead, where they apply."`
	Confidence *float64 `json:"confidence,omitempty" doc:"0 to 1. Not before a case tests it."`
	Own        bool     `json:"own" doc:"Only for your agent; other rules apply to all."`
}

type ruleList struct {
	Items []ruleLine `json:"items" doc:"By number."`
}

func (h *handlers) rules(ctx context.Context, _ *struct{}) (out ruleList, err error) {
	list, err := h.Rules(ctx, callOf(ctx).token.AgentID)
	if err != nil {
		return out, err
	}
	out = ruleList{Items: []ruleLine{}}
	for _, r := range list {
		line := ruleLine{ID: r.ID, Label: r.Label(), Version: r.Version, Domain: r.Domain, Text: r.Line(),
			YieldsTo: r.YieldsTo(), Own: r.AgentID != ""}
		if !r.Untested() {
			line.Confidence = &r.Confidence
		}
		out.Items = append(out.Items, line)
	}
	return out, nil
}
