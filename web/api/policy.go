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
	ExpertShare  float64  `json:"expert_share" doc:"0 to 1: of your newest drafts, how many experts can take. The most uncertain go; supervisors decide the rest."`
	Drafts       int      `json:"drafts" doc:"How many of your newest drafts that is counted over, at most 100."`
	WithExperts  int      `json:"with_experts" doc:"How many of them experts have or took. Cases that a supervisor settled first are not among them."`
	Unsettled    int      `json:"unsettled" doc:"How many of them the judges couldn't settle and supervisors have."`
	MissedAtMost *float64 `json:"missed_violations_at_most,omitempty" doc:"0 to 1: what share of violations may pass without a person, as the measured threshold promises. Left out while none is on."`
}

func (h *handlers) mountPolicy(a huma.API) {
	give(h, a, huma.Operation{
		OperationID: "get-policy", Method: http.MethodGet, Path: "/api/policy", Tags: []string{"Guidance"},
		Summary:     "See the review policy",
		Description: "What people read of your drafts, how many experts can take, and how many they have now. Two administrators change it on the page of the review policy.",
	}, account.Submit, func(ctx context.Context, _ *struct{}) (out Escalation, err error) {
		if h.Escalation == nil { // as where the API alone is tested: everything is reviewed
			return Escalation{ReviewShare: 1, ExpertShare: policy.DefaultExpertShare}, nil
		}
		return h.Escalation(ctx, callOf(ctx).token.AgentID)
	})
}
