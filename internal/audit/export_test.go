package audit_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
)

// sized counts what goes through it and, now and then, how much memory is in use.
type sized struct {
	w     io.Writer
	n     int64
	asked int64
	most  uint64
}

func (s *sized) Write(p []byte) (int, error) {
	s.n += int64(len(p))
	if s.n-s.asked > 4<<20 {
		s.asked = s.n
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		s.most = max(s.most, m.HeapAlloc)
	}
	return s.w.Write(p)
}

func TestAnExportOfTwentyThousandRowsStreamsAndVerifies(t *testing.T) {
	d := dbtest.New(t)
	words := strings.Repeat("what the customer was told ", 20)
	for range 20 {
		list := make([]audit.Entry, 1000)
		for i := range list {
			list[i] = entry(ann, "review.approved", fmt.Sprint(i), map[string]any{"n": i, "text": words})
		}
		record(t, d, list...)
	}
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	r, w := io.Pipe()
	out := &sized{w: w}
	go func() { w.CloseWithError(audit.Export(ctx, d, audit.Filter{}, audit.JSONLines, out)) }()
	rep, err := audit.VerifyExport(r)
	if err != nil || rep.Bad != nil || rep.Rows != 20_000 || rep.First != 1 || rep.Gaps != 0 ||
		rep.Head != verify(t, d, nil).Head {
		t.Fatalf("%+v (%+v), %v", rep, rep.Bad, err)
	}
	if grown := int64(out.most) - int64(before.HeapAlloc); out.n < 15<<20 || grown > 12<<20 {
		t.Errorf("%d bytes were written and the heap grew by %d", out.n, grown)
	}
}

func export(t *testing.T, d *db.DB, f audit.Filter, format string) string {
	t.Helper()
	var b bytes.Buffer
	if err := audit.Export(ctx, d, f, format, &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestAnExportIsTheWholeFilter(t *testing.T) {
	d := dbtest.New(t)
	for i := range 130 {
		record(t, d, entry([]audit.Actor{ann, bob}[i%2], "review.approved", fmt.Sprint(i), nil))
	}
	erase(t, d, "1", "asked for")
	rep, err := audit.VerifyExport(
		strings.NewReader(export(t, d, audit.Filter{ActorID: "ann", Before: 3, Limit: 2}, audit.JSONLines)))
	if err != nil || rep.Bad != nil || rep.Rows != 65 || rep.Gaps != 64 {
		t.Errorf("a filter: %+v, %v", rep, err)
	}
	rep, err = audit.VerifyExport(strings.NewReader(export(t, d, audit.Filter{}, audit.JSONLines)))
	if err != nil || rep.Bad != nil || rep.Rows != 131 || rep.Erased != 1 || rep.Gaps != 0 {
		t.Errorf("all: %+v, %v", rep, err)
	}
	if got := export(t, d, audit.Filter{ActorID: "zed"}, audit.JSONLines); got != "" {
		t.Errorf("nothing: %q", got)
	}
	err = audit.Export(ctx, d, audit.Filter{}, "xml", io.Discard)
	if !fault.Is(err, fault.NotFound) {
		t.Errorf("another format: %v", err)
	}
}

func TestAnExportShowsWhatWasChangedInIt(t *testing.T) {
	d := dbtest.New(t)
	record(t, d, entry(ann, "a.b", "1", map[string]string{"why": `<b> & "quoted" £`}), entry(bob, "c.d", "2", nil),
		entry(ann, "e.f", "3", "x"))
	text := export(t, d, audit.Filter{}, audit.JSONLines)
	lines := strings.SplitAfter(text, "\n")
	for name, changed := range map[string]string{
		"content":  strings.Replace(text, "quoted", "QUOTED", 1),
		"actor":    strings.Replace(text, `"actor_id":"bob"`, `"actor_id":"ann"`, 1),
		"name":     strings.Replace(text, "Bob Barrow", "Bob Burrow", 1),
		"time":     strings.Replace(text, `"at":1`, `"at":2`, 1),
		"order":    lines[1] + lines[0] + lines[2],
		"doubled":  lines[0] + lines[0] + lines[1],
		"prev":     strings.Replace(text, `"prev_hash":"`, `"prev_hash":"0`, 1),
		"unhashed": strings.Replace(text, `"hash":"`, `"hash":"0`, 1),
	} {
		rep, err := audit.VerifyExport(strings.NewReader(changed))
		if err != nil || rep.Bad == nil {
			t.Errorf("%s: %+v, %v", name, rep, err)
		}
	}
	if rep, err := audit.VerifyExport(strings.NewReader(text)); err != nil || rep.Bad != nil || rep.Rows != 3 {
		t.Errorf("as it was: %+v, %v", rep, err)
	}
	if _, err := audit.VerifyExport(strings.NewReader("row,at\n")); !fault.Is(err, fault.Invalid) {
		t.Errorf("another file: %v", err)
	}
}

func TestNoCellOfAnExportIsAFormula(t *testing.T) {
	d := dbtest.New(t)
	record(t, d, audit.Entry{Actor: audit.Actor{Kind: "person", ID: "+1", Name: `=HYPERLINK("http://x")`}, Action: "a",
		ObjectKind: "＠x", ObjectID: "-1", Content: "\tx"})
	rows, err := csv.NewReader(strings.NewReader(export(t, d, audit.Filter{}, audit.CSV))).ReadAll()
	if err != nil || len(rows) != 2 || len(rows[0]) != len(rows[1]) {
		t.Fatal(rows, err)
	}
	for i, cell := range rows[1] {
		if cell != "" && strings.ContainsRune("=+-@\t\r＝＋－＠", []rune(cell)[0]) {
			t.Errorf("%s: %q", rows[0][i], cell)
		}
	}
}

func TestWordsAndNamesAreFound(t *testing.T) {
	d := dbtest.New(t)
	record(t, d, entry(ann, "a", "1", map[string]string{"why": `It was 100% "Urgent"`}),
		entry(bob, "a", "2", map[string]any{"why": "100 times", "for": map[string]any{"whom": []string{"Zoe"}}}),
		entry(bob, "a", "3", map[string]any{"roles": []string{"expert", "manager"}}))
	for _, c := range []struct {
		f    audit.Filter
		want string
	}{
		{audit.Filter{Words: "urgent"}, "[1]"}, {audit.Filter{Words: `"Urgent"`}, "[1]"},
		{audit.Filter{Words: "100%"}, "[1]"}, {audit.Filter{Words: "100"}, "[2 1]"},
		{audit.Filter{Words: "zoe"}, "[2]"}, {audit.Filter{Words: "why"}, "[]"}, {audit.Filter{Words: "whom"}, "[]"},
		{audit.Filter{Words: "_"}, "[]"}, {audit.Filter{Who: "barrow"}, "[3 2]"}, {audit.Filter{Who: "ann"}, "[1]"},
		{audit.Filter{Who: "b%"}, "[]"}, {audit.Filter{Words: "expert, Manager"}, "[3]"},
		{audit.Filter{Words: "manager, expert"}, "[]"},
		{audit.Filter{Who: "bob", Words: "times"}, "[2]"},
	} {
		p, err := audit.List(ctx, d, c.f)
		if err != nil {
			t.Fatal(err)
		}
		seqs := []int64{}
		for _, r := range p.Rows {
			seqs = append(seqs, r.Seq)
		}
		if got := fmt.Sprint(seqs); got != c.want || p.Next != 0 {
			t.Errorf("%+v: %s, want %s (next %d)", c.f, got, c.want, p.Next)
		}
	}
}

// Looking for words stops after a stretch and says from where to go on, so that nobody waits for a log of years.
func TestLookingForWordsGoesOnInStretches(t *testing.T) {
	d := dbtest.New(t)
	record(t, d, entry(ann, "a", "1", "needle"))
	list := make([]audit.Entry, 5000)
	for i := range list {
		list[i] = entry(bob, "b", "2", nil)
	}
	for range 5 {
		record(t, d, list...)
	}
	p, err := audit.List(ctx, d, audit.Filter{Words: "needle"})
	if err != nil || len(p.Rows) != 0 || p.Until != 5002 || p.Next != p.Until {
		t.Fatalf("%+v, %v", p, err)
	}
	p, err = audit.List(ctx, d, audit.Filter{Words: "needle", Before: p.Next})
	if err != nil || len(p.Rows) != 1 || p.Next != 0 {
		t.Fatalf("%+v, %v", p, err)
	}
}

// Who did what stays known after an erasure: by the id that the chain keeps.
func TestAnErasedRowNamesItsActorByTheirID(t *testing.T) {
	d := dbtest.New(t)
	err := d.Write(ctx, func(tx *db.Tx) error {
		return db.Exec(tx, "test: add people", `INSERT INTO account (id, email, email_key, name, password_hash, created_at)
			VALUES ('ann', 'a@b.c', 'a@b.c', 'Ann Archer', '', 0)`)
	})
	if err != nil {
		t.Fatal(err)
	}
	record(t, d, entry(ann, "a", "1", nil), entry(audit.System("release"), "a", "1", nil), entry(bob, "a", "2", nil))
	erase(t, d, "1", "asked for")
	for who, name := range map[string]string{"archer": "Ann Archer", "releas": "release"} {
		f := audit.Filter{Who: who, Action: "a"}
		p, err := audit.List(ctx, d, f)
		if err != nil || len(p.Rows) != 1 || p.Rows[0].Actor.Name != name || p.Rows[0].Content != nil {
			t.Errorf("%s: %+v, %v", who, p.Rows, err)
		}
		for _, format := range []string{audit.CSV, audit.JSONLines} {
			if got := export(t, d, f, format); !strings.Contains(got, name) {
				t.Errorf("%s: %s", format, got)
			}
		}
	}
	rep, err := audit.VerifyExport(strings.NewReader(export(t, d, audit.Filter{}, audit.JSONLines)))
	if err != nil || rep.Bad != nil || rep.Erased != 2 {
		t.Errorf("%+v, %v", rep, err)
	}
	if r := verify(t, d, nil); r.Bad != nil || r.Erased != 2 {
		t.Errorf("%+v", r)
	}
}
