package borderline_test

import (
	"testing"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
)

// Words divide judges only where one flags the text and not all flag the words.
func TestWordsDivideOnlyJudgesWhoDiffer(t *testing.T) {
	const text = "Keep the old phone until the new one is set up. You might want to wait."
	vote := func(judge string, passed bool, reasoning string) compliance.Vote {
		return compliance.Vote{Judge: judge, Passed: passed, Confidence: 0.66, Boundary: compliance.Guidance,
			Reasoning: reasoning}
	}
	fine := vote("one", true, "Closest, but still fine: “Keep the old phone until the new one is set up.”")
	also := vote("two", true, "“might want to” is option language.")
	flags := vote("three", false, "“might want to” is a softened recommendation.")
	away := compliance.Vote{Judge: "four", Abstained: true}
	for name, c := range map[string]struct {
		votes []compliance.Vote
		want  int
	}{
		"one that passes it": {[]compliance.Vote{fine}, 0}, "two that pass it": {[]compliance.Vote{fine, also}, 0},
		"one that flags it": {[]compliance.Vote{flags}, 0}, "the other abstains": {[]compliance.Vote{fine, away}, 0},
		"they differ":           {[]compliance.Vote{also, flags}, 1},
		"they differ elsewhere": {[]compliance.Vote{fine, flags}, 2},
	} {
		got := borderline.ExtractPattern(text, compliance.Verdict{Judges: c.votes}).Phrases
		if len(got) != c.want {
			t.Errorf("%s: %+v, want %d", name, got, c.want)
		}
	}
}
