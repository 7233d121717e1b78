package dataset_test

import (
	"fmt"
	"testing"

	"preceptor/internal/dataset"
)

// Items are numbered without gaps, whatever was refused, was there already or was labelled in between.
func TestItemsAreNumberedWithoutGaps(t *testing.T) {
	f := open(t)
	d := f.set("Numbers", nil)
	ids := f.add(d, 2)
	f.next(d, ann)
	f.label(ids[0], ann, good)
	mixed := []dataset.NewItem{{Text: text(0)}, {Text: text(50)}, {}, {Text: text(50)}, {Text: text(51)}, {}}
	if _, err := f.Add(ctx, d.ID, mixed, mo); err != nil {
		t.Fatal(err)
	}
	f.next(d, ben)
	if _, err := f.Add(ctx, d.ID, []dataset.NewItem{{}, {Text: text(52)}}, mo); err != nil {
		t.Fatal(err)
	}
	page, err := f.Items(ctx, dataset.ItemFilter{DatasetID: d.ID, Limit: 100}, mo)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, it := range page.Items {
		got = append(got, fmt.Sprintf("%d %s", it.N, it.Guidance))
	}
	want := []string{}
	for n, i := range []int{0, 1, 50, 51, 52} {
		want = append(want, fmt.Sprintf("%d %s", n+1, text(i).Guidance))
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
