package api

import (
	"context"
)

// Escalation is what holds for an agent's drafts that the judges can't settle.
type Escalation struct {
	ReviewShare  float64  `json:"review_share" doc:"0 to 1: share of routine drafts a supervisor reviews."`
	ExpertShare  float64  `json:"expert_share" doc:"0 to 1: share of your newest drafts that experts can take. The most uncertain go to experts; supervisors decide the rest."`
	Drafts       int      `json:"drafts" doc:"The number of your newest drafts this is counted over, at most 100."`
	WithExperts  int      `json:"with_experts" doc:"How many of them experts have now or have taken. Cases a supervisor decided first aren't counted."`
	Unsettled    int      `json:"unsettled" doc:"How many of them the judges couldn't settle and supervisors have instead."`
	MissedAtMost *float64 `json:"missed_violations_at_most,omitempty" doc:"0 to 1: the share of violations that may pass without a person, under the measured threshold. Left out while no threshold is on."`
}

func (h *handlers) policy(ctx context.Context, _ *struct{}) (Escalation, error) {
	return h.Escalation(ctx, callOf(ctx).token.AgentID)
}
