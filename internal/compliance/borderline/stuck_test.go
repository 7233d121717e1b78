package borderline_test

import (
	"slices"
	"testing"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

func (d *desk) stuck(t testing.TB, experts ...borderline.Person) int {
	t.Helper()
	d.Experts = func(*db.Tx) ([]borderline.Person, error) { return slices.Clone(experts), nil }
	list, err := d.Stuck(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

// A case stands still when it wants one more answer, or an adjudicator, and everybody who may give it has answered.
func TestACaseThatNobodyIsLeftForIsStuck(t *testing.T) {
	d := open(t)
	if list, err := d.Stuck(ctx); err != nil || list != nil {
		t.Fatal("it is not known who the experts are", list, err)
	}
	c := d.enrol(t, seedVerdict(), true) // two are asked, three at most
	if n := d.stuck(t, eva); n != 0 {
		t.Fatal("nobody has answered yet")
	}
	if n := d.stuck(t); n != 1 {
		t.Fatal("there is no expert at all")
	}
	d.blind(t, c, eva, compliance.NonCompliant)
	if n := d.stuck(t, eva); n != 0 {
		t.Fatal("she can settle it")
	}
	if _, err := d.Keep(ctx, c.ID, eva); err != nil {
		t.Fatal(err)
	}
	if n := d.stuck(t, eva); n != 1 {
		t.Fatal("a second is wanted, and nobody is there")
	}
	if v := d.view(t, c, eva); !v.Stuck && v.WhyNot != "" {
		t.Errorf("%+v", v)
	}
	if n := d.stuck(t, eva, fay); n != 0 {
		t.Fatal("the second is there")
	}
	d.whole(t, c, fay, compliance.Compliant)
	if n := d.stuck(t, eva, fay); n != 1 {
		t.Fatal("a third is wanted")
	}
	d.whole(t, c, gus, compliance.Borderline)
	if n := d.stuck(t, eva, fay, gus); n != 1 {
		t.Fatal("it is to be adjudicated by somebody who did not answer")
	}
	if v := d.view(t, c, eva); !v.Stuck || v.WhyNot == "" {
		t.Errorf("%+v", v)
	}
	if n := d.stuck(t, eva, fay, gus, hal); n != 0 {
		t.Fatal("Hal can adjudicate")
	}
}

func TestRuledSince(t *testing.T) {
	d := open(t)
	since := d.clock.Now().Add(-time.Hour)
	one := d.enrol(t, seedVerdict(), true)
	d.whole(t, one, eva, compliance.NonCompliant)
	d.whole(t, one, fay, compliance.NonCompliant)
	list, _, err := d.RuledSince(ctx, pack.Pension, since, 10)
	if err != nil || len(list) != 0 {
		t.Fatal("it can be undone yet", list, err)
	}
	d.clock.Advance(borderline.UndoFor + time.Minute)
	list, _, err = d.RuledSince(ctx, pack.Pension, since, 10)
	if err != nil || len(list) != 1 || list[0].Ruling.Label != compliance.NonCompliant || len(list[0].Answers) != 2 {
		t.Fatal(list, err)
	}
	if m := list[0].Codes(); len(m) != 1 || m[0].Code != "DISGUISED_RECOMMENDATION" ||
		list[0].Boundary() != compliance.Advice {
		t.Errorf("%+v %q", m, list[0].Boundary())
	}
	if list, others, err := d.RuledSince(ctx, pack.Pension, d.clock.Now(), 10); err != nil || len(list)+others != 0 {
		t.Error(list, others, err)
	}
	if list, others, err := d.RuledSince(ctx, pack.GeneralName, since, 10); err != nil || len(list) != 0 ||
		others != 1 {
		t.Error("of another pack:", list, others, err)
	}
}

// How many are asked is for the policy to say.
func TestThePolicySaysHowManyExpertsAreAsked(t *testing.T) {
	d := open(t)
	d.AskFor = func(_ *db.Tx, agentID string) (borderline.Asked, error) {
		if agentID != "a1" {
			t.Errorf("asked for agent %q", agentID)
		}
		return borderline.Asked{Target: target, Share: 1, First: 2, Hard: 4, Most: 4}, nil
	}
	if c := d.enrol(t, seedVerdict(), false); c.Wanted != 2 || c.Most != 4 {
		t.Errorf("%d of at most %d", c.Wanted, c.Most)
	}
	if c := d.enrol(t, seedVerdict(), true); c.Wanted != 4 || c.Most != 4 {
		t.Errorf("%d of at most %d", c.Wanted, c.Most)
	}
}

// Where three experts disagree and no fourth is there, a manager rules or closes the case; it never waits for nobody.
func TestAManagerDecidesWhatNoExpertCan(t *testing.T) {
	d := open(t)
	disagree := func(t *testing.T) *borderline.Case {
		t.Helper()
		c := d.enrol(t, seedVerdict(), true)
		d.whole(t, c, eva, compliance.Compliant)
		d.whole(t, c, fay, compliance.NonCompliant)
		d.whole(t, c, gus, compliance.Borderline)
		return c
	}
	c := disagree(t)
	if n := d.stuck(t, eva, fay, gus); n != 1 {
		t.Fatalf("%d stuck", n)
	}
	who := borderline.Viewer{Person: boss, Decides: true}
	v, err := d.Get(ctx, c.ID, who)
	if err != nil || !v.Decide || len(v.Others) == 0 || v.Panel == nil {
		t.Fatalf("the manager sees %+v, %v", v, err)
	}
	if err := d.CloseUnresolved(ctx, c.ID, " ", boss); !fault.Is(err, fault.Invalid) {
		t.Errorf("without a reason: %v", err)
	}
	if err := d.CloseUnresolved(ctx, c.ID, "No.", eva); !fault.Is(err, fault.Denied) {
		t.Errorf("an expert: %v", err)
	}
	in := borderline.RuleInput{CaseID: c.ID, By: boss, TextHash: c.TextHash, Label: compliance.NonCompliant,
		Rationale: "It steers."}
	if r, err := d.Adjudicate(ctx, in); err != nil || r.By.Name != boss.Name {
		t.Fatal(r, err)
	}
	if err := d.Undo(ctx, c.ID, boss); err != nil {
		t.Fatal(err)
	}
	if err := d.CloseUnresolved(ctx, c.ID, "Three experts read it in three ways.", boss); err != nil {
		t.Fatal(err)
	}
	v, err = d.Get(ctx, c.ID, borderline.Viewer{Person: eva, Expert: true})
	if err != nil || !v.Unresolved() || v.Ruling != nil || len(v.Remarks) != 1 || v.Remarks[0].By != boss {
		t.Errorf("closed: %+v, %v", v, err)
	}
	if n := d.stuck(t, eva, fay, gus); n != 0 {
		t.Errorf("%d stuck after it was closed", n)
	}
	d.wantCounted(t)
	d.stuck(t, eva, fay, gus, hal)
	c = disagree(t)
	if _, err := d.Get(ctx, c.ID, who); !fault.Is(err, fault.Denied) {
		t.Errorf("while an expert is left: %v", err)
	}
}
