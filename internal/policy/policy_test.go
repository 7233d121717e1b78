package policy_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"preceptor/internal/platform/fault"
	"preceptor/internal/policy"
)

func TestWhatPeopleMustSee(t *testing.T) {
	open := policy.Default()
	open.Share, open.Always, open.SecondEyes = 0, nil, nil
	strict := policy.Default()
	strict.SecondEyes = policy.Deciding
	type list = []policy.Condition
	for _, c := range []struct {
		name         string
		p            policy.Policy
		facts        policy.Facts
		must, second list
	}{
		{"nothing stands out", policy.Default(), policy.Facts{}, nil, nil},
		{"a flag, with everything switched off", open, policy.Facts{policy.RuleFlag: true}, list{policy.RuleFlag}, nil},
		{"the fixed four, with everything switched off", open,
			policy.Facts{policy.RuleFlag: true, policy.Borderline: true, policy.DBPension: true,
				policy.Vulnerable: true, policy.DBTransfer: true, policy.LowConfidence: true},
			list{policy.RuleFlag, policy.Borderline, policy.DBPension, policy.Vulnerable}, nil},
		{"what is not sure, switched off", open, policy.Facts{policy.LowConfidence: true, policy.DBTransfer: true}, nil,
			nil},
		{"what is not sure", policy.Default(), policy.Facts{policy.LowConfidence: true}, list{policy.LowConfidence},
			nil},
		{"a transfer", policy.Default(), policy.Facts{policy.DBTransfer: true, policy.DBPension: true},
			list{policy.DBPension, policy.DBTransfer}, list{policy.DBTransfer}},
		{"a fact that says no", policy.Default(), policy.Facts{policy.Vulnerable: false}, nil, nil},
		{"a revised text", strict, policy.Facts{policy.Revised: true}, nil, list{policy.Revised}},
		{"everything twice", strict, policy.Facts{policy.Revised: true, policy.Vulnerable: true},
			list{policy.Vulnerable}, list{policy.Vulnerable, policy.Revised}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.must, c.p.MustReview(c.facts)); diff != "" {
				t.Errorf("must review: %s", diff)
			}
			if diff := cmp.Diff(c.second, c.p.NeedsSecond(c.facts)); diff != "" {
				t.Errorf("second: %s", diff)
			}
		})
	}
}

func TestTheDefaultLetsNothingGo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		facts := policy.Facts{}
		for _, c := range policy.Deciding {
			facts[c] = rapid.Bool().Draw(t, string(c))
		}
		if id := rapid.String().Draw(t, "id"); policy.Default().Unread(id, facts) {
			t.Fatalf("%q is let go", id)
		}
	})
}

// However a policy is made, what is fixed is read.
func TestWhatIsFixedIsReadUnderAnyPolicy(t *testing.T) {
	any := rapid.SliceOf(rapid.SampledFrom(policy.Deciding))
	rapid.Check(t, func(t *rapid.T) {
		p := policy.Policy{Share: rapid.Float64().Draw(t, "share"), Always: any.Draw(t, "always"),
			SecondEyes: any.Draw(t, "second")}
		id := rapid.String().Draw(t, "id")
		for _, c := range policy.Fixed {
			if p.Unread(id, policy.Facts{c: true}) {
				t.Fatalf("%s is let go under %+v", c, p)
			}
		}
	})
}

func TestTheDrawIsTheSameForTheSameCaseAndGrowsWithTheShare(t *testing.T) {
	share := rapid.Float64Range(0, 1)
	rapid.Check(t, func(t *rapid.T) {
		id, a, b := rapid.String().Draw(t, "id"), share.Draw(t, "a"), share.Draw(t, "b")
		low, high := policy.Policy{Share: min(a, b)},
			policy.Policy{Share: max(a, b), Always: policy.Arriving, AgentID: "x", Version: 3}
		if first, second := low.Drawn(id), low.Drawn(id); first != second {
			t.Fatal("two draws differ")
		}
		if low.Drawn(id) && !high.Drawn(id) {
			t.Fatalf("drawn at %v and not at %v", low.Share, high.Share)
		}
		if (policy.Policy{Share: 0}).Drawn(id) || !(policy.Policy{Share: 1}).Drawn(id) {
			t.Fatal("nothing and everything are exact")
		}
	})
}

func TestTheDrawKeepsItsShareInTheLongRun(t *testing.T) {
	const n = 100_000
	for _, share := range []float64{0.001, 0.05, 0.4, 0.5, 0.9, 0.999} {
		p, drawn := policy.Policy{Share: share}, 0
		for i := range n {
			if p.Drawn(fmt.Sprintf("01900000-0000-7000-8000-%012d", i)) {
				drawn++
			}
		}
		// Four standard deviations.
		if off := math.Abs(float64(drawn)/n - share); off > 4*math.Sqrt(share*(1-share)/n) {
			t.Errorf("share %v: %d of %d", share, drawn, n)
		}
	}
}

func TestDifferencesSayWhatPeopleWouldSeeLessOf(t *testing.T) {
	p, q := policy.Default(), policy.Default()
	if d := p.Differences(q); d != nil {
		t.Fatalf("no difference: %v", d)
	}
	slices.Reverse(q.Always) // as a form may send them
	slices.Reverse(q.First)
	if d := p.Differences(q); d != nil {
		t.Errorf("another order: %+v", d)
	}
	q.Share, q.Planted, q.TargetLate, q.WordsPerMin = 0.4, 0.025, 72*time.Hour, 500
	q.Always = slices.DeleteFunc(slices.Clone(q.Always), func(c policy.Condition) bool {
		return c == policy.LowConfidence
	})
	q.SecondEyes = []policy.Condition{policy.Vulnerable, policy.Revised}
	want := []policy.Difference{
		{What: "Share of routine drafts a supervisor reviews", Before: "100%", After: "40%", Looser: true},
		{What: "Always reviewed",
			Before: "Rule-based flag, Borderline, DB pension, Vulnerable customer, DB transfer, Low confidence",
			After:  "Rule-based flag, Borderline, DB pension, Vulnerable customer, DB transfer", Looser: true,
			Gone: []policy.Condition{policy.LowConfidence}},
		{What: "Needs a second supervisor", Before: "DB transfer, Vulnerable customer",
			After: "Vulnerable customer, Revised text", Looser: true,
			Added: []policy.Condition{policy.Revised}, Gone: []policy.Condition{policy.DBTransfer}},
		{What: "Seeded checks", Before: "none", After: "2.5% of incoming drafts"},
		{What: "Age at which a review turns red and people are reminded", Before: "24 hours", After: "3 days",
			Looser: true},
		{What: "Rapid approvals above", Before: "600 words a minute", After: "500 words a minute"},
	}
	if diff := cmp.Diff(want, p.Differences(q)); diff != "" {
		t.Error(diff)
	}
}

func TestSpansAreWritten(t *testing.T) {
	for d, want := range map[time.Duration]string{time.Hour: "1 hour", 24 * time.Hour: "24 hours",
		48 * time.Hour: "2 days", 90 * time.Minute: "90 minutes", time.Minute: "1 minute"} {
		if got := policy.Span(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

// How many experts answer a borderline case is part of the policy; one from before there was a choice asks as it did
// then.
func TestHowManyExpertsAreAsked(t *testing.T) {
	p, q := policy.Default(), policy.Default()
	if p.Experts != policy.DefaultExperts {
		t.Fatalf("%+v", p.Experts)
	}
	q.Experts = policy.Experts{}
	if !p.Same(q) || q.Check("Why.") != nil {
		t.Error("nothing said is the default")
	}
	for e, wrong := range map[policy.Experts]string{{First: 2, Hard: 2, Most: 5}: "",
		{First: 0, Hard: 2, Most: 3}: "experts", {First: 2, Hard: 1, Most: 3}: "experts_hard",
		{First: 1, Hard: 3, Most: 2}:                     "experts_most",
		{First: 1, Hard: 2, Most: policy.MaxExperts + 1}: "experts_most"} {
		q.Experts = e
		fields := fault.Fields(q.Check("Why."))
		if (len(fields) > 0) != (wrong != "") || len(fields) > 0 && fields[0].Name != wrong {
			t.Errorf("%+v: %v", e, fields)
		}
	}
	q.Experts = policy.Experts{First: 1, Hard: 1, Most: 5}
	want := []policy.Difference{
		{What: "Experts asked where judges disagree about a guarantee or a vulnerable customer", Before: "2",
			After: "1", Looser: true},
		{What: "Most experts asked before adjudication", Before: "3", After: "5"},
	}
	if diff := cmp.Diff(want, p.Differences(q)); diff != "" {
		t.Error(diff)
	}
}
