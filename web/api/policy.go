package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"preceptor/internal/account"
	"preceptor/internal/policy"
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

func (h *handlers) mountPolicy(a huma.API) {
	give(h, a, huma.Operation{
		OperationID: "get-policy", Method: http.MethodGet, Path: "/api/policy", Tags: []string{"Guidance"},
		Summary:     "Get the review policy",
		Description: "Which of your drafts people review, how many of them can go to experts, and how many experts have now. Two administrators change it on the Review policy page.",
	}, account.Submit, func(ctx context.Context, _ *struct{}) (out Escalation, err error) {
		if h.Escalation == nil { // as where the API alone is tested: everything is reviewed
			return Escalation{ReviewShare: 1, ExpertShare: policy.DefaultExpertShare}, nil
		}
		return h.Escalation(ctx, callOf(ctx).token.AgentID)
	})
}
