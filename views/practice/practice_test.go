package practice

import (
	"strings"
	"testing"

	"preceptor/internal/practice"
)

// What the table says got worse, the list says too: a warning that was given and isn't is lost, and a new problem is
// named.
func TestWhatChangesNamesWarningsAndProblems(t *testing.T) {
	yes, no := true, false
	session := func(given *bool, issues ...string) practice.Session {
		return practice.Session{Outcome: practice.Outcome{DBWarningGiven: given, Issues: issues}}
	}
	for name, c := range map[string]struct {
		before, after practice.Session
		want          string
	}{
		"a warning is lost": {session(&yes), session(&no, "MISSING_DB_WARNING"),
			"0 of 1 are told something they needed that they weren't told before; 1 are no longer told something. " +
				"The checks found a new problem in 1 answer."},
		"a new problem": {session(nil), session(nil, "PRESSURE"),
			"0 are no longer told something. The checks found a new problem in 1 answer."},
		"the problem was before": {session(nil, "PRESSURE"), session(nil, "PRESSURE"),
			"0 of 1 are told something they needed that they weren't told before; 0 are no longer told something."},
	} {
		v := Show{Before: []practice.Session{c.before}, After: []practice.Session{c.after}}
		if got := v.changes().says(1); !strings.HasSuffix(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A result is one sentence without an interval; how it was measured stands behind Details.
func TestAResultIsOneSentence(t *testing.T) {
	figure := func(of float64) practice.Figure { return practice.Figure{Of: of, Low: of - .02, High: of + .02, N: 40} }
	v := Show{Run: practice.Run{Plan: practice.Plan{Kind: practice.Training, Seed: 7}, State: practice.Done}}
	v.Trained.Before.NeedsMet, v.Trained.After.NeedsMet, v.Trained.Gain = figure(.5), figure(.6), figure(.1)
	if got := v.Verdict(); got !=
		"Answers got better: test customers were told 50% of what they needed to know before, and 60% after." {
		t.Error(got)
	}
	for _, word := range []string{"CI", "split", "seed"} {
		if strings.Contains(v.Verdict(), word) || !strings.Contains(strings.ToLower(v.about()), strings.ToLower(word)) {
			t.Errorf("%s stands in %q or not in %q", word, v.Verdict(), v.about())
		}
	}
}
