package app_test

import (
	"io"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/comment"
	"preceptor/internal/demo"
	"preceptor/internal/job"
	"preceptor/internal/knowledge"
	"preceptor/internal/practice"
)

// At night each agent that knows something practises once. When the base does worse than the night before by more than the noise, experts
// and managers hear of it, and the run says what came into the base; by day nothing runs.
func TestPracticeAtNight(t *testing.T) {
	_ = io.Discard
	s := apptest.Open(t)
	agent, err := s.Accounts.EnsureAgent(t.Context(), "Advisor", "pension")
	if err != nil {
		t.Fatal(err)
	}
	_ = agent
	_ = account.Expert
	_ = comment.Practised
	_ = demo.Guidance
	_ = job.Waiting
	_ = knowledge.Active
	_ = practice.Done
	_ = time.Now
}
