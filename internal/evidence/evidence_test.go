package evidence_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"preceptor/internal/audit"
	"preceptor/internal/evidence"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
)

var ann = audit.Actor{Kind: audit.Person, ID: "p-ann", Name: "Ann <Ray> & sons"}

const draft = `You could "wait". </script><script>alert(1)</script> https://example.org/pixel.png`

// note appends a row about an object.
func note(t testing.TB, d *db.DB, action, object string, content any) {
	t.Helper()
	err := d.Write(t.Context(), func(tx *db.Tx) error {
		return audit.Record(tx, audit.Entry{Actor: ann, Action: action, ObjectKind: "interaction", ObjectID: object,
			Content: content})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// desk is a log with rows of two matters.
func desk(t testing.TB) *db.DB {
	t.Helper()
	d := dbtest.New(t)
	note(t, d, "guidance.submitted", "i1",
		map[string]any{"guidance_hash": interaction.TextHash(draft), "question": "May I?"})
	for i := range 4 {
		note(t, d, "guidance.submitted", "i2", i)
	}
	note(t, d, "review.approved", "i1", map[string]any{"decision": "d1", "final_hash": interaction.TextHash(draft)})
	note(t, d, "review.released", "i2", nil)
	return d
}

// content is a small pack about i1.
func content(t testing.TB, d *db.DB) evidence.Content {
	t.Helper()
	rows, err := audit.RowsAbout(t.Context(), d, "interaction", "i1")
	if err != nil {
		t.Fatal(err)
	}
	c := evidence.Content{Kind: evidence.Interaction, Subject: "i1", Title: "Guidance i1", Lead: "A <b>small</b> one",
		File: "evidence-i1", Rows: rows,
		Facts: map[string]string{"draft": draft}, Texts: []evidence.Text{
			{Name: "Draft", Text: draft, SHA256: interaction.TextHash(draft), Row: rows[0].Seq, Field: "guidance_hash"},
			{Name: "Question", Text: "May I?", SHA256: interaction.TextHash("May I?"), Row: rows[0].Seq,
				Field: "question"}}}
	for _, id := range []string{"draft", "decisions"} {
		c.Parts = append(c.Parts, evidence.Part{ID: id, Title: "The " + id,
			HTML: template.HTML("<h2>" + id + "</h2>\n<p>" + template.HTMLEscapeString(draft) + "</p>")})
	}
	return c
}

func pack(t testing.TB, d *db.DB) []byte {
	t.Helper()
	p, err := evidence.New(d).Make(t.Context(), content(t, d), ann)
	if err != nil {
		t.Fatal(err)
	}
	return p.Bytes
}

func verify(t testing.TB, file []byte, anchor *audit.Head) evidence.Report {
	t.Helper()
	rep, err := evidence.Verify(file, anchor)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func TestAPackVerifiesByItselfAndAgainstItsDesk(t *testing.T) {
	d := desk(t)
	head, err := audit.HeadOf(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	file := pack(t, d)
	rep := verify(t, file, &head)
	if rep.Bad != nil {
		t.Fatalf("a fresh pack: %+v", rep.Bad)
	}
	if rep.Kind != evidence.Interaction || rep.Subject != "i1" || rep.MadeBy != ann.Name || rep.Parts != 2 ||
		rep.Texts != 2 || rep.Rows != 2 || rep.Links != 8 || rep.Gaps != 0 || rep.Head != head || rep.Seal.Seq != 8 {
		t.Errorf("%+v", rep)
	}
	note(t, d, "later", "i3", nil)
	if err := rep.Against(t.Context(), d, nil); err != nil || rep.Bad != nil || rep.Log == nil || rep.Log.Rows != 9 ||
		rep.Log.ErasedSince != 0 {
		t.Fatalf("against its desk: %v, %+v, %+v", err, rep.Bad, rep.Log)
	}
	page, err := audit.List(t.Context(), d, audit.Filter{Action: evidence.ActionPacked})
	if err != nil || len(page.Rows) != 1 || page.Rows[0].ObjectID != "i1" || page.Rows[0].Actor.ID != ann.ID {
		t.Fatalf("the export is not on record: %v, %+v", err, page.Rows)
	}
	if strings.Contains(string(page.Rows[0].Content), "wait") {
		t.Error("the record of a pack has words of it")
	}
}

func TestAPackOfAnotherDeskOrOfAForgedLogIsFound(t *testing.T) {
	file := pack(t, desk(t))
	rep := verify(t, file, nil)
	if err := rep.Against(t.Context(), desk(t), nil); err != nil || rep.Bad == nil ||
		!strings.Contains(rep.Bad.Why, "another server") {
		t.Errorf("another desk: %v, %+v", err, rep.Bad)
	}
	rep = verify(t, file, nil)
	if err := rep.Against(t.Context(), dbtest.New(t), nil); err != nil || rep.Bad == nil ||
		!strings.Contains(rep.Bad.Why, "no such row") {
		t.Errorf("an empty desk: %v, %+v", err, rep.Bad)
	}
	rep = verify(t, file, &audit.Head{Seq: 2, Hash: strings.Repeat("a", 64)})
	if rep.Bad == nil || !strings.Contains(rep.Bad.Why, "anchor") {
		t.Errorf("an anchor that it does not go through: %+v", rep.Bad)
	}
	if _, err := evidence.Verify(file, &audit.Head{Seq: 99, Hash: "x"}); !fault.Is(err, fault.Invalid) {
		t.Errorf("an anchor later than the pack: %v", err)
	}
}

// Every byte of a pack is covered: whichever is flipped, the pack is bad or none any more.
func TestNoByteCanBeChanged(t *testing.T) {
	file := pack(t, desk(t))
	step := 1
	if testing.Short() {
		step = 7
	}
	for i := 0; i < len(file); i += step {
		bent := slices.Clone(file)
		bent[i] ^= 1
		if rep, err := evidence.Verify(bent, nil); err == nil && rep.Bad == nil {
			t.Fatalf("byte %d (%q) was flipped and nobody noticed: …%s…", i, file[i],
				file[max(0, i-40):min(len(file), i+40)])
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		bent := slices.Clone(file)
		i := rapid.IntRange(0, len(file)-1).Draw(t, "at")
		switch rapid.IntRange(0, 3).Draw(t, "how") {
		case 0:
			bent[i] = rapid.Byte().Draw(t, "byte")
		case 1:
			bent = slices.Insert(bent, i, rapid.Byte().Draw(t, "byte"))
		case 2:
			bent = slices.Delete(bent, i, i+1)
		default:
			bent = bent[:i]
		}
		if rep, err := evidence.Verify(bent, nil); err == nil && rep.Bad == nil && !bytes.Equal(bent, file) {
			t.Fatalf("changed at %d and nobody noticed", i)
		}
	})
}

func TestWhatWasChangedIsNamed(t *testing.T) {
	file := string(pack(t, desk(t)))
	for name, c := range map[string]struct{ old, new, what string }{
		"a part":         {"<h2>decisions</h2>", "<h2>decisionz</h2>", "The decisions"},
		"its anchor":     {`<section class="part" id="draft">`, `<section class="part" id="drift">`, "The draft"},
		"the head":       {"<h1 dir", "<h1  dir", "page around"},
		"a text":         {`"name":"Draft","text":"You could`, `"name":"Draft","text":"You should`, "“Draft”"},
		"a time":         {`{"seq":1,"at":1`, `{"seq":1,"at":2`, "row 1"},
		"a row's words":  {`"content":{"decision":"d1"`, `"content":{"decision":"d2"`, "row 6"},
		"the maker":      {`"made_by":"Ann`, `"made_by":"Bob`, "the manifest"},
		"a link":         {`"review.released"`, `"review.returned"`, "the proof"},
		"the seal":       {`"file":"evidence-i1.html"`, `"file":"evidence-i9.html"`, "the seal"},
		"blanks between": {`"seal":{`, `"seal": {`, "the proof"},
	} {
		if strings.Count(file, c.old) != 1 {
			t.Errorf("%s: %q stands %d times in the pack", name, c.old, strings.Count(file, c.old))
			continue
		}
		rep := verify(t, []byte(strings.Replace(file, c.old, c.new, 1)), nil)
		if rep.Bad == nil || !strings.Contains(rep.Bad.What, c.what) {
			t.Errorf("%s: %+v, want it to name %q", name, rep.Bad, c.what)
		}
	}
}

// A text that the desk's file has and no row recorded so was changed there before the pack was made.
func TestATextThatWasChangedInTheDatabaseDoesNotPass(t *testing.T) {
	d := desk(t)
	c := content(t, d)
	c.Texts[0].Text = "You should transfer."
	c.Texts[0].SHA256 = interaction.TextHash(c.Texts[0].Text)
	p, err := evidence.New(d).Make(t.Context(), c, ann)
	if err != nil {
		t.Fatal(err)
	}
	if rep := verify(t, p.Bytes, nil); rep.Bad == nil || !strings.Contains(rep.Bad.What, "“Draft”") ||
		!strings.Contains(rep.Bad.Why, "row 1") {
		t.Errorf("%+v", rep.Bad)
	}
}

func TestWhatWasErasedSinceIsTold(t *testing.T) {
	d := desk(t)
	file := pack(t, d)
	if err := d.Write(t.Context(), func(tx *db.Tx) error {
		_, err := audit.EraseTx(tx, "interaction", "i1", "request 9", ann)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	rep := verify(t, file, nil)
	if err := rep.Against(t.Context(), d, nil); err != nil || rep.Bad != nil || rep.Log.ErasedSince != 2 {
		t.Fatalf("%v, %+v, %+v", err, rep.Bad, rep.Log)
	}
	rep = verify(t, pack2(t, d), nil)
	if rep.Bad != nil || rep.Erased != 3 { // the two rows and the row of the first pack
		t.Fatalf("a pack after it: %+v, %d erased", rep.Bad, rep.Erased)
	}
	if err := rep.Against(t.Context(), d, nil); err != nil || rep.Bad != nil || rep.Log.ErasedSince != 0 {
		t.Errorf("%v, %+v, %+v", err, rep.Bad, rep.Log)
	}
}

// pack2 is a pack after an erasure: its texts are absent.
func pack2(t *testing.T, d *db.DB) []byte {
	t.Helper()
	c := content(t, d)
	for i := range c.Texts {
		c.Texts[i] = evidence.Text{Name: c.Texts[i].Name, Erased: true}
	}
	p, err := evidence.New(d).Make(t.Context(), c, ann)
	if err != nil {
		t.Fatal(err)
	}
	return p.Bytes
}

func TestGapsAreToldAndClosedByTheLog(t *testing.T) {
	d := desk(t)
	p, err := evidence.New(d).WithLinks(2).Make(t.Context(), content(t, d), ann)
	if err != nil {
		t.Fatal(err)
	}
	rep := verify(t, p.Bytes, nil)
	if rep.Bad != nil || rep.Gaps != 1 || rep.Links != 4 {
		t.Fatalf("%+v, %d gaps, %d links", rep.Bad, rep.Gaps, rep.Links)
	}
	if _, err := evidence.Verify(p.Bytes, &audit.Head{Seq: 3, Hash: "x"}); !fault.Is(err, fault.Invalid) {
		t.Errorf("an anchor within the gap: %v", err)
	}
	if err := rep.Against(t.Context(), d, nil); err != nil || rep.Bad != nil {
		t.Errorf("%v, %+v", err, rep.Bad)
	}
}

// A pack runs nothing and fetches nothing, whatever customers wrote.
func TestAPackIsInert(t *testing.T) {
	file := string(pack(t, desk(t)))
	if !strings.Contains(file, "default-src &#39;none&#39;") && !strings.Contains(file, "default-src 'none'") {
		t.Error("it has no policy")
	}
	Inert(t, file)
}

var (
	fetching = regexp.MustCompile(
		`(?i)<[a-z][^>]*\s(src|srcset|poster|data|action|formaction|background|on[a-z]+|style)\s*=`)
	linking = regexp.MustCompile(`(?i)<[a-z][^>]*\shref\s*=\s*"([^"]*)"`)
	opening = regexp.MustCompile(
		`(?i)<(script|link|img|iframe|object|embed|base|form|svg|math|video|audio|template)[\s>][^>]*>?`)
)

// Inert fails when a page could run or fetch anything.
func Inert(t *testing.T, file string) {
	t.Helper()
	if m := fetching.FindString(file); m != "" {
		t.Errorf("it fetches or runs: %s", m)
	}
	for _, m := range linking.FindAllStringSubmatch(file, -1) {
		if !strings.HasPrefix(m[1], "#") {
			t.Errorf("it links to %s", m[1])
		}
	}
	for _, m := range opening.FindAllString(file, -1) {
		if !strings.HasPrefix(m, `<script type="application/json" id="preceptor-`) {
			t.Errorf("it has %s", m)
		}
	}
	if i := strings.Index(file, "<style>"); i < 0 ||
		strings.Contains(file[i:i+strings.Index(file[i:], "</style>")], "url(") {
		t.Error("its style fetches, or there is none")
	}
}

func TestRunsShowWhatMustBeShownWithinTheBound(t *testing.T) {
	if got := evidence.Runs([]int64{1, 3, 100, 101, 5}, 5); fmt.Sprint(got) != "[[1 5] [100 101]]" {
		t.Errorf("%v", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		must := rapid.SliceOfN(rapid.Int64Range(1, 500), 1, 20).Draw(t, "must")
		most := rapid.Int64Range(0, 500).Draw(t, "most")
		shown, rows := map[int64]bool{}, int64(0)
		last := int64(-1)
		for _, r := range evidence.Runs(must, most) {
			if r[0] > r[1] || r[0] <= last+1 && last >= 0 {
				t.Fatalf("%v follows %d", r, last)
			}
			for seq := r[0]; seq <= r[1]; seq++ {
				shown[seq] = true
				rows++
			}
			last = r[1]
		}
		own := map[int64]bool{}
		for _, seq := range must {
			own[seq] = true
			if !shown[seq] {
				t.Fatalf("%d is not shown", seq)
			}
		}
		if rows-int64(len(own)) > most {
			t.Fatalf("%d rows of others are shown, %d were allowed", rows-int64(len(own)), most)
		}
	})
}

func FuzzVerify(f *testing.F) {
	file := pack(f, desk(f))
	f.Add(file)
	f.Add([]byte(`<script type="application/json" id="preceptor-proof">{"stretches":[],"seal":{}}</script>` +
		"\n</body>\n</html>\n"))
	i := bytes.Index(file, []byte(`<script type="application/json" id="preceptor-proof">`))
	f.Add(file[i:])
	f.Add(append([]byte(`<script type="application/json" id="preceptor-manifest">{}</script>`+"\n"), file[i:]...))
	f.Fuzz(func(t *testing.T, b []byte) {
		rep, err := evidence.Verify(b, &audit.Head{Seq: 1, Hash: "x"})
		if err == nil && rep.Bad == nil {
			t.Fatal("it goes through an anchor that is none")
		}
		if _, err := json.Marshal(rep); err != nil {
			t.Fatal(err)
		}
	})
}
