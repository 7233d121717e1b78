package app_test

import (
	"context"
	"net/http"
	"testing"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/web/api"
)

// What an agent is told of its budget is what the experts' page shows.
func TestAnAgentIsToldWhatExpertsHave(t *testing.T) {
	s := openSpine(t)
	withSeedsPanel(s)
	first := s.steered(t)
	s.steered(t)
	told := func() (e api.Escalation) {
		t.Helper()
		r := s.agent.JSON(t, http.MethodGet, "/api/policy", "")
		if r.Status != http.StatusOK {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
		return read[api.Escalation](t, r)
	}
	if got := told(); got != (api.Escalation{ReviewShare: 1, ExpertShare: 0.1, Drafts: 2, WithExperts: 1,
		Unsettled: 1}) {
		t.Errorf("%+v", got)
	}
	s.rule(t, s.caseOf(t, first), compliance.Compliant, compliance.Guidance, "It lists choices.")
	if got := told(); got.WithExperts != 1 || got.Unsettled != 1 {
		t.Errorf("after the ruling: %+v", got)
	}
	if n, err := s.Borderline.Counts(context.WithoutCancel(t.Context()),
		borderline.Viewer{Person: personOf(s.expert), Expert: true}); n.Open() != 0 || err != nil {
		t.Errorf("%d on the badge, %v", n.Open(), err)
	}
}
