package dataset_test

import (
	"slices"
	"testing"

	"preceptor/internal/dataset"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// What is put first comes first to everybody, whatever they did before; what somebody has stays theirs, what they
// skipped stays skipped, and nobody misses an item or gets one twice, however often the order changes.
func TestItemsComeInTheOrderAskedFor(t *testing.T) {
	f := open(t)
	d := f.set("Order", nil)
	ids := f.add(d, 20)
	f.label(f.next(d, ann).Now.ItemID, ann, good)
	f.label(f.next(d, ann).Now.ItemID, ann, good)
	skipped := f.next(d, ann).Now.ItemID
	if err := f.Skip(ctx, skipped, ann, "Not my field."); err != nil {
		t.Fatal(err)
	}
	held := ids[3:5] // what stands before her already
	open, labelled, err := f.ToOrder(ctx, d.ID, 5)
	if err != nil || len(open) != 5 || len(labelled) != 2 {
		t.Fatalf("%d of 20 to order, %d labelled, %v", len(open), len(labelled), err)
	}
	for _, o := range open {
		if slices.Contains(held, o.ID) || o.Guidance == "" || len(o.Customer) == 0 {
			t.Errorf("%+v", o)
		}
	}
	last := []string{ids[19], ids[12], ids[17]}
	if err := f.Reorder(ctx, d.ID, append(slices.Clone(last), held[0], "nobody's"), false); err != nil {
		t.Fatal(err)
	}
	f.recount(d)
	first := func(who dataset.Person, n int) (got []string) {
		for range n {
			got = append(got, f.next(d, who).Now.ItemID)
			f.label(got[len(got)-1], who, good)
		}
		return got
	}
	if got := first(ben, 3); !slices.Equal(got, last) {
		t.Errorf("a newcomer gets %v, want %v", got, last)
	}
	got := first(ann, 4)
	if !slices.Equal(got[:2], held) {
		t.Errorf("what stood before her is %v, want %v", got, held)
	}
	// In the order they came again, and then another.
	if err := f.Reorder(ctx, d.ID, nil, true); err != nil {
		t.Fatal(err)
	}
	if err := f.Reorder(ctx, d.ID, []string{ids[15]}, false); err != nil {
		t.Fatal(err)
	}
	if got := f.next(d, cy).Now.ItemID; got != ids[15] {
		t.Errorf("then comes %s, want %s", got, ids[15])
	}
	mine := append(append(ids[:2:2], got...), f.answer(d, ann, always(good))...)
	slices.Sort(mine)
	if all := slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		return id == skipped
	}); !slices.Equal(mine, sorted(all)) {
		t.Errorf("%d items of %d", len(mine), len(all))
	}
	f.recount(d)
}

func sorted(list []string) []string {
	slices.Sort(list)
	return list
}

// Hidden checks come as before and are never put in order, and who doesn't manage sets asks for no order.
func TestChecksStayWhereTheyAre(t *testing.T) {
	f := open(t)
	d := f.set("Checks", func(s *dataset.Settings) { s.CheckShare = 50 })
	ids := f.add(d, 6)
	out, err := f.Add(ctx, d.ID, []dataset.NewItem{{Text: text(99), Known: &dataset.Answer{Label: bad}}}, mo)
	if err != nil {
		t.Fatal(err)
	}
	check := out[0].ID
	if open, _, err := f.ToOrder(ctx, d.ID, 50); err != nil || len(open) != 6 ||
		slices.ContainsFunc(open, func(o dataset.OrderItem) bool { return o.ID == check }) {
		t.Errorf("%d to order, %v", len(open), err)
	}
	if err := f.Reorder(ctx, d.ID, []string{check, ids[5]}, false); err != nil {
		t.Fatal(err)
	}
	got := f.answer(d, ben, always(good))
	if len(got) != 7 || slices.DeleteFunc(slices.Clone(got), func(id string) bool { return id == check })[0] != ids[5] {
		t.Errorf("%v", got)
	}
	err = f.db.Write(ctx, func(tx *db.Tx) error { return f.OrderTx(tx, d.ID, "came", dataset.Person{}) })
	want(t, err, fault.Unsigned)
}
