package stats

import (
	"context"
	"reflect"
	"slices"

	"pgregory.net/rapid"

	"preceptor/internal/stats/counter"
)

// figured is a figure of a page with the filter and the person that it is of.
type figured struct {
	Figure
	f      Filter
	person string
}

// figuresOf are all figures of a page that lead to rows: its own, those of one person, and one point of each series.
// Parts of the whole lead to the same page narrowed, and not to rows.
func figuresOf(t *rapid.T, f Filter, page any) (out []figured) {
	add := func(x Figure, f Filter, person string) {
		if HasRows(x.Key) {
			out = append(out, figured{x, f, person})
		}
	}
	v := reflect.ValueOf(page)
	for i := range v.NumField() {
		var series []Series
		switch x := v.Field(i).Interface().(type) {
		case Figure:
			add(x, f, "")
		case []Figure:
			for _, one := range x {
				add(one, f, "")
			}
		case []PersonRow:
			for _, p := range x {
				for _, one := range []Figure{p.Decisions, p.Seconds, p.Approved, p.OnCase, p.Hasty, p.Caught} {
					whole := f
					whole.Team = ""
					add(one, whole, p.ID)
				}
			}
		case Series:
			series = []Series{x}
		case []Series:
			series = x
		}
		for _, s := range series {
			pt := s.Points[rapid.IntRange(0, len(s.Points)-1).Draw(t, "point")]
			day := f
			day.Range = Range{From: pt.From, To: pt.To, Zone: f.Zone}
			add(pt.Figure, day, "")
		}
	}
	return out
}

// addsUp holds every figure of a page against the rows that it leads to: as many as it says.
func (w *world) addsUp(f Filter, page any) {
	for _, x := range figuresOf(w.T, f, page) {
		want := x.N
		if slices.Contains(standing, x.Key) { // what was done leads to what it was done to
			want = x.Part
		}
		if got := w.rowsOf(x.f, x.Key, x.person, 50); got != want {
			w.Fatalf("%s of %q, %s to %s, says %d and leads to %d rows", x.Key, x.person, x.f.From, x.f.To, want, got)
		}
		w.marked(x)
	}
}

// marked holds the rows that a share counts as its part against the share.
func (w *world) marked(x figured) {
	mark := map[string]string{counter.SLA: counter.Within, counter.Hasty: "hasty"}[x.Key]
	p, err := w.r.Rows(context.Background(), x.f, RowQuery{Of: x.Key, Person: x.person, Limit: rowsMost})
	w.must(err)
	if mark == "" || p.Next != "" {
		return
	}
	n := 0
	for _, r := range p.Rows {
		if r.What == mark {
			n++
		}
	}
	if n != x.Part {
		w.Fatalf("%s says %d and %d rows are marked %s", x.Key, x.Part, n, mark)
	}
}

// learning asks for the page of learning, whose figures are counted along an index of lessons.
func (w *world) learning(f Filter) {
	p, err := w.r.Learning(context.Background(), f)
	w.must(err)
	w.addsUp(f, p)
}
