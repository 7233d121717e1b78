package dataset_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"preceptor/internal/dataset"
	"preceptor/internal/platform/fault"
)

// What a labeller reads of an item that they can still answer says nothing of what others said: for every method that
// takes an item or a set, what it returns for somebody whom others were before is what it returns when nobody was.
func TestNobodyReadsAnAnswerBeforeTheirOwn(t *testing.T) {
	see := func(others bool) string {
		f := open(t)
		d := f.set("Blind", func(s *dataset.Settings) { s.Reveal = true; s.Overlap = 3 })
		ids := f.add(d, 3)
		f.next(d, ann)
		f.next(d, ben)
		if others {
			for _, who := range []dataset.Person{ann, ben} {
				if _, err := f.Label(ctx,
					dataset.LabelInput{ItemID: ids[0], By: who,
						Answer: dataset.Answer{Label: bad, Rationale: "SECRET",
							Issues: []dataset.Issue{{Code: "PRESSURE"}}}}); err != nil {
					t.Fatal(err)
				}
			}
			if err := f.Flag(ctx, ids[0], ann, "SECRET"); err != nil {
				t.Fatal(err)
			}
			if err := f.Skip(ctx, ids[1], ann, "SECRET"); err != nil {
				t.Fatal(err)
			}
		}
		var out []any
		tell := func(v any, err error) {
			out = append(out, v)
			if err != nil {
				out = append(out, fault.Message(err))
			}
		}
		w, err := f.Next(ctx, d.ID, cy)
		if w.Now != nil { // which item comes first follows from who has what; what is in it may not tell more
			w = dataset.Work{}
		}
		tell(w, err)
		tell(f.Task(ctx, ids[0], cy))
		tell(f.Answers(ctx, ids[0], cy))
		tell(f.Sides(ctx, ids[0], cy))
		tell(f.Adjudicate(ctx, dataset.RulingInput{ItemID: ids[0], By: cy,
			Answer: dataset.Answer{Label: good, Rationale: "Mine."}}))
		tell(f.Mine(ctx, d.ID, cy, 0))
		tell(f.OwnFigure(ctx, d.ID, cy))
		tell(f.Ratings(ctx, dataset.RatingQuery{DatasetID: d.ID}))
		tell(f.Waiting(ctx, d.ID, dataset.ItemDisputed, cy, "", 0))
		tell(f.Waiting(ctx, d.ID, dataset.ItemLabelled, cy, "", 0))
		it, err := f.Item(ctx, ids[0], cy)
		if it != nil {
			it.Version, it.Has, it.Flags = 0, 0, 0 // how many, and not what
		}
		tell(it, err)
		b, err := json.Marshal(out)
		if err != nil {
			t.Fatal(err)
		}
		s := string(b)
		for i, x := range append(ids, d.ID) {
			s = strings.ReplaceAll(s, x, fmt.Sprint("id", i))
		}
		return s
	}
	blind, after := see(false), see(true)
	if strings.Contains(after, "SECRET") || strings.Contains(after, "PRESSURE") || blind != after {
		t.Errorf("before others answered:\n%s\nafterwards:\n%s", blind, after)
	}
}

func TestOthersAnswersOnceAnItemIsClosed(t *testing.T) {
	for _, reveal := range []bool{false, true} {
		f := open(t)
		d := f.set("Reveal", func(s *dataset.Settings) { s.Reveal = reveal })
		ids := f.add(d, 1)
		f.answer(d, ann, always(good))
		_, err := f.Answers(ctx, ids[0], ann)
		want(t, err, fault.Denied) // Ben is still to answer
		f.answer(d, ben, always(bad))
		list, err := f.Answers(ctx, ids[0], ann)
		if !reveal {
			want(t, err, fault.Denied)
			continue
		}
		if err != nil || len(list) != 2 {
			t.Fatal(list, err)
		}
		_, err = f.Undo(ctx, ids[0], ben)
		want(t, err, fault.Conflict) // somebody read them
		_, err = f.Answers(ctx, ids[0], cy)
		want(t, err, fault.NotFound)
		l, err := f.Label(ctx, dataset.LabelInput{ItemID: ids[0], By: ann, Answer: dataset.Answer{Label: bad},
			Revise: true})
		if err != nil || !l.Late || f.item(ids[0]).State != dataset.ItemDisputed {
			t.Fatalf("who has read the answers makes no agreement: %+v, %v", l, err)
		}
	}
}

// A check looks like any other item, comes in places that nobody can tell beforehand, is never closed, and moves one's
// own figures in steps.
func TestHiddenChecks(t *testing.T) {
	f := open(t)
	d := f.set("Checks", func(s *dataset.Settings) { s.CheckShare = 30 })
	ids := f.add(d, 200)
	checks := map[string]bool{}
	for i, itemID := range ids[150:] {
		label := good
		if i%2 == 0 {
			label = bad
		}
		if err := f.PlantCheck(ctx, itemID, &dataset.Answer{Label: label}, mo); err != nil {
			t.Fatal(err)
		}
		checks[itemID] = true
	}
	f.recount(d)
	got := map[string][]int{}
	n, met := 0, 0
	steps := map[int]bool{}
	for {
		w := f.next(d, ann)
		if w.Now == nil {
			break
		}
		b, err := json.Marshal(w.Now)
		if err != nil || strings.Contains(strings.ToLower(string(b)), "check") || strings.Contains(string(b), "known") {
			t.Fatalf("a task tells: %s", b)
		}
		f.label(w.Now.ItemID, ann, good)
		if n++; checks[w.Now.ItemID] {
			met++
			got["places"] = append(got["places"], n)
		}
		own, err := f.OwnFigure(ctx, d.ID, ann)
		if err != nil {
			t.Fatal(err)
		}
		if own.Checks%dataset.FigureStep != 0 || own.Checks > met {
			t.Fatalf("%+v", own)
		}
		steps[own.Checks] = true
	}
	if met < 30 || met > 50 || n != 150+met || len(steps) < 5 {
		t.Errorf("%d of %d were checks, at %v", met, n, got["places"])
	}
	f.recount(d)
	all, err := f.Figures(ctx, d.ID, mo)
	if err != nil || len(all) != 1 || all[0].Checks != met || all[0].Right == 0 || all[0].Right == met ||
		all[0].MeanMs != 1500 || all[0].MedianMs != 1500 {
		t.Errorf("%+v, %v", all, err)
	}
	if page, err := f.Items(ctx, dataset.ItemFilter{DatasetID: d.ID, Checks: true}, mo); err != nil ||
		len(page.Items) == 0 || !page.Items[0].Check || page.Items[0].Known.Label == "" {
		t.Errorf("%+v, %v", page, err)
	}
	_, err = f.Items(ctx, dataset.ItemFilter{DatasetID: d.ID, Checks: true}, ann)
	want(t, err, fault.Denied)
	if it, err := f.Item(ctx, ids[199], ann); err != nil || it.Check || it.Known.Label != "" {
		t.Errorf("%+v, %v", it, err)
	}
	r, err := f.Ratings(ctx, dataset.RatingQuery{DatasetID: d.ID})
	if err != nil {
		t.Fatal(err)
	}
	for _, itemID := range r.Items {
		if checks[itemID] {
			t.Error("a check counts in the agreement")
		}
	}
	// Another person meets them elsewhere.
	var places []int
	for i := 1; ; i++ {
		w := f.next(d, ben)
		if w.Now == nil {
			break
		}
		if checks[w.Now.ItemID] {
			places = append(places, i)
		}
		f.label(w.Now.ItemID, ben, bad)
	}
	if fmt.Sprint(places) == fmt.Sprint(got["places"]) || len(places) == 0 {
		t.Errorf("the same places: %v", places)
	}
}

func TestExcludeIncludeErase(t *testing.T) {
	f := open(t)
	d := f.set("Out", nil)
	ids := f.add(d, 4)
	f.next(d, ann)
	f.label(ids[0], ann, good)
	if err := f.Exclude(ctx, ids[0], "Odd.", mo); err != nil {
		t.Fatal(err)
	}
	f.recount(d)
	if it := f.item(ids[0]); it.State != dataset.ItemExcluded || it.Final != nil {
		t.Fatalf("%+v", it)
	}
	if err := f.Include(ctx, ids[0], mo); err != nil {
		t.Fatal(err)
	}
	f.recount(d)
	if it := f.item(ids[0]); it.State != dataset.ItemOpen || it.Has != 1 {
		t.Fatalf("%+v", it)
	}
	f.answer(d, ann, always(good))
	f.answer(d, ben, always(bad))
	f.clock.Advance(dataset.UndoFor)
	for _, itemID := range ids[:2] {
		if err := f.Exclude(ctx, itemID, "Odd.", mo); err != nil {
			t.Fatal(err)
		}
	}
	f.recount(d)
	if err := f.Include(ctx, ids[1], mo); err != nil {
		t.Fatal(err)
	}
	if it := f.item(ids[1]); it.State != dataset.ItemDisputed {
		t.Fatalf("%+v", it)
	}
	f.recount(d)
	if err := f.Erase(ctx, ids[2], "Asked.", mo.Actor()); err != nil {
		t.Fatal(err)
	}
	f.recount(d)
	if it := f.item(ids[2]); it.State != dataset.ItemErased || it.Guidance != "" || it.Customer != nil ||
		strings.HasPrefix(it.Hash, "a") {
		t.Fatalf("%+v", it)
	}
	var left int
	if err := f.db.Reader().QueryRow(`SELECT count(*) FROM labelling_answer
		WHERE item_id = $1 AND answer <> ''`, ids[2]).Scan(&left); err != nil || left != 0 {
		t.Fatal(left, err)
	}
	want(t, f.Exclude(ctx, ids[2], "Twice.", mo), fault.Conflict)
}

// A higher overlap brings items back to those who had passed their level.
func TestMoreLabelsAreWanted(t *testing.T) {
	f := open(t)
	d := f.set("More", func(s *dataset.Settings) { s.Overlap = 1 })
	f.add(d, 12)
	f.next(d, ann) // has five of them
	if got := f.answer(d, ben, always(good)); len(got) != 7 {
		t.Fatalf("Ben got %d", len(got))
	}
	s := d.Settings
	s.Overlap, s.MaxLabels = 2, 2
	if _, err := f.Update(ctx, d.ID, d.Version, s, mo); err != nil {
		t.Fatal(err)
	}
	f.recount(d)
	if c := f.get(d).Counts; c.Open != 12 || c.Labelled != 0 {
		t.Fatalf("what was complete with one label stays so: %+v", c)
	}
	if got := f.answer(d, ben, always(good)); len(got) != 5 {
		t.Fatalf("Ben got %d more", len(got))
	}
	f.answer(d, ann, always(good))
	if c := f.get(d).Counts; c.Labelled != 12 || c.Final != 12 {
		t.Fatalf("%+v", c)
	}
	f.recount(d)
}

func TestSettingsChange(t *testing.T) {
	f := open(t)
	d := f.set("Change", nil)
	f.add(d, 3)
	f.next(d, ann)
	f.answer(d, ann, always(good))
	s := d.Settings
	s.Overlap, s.MaxLabels = 1, 1
	_, err := f.Update(ctx, d.ID, d.Version+1, s, mo)
	want(t, err, fault.Conflict)
	got, err := f.Update(ctx, d.ID, d.Version, s, mo)
	if err != nil || got.Counts.Labelled != 3 || got.Counts.Wanted != 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	f.recount(d)
	s.Labels = []string{mid, bad}
	_, err = f.Update(ctx, d.ID, got.Version, s, mo)
	want(t, err, fault.Invalid) // good is in use
	_, err = f.Create(ctx, dataset.Settings{Name: "  cHANGE ", Labels: []string{"a", "b"}, Overlap: 1}, mo)
	want(t, err, fault.Conflict)
	_, err = f.Create(ctx, dataset.Settings{Name: "x", Labels: []string{"a"}, Overlap: 0}, mo)
	want(t, err, fault.Invalid)
	got, err = f.SetState(ctx, d.ID, got.Version, dataset.Closed, mo)
	if err != nil || f.next(d, ben).Empty != dataset.SetClosed {
		t.Fatalf("%+v, %v", got, err)
	}
}
