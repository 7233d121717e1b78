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
			"0 of 1 are told something they needed that they weren't told before; 1 is no longer told something. " +
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
	if got := v.Verdict(); got != "Answers got better: test customers were told 50% of what they needed to know "+
		"before, and 60% after." {
		t.Error(got)
	}
	for _, word := range []string{"CI", "split", "seed"} {
		if strings.Contains(v.Verdict(), word) || !strings.Contains(strings.ToLower(v.about()), strings.ToLower(word)) {
			t.Errorf("%s stands in %q or not in %q", word, v.Verdict(), v.about())
		}
	}
}

// The page says of those who weren't successful why, and that an answer that isn't compliant is a fault.
func TestFailuresAreToldWithWhy(t *testing.T) {
	m := practice.Metrics{Failed: map[string]int{practice.NoSource: 11, practice.RuleMissing: 9},
		ComplianceRate: practice.Figure{Of: .9, N: 20}}
	var b strings.Builder
	if err := shortfall(m).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Why 20 weren&#39;t successful. 11: no section has the answer; 9: a warning or next " +
		"step is missing that only a rule can add.", "2 answers are not compliant"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in %s", want, b.String())
		}
	}
	b.Reset()
	if err := shortfall(practice.Metrics{}).Render(t.Context(), &b); err != nil || strings.TrimSpace(b.String()) != "" {
		t.Errorf("%v %s", err, b.String())
	}
}

// Of fewer than 30 customers nothing is said to be better, and a curve of one point isn't one of a hundred at a time.
func TestFewCustomersTellNothing(t *testing.T) {
	for n, want := range map[int]string{24: "Not enough test customers to tell: 24 were told 30% of what they needed",
		29: "Not enough test customers to tell: 29 were", 30: "Answers got better"} {
		v := Show{Run: practice.Run{Plan: practice.Plan{Kind: practice.Training, Customers: n}, State: practice.Done}}
		v.Trained.Before.NeedsMet = practice.Figure{Of: .3, Low: .2, High: .4, N: n}
		v.Trained.After.NeedsMet = practice.Figure{Of: .35, Low: .24, High: .48, N: n}
		v.Trained.Gain = practice.Figure{Of: .05, Low: .01, High: .09, N: n}
		if got := v.Verdict(); !strings.HasPrefix(got, want) {
			t.Errorf("%d customers: %s", n, got)
		}
		v.Curve = []practice.Point{{Customers: n}}
		if c := v.Picture(); strings.Contains(c.Title+c.Note, "100 ") {
			t.Errorf("%d customers: %s, %s", n, c.Title, c.Note)
		}
		if v.Curve = append(v.Curve, v.Curve[0]); !strings.Contains(v.Picture().Title, "100 at a time") {
			t.Errorf("the curve is called %s", v.Picture().Title)
		}
		night := Night{Night: practice.Night{Gain: v.Trained.Gain}}
		if said := night.says(); strings.HasPrefix(said, "Not enough") != (n < 30) {
			t.Errorf("%d customers of a night: %s", n, said)
		}
		for _, said := range []string{v.about(), night.says()} {
			if strings.Contains(said, "CI") != (n >= 30) {
				t.Errorf("an interval of %d customers: %s", n, said)
			}
		}
	}
}
