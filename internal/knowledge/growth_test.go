package knowledge_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/search"
)

func TestTheSeedsSizes(t *testing.T) {
	// Seed 000: after 5,000 consultations at 96.5 % success some 3,860 cases and 52 rules.
	if c, r := knowledge.ExpectedCases(5000, 4825), knowledge.ExpectedRules(5000, 4825); c != 3860 || r != 52 {
		t.Errorf("%d cases, %d rules", c, r)
	}
	if c, r := knowledge.ExpectedCases(0, 0), knowledge.ExpectedRules(0, 0); c != 0 || r != 0 {
		t.Errorf("of nothing: %d, %d", c, r)
	}
}

func TestGrowthCountsWhatWasInUse(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	if at, err := b.Beginning(ctx); err != nil || !at.IsZero() {
		t.Errorf("an empty base begins at %v, %v", at, err)
	}
	day := 24 * time.Hour
	from := b.clock.Now()
	c := b.addCase(knowledge.Case{Origin: "a", CaseText: text("A", "a", "a")})
	b.addCase(knowledge.Case{Source: knowledge.FromDocument, Origin: "b", CaseText: text("B", "b", "b")})
	b.clock.Advance(day)
	r := b.addRule(knowledge.Rule{RuleText: principle("When x, y because z")}) // a candidate counts for nothing
	b.addCase(knowledge.Case{Source: knowledge.FromDataset, Origin: "c", CaseText: text("C", "c", "c")})
	b.clock.Advance(day)
	b.write(func(tx *db.Tx) error {
		if _, err := b.SetRuleStatusTx(tx, r.ID, knowledge.Active,
			knowledge.Change{By: by, Reason: "right"}); err != nil {
			return err
		}
		return b.RetireCaseTx(tx, c.ID, knowledge.Change{By: by, Reason: "stale"})
	})
	b.clock.Advance(day)
	c.Guidance, c.Status = "a again", knowledge.Active
	b.addCase(c)
	if at, err := b.Beginning(ctx); err != nil || !at.Equal(from) {
		t.Errorf("it begins at %v, %v", at, err)
	}
	got, err := b.Growth(ctx, from, day, 5)
	want := []knowledge.Size{{FromDrafts: 1, Documents: 1}, {FromDrafts: 1, Documents: 1, Others: 1},
		{Documents: 1, Others: 1, Rules: 1},
		{FromDrafts: 1, Documents: 1, Others: 1, Rules: 1}, {FromDrafts: 1, Documents: 1, Others: 1, Rules: 1}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	// What came before the first period is in it.
	if got, err := b.Growth(ctx, from.Add(10*day), day, 1); err != nil || got[0] != want[4] {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestPeopleFindWhatTheFilterLetsThrough(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	one := b.addCase(knowledge.Case{Origin: "a", Task: "tax", Exemplar: true,
		CaseText: text("Tax on a lump sum", "asks about tax", "A quarter of a pension can be taken tax free.")})
	b.addCase(knowledge.Case{Origin: "b", Task: "annuity",
		CaseText: text("Tax on an annuity", "asks about tax", "Income from an annuity is taxed as earnings are.")})
	old := b.addCase(knowledge.Case{Origin: "c", Task: "tax",
		CaseText: text("Old tax", "asks about tax", "An old tax rule.")})
	b.write(func(tx *db.Tx) error { return b.RetireCaseTx(tx, old.ID, knowledge.Change{Reason: "old"}) })
	r := principle("When somebody asks about tax, say that bands matter because a lump sum can move them up")
	r.Provisional = true
	rule := b.addRule(knowledge.Rule{Status: knowledge.Active, RuleText: r})

	find := func(kind string, f knowledge.Filter) knowledge.Finding {
		t.Helper()
		f.Text = "how is tax taken from a lump sum"
		found, err := b.Find(ctx, kind, f)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	if f := find("case", knowledge.Filter{}); len(f.Items) != 2 || f.Other != 1 || f.More != 0 ||
		len(f.Items[0].Why) == 0 {
		t.Errorf("%+v", f)
	}
	if f := find("case", knowledge.Filter{Limit: 1}); len(f.Items) != 1 || f.More != 1 {
		t.Errorf("%+v", f)
	}
	for name, f := range map[string]knowledge.Filter{"task": {Task: "tax"}, "exemplar": {Exemplar: true}} {
		if f := find("case", f); len(f.Items) != 1 || f.Items[0].ID != one.ID {
			t.Errorf("%s: %+v", name, f)
		}
	}
	if f := find("case", knowledge.Filter{Flagged: true}); len(f.Items) != 0 {
		t.Errorf("flagged: %+v", f)
	}
	if f := find("rule", knowledge.Filter{Provisional: true, Domain: knowledge.PensionEducation}); len(f.Items) != 1 ||
		f.Items[0].ID != rule.ID || f.Items[0].Kind != search.KindRule {
		t.Errorf("%+v", f)
	}
	if f := find("rule", knowledge.Filter{Domain: knowledge.RiskDisclosure}); len(f.Items) != 0 || f.Other != 2 {
		t.Errorf("%+v", f)
	}
	if list, more, err := b.CasesWith(ctx, knowledge.Filter{Status: knowledge.Retired, Text: "rule OLD"}); err != nil ||
		more || len(list) != 1 || list[0].ID != old.ID {
		t.Errorf("%+v, %v, %v", list, more, err)
	}
	if list, more, err := b.CasesWith(ctx, knowledge.Filter{Text: "tax", Limit: 2}); err != nil || !more ||
		len(list) != 2 {
		t.Errorf("%+v, %v, %v", list, more, err)
	}
	if list, _, err := b.Rules(ctx, knowledge.Filter{Provisional: true}); err != nil || len(list) != 1 {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestUsesAreCountedFromADay(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	c := b.addCase(knowledge.Case{Origin: "a", CaseText: text("A", "a", "a")})
	r := b.addRule(knowledge.Rule{Status: knowledge.Active,
		RuleText: knowledge.RuleText{Principle: "When x, y because z", Confidence: .9, Counter: []string{c.ID}}})
	use := func(interaction string) {
		b.write(func(tx *db.Tx) error {
			_, err := b.RecordUsageTx(tx, interaction, "", []knowledge.Used{{ID: c.ID}})
			return err
		})
	}
	use("i1")
	b.clock.Advance(time.Hour)
	use("i2")
	use("i3")
	got, err := b.UsesSince(ctx, []string{c.ID, r.ID}, b.clock.Now())
	if err != nil || got[c.ID] != 2 || got[r.ID] != 0 {
		t.Errorf("%v, %v", got, err)
	}
	if n, err := b.UsesCount(ctx, c.ID); err != nil || n != 3 {
		t.Errorf("%d, %v", n, err)
	}
	cited, err := b.RulesCiting(ctx, c.ID, 5)
	if err != nil || len(cited) != 1 || !cited[0].Against || cited[0].Rule.ID != r.ID {
		t.Errorf("%+v, %v", cited, err)
	}
}

// The seed's checkpoints, and what its own function breaks: it never falls, makes no step and stays below 1.
func TestTheExpectedQualityMeetsItsCheckpoints(t *testing.T) {
	for _, c := range []struct {
		n         int
		low, high float64
	}{{0, 0.6, 0.6}, {100, 0.9, 0.9}, {1_000, 0.945, 0.945}, {5_000, 0.965, 0.965}, {10_001, 0.97, 0.99},
		{50_000, 0.97, 0.99}, {10_000_000, 0.97, 0.99}, {-5, 0.6, 0.6}} {
		if got := knowledge.ExpectedQuality(c.n); got < c.low-1e-12 || got > c.high+1e-12 {
			t.Errorf("after %d: %v, want %v to %v", c.n, got, c.low, c.high)
		}
	}
	for n := range 60_000 {
		if step := knowledge.ExpectedQuality(n+1) - knowledge.ExpectedQuality(n); step < 0 || step > 0.0031 || math.IsNaN(step) {
			t.Fatalf("from %d to the next: %v", n, step)
		}
	}
}
