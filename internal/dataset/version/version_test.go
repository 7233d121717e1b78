package version_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"preceptor/internal/audit"
	"preceptor/internal/dataset"
	"preceptor/internal/dataset/version"
	"preceptor/internal/person"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/hook/hooktest"
)

func TestMain(m *testing.M) { os.Exit(dbtest.Main(m)) }

var (
	ctx = context.Background()
	mo  = dataset.Person{ID: "p-mo", Name: "Mo Manager"}
)

type fixture struct {
	*version.Store
	sets *dataset.Store
	db   *db.DB
	set  *dataset.Dataset
	t    testing.TB
}

func open(t testing.TB) *fixture {
	t.Helper()
	d := dbtest.New(t)
	sets := dataset.New(d, dataset.Guards{MayLabel: person.Anybody, MayAdjudicate: person.Anybody,
		MayManage: person.Anybody}, hooktest.Late(&dataset.Hooks{}))
	s := dataset.DefaultSettings()
	s.Name = "Line"
	set, err := sets.Create(ctx, s, mo)
	if err != nil {
		t.Fatal(err)
	}
	return &fixture{version.New(d, sets), sets, d, set, t}
}

var topics = []string{"transfer values", "annuities", "drawdown", "the State Pension", "the tax-free lump sum",
	"scams and cold calls", "small pots", "divorce", "working while drawing", "inheritance"}

// item has words of its own in every sentence, but for pairs: 2k and 2k+1 differ in two words.
func item(i int) dataset.NewItem {
	k := i / 2
	label := []string{"COMPLIANT_GUIDANCE", "BORDERLINE", "NON_COMPLIANT"}[k%3]
	guidance := fmt.Sprintf("About %s in case %d: number %d%d says that %d weeks pass before paper %d arrives, and "+
		"office %d answers letters on day %d of month %d.",
		topics[k%len(topics)], k, k*7, k*3, k+11, k*13, k*17, k%28, k%12)
	if i%2 == 1 {
		guidance += " You should take it."
	}
	return dataset.NewItem{Text: dataset.Text{Customer: json.RawMessage(`{"age":60}`), Question: "What now?",
		Guidance: guidance},
		Source: dataset.FromImport, Final: &dataset.Answer{Label: label}}
}

func (f *fixture) add(from, to int) (ids []string) {
	f.t.Helper()
	var items []dataset.NewItem
	for i := from; i < to; i++ {
		items = append(items, item(i))
	}
	out, err := f.sets.Add(ctx, f.set.ID, items, mo)
	if err != nil {
		f.t.Fatal(err)
	}
	for _, o := range out {
		if o.Result != dataset.Added {
			f.t.Fatalf("%+v", o)
		}
		ids = append(ids, o.ID)
	}
	return ids
}

func (f *fixture) freeze() *version.Version {
	f.t.Helper()
	v, err := f.Freeze(ctx, f.set.ID, version.Options{By: mo})
	if err != nil {
		f.t.Fatal(err)
	}
	return v
}

func (f *fixture) rows(v *version.Version) map[string]version.Row {
	f.t.Helper()
	out := map[string]version.Row{}
	if err := f.Each(ctx, v.ID, "", func(r *version.Row) error { out[r.ItemID] = *r; return nil }); err != nil {
		f.t.Fatal(err)
	}
	return out
}

func (f *fixture) verify(v *version.Version, wantErased int) {
	f.t.Helper()
	found, erased, err := f.Verify(ctx, v.ID)
	if err != nil || len(found) > 0 || erased != wantErased {
		f.t.Fatalf("%v, %d erased, %v", found, erased, err)
	}
}

func TestFreezeSplitsWithoutTearingPairs(t *testing.T) {
	f := open(t)
	ids := f.add(0, 600)
	v := f.freeze()
	rows := f.rows(v)
	if v.Number != 1 || v.Items != 600 || len(rows) != 600 || v.Head.Clusters > 300 {
		t.Fatalf("%+v, %d rows", v.Head, len(rows))
	}
	for i := 0; i < len(ids); i += 2 {
		if a, b := rows[ids[i]], rows[ids[i+1]]; a.Split != b.Split || a.Cluster != b.Cluster {
			t.Fatalf("a pair is torn: %s %s, %s %s", a.Split, a.Cluster, b.Split, b.Cluster)
		}
	}
	for label, n := range map[string]int{"COMPLIANT_GUIDANCE": 200, "BORDERLINE": 200, "NON_COMPLIANT": 200} {
		if got := v.Head.Splits[version.Train][label]; got < n*55/100 || got > n*65/100 {
			t.Errorf("%s: %d of %d to train", label, got, n)
		}
		if got := v.Head.Splits[version.Test][label]; got < n*15/100 || got > n*25/100 {
			t.Errorf("%s: %d of %d to test", label, got, n)
		}
	}
	f.verify(v, 0)
	for _, s := range []string{"600 items", "| NON_COMPLIANT |", "Not stated", "600 came with an import"} {
		if !strings.Contains(v.Card, s) {
			t.Errorf("the card does not say %q:\n%s", s, v.Card)
		}
	}
}

func TestSplitsStayAndGroupsHold(t *testing.T) {
	f := open(t)
	ids := f.add(0, 100)
	first := f.freeze()
	before := f.rows(first)
	more := f.add(100, 200)
	second := f.freeze()
	after := f.rows(second)
	for _, i := range ids {
		if before[i].Split != after[i].Split {
			t.Errorf("%s moved from %s to %s", i, before[i].Split, after[i].Split)
		}
	}
	d, err := f.Diff(ctx, first.ID, second.ID)
	if err != nil || d.Counts.Added != 100 || d.Counts.Removed != 0 || d.Counts.Same != 100 || len(d.Added) != 100 {
		t.Fatalf("%+v, %v", d.Counts, err)
	}
	if err := f.sets.Exclude(ctx, more[0], "Unreadable.", mo); err != nil {
		t.Fatal(err)
	}
	third := f.freeze()
	if d, err := f.Diff(ctx, second.ID, third.ID); err != nil || d.Counts.Removed != 1 ||
		d.Removed[0].ItemID != more[0] {
		t.Fatalf("%+v, %v", d, err)
	}
	// A group that joins items of several splits goes to the most guarded of them.
	g := open(t)
	items := []dataset.NewItem{item(0), item(10), item(20), item(30)}
	for i := range items {
		items[i].Group = "one template"
	}
	if _, err := g.sets.Add(ctx, g.set.ID, items, mo); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, r := range g.rows(g.freeze()) {
		seen[r.Split] = true
	}
	if len(seen) != 1 {
		t.Errorf("a group is torn: %v", seen)
	}
}

func TestTheSameSetGivesTheSameSplits(t *testing.T) {
	var first map[string]string
	for range 2 {
		f := open(t)
		f.add(0, 120)
		v, err := f.Freeze(ctx, f.set.ID, version.Options{By: mo, Seed: "seven"})
		if err != nil {
			t.Fatal(err)
		}
		splits := map[string]string{}
		for _, r := range f.rows(v) {
			splits[r.Content] = r.Split
		}
		if first != nil {
			for c, s := range splits {
				if first[c] != s {
					t.Fatalf("%s: %s and %s", c, first[c], s)
				}
			}
		}
		first = splits
	}
}

func TestAVersionNeverChanges(t *testing.T) {
	f := open(t)
	ids := f.add(0, 10)
	v := f.freeze()
	for _, q := range []string{
		`UPDATE dataset_version SET card = ''`, `DELETE FROM dataset_version`, `UPDATE dataset_version SET sealed = 0`,
		`UPDATE dataset_version_item SET label = 'BORDERLINE'`, `UPDATE dataset_version_item SET split = 'train',
			salt = '', content = '', answer = ''`,
		`DELETE FROM dataset_version_item`, `INSERT INTO dataset_version_item
			SELECT version_id, 11, item_id, hash, salt, content, split, cluster, label, answer, why, by_name
			FROM dataset_version_item WHERE n = 1`,
		`REPLACE INTO dataset_version_item SELECT version_id, n, item_id, hash, salt, content, split, cluster,
			'BORDERLINE', answer, why, by_name
			FROM dataset_version_item WHERE n = 1`,
		`REPLACE INTO dataset_version_item (rowid, version_id, n, item_id, hash, salt, content, split, cluster, label,
				answer, why, by_name) SELECT rowid, 'x', n, item_id, hash, salt, content, split, cluster, label, answer,
				why, by_name
			FROM dataset_version_item WHERE n = 1`,
		`REPLACE INTO dataset_version SELECT id, dataset_id, number, 0, note, head, card, manifest, items, at, by_id,
			by_name
			FROM dataset_version`,
		`UPDATE dataset_item SET guidance = 'Other.'`, `DELETE FROM dataset_item`, `UPDATE dataset_item SET hash = 'x'`,
	} {
		if _, err := f.db.Writer().Exec(q); err == nil {
			t.Errorf("%s goes through", q)
		}
	}
	f.verify(v, 0)
	if err := f.sets.Erase(ctx, ids[3], "The customer asked.", audit.System("test")); err != nil {
		t.Fatal(err)
	}
	f.verify(v, 1)
	r := f.rows(v)[ids[3]]
	if !r.Erased || r.Guidance != "" || r.Content != "" || r.Label == "" {
		t.Fatalf("%+v", r)
	}
	if next := f.freeze(); next.Items != 9 {
		t.Fatalf("%d items", next.Items)
	}
	list, err := f.List(ctx, f.set.ID)
	if err != nil || len(list) != 2 || list[0].Number != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
}

func TestVerifyFindsWhatChanged(t *testing.T) {
	for what, q := range map[string]string{
		"label": `UPDATE dataset_version_item SET label = 'BORDERLINE'
			WHERE n = 2`, "gone": `DELETE FROM dataset_version_item WHERE n = 2`,
		"card": `UPDATE dataset_version SET card = 'x'`, "emptied": `UPDATE dataset_version_item SET salt = '',
			content = '', answer = ''
			WHERE n = 2`,
		"text": `UPDATE dataset_item SET guidance = 'x' WHERE n = 2`,
	} {
		f := open(t)
		f.add(0, 4)
		v := f.freeze()
		// Past the guards, as somebody would with the file in hands.
		_, err := f.db.Writer().Exec(q)
		if what != "emptied" && err == nil {
			t.Fatalf("%s is not guarded", what)
		}
		if what == "emptied" {
			if err != nil {
				t.Fatal(err)
			}
			if found, _, err := f.Verify(ctx, v.ID); err != nil || len(found) == 0 {
				t.Errorf("%s is not found: %v", what, err)
			}
		}
	}
}

func TestFreezeRefuses(t *testing.T) {
	f := open(t)
	if _, err := f.Freeze(ctx, f.set.ID, version.Options{By: mo}); !fault.Is(err, fault.Invalid) {
		t.Error(err)
	}
	f.add(0, 4)
	if _, err := f.Freeze(ctx, f.set.ID,
		version.Options{By: mo, Shares: version.Shares{Train: 50, Accept: 50, Test: 50}}); !fault.Is(err,
		fault.Invalid) {
		t.Error(err)
	}
	if _, err := f.Freeze(ctx, f.set.ID, version.Options{}); !fault.Is(err, fault.Unsigned) {
		t.Error(err)
	}
}

// A letter with its accent apart, as Macs write it, is the same letter: the text is added once, also beside an item
// from when the bytes decided, which verifies as it did; what is nearly the same stays in one split.
func TestAccentsApartAreTheSameText(t *testing.T) {
	f := open(t)
	add := func(texts ...string) (added int) {
		t.Helper()
		var items []dataset.NewItem
		for _, s := range texts {
			items = append(items, dataset.NewItem{Text: dataset.Text{Guidance: s},
				Final: &dataset.Answer{Label: "BORDERLINE"}})
		}
		out, err := f.sets.Add(ctx, f.set.ID, items, mo)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range out {
			if o.Result == dataset.Added {
				added++
			}
		}
		return added
	}
	if n := add("Take your café money.", "Take your cafe\u0301 money."); n != 1 {
		t.Errorf("%d items of one text", n)
	}
	if n := add("Rene\u0301, Zoe\u0308 and José leave.", "René, Zoë and Jose\u0301 leave."); n != 1 {
		t.Errorf("%d items of one text in two mixtures", n)
	}
	old := dataset.Text{Guidance: "Ask Zoe\u0308 first."}
	if old.Hash() == old.Hashes()[1] {
		t.Fatal("the forms have one hash")
	}
	if err := f.db.Write(ctx, func(tx *db.Tx) error {
		return db.Exec(tx, "an item of before", `INSERT INTO dataset_item (id, dataset_id, n, hash, customer, question,
				guidance, group_key, external_id, source, source_id, state, version, needs, place, planted, known,
				final_label, final, final_why, final_by_id, final_by, final_at, closed_at, revealed_at, created_at,
				by_id, by_name, messages)
			SELECT 'old', dataset_id, n + 1, $1, customer, question, $2, group_key, external_id, source, source_id,
				state, version, needs, place + 1, planted, known, final_label, final, final_why, final_by_id,
				final_by, final_at, closed_at, revealed_at, created_at, by_id, by_name, messages
			FROM dataset_item ORDER BY n DESC LIMIT 1`, old.Hashes()[1], old.Guidance)
	}); err != nil {
		t.Fatal(err)
	}
	if n := add(old.Guidance, "Ask Zoë first."); n != 0 {
		t.Errorf("%d more beside one from before", n)
	}
	add("Élodie et Zoë préfèrent épargner.", "E\u0301lodie et Zoe\u0308 pre\u0301fe\u0300rent e\u0301pargner!")
	v, err := f.Freeze(ctx, f.set.ID, version.Options{By: mo})
	if err != nil {
		t.Fatal(err)
	}
	if v.Items != 5 || v.Head.Clusters != 4 {
		t.Errorf("%d items in %d clusters", v.Items, v.Head.Clusters)
	}
	if found, _, err := f.Verify(ctx, v.ID); err != nil || len(found) > 0 {
		t.Errorf("%+v, %v", found, err)
	}
}
