package dataset_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"preceptor/internal/dataset"
	"preceptor/internal/platform/fault"
)

func TestTwoExpertsAndAnAdjudicator(t *testing.T) {
	f := open(t)
	d := f.set("Line", nil)
	ids := f.add(d, 10)
	odd := func(task *dataset.Task) string {
		if strings.Contains(task.Guidance, "option 3.") {
			return bad
		}
		return good
	}
	if got := f.answer(d, ann, always(good)); len(got) != 10 {
		t.Fatalf("Ann got %d items", len(got))
	}
	f.recount(d)
	if got := f.answer(d, ben, odd); len(got) != 10 {
		t.Fatalf("Ben got %d items", len(got))
	}
	f.recount(d)
	if c := f.get(d).Counts; c.Labelled != 9 || c.Disputed != 1 || c.Final != 9 || c.Wanted != 0 {
		t.Fatalf("%+v", c)
	}
	// Nothing shows yet: Ben could still take his last answer back.
	if it := f.item(ids[0]); !it.Settling || it.Final != nil || it.State != dataset.ItemOpen {
		t.Fatalf("%+v", it)
	}
	page, err := f.Waiting(ctx, d.ID, dataset.ItemDisputed, cy, "", 0)
	if err != nil || len(page.Items) != 1 || page.Items[0].ID != ids[3] {
		t.Fatalf("%+v, %v", page, err)
	}
	if page, _ := f.Waiting(ctx, d.ID, dataset.ItemDisputed, ann, "", 0); len(page.Items) != 0 {
		t.Fatal("Ann is to rule on what she labelled")
	}
	_, err = f.Sides(ctx, ids[3], ann)
	want(t, err, fault.Denied)
	v, err := f.Sides(ctx, ids[3], cy)
	if err != nil || len(v.Labels) != 2 || v.Labels[0].Label == v.Labels[1].Label {
		t.Fatalf("%+v, %v", v, err)
	}
	_, err = f.Undo(ctx, ids[3], ben) // opened, so nothing is taken back
	want(t, err, fault.Conflict)
	_, err = f.Adjudicate(ctx, dataset.RulingInput{ItemID: ids[3], By: cy, Version: v.Item.Version,
		Answer: dataset.Answer{Label: mid}})
	want(t, err, fault.Invalid) // without a reason
	_, err = f.Adjudicate(ctx, dataset.RulingInput{ItemID: ids[3], By: cy, Version: v.Item.Version - 1,
		Answer: dataset.Answer{Label: mid, Rationale: "Soft."}})
	want(t, err, fault.Conflict)
	ruling, err := f.Adjudicate(ctx, dataset.RulingInput{ItemID: ids[3], By: cy, Version: v.Item.Version,
		Answer: dataset.Answer{Label: mid, Rationale: "Soft."}})
	if err != nil {
		t.Fatal(err)
	}
	it := f.item(ids[3])
	if it.State != dataset.ItemAdjudicated || it.Final == nil || it.Final.Label != mid ||
		it.Final.Why != dataset.WhyAdjudication || it.Final.By != cy.Name {
		t.Fatalf("%+v", it)
	}
	f.recount(d)
	want(t, f.UndoRuling(ctx, ruling.ID, dee, "Mine now."), fault.Denied)
	if err := f.UndoRuling(ctx, ruling.ID, cy, "I misread it."); err != nil {
		t.Fatal(err)
	}
	if it := f.item(ids[3]); it.State != dataset.ItemDisputed || it.Final != nil {
		t.Fatalf("%+v", it)
	}
	f.recount(d)
	f.clock.Advance(dataset.UndoFor)
	it = f.item(ids[0])
	if it.Settling || it.Final == nil || it.Final.Why != dataset.WhyAgreement ||
		it.Final.By != "Ann Archer, Ben Carter" {
		t.Fatalf("%+v", it)
	}
	r, err := f.Ratings(ctx, dataset.RatingQuery{DatasetID: d.ID})
	if err != nil || len(r.Items) != 10 || len(r.Raters) != 2 || !slices.Equal(r.Cells[3], []string{good, bad}) {
		t.Fatalf("%+v, %v", r, err)
	}
}

func TestOneLabelIsNotFinal(t *testing.T) {
	f := open(t)
	d := f.set("One", func(s *dataset.Settings) { s.Overlap = 1 })
	ids := f.add(d, 1)
	f.answer(d, ann, always(good))
	f.clock.Advance(dataset.UndoFor)
	if it := f.item(ids[0]); it.State != dataset.ItemLabelled || it.Final != nil {
		t.Fatalf("%+v", it)
	}
	if page, err := f.Waiting(ctx, d.ID, dataset.ItemLabelled, cy, "", 0); err != nil || len(page.Items) != 1 {
		t.Fatalf("%+v, %v", page, err)
	}
}

func TestADisagreementAsksOneMoreUpToTheMost(t *testing.T) {
	f := open(t)
	d := f.set("More", func(s *dataset.Settings) { s.MaxLabels = 3 })
	ids := f.add(d, 1)
	f.answer(d, ann, always(good))
	f.answer(d, ben, always(bad))
	if it := f.item(ids[0]); it.State != dataset.ItemOpen || it.Needs != 3 || it.Has != 2 {
		t.Fatalf("%+v", it)
	}
	if got := f.answer(d, ann, always(good)); len(got) != 0 {
		t.Fatal("Ann gets it twice")
	}
	f.answer(d, cy, always(good))
	f.clock.Advance(dataset.UndoFor)
	if it := f.item(ids[0]); it.State != dataset.ItemDisputed || it.Final != nil {
		t.Fatalf("two of three are no agreement: %+v", it)
	}
	f.recount(d)
}

func TestAgreementInCodes(t *testing.T) {
	pressure, risk := dataset.Issue{Code: "PRESSURE", Start: 0, End: 3}, dataset.Issue{Code: "MISSING_RISK_DISCLOSURE"}
	for _, c := range []struct {
		on    string
		state string
		codes []string
	}{{dataset.AgreeLabel, dataset.ItemLabelled, []string{"PRESSURE"}},
		{dataset.AgreeCodes, dataset.ItemDisputed, nil}} {
		f := open(t)
		d := f.set("Codes", func(s *dataset.Settings) { s.AgreeOn = c.on })
		ids := f.add(d, 1)
		f.next(d, ann)
		f.next(d, ben)
		f.label(ids[0], ann, bad, pressure, risk)
		f.label(ids[0], ben, bad, dataset.Issue{Code: "PRESSURE", Start: 4, End: 9})
		f.clock.Advance(dataset.UndoFor)
		it := f.item(ids[0])
		if it.State != c.state {
			t.Fatalf("%s: %+v", c.on, it)
		}
		if c.codes != nil && (!slices.Equal(it.Final.Codes(), c.codes) || len(it.Final.Issues) != 2) {
			t.Errorf("%+v", it.Final)
		}
	}
}

func TestUndoAndRevise(t *testing.T) {
	f := open(t)
	d := f.set("Undo", nil)
	ids := f.add(d, 2)
	w := f.next(d, ann)
	if w.Now.ItemID != ids[0] || w.Then.ItemID != ids[1] {
		t.Fatalf("%+v", w)
	}
	f.label(ids[0], ann, good)
	_, err := f.Label(ctx, dataset.LabelInput{ItemID: ids[0], By: ann, Answer: dataset.Answer{Label: bad}})
	want(t, err, fault.Conflict) // a key pressed twice
	task, err := f.Undo(ctx, ids[0], ann)
	if err != nil || task.Mine != nil || f.next(d, ann).Now.ItemID != ids[0] {
		t.Fatalf("%+v, %v", task, err)
	}
	f.recount(d)
	f.label(ids[0], ann, mid)
	l, err := f.Label(ctx, dataset.LabelInput{ItemID: ids[0], By: ann, Answer: dataset.Answer{Label: bad},
		Revise: true})
	if err != nil || l.First || l.Revision != 3 || l.Late {
		t.Fatalf("%+v, %v", l, err)
	}
	f.recount(d)
	f.answer(d, ben, always(bad)) // agrees with the revision
	f.clock.Advance(dataset.UndoFor)
	if it := f.item(ids[0]); it.Final == nil || it.Final.Label != bad {
		t.Fatalf("%+v", it)
	}
	r, err := f.Ratings(ctx, dataset.RatingQuery{DatasetID: d.ID})
	if err != nil || !slices.Equal(r.Cells[0], []string{mid, bad}) {
		t.Fatalf("agreement is measured on first labels: %+v, %v", r, err)
	}
	// Late: it breaks an agreement, and never makes one.
	l, err = f.Label(ctx, dataset.LabelInput{ItemID: ids[0], By: ben, Answer: dataset.Answer{Label: good},
		Revise: true})
	if err != nil || !l.Late {
		t.Fatalf("%+v, %v", l, err)
	}
	if it := f.item(ids[0]); it.State != dataset.ItemDisputed || it.Final != nil {
		t.Fatalf("%+v", it)
	}
	if _, err := f.Label(ctx, dataset.LabelInput{ItemID: ids[0], By: ben, Answer: dataset.Answer{Label: bad},
		Revise: true}); err != nil {
		t.Fatal(err)
	}
	if it := f.item(ids[0]); it.State != dataset.ItemDisputed {
		t.Fatalf("%+v", it)
	}
	f.recount(d)
}

func TestTheLastLabelCanBeTakenBackInItsTime(t *testing.T) {
	f := open(t)
	d := f.set("Last", nil)
	ids := f.add(d, 1)
	f.answer(d, ann, always(good))
	f.answer(d, ben, always(bad))
	task, err := f.Task(ctx, ids[0], ben)
	if err != nil || !task.CanUndo {
		t.Fatalf("%+v, %v", task, err)
	}
	if _, err := f.Undo(ctx, ids[0], ben); err != nil {
		t.Fatal(err)
	}
	f.recount(d)
	f.answer(d, ben, always(good))
	f.clock.Advance(dataset.UndoFor)
	_, err = f.Undo(ctx, ids[0], ben)
	want(t, err, fault.Conflict)
	if it := f.item(ids[0]); it.Final == nil || it.Final.Label != good {
		t.Fatalf("%+v", it)
	}
	f.recount(d)
}

func TestSkipIsRememberedAndCanBeReset(t *testing.T) {
	f := open(t)
	d := f.set("Skip", nil)
	ids := f.add(d, 2)
	f.next(d, ann)
	want(t, f.Skip(ctx, ids[0], ann, " "), fault.Invalid)
	if err := f.Skip(ctx, ids[0], ann, "Not my field."); err != nil {
		t.Fatal(err)
	}
	f.recount(d)
	f.label(ids[1], ann, good)
	if w := f.next(d, ann); w.Now != nil || w.Empty != dataset.OnlySkipped {
		t.Fatalf("%+v", w)
	}
	if n, err := f.Unskip(ctx, d.ID, ann); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	f.recount(d)
	if w := f.next(d, ann); w.Now == nil || w.Now.ItemID != ids[0] {
		t.Fatalf("%+v", w)
	}
	f.label(ids[0], ann, good)
	if w := f.next(d, ann); w.Empty != dataset.AllDone {
		t.Fatalf("%+v", w)
	}
}

// Undo is of one act: of the last skip or the last label, and what was done before it stays.
func TestTheLastSkipIsUndone(t *testing.T) {
	f := open(t)
	d := f.set("Skip", func(s *dataset.Settings) { s.Overlap = 1 })
	ids := f.add(d, 4)
	skip := func(itemID, why string) {
		t.Helper()
		f.clock.Advance(time.Second)
		if err := f.Skip(ctx, itemID, ann, why); err != nil {
			t.Fatal(err)
		}
	}
	mine := func(want string) {
		t.Helper()
		list, err := f.Mine(ctx, d.ID, ann, 3)
		var got []string
		for _, m := range list {
			got = append(got, fmt.Sprint(slices.Index(ids, m.ItemID), m.Label.Label, m.Skipped, m.CanUndo))
		}
		if err != nil || strings.Join(got, "; ") != want {
			t.Errorf("%s, %v; want %s", got, err, want)
		}
		f.recount(d)
	}
	f.next(d, ann)
	skip(ids[0], "One.")
	f.clock.Advance(time.Second)
	f.label(f.next(d, ann).Now.ItemID, ann, good)
	f.next(d, ann)
	skip(ids[2], "Two.")
	mine("2Two.true; 1" + good + "true; 0One.true")
	if task, err := f.Undo(ctx, ids[2], ann); err != nil || task.ItemID != ids[2] || task.Skipped {
		t.Fatalf("%+v, %v", task, err)
	}
	mine("1" + good + "true; 0One.true")
	if w := f.next(d, ann); w.Now == nil || w.Now.ItemID != ids[2] {
		t.Errorf("%+v", w)
	}
	_, err := f.Undo(ctx, ids[2], ann) // nothing of mine is left on it
	want(t, err, fault.Conflict)
	skip(ids[2], "Three.")
	mine("2Three.true; 1" + good + "true; 0One.true")
	f.answer(d, ben, always(good)) // who is given what Ann passed over
	mine("2Three.false; 1" + good + "true; 0One.false")
	_, err = f.Undo(ctx, ids[0], ann)
	want(t, err, fault.Conflict)
	mine("2Three.false; 1" + good + "true; 0One.false")
}

func TestWhatLiesAboutGoesToOthers(t *testing.T) {
	f := open(t)
	d := f.set("Lying", func(s *dataset.Settings) { s.Overlap = 1 })
	f.add(d, 3)
	f.next(d, ann)
	if w := f.next(d, ben); w.Now != nil || w.Empty != dataset.OthersHaveIt {
		t.Fatalf("%+v", w)
	}
	f.clock.Advance(2*time.Hour + time.Second)
	if got := f.answer(d, ben, always(good)); len(got) != 3 {
		t.Fatalf("Ben got %d", len(got))
	}
	f.recount(d)
	if w := f.next(d, ann); w.Now != nil || w.Empty != dataset.AllDone {
		t.Fatalf("%+v", w)
	}
}

func TestInvitationsAndAssignments(t *testing.T) {
	f := open(t)
	d := f.set("Invited", func(s *dataset.Settings) { s.Invited = true })
	ids := f.add(d, 30)
	_, err := f.Next(ctx, d.ID, ann)
	want(t, err, fault.Denied)
	if err := f.Invite(ctx, d.ID, []dataset.Person{ann, ben}, mo); err != nil {
		t.Fatal(err)
	}
	if n, err := f.Assign(ctx, d.ID, []dataset.Person{ann}, ids[20:22], mo); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	if w := f.next(d, ann); w.Now.ItemID != ids[20] || w.Then.ItemID != ids[21] {
		t.Fatalf("%+v", w)
	}
	f.recount(d)
	f.next(d, ben)
	if err := f.Uninvite(ctx, d.ID, ben.ID, mo); err != nil {
		t.Fatal(err)
	}
	f.recount(d)
	_, err = f.Next(ctx, d.ID, ben)
	want(t, err, fault.Denied)
}
