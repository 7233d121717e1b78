package compliance

import (
	"context"
	"fmt"
	"testing"
)

// seedPanel is the example of seed 000, "Example: Learning from Judge Feedback".
func seedPanel() []Vote {
	return []Vote{
		{Judge: "one", Passed: false, Confidence: 0.75, Boundary: Advice,
			Reasoning: "'might want to' is a softened recommendation. Suggests personal direction."},
		{Judge: "two", Passed: true, Confidence: 0.70, Boundary: OnTheBoundary,
			Reasoning: "'consider' is option language, not directive."},
		{Judge: "three", Passed: false, Confidence: 0.82, Boundary: Advice,
			Reasoning: "'Given your situation' personalizes it, making it advice-like."},
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

// Judges of which each looks at one aspect are one voice, as bad as the worst aspect; what one names counts, and those
// of one aspect have to agree.
func TestAspectsAreOneVoice(t *testing.T) {
	aspect := func(judge, of string, p float64, issues ...Issue) Vote {
		v := Vote{Judge: judge, Aspect: of, Issues: issues}
		v.Decide(p, true)
		return v
	}
	missing := Issue{Code: MissingSignpost, Severity: Major}
	for _, c := range []struct {
		name    string
		votes   []Vote
		passed  bool
		label   Label
		person  bool
		dissent bool
		issues  int
	}{
		{"nothing said, nothing missing",
			[]Vote{aspect("a", "said", 0.05), aspect("b", "due", 0.04), aspect("c", "said", 0.1)}, true, Compliant,
			false, false, 0},
		{"something missing", []Vote{aspect("a", "said", 0.05), aspect("b", "due", 0.95, missing),
			aspect("c", "said", 0.1)}, false, NonCompliant, false, false, 1},
		{"two of one aspect disagree",
			[]Vote{aspect("a", "said", 0.9), aspect("b", "due", 0.05), aspect("c", "said", 0.2)}, false, NonCompliant,
			true, true, 0},
		{"each a little", []Vote{aspect("a", "said", 0.35), aspect("b", "due", 0.35)}, false, Borderline, true, false,
			0},
		{"a model beside them sees a violation",
			[]Vote{aspect("a", "said", 0.05), aspect("b", "due", 0.05),
				{Judge: "m", Confidence: 0.9, Boundary: Advice}}, false, NonCompliant, true, true, 0},
	} {
		v := Consent(nil, c.votes, 2, Routing{})
		if v.Passed != c.passed || v.Label != c.label || v.RequiresHumanReview != c.person ||
			v.Dissent() != c.dissent || len(v.Issues) != c.issues {
			t.Errorf("%s: %+v, dissent %v", c.name, v, v.Dissent())
		}
	}
}

// A judge may abstain, and says why in its own words; who answered stays known.
func TestAJudgeAbstains(t *testing.T) {
	votes := Panel{Judges: []Judge{silent{}}}.Ask(t.Context(), Subject{Text: "Hello."})
	if v := votes[0]; !v.Abstained || v.Missing || v.Why != "I never saw its like." || v.AnsweredBy != "me" ||
		v.Judge != "silent" {
		t.Errorf("%+v", v)
	}
}

type silent struct{}

func (silent) Name() string { return "silent" }
func (silent) Local() bool  { return true }
func (silent) Judge(context.Context, Subject) (Vote, error) {
	return Vote{Abstained: true, Why: "I never saw its like.", AnsweredBy: "me"}, nil
}
