package compliance

import (
	"fmt"
	"testing"
)

// seedPanel is the example of seed 000, "Example: Learning from Judge Feedback".
func seedPanel() []Vote {
	return []Vote{
		{Judge: "one", Passed: false, Confidence: 0.75, Boundary: Advice, Reasoning: "'might want to' is a softened recommendation. Suggests personal direction."},
		{Judge: "two", Passed: true, Confidence: 0.70, Boundary: OnTheBoundary, Reasoning: "'consider' is option language, not directive."},
		{Judge: "three", Passed: false, Confidence: 0.82, Boundary: Advice, Reasoning: "'Given your situation' personalizes it, making it advice-like."},
	}
}

func TestTheSeedsPanelFailsWithTheSeedsFigures(t *testing.T) {
	v := Consent(nil, seedPanel(), 2, Routing{})
	if v.Passed || v.Split != "2-1 failed" || !v.RequiresHumanReview || v.Source != Consensus {
		t.Fatalf("got %+v", v)
	}
	if got := fmt.Sprintf("%.2f %.2f", v.Confidence, v.Violation); got != "0.76 0.62" {
		t.Errorf("confidence and probability of a violation are %s, want 0.76 0.62", got)
	}
	if v.Band != Ambiguous {
		t.Errorf("band %q", v.Band)
	}
}

func TestDissentIsReviewedWhateverTheThreshold(t *testing.T) {
	votes := seedPanel()
	votes[0].Passed, votes[0].Boundary = true, Guidance
	votes[1].Boundary = Guidance
	v := Consent(nil, votes, 2, Routing{Version: 1, Threshold: 1})
	if v.Split != "2-1 passed" || !v.RequiresHumanReview {
		t.Errorf("one judge of three saw a violation and nobody looks: %+v", v)
	}
}

func TestAbstentionsAndTheQuorum(t *testing.T) {
	votes := seedPanel()
	votes[0], votes[2] = Vote{Judge: "one", Abstained: true}, Vote{Judge: "three", Abstained: true}
	v := Consent(nil, votes, 2, Routing{})
	if !v.RequiresHumanReview || len(v.Because) != 1 || len(v.Judges) != 3 {
		t.Fatalf("a panel without a quorum must ask for a person: %+v", v)
	}
}
