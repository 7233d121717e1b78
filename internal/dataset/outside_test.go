package dataset_test

import (
	"strings"
	"testing"
	"time"

	"preceptor/internal/dataset"
	"preceptor/internal/platform/fault"
)

func from(i int, raters ...string) (items []dataset.NewItem) {
	n := dataset.NewItem{Text: text(i), Source: dataset.FromImport}
	for _, r := range raters {
		n.Labels = append(n.Labels, dataset.ExternalLabel{Rater: r, Answer: dataset.Answer{Label: good}})
	}
	return []dataset.NewItem{n}
}

// A file can name an account holder; what it says is never theirs. It counts beside theirs, whoever comes first.
func TestANameInAFileIsNoColleague(t *testing.T) {
	f := open(t)
	d := f.set("Forged", nil)
	ids := f.add(d, 2)
	f.next(d, ann)
	f.label(ids[0], ann, good)
	_, err := f.Add(ctx, d.ID, from(0, "Ben Carter"), ann)
	want(t, err, fault.Denied)
	if _, err := f.Add(ctx, d.ID, from(0, "Ben Carter"), mo); err != nil {
		t.Fatal(err)
	}
	f.clock.Advance(dataset.UndoFor + time.Second)
	mixed := func(itemID string) {
		t.Helper()
		it := f.item(itemID)
		if it.Final == nil || it.Final.Why != dataset.WhyAgreement || it.State != dataset.ItemLabelled ||
			!strings.Contains(it.Final.By, "Ben Carter (imported)") {
			t.Errorf("an account holder and a name in a file agree: %+v", it.Final)
		}
		for _, state := range []string{dataset.ItemLabelled, dataset.ItemDisputed} {
			page, err := f.Waiting(ctx, d.ID, state, dee, "", 10)
			if err != nil || len(page.Items) > 0 {
				t.Errorf("%s, offered for a ruling: %+v, %v", state, page.Items, err)
			}
		}
		if r, err := f.Ready(ctx, d.ID, mo); err != nil || r.Agreed != 0 {
			t.Errorf("%+v, %v", r, err)
		}
	}
	mixed(ids[0])
	out, err := f.Add(ctx, d.ID, from(7, "Ben Carter"), mo)
	if err != nil {
		t.Fatal(err)
	}
	for w := f.next(d, cy); w.Now != nil; w = f.next(d, cy) {
		if w.Now.ItemID == out[0].ID {
			f.label(out[0].ID, cy, good)
			break
		}
		if err := f.Skip(ctx, w.Now.ItemID, cy, "Not this one"); err != nil {
			t.Fatal(err)
		}
	}
	f.clock.Advance(dataset.UndoFor + time.Second)
	mixed(out[0].ID)
	if _, err := f.Add(ctx, d.ID, from(1, "Ben Carter", "Cy Dunn"), mo); err != nil {
		t.Fatal(err)
	}
	f.clock.Advance(dataset.UndoFor + time.Second)
	it := f.item(ids[1])
	if it.Final == nil || it.Final.Why != dataset.WhyImport || !strings.Contains(it.Final.By, "Ben Carter (imported)") {
		t.Errorf("two names in a file: %+v", it.Final)
	}
	if p, err := f.Progress(ctx, d.ID, mo); err != nil || p.All.Imported != 0 {
		t.Errorf("%d of those whose raters agree came with a final label, %v", p.All.Imported, err)
	}
	list, err := f.Ratings(ctx, dataset.RatingQuery{DatasetID: d.ID})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list.Raters {
		if r.Name == "Ben Carter" {
			t.Error("a rater of a file stands as an account holder")
		}
	}
	f.recount(d)
}

// Within the time to take an answer back, the report of an import told what the other had said.
func TestTheReportOfAnImportTellsNoLabel(t *testing.T) {
	f := open(t)
	d := f.set("Asked by a file", nil)
	ids := f.add(d, 1)
	f.next(d, ann)
	f.next(d, ben)
	f.label(ids[0], ann, good)
	f.label(ids[0], ben, good)
	ask := func() string {
		out, err := f.Add(ctx, d.ID, []dataset.NewItem{{Text: text(0), Final: &dataset.Answer{Label: bad}}}, ann)
		if err != nil || out[0].Result != dataset.Duplicate {
			t.Fatalf("%+v, %v", out, err)
		}
		return out[0].Why
	}
	if why := ask(); why != "people here have answered it, so the file's label was left out" {
		t.Errorf("it says %q", why)
	}
	f.clock.Advance(dataset.UndoFor + time.Second)
	if why := ask(); !strings.Contains(why, good) {
		t.Errorf("once it can be seen: %q", why)
	}
}

// Lowering the overlap for a moment showed a colleague's answer, and left the item complete with one label.
func TestWhoLabelsDoesNotChangeWhatIsSeen(t *testing.T) {
	f := open(t)
	d := f.set("Lowered", nil)
	ids := f.add(d, 2)
	f.next(d, ann)
	f.next(d, ben)
	f.label(ids[0], ann, good)
	f.label(ids[1], ben, good)
	s := d.Settings
	s.Overlap, s.MaxLabels = 1, 1
	_, err := f.Update(ctx, d.ID, d.Version, s, ann)
	want(t, err, fault.Denied)
	words := d.Settings
	words.Guidelines = "Read it twice."
	d, err = f.Update(ctx, d.ID, d.Version, words, ann)
	if err != nil {
		t.Fatalf("texts: %v", err)
	}
	s.Guidelines = words.Guidelines
	if d, err = f.Update(ctx, d.ID, d.Version, s, mo); err != nil || d.Counts.Labelled != 2 {
		t.Fatalf("%+v, %v", d, err)
	}
	f.clock.Advance(dataset.UndoFor + time.Second)
	if d, err = f.Update(ctx, d.ID, d.Version, words, mo); err != nil || d.Counts.Open != 2 || d.Counts.Wanted != 2 {
		t.Fatalf("complete with one label for ever: %+v, %v", d, err)
	}
	f.recount(d)
	_, err = f.Undo(ctx, ids[0], ann)
	want(t, err, fault.Conflict)
	f.answer(d, ann, always(good))
	f.answer(d, ben, always(good))
	f.recount(d)
	if c := f.get(d).Counts; c.Final != 2 {
		t.Errorf("%+v", c)
	}
}
