package dataset_test

import (
	"context"
	"slices"
	"testing"

	"preceptor/internal/dataset"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// staff has the store know who its experts are.
func (f *fixture) staff(people ...dataset.Person) {
	f.Experts = func(*db.Tx) ([]dataset.Person, error) { return slices.Clone(people), nil }
}

func (f *fixture) stuck(d *dataset.Dataset) dataset.Stuck {
	f.t.Helper()
	st, err := f.Stuck(ctx, d.ID)
	if err != nil {
		f.t.Fatal(err)
	}
	return st
}

// Two experts who disagree, and nobody else: that is said, once their labels can't be taken back, until a third person
// is there.
func TestADisputeWithoutAThirdPersonIsTold(t *testing.T) {
	f := open(t)
	f.staff(ann, ben)
	var told []int
	f.OnUnruled = func(_ *db.Tx, _ *dataset.Dataset, n int) error {
		if n > 0 {
			told = append(told, n)
		}
		return nil
	}
	d := f.set("Line", nil)
	ids := f.add(d, 3)
	if st := f.stuck(d); st.Short() || st.Rulers > st.Needed || st.Unruled != 0 {
		t.Fatalf("%+v", st)
	}
	f.answer(d, ann, always(good))
	f.next(d, ben)
	f.label(ids[0], ben, bad)
	f.answer(d, ben, always(good))
	if st := f.stuck(d); st.Unruled != 0 {
		t.Fatalf("a dispute shows while a label can be taken back: %+v", st)
	}
	if _, waits, err := f.RulersOf(ctx, ids[0], mo); err != nil || waits {
		t.Fatalf("and so does who could rule: %v", err)
	}
	if n, err := f.TellUnruled(ctx); err != nil || n != 0 {
		t.Fatal(n, err)
	}
	f.clock.Advance(dataset.UndoFor)
	if st := f.stuck(d); st.Unruled != 1 {
		t.Fatalf("%+v", st)
	}
	if list, waits, err := f.RulersOf(ctx, ids[0], mo); err != nil || !waits || len(list) != 0 {
		t.Fatalf("%v, %v", list, err)
	}
	if n, err := f.TellUnruled(ctx); err != nil || n != 1 || len(told) != 1 || told[0] != 1 {
		t.Fatal(n, told, err)
	}
	f.staff(ann, ben, cy)
	if st := f.stuck(d); st.Unruled != 0 || st.Rulers <= st.Needed {
		t.Fatalf("Cy could rule: %+v", st)
	}
	if list, waits, err := f.RulersOf(ctx, ids[0], mo); err != nil || !waits || len(list) != 1 || list[0] != cy {
		t.Fatalf("%v, %v", list, err)
	}
	// Cy labelled others, and not this one.
	f.add2(d, 3, 4)
	f.answer(d, cy, always(good))
	if st := f.stuck(d); st.Unruled != 0 {
		t.Fatalf("%+v", st)
	}
	v, err := f.Sides(ctx, ids[0], cy)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Adjudicate(ctx, dataset.RulingInput{ItemID: ids[0], By: cy, Version: v.Item.Version,
		Answer: dataset.Answer{Label: mid, Rationale: "Soft."}}); err != nil {
		t.Fatal(err)
	}
	f.staff(ann, ben)
	if st := f.stuck(d); st.Unruled != 0 {
		t.Fatalf("it is ruled: %+v", st)
	}
	f.staff()
	if st := f.stuck(d); !st.Short() {
		t.Fatalf("nobody may label: %+v", st)
	}
}

// add2 adds the items from to to, without the latter.
func (f *fixture) add2(d *dataset.Dataset, from, to int) {
	f.t.Helper()
	var items []dataset.NewItem
	for i := from; i < to; i++ {
		items = append(items, dataset.NewItem{Text: text(i)})
	}
	if _, err := f.Add(ctx, d.ID, items, mo); err != nil {
		f.t.Fatal(err)
	}
}

func TestTooFewPeopleForTheLabelsOfAnItem(t *testing.T) {
	f := open(t)
	f.staff(ann, ben)
	d := f.set("Three", func(s *dataset.Settings) { s.MaxLabels = 3 })
	if st := f.stuck(d); !st.Short() || st.Needed != 3 || st.Labeller != 2 {
		t.Errorf("%+v", st)
	}
	d = f.set("Invited", func(s *dataset.Settings) { s.Invited = true })
	if err := f.Invite(ctx, d.ID, []dataset.Person{ann}, mo); err != nil {
		t.Fatal(err)
	}
	if st := f.stuck(d); !st.Short() || st.Labeller != 1 || st.Rulers != 2 {
		t.Errorf("%+v", st)
	}
}

// One label is never final: alone, its giver can't rule on it.
func TestOneExpertAloneCanNotFinishASet(t *testing.T) {
	f := open(t)
	f.staff(ann)
	d := f.set("One", func(s *dataset.Settings) { s.Overlap = 1 })
	f.add(d, 2)
	f.answer(d, ann, always(good))
	f.clock.Advance(dataset.UndoFor)
	if st := f.stuck(d); st.Short() || st.Unruled != 2 {
		t.Errorf("%+v", st)
	}
	f.staff(ann, ben)
	if st := f.stuck(d); st.Unruled != 0 {
		t.Errorf("%+v", st)
	}
}

// What a version would take in is what Freeze takes, and everything else has its reason.
func TestWhatIsReady(t *testing.T) {
	f := open(t)
	d := f.set("Ready", nil)
	ids := f.add(d, 6)
	ready := func() dataset.Ready {
		t.Helper()
		r, err := f.Ready(ctx, d.ID, mo)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := ready(); r != (dataset.Ready{Open: 6}) {
		t.Fatalf("%+v", r)
	}
	for _, who := range []dataset.Person{ann, ben} {
		f.next(d, who)
		for i, id := range ids[:4] {
			label := good
			if i == 0 && who == ben {
				label = bad
			}
			f.next(d, who)
			f.label(id, who, label)
		}
	}
	if err := f.Exclude(ctx, ids[5], "Odd.", mo); err != nil {
		t.Fatal(err)
	}
	if r := ready(); r != (dataset.Ready{Settling: 4, Open: 1, Excluded: 1}) {
		t.Fatalf("%+v", r)
	}
	f.clock.Advance(dataset.UndoFor)
	if r := ready(); r != (dataset.Ready{Goes: 3, Disputed: 1, Open: 1, Excluded: 1}) || r.Waits() != 2 {
		t.Fatalf("%+v", r)
	}
	// Check items are in it for who may label, as if they were open, and not for others.
	if _, err := f.Add(ctx, d.ID, []dataset.NewItem{{Text: text(9), Known: &dataset.Answer{Label: good}}},
		mo); err != nil {
		t.Fatal(err)
	}
	if r := ready(); r.Open != 1 {
		t.Errorf("%+v", r)
	}
	if r, err := f.Ready(ctx, d.ID, ann); err != nil || r.Open != 2 {
		t.Errorf("%+v, %v", r, err)
	}
	page, err := f.Items(ctx, dataset.ItemFilter{DatasetID: d.ID, Label: good}, mo)
	if err != nil || len(page.Items) != 3 {
		t.Errorf("items by their final label: %d, %v", len(page.Items), err)
	}
}

func TestGatherBringsInOnce(t *testing.T) {
	f := open(t)
	d := f.set("Gather", nil)
	good := dataset.Answer{Label: good, Rationale: "Left open."}
	f.Elsewhere = func(_ context.Context, g dataset.Gathering) ([]dataset.NewItem, int, error) {
		one := dataset.NewItem{Text: text(1), Source: g.Source, SourceID: "s1"}
		odd := dataset.NewItem{Text: text(2), Source: g.Source, SourceID: "s2"}
		if g.Final {
			one.Final, one.FinalWhy, one.FinalBy = &good, dataset.WhyRuling, "Ann Archer"
			odd.Final, odd.FinalWhy = &dataset.Answer{Label: "UNHEARD_OF"}, dataset.WhyRuling
		}
		if g.Pack != pack.Pension {
			t.Errorf("texts of %q are asked for", g.Pack)
		}
		return []dataset.NewItem{one, odd}[:min(2, g.Most)], 3, nil
	}
	for _, g := range []dataset.Gathering{{Source: "elsewhere", Most: 1}, {Source: dataset.FromRuling},
		{Source: dataset.FromRuling, Most: dataset.MaxGathered + 1}} {
		_, err := f.Gather(ctx, d.ID, g, mo)
		want(t, err, fault.Invalid)
	}
	_, err := f.Gather(ctx, "none", dataset.Gathering{Source: dataset.FromReview, Most: 1}, mo)
	want(t, err, fault.NotFound)
	out, err := f.Gather(ctx, d.ID, dataset.Gathering{Source: dataset.FromRuling, Most: 10, Final: true}, mo)
	if err != nil || out.Found != 2 || out.Added != 1 || out.Broken != 1 || out.Why == "" || out.Others != 3 {
		t.Fatalf("%+v, %v", out, err)
	}
	out, err = f.Gather(ctx, d.ID, dataset.Gathering{Source: dataset.FromRuling, Most: 10}, mo)
	if err != nil || out.Added != 1 || out.Duplicates != 1 {
		t.Fatalf("%+v, %v", out, err)
	}
	page, err := f.Items(ctx, dataset.ItemFilter{DatasetID: d.ID}, mo)
	if err != nil || len(page.Items) != 2 {
		t.Fatal(page, err)
	}
	it := page.Items[0]
	if it.State != dataset.ItemAdjudicated || it.Final == nil || it.Final.Why != dataset.WhyRuling ||
		it.Final.By != "Ann Archer" || it.Source != dataset.FromRuling {
		t.Errorf("%+v", it)
	}
	if page.Items[1].State != dataset.ItemOpen {
		t.Errorf("%+v", page.Items[1])
	}
	f.recount(d)
}
