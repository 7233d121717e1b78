package transfer_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"preceptor/internal/dataset"
	"preceptor/internal/dataset/transfer"
)

// A text that is here without a final label gets the one that the file now gives; another label than the one here is
// told.
func TestALabelIsFilledInLater(t *testing.T) {
	f := open(t)
	final := transfer.ImportOptions{Labels: transfer.AsFinal}
	f.read(f.set, "guidance,label\none,\ntwo,\nthree,BORDERLINE\nfour,\n", final)
	answer := func(text string, who dataset.Person) {
		t.Helper()
		w, err := f.sets.Next(ctx, f.set.ID, who)
		if err != nil || w.Now == nil || w.Now.Guidance != text {
			t.Fatalf("%+v, %v", w.Now, err)
		}
		if _, err := f.sets.Label(ctx,
			dataset.LabelInput{ItemID: w.Now.ItemID, By: who,
				Answer: dataset.Answer{Label: "NON_COMPLIANT"}}); err != nil {
			t.Fatal(err)
		}
	}
	answer("one", ann)
	if w, err := f.sets.Next(ctx, f.set.ID, ben); err != nil || w.Now == nil { // it is before Ben when the file comes
		t.Fatal(err)
	}
	const again = "guidance,label\none,BORDERLINE\ntwo,BORDERLINE\nthree,NON_COMPLIANT\nfour,BORDERLINE\nfour,NON_COMPLIANT\n"
	rep := f.read(f.set, again, final)
	if rep.Added != 0 || rep.Duplicates != 5 || rep.Labelled != 2 || rep.Noted != 3 || rep.Broken != 0 {
		t.Errorf("%+v", rep)
	}
	for i, want := range []string{"line 2: people here have answered it",
		"line 4: it is already here with the label BORDERLINE", "line 6: it is already here with"} {
		if p := rep.Problems[i]; p.Line != int(want[5]-'0') || !strings.HasPrefix(p.Why, want[8:]) {
			t.Errorf("%+v, want %s", p, want)
		}
	}
	f.clock.Advance(time.Hour)
	set, err := f.sets.Get(ctx, f.set.ID)
	if err != nil || set.Counts.Final != 3 || set.Counts.Open != 1 || set.Counts.Labelled != 3 {
		t.Errorf("%+v, %v", set.Counts, err)
	}
	if rep = f.read(f.set, again, final); rep.Labelled != 0 {
		t.Errorf("a second time: %+v", rep)
	}
}

// What raters elsewhere said doesn't keep a final label out; both come with one file.
func TestALabelIsFilledInBesideThoseOfRaters(t *testing.T) {
	f := open(t)
	f.read(f.set, "guidance,label,rater\none,BORDERLINE,x\n", transfer.ImportOptions{Labels: transfer.AsRater})
	rep := f.read(f.set, `{"guidance":"one","label":"NON_COMPLIANT"}`, transfer.ImportOptions{Labels: transfer.AsBoth})
	set, err := f.sets.Get(ctx, f.set.ID)
	if err != nil || rep.Labelled != 1 || set.Counts.Final != 1 || set.Counts.Labels != 1 {
		t.Errorf("%+v %+v, %v", rep, set.Counts, err)
	}
	if rep = f.read(f.set, `{"guidance":"one","label":"BORDERLINE"}`,
		transfer.ImportOptions{Labels: transfer.AsKnown}); rep.Noted != 1 {
		t.Errorf("a known answer that was left out: %+v", rep)
	}
}

// Names that differ in case are the same field in every row, and two of them in one row are told.
func TestNamesOfFieldsDifferInCase(t *testing.T) {
	f := open(t)
	rep := f.read(f.set, `{"Guidance":"one","label":"BORDERLINE"}
{"guidance":"two","LABEL":"BORDERLINE"}
{"guidance":"three","label":"BORDERLINE","Label":"NON_COMPLIANT"}
{"GUIDANCE":"four","Guidance":"five"}
{"guidance":"six","label":"BORDERLINE"}
`, transfer.ImportOptions{Labels: transfer.AsFinal})
	set, err := f.sets.Get(ctx, f.set.ID)
	if err != nil || rep.Added != 3 || rep.Broken != 2 || set.Counts.Final != 3 || rep.Problems[0].Line != 3 ||
		rep.Problems[1].Line != 4 {
		t.Errorf("%+v %+v, %v", rep, set.Counts, err)
	}
	if rep = f.read(f.make("List"), `[{"text":"one"},{"Text":"two"},{"text":"three","TEXT":"four"}]`,
		transfer.ImportOptions{}); rep.Added != 2 || rep.Broken != 1 {
		t.Errorf("%+v", rep)
	}
}

// A file without rows, or of another kind, is one error that says what it is.
func TestHopelessFilesAreRefused(t *testing.T) {
	f := open(t)
	for text, want := range map[string]string{"guidance,label\n": "no rows", "\n \n": "no rows", "[]": "no rows",
		"null": "", "<html><body>One.</body></html>": "web page",
		"PK\x03\x04abc": "zip", "\x1f\x8b\x08abc": "gzip", "\x89PNG\r\n": "PNG", "%PDF-1.7\n": "PDF"} {
		for _, name := range []string{"", "x.csv", "x.jsonl"} {
			rep, err := f.Import(ctx, f.set.ID, strings.NewReader(text), transfer.ImportOptions{By: mo, Name: name})
			if rep.Added != 0 || err == nil && rep.Broken == 0 ||
				name == "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("%q as %q: %+v, %v", text, name, rep, err)
			}
		}
	}
}

// Half a character became another one in silence.
func TestHalfACharacterIsTold(t *testing.T) {
	f := open(t)
	rep := f.read(f.set, `{"guidance":"a\ud800b"}
{"guidance":"a\udc00"}
{"guidance":"\ud83d\ude00"}
{"guidance":"a\\ud800"}
{"guidance":"\ud800\u0041"}
`, transfer.ImportOptions{})
	if rep.Added != 2 || rep.Broken != 3 || !strings.Contains(rep.Problems[0].Why, `\ud800`) ||
		rep.Problems[2].Line != 5 {
		t.Errorf("%+v", rep)
	}
}

// An apostrophe that somebody wrote is kept; only the one that our own export put there comes off, also after columns
// were taken out.
func TestOnlyOurOwnApostrophesComeOff(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"guidance\n'=SUM(A1)\n", "'=SUM(A1)"},
		{"text,label\n'+44 is how numbers begin,\n", "'+44 is how numbers begin"},
		{"id;guidance\n1;''-quoted\n", "''-quoted"}, {"external_id,hash,guidance\n1,,'@here\n", "'@here"},
		{"id,external_id,hash,guidance\n1,,,'=SUM(A1)\n", "=SUM(A1)"},
		{"\ufeffhash,id,guidance,external_id\n,1,''@x,\n", "'@x"},
	} {
		f := open(t)
		if rep := f.read(f.set, c.file, transfer.ImportOptions{}); rep.Added != 1 {
			t.Fatalf("%q: %+v", c.file, rep)
		}
		w, err := f.sets.Next(ctx, f.set.ID, ann)
		if err != nil || w.Now == nil || w.Now.Guidance != c.want {
			t.Errorf("%q became %+v, %v; want %q", c.file, w.Now, err, c.want)
		}
	}
}

// The report says which fields became parts of items and which did not, and a header is known however many rows under
// it are broken.
func TestTheReportNamesTheFields(t *testing.T) {
	ragged := strings.Repeat("a,b,c,d\n", 30)
	for _, c := range []struct {
		file, labels, used, unused string
		added                      int
	}{
		{"Reply,text,label\n" + ragged + "x,One.,BORDERLINE\n", transfer.AsFinal, "label, text as guidance", "Reply",
			1},
		{"completion;prompt;colour\n" + strings.Repeat("1\n", 600) + "One.;Why?;red\n", transfer.AsFinal,
			"completion as guidance, prompt as question", "colour", 1},
		{strings.Repeat(`{"x":1,"x":2}`+"\n", 30) + `{"guidance":"One.","label":"BORDERLINE","x":1}` + "\n" +
			`{"guidance":"Two.","y":1}`, transfer.Ignored, "guidance", "label, x, y", 2},
		{"guidance,customer.age,customer.name\nOne.,58,Zo\n", transfer.Ignored, "customer. as customer, guidance", "",
			1},
		{"id,text\n" + ragged + "1,One.\n", transfer.Ignored, "id, text as guidance", "", 1},
	} {
		f := open(t)
		rep := f.read(f.set, c.file, transfer.ImportOptions{Labels: c.labels})
		if used, unused := strings.Join(rep.Mapping.Used(), ", "),
			strings.Join(rep.Unused, ", "); used != c.used || unused != c.unused || rep.Added != c.added {
			t.Errorf("%.40q: %d added, used %s, not used %s; want %d, %s, %s", c.file, rep.Added, used, unused, c.added,
				c.used, c.unused)
		}
		if p, err := f.Look("x", strings.NewReader(c.file), &f.set.Settings); err != nil || p.Guess.Guidance == "" {
			t.Errorf("%.40q: the preview finds %+v, %v", c.file, p.Guess, err)
		}
	}
}

// What only late rows of our own export have comes back from JSON Lines as from CSV: an id, a group, a question, a
// customer, a label.
func TestLateFieldsOfAnExportComeBack(t *testing.T) {
	f := open(t)
	items := make([]dataset.NewItem, 30)
	for i := range items {
		items[i].Guidance = fmt.Sprint("Guidance number ", i)
	}
	late := &items[25]
	late.ExternalID, late.Group, late.Question, late.Customer = "z25", "late", "Why?", json.RawMessage(`{"age":58}`)
	late.Final, late.FinalWhy = &dataset.Answer{Label: "BORDERLINE"}, dataset.WhyImport
	if _, err := f.sets.Add(ctx, f.set.ID, items, mo); err != nil {
		t.Fatal(err)
	}
	for _, format := range []transfer.Format{transfer.JSONL, transfer.CSV} {
		file := string(f.write(f.set, transfer.ExportOptions{Format: format}))
		p, err := f.Look("x", strings.NewReader(file), &f.set.Settings)
		if err != nil || p.Guess.ID != "external_id" || p.Guess.Group != "group" || p.Guess.Label != "label" {
			t.Errorf("%s: the preview finds %+v, %v", format, p.Guess, err)
		}
		again := f.make("Again " + string(format))
		rep := f.read(again, file, transfer.ImportOptions{Labels: transfer.AsFinal, Mapping: &p.Guess})
		page, err := f.sets.Items(ctx, dataset.ItemFilter{DatasetID: again.ID, Limit: 100}, mo)
		if err != nil || rep.Added != 30 || len(page.Items) != 30 {
			t.Fatal(rep, len(page.Items), err)
		}
		for _, it := range page.Items {
			want := ""
			if it.Guidance == late.Guidance {
				want = "z25 late Why? BORDERLINE"
			}
			got := strings.TrimSpace(fmt.Sprint(it.ExternalID, " ", it.Group, " ", it.Question))
			if it.Final != nil {
				got += " " + it.Final.Label
			}
			if got != want {
				t.Errorf("%s: %s came back as %q, want %q", format, it.Guidance, got, want)
			}
		}
	}
}

// Two texts with one id are both taken, and the report says so.
func TestAnIDOfTwoTextsIsTold(t *testing.T) {
	for file, want := range map[string]string{
		"id,text\nx1,One.\nx1,Two.\nx2,One.\n,Three.\n,Four.\nx1,One.\n": "[3]",
		"id,text\nx1,One.\nx1,One.\n":                                    "[]",
		"id,text\nx9,One.\nx8,Two.\nx8,Five.\nx8,Six.\n":                 "[4 5]",
	} {
		f, got := open(t), []int{}
		for _, p := range f.read(f.set, file, transfer.ImportOptions{}).Problems {
			if strings.Contains(p.Why, "another text of the file has the id") {
				got = append(got, p.Line)
			}
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%q tells of lines %v, want %s", file, got, want)
		}
	}
}

// A conversation comes in with its text, from JSON Lines as a list in any framework's words and from CSV as its text;
// it counts for what is the same, is there for who labels, goes out in every format and comes back from it.
func TestAConversationIsImportedWithItsText(t *testing.T) {
	f := open(t)
	talk := `[{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"text","text":"Hello."}]},` +
		`{"role":"user","content":"Yes, do that"}]`
	lines := `{"guidance":"Done.","messages":` + talk + "}\n" + // no question: the customer's last message
		`{"guidance":"Done.","question":"Yes, do that"}` + "\n" + // another item: without what was said
		`{"guidance":"Done.","question":"Now?","messages":[{"role":"agent","text":"Hello."}]}` + "\n" +
		`{"guidance":"Done.","messages":"no list"}` + "\n"
	rep := f.read(f.set, lines, transfer.ImportOptions{Format: transfer.JSONL})
	if rep.Added != 3 || rep.Broken != 1 || !strings.Contains(rep.Problems[0].Why, "messages is no conversation") {
		t.Fatalf("%+v", rep)
	}
	if again := f.read(f.set, lines, transfer.ImportOptions{Format: transfer.JSONL}); again.Duplicates != 3 {
		t.Errorf("again: %+v", again)
	}
	page, err := f.sets.Items(ctx, dataset.ItemFilter{DatasetID: f.set.ID}, mo)
	if err != nil || len(page.Items) != 3 {
		t.Fatalf("%+v %v", page, err)
	}
	for _, it := range page.Items {
		last := it.Messages
		if it.Question == "" || len(last) > 0 && last[len(last)-1].Text != it.Question || len(last) == 1 {
			t.Errorf("%q %+v", it.Question, it.Messages)
		}
	}
	w, err := f.sets.Next(ctx, f.set.ID, ann)
	if err != nil || w.Now == nil || len(w.Now.Messages) != 3 || w.Now.Messages[1].Text != "Hello." {
		t.Errorf("before who labels: %+v %v", w.Now, err)
	}
	for _, format := range []transfer.Format{transfer.JSONL, transfer.CSV} {
		var b strings.Builder
		if _, err := f.Export(ctx, f.set.ID, &b, transfer.ExportOptions{Format: format, By: mo}); err != nil {
			t.Fatal(err)
		}
		other := f.make("back from " + string(format))
		if rep := f.read(other, b.String(), transfer.ImportOptions{Format: format}); rep.Added != 3 {
			t.Errorf("%s: %+v\n%s", format, rep, b.String())
		}
		back, err := f.sets.Items(ctx, dataset.ItemFilter{DatasetID: other.ID}, mo)
		if err != nil || len(back.Items) != 3 {
			t.Fatalf("%+v %v", back, err)
		}
		for i := range back.Items {
			if back.Items[i].Hash != page.Items[i].Hash {
				t.Errorf("%s: %+v came back as %+v", format, page.Items[i].Text, back.Items[i].Text)
			}
		}
	}
}
