package dataset_test

import (
	"testing"

	"preceptor/internal/dataset"
)

// What is left to a person is texts that they can still be given, and the share of a set is of complete items: the
// same figures as the lists beside them, whatever comes with its labels, is skipped, a check, or ruled on.
func TestWhatIsLeftIsTexts(t *testing.T) {
	f := open(t)
	d := f.set("Left", func(s *dataset.Settings) { s.Overlap, s.MaxLabels = 2, 3 })
	want := func(when string, who dataset.Person, left, percent int) {
		t.Helper()
		p, err := f.Progress(ctx, d.ID, who)
		if err != nil || p.Left != left || p.Percent != percent {
			t.Errorf("%s, %s has %d left of %d%%, want %d of %d%%, %v", when, who.Name, p.Left, p.Percent, left,
				percent,
				err)
		}
	}
	want("empty", ann, 0, 0)
	ids := f.add(d, 4) // 8 labels are wanted
	want("new", ann, 4, 0)
	for _, who := range []dataset.Person{ann, ben} {
		f.next(d, who) // all are on both lists
	}
	f.label(ids[0], ann, good)
	want("one labelled", ann, 3, 0)
	want("one labelled", ben, 4, 0)
	f.label(ids[0], ben, good)
	want("one complete", ann, 3, 25)
	want("one complete", cy, 3, 25)
	if err := f.Skip(ctx, f.next(d, ben).Now.ItemID, ben, "No idea."); err != nil {
		t.Fatal(err)
	}
	want("skipped", ben, 3, 25)
	ready := make([]dataset.NewItem, 2)
	for i := range ready {
		ready[i].Text = text(100 + i)
		ready[i].Final, ready[i].FinalWhy = &dataset.Answer{Label: good}, dataset.WhyImport
	}
	ready = append(ready, dataset.NewItem{Text: text(102), Known: &dataset.Answer{Label: good}})
	if _, err := f.Add(ctx, d.ID, ready, mo); err != nil {
		t.Fatal(err)
	}
	want("imported with final labels, and a check that can't be told", ann, 4, 43)
	want("who may not label", mo, 0, 43)
}
