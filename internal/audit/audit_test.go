package audit_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
)

var (
	ctx = context.Background()
	ann = audit.Actor{Kind: audit.Person, ID: "ann", Name: "Ann Archer"}
	bob = audit.Actor{Kind: audit.Person, ID: "bob", Name: "Bob Barrow"}
)

func record(t testing.TB, d *db.DB, es ...audit.Entry) {
	t.Helper()
	err := d.Write(ctx, func(tx *db.Tx) error {
		for _, e := range es {
			if err := audit.Record(tx, e); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func entry(by audit.Actor, action, object string, content any) audit.Entry {
	return audit.Entry{Actor: by, Action: action, ObjectKind: "interaction", ObjectID: object, Content: content}
}

func verify(t testing.TB, d *db.DB, anchor *audit.Head) audit.Report {
	t.Helper()
	r, err := audit.Verify(ctx, d, anchor)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAnEmptyLogVerifies(t *testing.T) {
	d := dbtest.New(t)
	if r := verify(t, d, nil); r.Bad != nil || r.Rows != 0 || r.Head.Seq != 0 {
		t.Fatalf("%+v", r)
	}
	if r := verify(t, d, &audit.Head{Seq: 3, Hash: "x"}); r.Bad == nil || r.Bad.Seq != 1 {
		t.Fatalf("an emptied log and an anchor: %+v", r)
	}
}

func TestRecordsChainAndVerify(t *testing.T) {
	d := dbtest.New(t)
	for i := range 12 {
		record(t, d, entry(ann, "review.approved", fmt.Sprint(i), map[string]int{"n": i}))
	}
	r := verify(t, d, nil)
	if r.Bad != nil || r.Rows != 12 || r.Head.Seq != 12 || len(r.Head.Hash) != 64 {
		t.Fatalf("%+v", r)
	}
	record(t, d, entry(bob, "review.rejected", "13", nil))
	if again := verify(t, d, &r.Head); again.Bad != nil || again.Rows != 13 {
		t.Fatalf("grown since the anchor: %+v (%+v)", again, again.Bad)
	}
	b, err := json.Marshal(r.Head)
	if err != nil || string(b) != fmt.Sprintf(`{"seq":12,"hash":%q}`, r.Head.Hash) {
		t.Fatalf("anchor file: %s (%v)", b, err)
	}
}

func TestARolledBackActLeavesNoRecord(t *testing.T) {
	d := dbtest.New(t)
	boom := errors.New("boom")
	if err := d.Write(ctx, func(tx *db.Tx) error {
		if err := audit.Record(tx, entry(ann, "x", "1", nil)); err != nil {
			return err
		}
		return boom
	}); !errors.Is(err, boom) {
		t.Fatal(err)
	}
	record(t, d, entry(ann, "y", "1", nil))
	if r := verify(t, d, nil); r.Bad != nil || r.Rows != 1 {
		t.Fatalf("%+v", r)
	}
}

func TestContentThatIsNoJSONIsRefused(t *testing.T) {
	d := dbtest.New(t)
	if err := d.Write(ctx, func(tx *db.Tx) error {
		return audit.Record(tx, entry(ann, "x", "1", func() {}))
	}); err == nil {
		t.Fatal("a function was recorded")
	}
}

func erase(t testing.TB, d *db.DB, object, why string) (n int) {
	t.Helper()
	err := d.Write(ctx, func(tx *db.Tx) (err error) {
		n, err = audit.EraseTx(tx, "interaction", object, why, bob)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestErasureLeavesTheChainValidAndATombstone(t *testing.T) {
	c := dbtest.NewClock()
	d := dbtest.NewAt(t, c)
	record(t, d, entry(ann, "a", "1", "canary-55"), entry(ann, "b", "2", "kept"), entry(bob, "c", "1", "canary-56"))
	anchor := verify(t, d, nil).Head
	c.Advance(time.Minute)
	if n := erase(t, d, "1", "asked for by the customer"); n != 2 {
		t.Fatalf("erased %d", n)
	}
	r := verify(t, d, &anchor)
	if r.Bad != nil || r.Rows != 4 || r.Erased != 2 {
		t.Fatalf("%+v (%+v)", r, r.Bad)
	}
	p, err := audit.List(ctx, d, audit.Filter{ObjectID: "1"})
	if err != nil || len(p.Rows) != 3 {
		t.Fatalf("%v, %+v", err, p)
	}
	tomb, first := p.Rows[0], p.Rows[2]
	if tomb.Action != audit.ActionErased || string(tomb.Content) != `{"records":2,"why":"asked for by the customer"}` {
		t.Errorf("tombstone: %+v", tomb)
	}
	if first.Content != nil || first.Actor.Name != "ann" || first.Actor.ID != "ann" || !first.ErasedAt.Equal(tomb.At) {
		t.Errorf("erased row: %+v", first)
	}

	// A second erasure takes what came since, and never the first one's tombstone.
	record(t, d, entry(ann, "d", "1", "more"))
	c.Advance(time.Minute)
	if n := erase(t, d, "1", "again"); n != 1 {
		t.Fatalf("the second erasure took %d", n)
	}
	if n := erase(t, d, "1", "and again"); n != 0 {
		t.Fatalf("the third erasure took %d", n)
	}
	if r := verify(t, d, &anchor); r.Bad != nil || r.Rows != 6 || r.Erased != 3 {
		t.Fatalf("%+v (%+v)", r, r.Bad)
	}
}

func TestListFiltersAndPages(t *testing.T) {
	c := dbtest.NewClock()
	d := dbtest.NewAt(t, c)
	for i := range 6 {
		by := ann
		if i%2 == 1 {
			by = bob
		}
		record(t, d, entry(by, []string{"review.approved", "review.rejected", "reviewer.added"}[i%3], fmt.Sprint(i), i))
		c.Advance(time.Hour)
	}
	for _, x := range []struct {
		name string
		f    audit.Filter
		want string
	}{
		{"all", audit.Filter{}, "[6 5 4 3 2 1]"},
		{"actor", audit.Filter{ActorID: "bob"}, "[6 4 2]"},
		{"action", audit.Filter{Action: "review.rejected"}, "[5 2]"},
		{"below", audit.Filter{Action: "review."}, "[5 4 2 1]"},
		{"object", audit.Filter{ObjectKind: "interaction", ObjectID: "3"}, "[4]"},
		{"time", audit.Filter{From: dbtest.Start.Add(time.Hour), To: dbtest.Start.Add(3 * time.Hour)}, "[3 2]"},
		{"both", audit.Filter{ActorID: "ann", Action: "review."}, "[5 1]"},
		{"none", audit.Filter{ActorID: "zed"}, "[]"},
	} {
		t.Run(x.name, func(t *testing.T) {
			x.f.Limit = 2
			seqs := []int64{}
			for {
				p, err := audit.List(ctx, d, x.f)
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range p.Rows {
					seqs = append(seqs, r.Seq)
				}
				if p.Next == 0 {
					break
				}
				x.f.Before = p.Next
			}
			if got := fmt.Sprint(seqs); got != x.want {
				t.Fatalf("got %s, want %s", got, x.want)
			}
		})
	}
}

// BenchmarkVerify reports how long a million rows would take.
// What happened to one thing is asked for by its id alone, and must not walk the whole log.
func TestWhoWasRenamedIsFoundByEitherName(t *testing.T) {
	d := dbtest.New(t)
	wed := audit.Actor{Kind: audit.Person, ID: "ann", Name: "Ann Brook"}
	record(t, d, entry(ann, "a", "x", nil), entry(bob, "a", "x", nil),
		entry(bob, "account.renamed", "ann", map[string]any{"before": ann.Name, "after": wed.Name}),
		entry(wed, "a", "x", nil))
	for _, who := range []string{"archer", "Ann Brook"} {
		p, err := audit.List(ctx, d, audit.Filter{Who: who, Action: "a"})
		if err != nil || len(p.Rows) != 2 {
			t.Errorf("%s: %+v, %v", who, p.Rows, err)
		}
	}
}

func TestOneThingsRecordsAreFoundByIndex(t *testing.T) {
	dbtest.FilesOnly(t, "it looks at SQLite's plan")
	d := dbtest.New(t)
	var n [3]int
	var plan string
	err := d.Reader().QueryRow(`EXPLAIN QUERY PLAN SELECT a.seq FROM audit a JOIN audit_content c ON c.seq = a.seq
		WHERE 1 = 1 AND a.object_id = $1 ORDER BY a.seq DESC LIMIT $2`, "i1", 51).Scan(&n[0], &n[1], &n[2], &plan)
	if err != nil || !strings.Contains(plan, "audit_object") {
		t.Errorf("%s, %v", plan, err)
	}
}

func BenchmarkVerify(b *testing.B) {
	d := dbtest.New(b)
	const rows = 100_000
	for range rows / 1000 {
		es := make([]audit.Entry, 1000)
		for i := range es {
			es[i] = entry(ann, "review.approved", "0190f0c2-0000-7000-8000-000000000000",
				map[string]string{"reason": "clear and fair", "text_hash": "a9f3"})
		}
		record(b, d, es...)
	}
	for b.Loop() {
		if r := verify(b, d, nil); r.Rows != rows || r.Bad != nil {
			b.Fatalf("%+v", r)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)*1e6/rows, "s/million")
}
