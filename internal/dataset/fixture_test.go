package dataset_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"preceptor/internal/dataset"
	"preceptor/internal/person"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/hook/hooktest"
)

func TestMain(m *testing.M) { os.Exit(dbtest.Main(m)) }

var (
	ctx = context.Background()
	ann = dataset.Person{ID: "p-ann", Name: "Ann Archer"}
	ben = dataset.Person{ID: "p-ben", Name: "Ben Carter"}
	cy  = dataset.Person{ID: "p-cy", Name: "Cy Dunn"}
	dee = dataset.Person{ID: "p-dee", Name: "Dee Ellis"}
	mo  = dataset.Person{ID: "p-mo", Name: "Mo Manager"}
)

const (
	good = "COMPLIANT_GUIDANCE"
	mid  = "BORDERLINE"
	bad  = "NON_COMPLIANT"
)

type fixture struct {
	*dataset.Store
	*dataset.Hooks
	t     testing.TB
	db    *db.DB
	clock *dbtest.Clock
}

func open(t testing.TB) *fixture {
	t.Helper()
	clock := dbtest.NewClock()
	d := dbtest.NewAt(t, clock)
	label := func(_ *db.Tx, personID string) error {
		if personID == mo.ID {
			return fault.New(fault.Denied, "Managers don't label.")
		}
		return nil
	}
	h := &dataset.Hooks{}
	return &fixture{
		dataset.New(d, dataset.Guards{MayLabel: label, MayAdjudicate: person.Anybody, MayManage: person.Anybody},
			hooktest.Late(h)), h, t, d, clock}
}

// set makes a set without check items, changed by change.
func (f *fixture) set(name string, change func(*dataset.Settings)) *dataset.Dataset {
	f.t.Helper()
	s := dataset.DefaultSettings()
	s.Name, s.CheckShare = name, 0
	if change != nil {
		change(&s)
	}
	d, err := f.Create(ctx, s, mo)
	if err != nil {
		f.t.Fatal(err)
	}
	return d
}

func text(i int) dataset.Text {
	return dataset.Text{Customer: json.RawMessage(fmt.Sprintf(`{"age":%d}`, 50+i%30)),
		Question: "Can I take my pension?",
		Guidance: fmt.Sprintf("You could ask your provider about option %d. Pension Wise is free.", i)}
}

// add puts n items into the set and returns their ids.
func (f *fixture) add(d *dataset.Dataset, n int) (ids []string) {
	f.t.Helper()
	items := make([]dataset.NewItem, n)
	for i := range items {
		items[i].Text = text(i)
	}
	for len(items) > 0 {
		k := min(len(items), dataset.MaxBatch)
		out, err := f.Add(ctx, d.ID, items[:k], mo)
		if err != nil {
			f.t.Fatal(err)
		}
		for _, o := range out {
			if o.Result != dataset.Added {
				f.t.Fatalf("%+v", o)
			}
			ids = append(ids, o.ID)
		}
		items = items[k:]
	}
	return ids
}

func (f *fixture) next(d *dataset.Dataset, who dataset.Person) dataset.Work {
	f.t.Helper()
	w, err := f.Next(ctx, d.ID, who)
	if err != nil {
		f.t.Fatal(err)
	}
	return w
}

func (f *fixture) label(itemID string, who dataset.Person, label string, issues ...dataset.Issue) *dataset.Label {
	f.t.Helper()
	l, err := f.Label(ctx, dataset.LabelInput{ItemID: itemID, By: who,
		Answer: dataset.Answer{Label: label, Issues: issues}, SpentMs: 1500})
	if err != nil {
		f.t.Fatal(err)
	}
	return l
}

// answer has a person label whatever comes until nothing does, as say tells, and returns what they got.
func (f *fixture) answer(d *dataset.Dataset, who dataset.Person, say func(*dataset.Task) string) (got []string) {
	f.t.Helper()
	for {
		w := f.next(d, who)
		if w.Now == nil {
			return got
		}
		f.label(w.Now.ItemID, who, say(w.Now))
		got = append(got, w.Now.ItemID)
	}
}

func always(label string) func(*dataset.Task) string {
	return func(*dataset.Task) string { return label }
}

func (f *fixture) item(itemID string) *dataset.Item {
	f.t.Helper()
	it, err := f.Item(ctx, itemID, mo)
	if err != nil {
		f.t.Fatal(err)
	}
	return it
}

func (f *fixture) get(d *dataset.Dataset) *dataset.Dataset {
	f.t.Helper()
	d, err := f.Get(ctx, d.ID)
	if err != nil {
		f.t.Fatal(err)
	}
	return d
}

func want(t testing.TB, err error, k fault.Kind) {
	t.Helper()
	if !fault.Is(err, k) {
		t.Fatalf("got %v, want a fault of kind %s", err, k)
	}
}

// recount compares the counters with what they count.
func (f *fixture) recount(d *dataset.Dataset) {
	f.t.Helper()
	c := f.get(d).Counts
	one := func(q string) (n int) {
		f.t.Helper()
		if err := f.db.Reader().QueryRow(q, d.ID).Scan(&n); err != nil {
			f.t.Fatal(err)
		}
		return n
	}
	for name, pair := range map[string][2]int{
		"items": {c.Items, one(`SELECT count(*) FROM dataset_item WHERE dataset_id = $1 AND state <> 'erased'`)},
		"open": {c.Open, one(`SELECT count(*) FROM dataset_item
			WHERE dataset_id = $1 AND state = 'open' AND planted = 0`)},
		"labelled": {c.Labelled, one(`SELECT count(*) FROM dataset_item
			WHERE dataset_id = $1 AND state = 'labelled'`)},
		"disputed": {c.Disputed, one(`SELECT count(*) FROM dataset_item
			WHERE dataset_id = $1 AND state = 'disputed'`)},
		"adjudicated": {c.Adjudicated, one(`SELECT count(*) FROM dataset_item
			WHERE dataset_id = $1 AND state = 'adjudicated'`)},
		"excluded": {c.Excluded, one(`SELECT count(*) FROM dataset_item
			WHERE dataset_id = $1 AND state = 'excluded'`)},
		"checks": {c.Checks, one(`SELECT count(*) FROM dataset_item
			WHERE dataset_id = $1 AND state <> 'excluded' AND planted = 1`)},
		"final": {c.Final, one(`SELECT count(*) FROM dataset_item
			WHERE dataset_id = $1 AND state NOT IN ('excluded', 'erased') AND planted = 0 AND final_label <> ''`)},
		"wanted": {c.Wanted, one(`SELECT coalesce(sum(needs - has), 0) FROM dataset_item
			WHERE dataset_id = $1 AND state = 'open' AND planted = 0`)},
		"labels": {c.Labels, one(`SELECT count(*) FROM labelling_answer l JOIN dataset_item i ON i.id = l.item_id
			WHERE l.set_id = $1 AND l.standing = 1 AND i.planted = 0
			AND i.state NOT IN ('excluded', 'erased')`)},
		"taken": {one(`SELECT coalesce(sum(taken), 0) FROM dataset_item
			WHERE dataset_id = $1 AND planted = 0 AND state NOT IN ('excluded', 'erased')`),
			one(`SELECT count(*) FROM labelling_answer l JOIN dataset_item i ON i.id = l.item_id
				WHERE l.set_id = $1 AND l.standing = 1 AND i.planted = 0 AND i.state NOT IN ('excluded', 'erased')`) +
				one(`SELECT count(*) FROM labelling_turn t JOIN dataset_item i ON i.id = t.item_id
					WHERE t.set_id = $1 AND t.state = 'open' AND i.planted = 0`)},
		"done": {one(`SELECT coalesce(sum(done), 0) FROM dataset_person
			WHERE dataset_id = $1`), one(`SELECT count(*) FROM labelling_turn WHERE set_id = $1 AND state = 'done'`)},
		"skipped": {one(`SELECT coalesce(sum(skipped), 0) FROM dataset_person
			WHERE dataset_id = $1`), one(`SELECT count(*) FROM labelling_turn
				WHERE set_id = $1 AND state = 'skipped'`)},
	} {
		if pair[0] != pair[1] {
			f.t.Errorf("%s: the counter says %d, the rows %d", name, pair[0], pair[1])
		}
	}
}
