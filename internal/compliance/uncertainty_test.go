package compliance

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"preceptor/internal/interaction"
	"preceptor/internal/pack"

	"context"
)

func threeVotes(t *rapid.T) []Vote {
	var votes []Vote
	for _, n := range []string{"one", "two", "three"} {
		v := Vote{Judge: n, Passed: rapid.Bool().Draw(t, n), Confidence: rapid.Float64Range(0.5, 1).Draw(t, n+" sure"),
			Boundary: Advice}
		if v.Passed {
			v.Boundary = Guidance
		}
		votes = append(votes, v)
	}
	return votes
}

func TestDissentIsMoreUncertainThanAnythingElse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := Consent(nil, threeVotes(t), 2, Routing{})
		u := v.Uncertainty()
		switch {
		case u < 0 || u > 1:
			t.Fatalf("%v", u)
		case v.Dissent() != (u > 0.5):
			t.Fatalf("dissent %v, uncertainty %v: %+v", v.Dissent(), u, v)
		case v.RequiresHumanReview != (u > 0) || v.RequiresHumanReview != (v.Line() != ""):
			t.Fatalf("a person must look: %v; uncertainty %v, line %q", v.RequiresHumanReview, u, v.Line())
		}
	})
}

func TestNearerToTheLineIsMoreUncertain(t *testing.T) {
	at := func(p float64) float64 {
		return Verdict{RequiresHumanReview: true, Violation: p,
			Judges: []Vote{{Judge: "one", Passed: true}}}.Uncertainty()
	}
	for _, c := range [][2]float64{{0.5, 0.4}, {0.6, 0.7}, {0.3, 0.1}, {0.9, 1}} {
		if at(c[0]) <= at(c[1]) {
			t.Errorf("%v at %v, %v at %v", at(c[0]), c[0], at(c[1]), c[1])
		}
	}
}

func TestTheLineNamesWhatDivides(t *testing.T) {
	v := Consent(nil, []Vote{{Judge: "one", Passed: true, Confidence: 0.8, Boundary: Guidance},
		{Judge: "two", Confidence: 0.7, Boundary: Advice, Issues: []Issue{{Code: DisguisedRecommendation}}},
		{Judge: "three", Confidence: 0.7, Boundary: Advice},
		{Judge: "gpt", Abstained: true, Missing: true, Why: "It did not answer in time."}}, 2, Routing{})
	if got := v.Line(); got != "Judges split 2–1: disguised recommendation; gpt gave no answer" {
		t.Errorf("%q", got)
	}
}

// One judge is nobody's majority: its line names who flagged what, and there is none where it passed the text.
func TestTheLineOfOneJudgeCountsNobody(t *testing.T) {
	encoder := func(passed bool, sure float64, codes ...string) []Vote {
		v := Vote{Judge: "encoder", AnsweredBy: "embedded 1", Passed: passed, Confidence: sure, Boundary: OnTheBoundary}
		for _, code := range codes {
			v.Issues = append(v.Issues, Issue{Code: code, Severity: Major})
		}
		return []Vote{v}
	}
	checks := []Issue{{Code: MissingSignpost, Severity: Major}}
	if err := (&Checker{}).Adopt(Book{Patterns: []PatternCheck{{ID: "p1", Version: 1, Code: "HOUSE_DATE",
		Title: "Promises a date", Pattern: "by friday", Severity: Major, Why: "We promise no dates.",
		Reference: "House style 4"}}}); err != nil {
		t.Fatal(err)
	}
	for want, v := range map[string]Verdict{
		"": Consent(nil, encoder(true, 0.65), 1, Routing{}),
		"The encoder is 60% for a violation but names nothing: read the whole": Consent(nil, encoder(false, 0.6), 1, Routing{}),
		"model gave no answer": Consent(nil,
			append(encoder(true, 0.65), Vote{Judge: "model", Abstained: true, Missing: true}), 1, Routing{}),
		"The judge x is 60% for a violation but names nothing: read the whole": Consent(nil, []Vote{{Judge: "x", Confidence: 0.6, Boundary: Advice}}, 1,
			Routing{}),
		"A check flagged it: missing signpost": Consent(checks, encoder(true, 0.8), 1, Routing{}),
		"The encoder is 58% for a violation; a check flagged it: missing signpost": Consent(checks,
			encoder(false, 0.58), 1, Routing{}),
		"The encoder is 54% for a violation; a check flagged it: promises a date": Consent(
			[]Issue{{Code: "HOUSE_DATE", Severity: Major, Own: true}}, encoder(false, 0.54), 1, Routing{}),
		"The encoder flagged it (80% sure): disguised recommendation": Consent(nil,
			encoder(false, 0.8, DisguisedRecommendation), 1, Routing{}),
	} {
		if got := v.Line(); got != want || !v.RequiresHumanReview {
			t.Errorf("%q, want %q: %+v", got, want, v)
		}
	}
	if v := Consent(nil, encoder(true, 0.65), 1, Routing{}); len(v.Because) != 1 || v.Because[0] != BecauseUnsure {
		t.Errorf("because %q", v.Because)
	}
}

// absent is a judge over a network that never answers in time.
type absent struct{ slow bool }

func (absent) Name() string { return "model" }
func (absent) Local() bool  { return false }
func (a absent) Judge(ctx context.Context, _ Subject) (Vote, error) {
	if a.slow {
		<-ctx.Done()
		return Vote{}, ctx.Err()
	}
	return Vote{Confidence: 7}, nil
}

type agreeing struct{ name string }

func (a agreeing) Name() string { return a.name }
func (agreeing) Local() bool    { return true }
func (agreeing) Judge(context.Context, Subject) (Vote, error) {
	return Vote{Passed: true, Confidence: 0.97, Boundary: Guidance}, nil
}

// A threshold holds for the drafts of the pack whose texts it was measured on; those of others go by the bands.
func TestAThresholdIsOfOnePack(t *testing.T) {
	v := New(NewChecker(time.Now), Panel{Judges: []Judge{agreeing{"one"}}})
	for of, want := range map[string]int{"": 3, pack.Pension: 3, pack.GeneralName: 0} {
		v.Routing = func() Routing { return Routing{Version: 3, Pack: of, Threshold: 0.5} }
		got := v.Conclude(Verdict{}, []Vote{{Judge: "one", Passed: true, Confidence: 0.97, Boundary: Guidance}}, "")
		if got.Routing != want {
			t.Errorf("a threshold of %q routes by version %d, want %d", of, got.Routing, want)
		}
	}
}

// Nothing is cleared without a person while a judge that was asked gave no answer, even where a threshold would clear
// it.
func TestAMissingVoteClearsNothing(t *testing.T) {
	for name, judge := range map[string]Judge{"slow": absent{slow: true}, "garbled": absent{}} {
		t.Run(name, func(t *testing.T) {
			panel := Panel{Judges: []Judge{agreeing{"one"}, agreeing{"two"}, agreeing{"three"}, judge},
				Timeout: 10 * time.Millisecond}
			v := New(NewChecker(time.Now), panel)
			for routing, r := range map[string]Routing{"bands": {}, "threshold": {Version: 1, Threshold: 0.5}} {
				v.Routing = func() Routing { return r }
				got := v.Validate(t.Context(), "A pension is a pot of money.",
					interaction.Consultation{Question: "What is a pension?"})
				if !got.RequiresHumanReview || len(got.Because) != 1 ||
					!strings.Contains(got.Because[0], "model gave no answer") || got.Uncertainty() != 0 ||
					len(got.missing()) != 1 {
					t.Errorf("%s: %+v", routing, got)
				}
				given := v.WithoutRemote("A pension is a pot of money.",
					interaction.Consultation{Question: "What is a pension?"}, "It could not be asked.")
				if !given.RequiresHumanReview || len(given.missing()) != 1 {
					t.Errorf("%s, given up: %+v", routing, given)
				}
			}
		})
	}
}
