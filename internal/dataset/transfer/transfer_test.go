package transfer_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"preceptor/internal/audit"
	"preceptor/internal/dataset"
	"preceptor/internal/dataset/transfer"
	"preceptor/internal/dataset/version"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
)

func TestMain(m *testing.M) { os.Exit(dbtest.Main(m)) }

var (
	ctx = context.Background()
	mo  = dataset.Person{ID: "p-mo", Name: "Mo Manager"}
	ann = dataset.Person{ID: "p-ann", Name: "Ann Archer"}
	ben = dataset.Person{ID: "p-ben", Name: "Ben Carter"}
	cy  = dataset.Person{ID: "p-cy", Name: "Cy Dunn"}
)

func (f *fixture) read(set *dataset.Dataset, text string, o transfer.ImportOptions) transfer.Report {
	f.t.Helper()
	o.By = mo
	rep, err := f.Import(ctx, set.ID, strings.NewReader(text), o)
	if err != nil {
		f.t.Fatalf("%v; %+v", err, rep)
	}
	return rep
}

func (f *fixture) write(set *dataset.Dataset, o transfer.ExportOptions) []byte {
	f.t.Helper()
	if o.By.ID == "" {
		o.By = dataset.Operator
	}
	var b bytes.Buffer
	out, err := f.Export(ctx, set.ID, &b, o)
	if err != nil || !out.Complete {
		f.t.Fatal(err)
	}
	return b.Bytes()
}

// hashes are those of a set's items with their final labels, sorted.
func (f *fixture) hashes(set *dataset.Dataset) (list []string) {
	f.t.Helper()
	rows, err := f.db.Reader().Query(`SELECT hash || ' ' || final_label FROM dataset_item
		WHERE dataset_id = $1 ORDER BY 1`, set.ID)
	if err != nil {
		f.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			f.t.Fatal(err)
		}
		list = append(list, s)
	}
	return list
}

var nasty = []string{
	"You should transfer.", "=SUM(A1)", "'=quoted", "''-twice", "+44 is a number", "-5 % of it", "@here", "\ttabbed",
	"line\nbreak, \"quoted\", ;semicolon", "carriage\rreturn",
	"ends in blanks  ", "  begins with blanks", "👩‍👧 £5 ≥ 4 é \u2028 sep", "＝full width", "'", "'plain apostrophe",
	"<b>&amp;</b>", `back\slash`, `{"json": 1}`, `[1]`,
}

// fill makes a set with everything in it: labels, revisions, skips, flags, a dispute and a ruling.
func (f *fixture) fill() []string {
	f.t.Helper()
	var items []dataset.NewItem
	for i, s := range nasty {
		items = append(items,
			dataset.NewItem{Text: dataset.Text{Guidance: s, Question: "Q " + s,
				Customer: json.RawMessage(fmt.Sprintf(`{"z":1.50,"name":%q,"age":%d}`, "=Zo\u00eb", i))},
				ExternalID: fmt.Sprint("x", i), Group: "=g"})
	}
	out, err := f.sets.Add(ctx, f.set.ID, items, mo)
	if err != nil {
		f.t.Fatal(err)
	}
	var ids []string
	for _, o := range out {
		if o.Result != dataset.Added {
			f.t.Fatal(o)
		}
		ids = append(ids, o.ID)
	}
	for _, who := range []dataset.Person{ann, ben} {
		for i := 0; ; i++ {
			w, err := f.sets.Next(ctx, f.set.ID, who)
			if err != nil {
				f.t.Fatal(err)
			}
			if w.Now == nil {
				break
			}
			label := "COMPLIANT_GUIDANCE"
			if w.Now.ItemID == ids[0] && who == ben {
				label = "NON_COMPLIANT"
			}
			if w.Now.ItemID == ids[5] && who == ann {
				if err := f.sets.Flag(ctx, ids[5], who, "Odd."); err != nil {
					f.t.Fatal(err)
				}
				if err := f.sets.Skip(ctx, ids[5], who, "Not mine."); err != nil {
					f.t.Fatal(err)
				}
				continue
			}
			if _, err := f.sets.Label(ctx,
				dataset.LabelInput{ItemID: w.Now.ItemID, By: who, SpentMs: 2000,
					Answer: dataset.Answer{Label: label, Notes: "=note",
						Issues: []dataset.Issue{{Code: "PRESSURE", Start: 0, End: 1}}}}); err != nil {
				f.t.Fatal(err)
			}
		}
	}
	v, err := f.sets.Sides(ctx, ids[0], cy)
	if err != nil {
		f.t.Fatal(err)
	}
	if _, err := f.sets.Adjudicate(ctx,
		dataset.RulingInput{ItemID: ids[0], By: cy, Version: v.Item.Version,
			Answer: dataset.Answer{Label: "NON_COMPLIANT", Rationale: "Clear."}}); err != nil {
		f.t.Fatal(err)
	}
	f.clock.Advance(dataset.UndoFor)
	return ids
}

func TestWhatIsExportedComesBackEqual(t *testing.T) {
	f := open(t)
	f.fill()
	if _, err := f.versions.Freeze(ctx, f.set.ID, version.Options{By: mo}); err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		format  transfer.Format
		version int
	}{{transfer.JSONL, 0}, {transfer.CSV, 0}, {transfer.JSONL, 1}, {transfer.CSV, transfer.Newest}} {
		text := f.write(f.set, transfer.ExportOptions{Format: c.format, Version: c.version, BOM: i == 1})
		again := f.make(fmt.Sprint("Again ", i))
		rep := f.read(again, string(text), transfer.ImportOptions{Labels: transfer.AsFinal})
		if rep.Broken > 0 || rep.Format != c.format {
			t.Fatalf("%+v", rep)
		}
		want := f.hashes(f.set)
		if c.version != 0 { // only what is final
			want = slices.DeleteFunc(want, func(s string) bool { return strings.HasSuffix(s, " ") })
		}
		if got := f.hashes(again); !slices.Equal(got, want) {
			t.Errorf("%s, version %d: %d items came back of %d, or others", c.format, c.version, len(got), len(want))
		}
	}
	// With the labels of raters the agreement comes back, too.
	again := f.make("Raters")
	f.read(again, string(f.write(f.set, transfer.ExportOptions{Format: transfer.JSONL})),
		transfer.ImportOptions{Labels: transfer.AsRater})
	was, err := f.sets.Ratings(ctx, dataset.RatingQuery{DatasetID: f.set.ID})
	if err != nil {
		t.Fatal(err)
	}
	f.clock.Advance(dataset.UndoFor)
	is, err := f.sets.Ratings(ctx, dataset.RatingQuery{DatasetID: again.ID})
	if err != nil || fmt.Sprint(was.Cells) != fmt.Sprint(is.Cells) {
		t.Errorf("%v\n%v, %v", was.Cells, is.Cells, err)
	}
}

func TestExportTellsEverything(t *testing.T) {
	f := open(t)
	ids := f.fill()
	rows := map[string]map[string]any{}
	for line := range strings.Lines(string(f.write(f.set, transfer.ExportOptions{Format: transfer.JSONL}))) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		rows[m["id"].(string)] = m
	}
	if r := rows[ids[0]]; len(r["labels"].([]any)) != 2 || len(r["rulings"].([]any)) != 1 ||
		r["label"] != "NON_COMPLIANT" || r["label_by"] != "Cy Dunn" || r["label_why"] != "adjudication" {
		t.Errorf("%v", r)
	}
	if r := rows[ids[5]]; len(r["skips"].([]any)) != 1 || len(r["flags"].([]any)) != 1 {
		t.Errorf("%v", r)
	}
	b := f.write(f.set, transfer.ExportOptions{Format: transfer.Parquet})
	got, err := parquet.Read[struct {
		ID       string   `parquet:"id"`
		Guidance string   `parquet:"guidance"`
		Label    string   `parquet:"label"`
		Codes    []string `parquet:"codes,list"`
		Labels   string   `parquet:"labels"`
	}](bytes.NewReader(b), int64(len(b)))
	if err != nil || len(got) != len(nasty) || got[0].Guidance != nasty[0] || got[0].Label != "NON_COMPLIANT" ||
		!strings.Contains(got[0].Labels, "Ann Archer") || len(got[1].Codes) != 1 {
		t.Errorf("%v, %+v", err, got)
	}
}

func TestHuggingFaceLayout(t *testing.T) {
	f := open(t)
	f.fill()
	if _, err := f.versions.Freeze(ctx, f.set.ID, version.Options{By: mo}); err != nil {
		t.Fatal(err)
	}
	b := f.write(f.set, transfer.ExportOptions{Format: transfer.HuggingFace, Version: 1})
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	n, names := 0, []string{}
	for _, file := range z.File {
		names = append(names, file.Name)
		r, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if file.Name == "README.md" {
			if s := string(content); !strings.HasPrefix(s, "---\n") || !strings.Contains(s, "license: cc-by-4.0\n") ||
				!strings.Contains(s, "path: data/validation.jsonl") {
				t.Error(s)
			}
			continue
		}
		n += bytes.Count(content, []byte{'\n'})
	}
	if want := []string{"README.md", "data/train.jsonl", "data/validation.jsonl",
		"data/test.jsonl"}; !slices.Equal(names, want) || n != len(nasty)-1 {
		t.Errorf("%v, %d rows", names, n)
	}
}

func TestAnExportHidesWhatNobodyMaySeeYet(t *testing.T) {
	f := open(t)
	out, err := f.sets.Add(ctx, f.set.ID,
		[]dataset.NewItem{{Text: dataset.Text{Guidance: "One."}},
			{Text: dataset.Text{Guidance: "Check."}, Known: &dataset.Answer{Label: "BORDERLINE"}}}, mo)
	if err != nil {
		t.Fatal(err)
	}
	for _, who := range []dataset.Person{ann, ben} {
		if _, err := f.sets.Next(ctx, f.set.ID, who); err != nil {
			t.Fatal(err)
		}
		if _, err := f.sets.Label(ctx,
			dataset.LabelInput{ItemID: out[0].ID, By: who,
				Answer: dataset.Answer{Label: "NON_COMPLIANT"}}); err != nil {
			t.Fatal(err)
		}
	}
	for _, format := range []transfer.Format{transfer.JSONL, transfer.CSV} {
		if s := string(f.write(f.set, transfer.ExportOptions{Format: format, By: mo})); strings.Contains(s,
			"NON_COMPLIANT") || strings.Contains(s, "labelled,") || !strings.Contains(s, "Check.") {
			t.Errorf("%s: %s", format, s)
		}
		if s := string(f.write(f.set, transfer.ExportOptions{Format: format, By: ann})); strings.Contains(s,
			"NON_COMPLIANT") || strings.Contains(s, "Check.") {
			t.Errorf("who labels sees checks: %s", s)
		}
	}
	if s := string(f.write(f.set, transfer.ExportOptions{Format: transfer.JSONL})); !strings.Contains(s,
		"NON_COMPLIANT") {
		t.Error("the operator sees all")
	}
	f.clock.Advance(dataset.UndoFor)
	if s := string(f.write(f.set, transfer.ExportOptions{Format: transfer.JSONL, By: mo})); strings.Count(s,
		`"by":"Ann Archer"`) != 1 {
		t.Error(s)
	}
}

func TestBrokenRowsAreTold(t *testing.T) {
	f := open(t)
	long := `{"guidance":"` + strings.Repeat("x", transfer.MaxRow) + `"}`
	text := strings.Join([]string{
		`{"guidance":"Good one.","label":"compliant"}`,
		``,
		`{"guidance":"Cut`,
		`{"guidance":"Twice","guidance":"Other"}`,
		`{"guidance":"NaN","confidence":NaN}`,
		"{\"guidance\":\"bad \xff\xfe bytes\"}",
		`{"guidance":"nul \u0000"}`,
		`{"guidance":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`,
		`{"question":"no guidance"}`,
		`{"guidance":"Odd label","label":"MAYBE"}`,
		`{"guidance":"Bad span","label":"BORDERLINE","issues":[{"code":"PRESSURE","span":[0,99]}]}`,
		`["no object"]`,
		long,
		`{"guidance":"Good two.","customer":{"age":58,"a":{"b":1}},"label":"NON_COMPLIANT","issues":[{"code":"PRESSURE","span":[0,4]}]}`,
		`{"guidance":"Good one."}`,
		`{"guidance":"Bad customer","customer":{"a":1,"a":2}}`,
		`{"guidance":"Good three."}`,
	}, "\n")
	rep := f.read(f.set, text, transfer.ImportOptions{Labels: transfer.AsFinal, Name: "x.jsonl"})
	if rep.Added != 3 || rep.Duplicates != 1 || rep.Broken != 12 || rep.Rows != 16 {
		t.Fatalf("%+v", rep)
	}
	lines := []int{}
	for _, p := range rep.Problems {
		lines = append(lines, p.Line)
	}
	if want := []int{3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16}; !slices.Equal(lines, want) {
		t.Errorf("lines %v, want %v\n%+v", lines, want, rep.Problems)
	}
	var audited int
	if err := f.db.Reader().QueryRow(`SELECT count(*) FROM audit
		WHERE action IN ('dataset.import_started', 'dataset.imported')`).Scan(&audited); err != nil || audited != 2 {
		t.Error(audited, err)
	}
}

// An element of an array that is broken, endless or cut off costs itself alone, and no more memory than a row may take.
func TestBrokenElementsOfAnArray(t *testing.T) {
	f := open(t)
	const size = 16 * transfer.MaxRow
	text := io.MultiReader(strings.NewReader(`{"info":{"items":"[none]"}, "items": [{"text":"One."},`+"\n"+
		`{"text": nope},`+"\n"+`{"text":"`),
		io.LimitReader(xs{}, size),
		strings.NewReader(`"},`+"\n"+`{"text":"Two.", "customer":{"a":"]}\""}},`+"\n"+`{"text":"cut`))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	rep, err := f.Import(ctx, f.set.ID, text, transfer.ImportOptions{By: mo})
	runtime.ReadMemStats(&after)
	if err != nil || rep.Added != 2 || rep.Broken != 3 || rep.Problems[0].Line != 2 || rep.Problems[1].Line != 3 ||
		rep.Problems[2].Line != 5 {
		t.Errorf("%+v, %v", rep, err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > size {
		t.Errorf("%d bytes were allocated for a row of %d", used, size)
	}
}

type xs struct{}

func (xs) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestBrokenCSV(t *testing.T) {
	f := open(t)
	text := "text;label;customer.age;customer.pot\n" +
		"First, with a comma;compliant;58;\"a; b\"\n" +
		"Too few;compliant\n" +
		"\"Two\nlines\";non compliant;61;\n" +
		"A stray \" quote;compliant;1;\n" +
		"Last;BORDERLINE;;\n" +
		"\"Never closed;compliant;1;\n" +
		"After it;compliant;1;\n"
	rep := f.read(f.set, text, transfer.ImportOptions{Labels: transfer.AsFinal, Name: "x.csv"})
	lines := []int{}
	for _, p := range rep.Problems {
		lines = append(lines, p.Line)
	}
	if rep.Format != transfer.CSV || rep.Mapping.Guidance != "text" || rep.Mapping.Customer != "customer." ||
		!slices.Contains(lines, 3) {
		t.Fatalf("%+v", rep)
	}
	page, err := f.sets.Items(ctx, dataset.ItemFilter{DatasetID: f.set.ID}, mo)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, it := range page.Items {
		got[it.Guidance] = string(it.Customer)
	}
	if got["First, with a comma"] != `{"age":58,"pot":"a; b"}` || got["Two\nlines"] != `{"age":61}` {
		t.Errorf("%v, %+v", got, rep.Problems)
	}
	if _, ok := got["After it"]; !ok {
		t.Errorf("what follows an open quote is lost: %v, %+v", got, rep.Problems)
	}
}

func TestLabelStudio(t *testing.T) {
	f := open(t)
	text := `[
 {"id": 7, "data": {"text": "👋 You should transfer.", "question": "Should I?"}, "annotations": [
   {"id": 1, "completed_by": {"id": 3, "first_name": "Ann", "last_name": "Lee", "email": "a@example.org"}, "lead_time": 12.5, "created_at": "2026-01-02T03:04:05.000000Z", "was_cancelled": false,
    "result": [{"type": "choices", "from_name": "label", "value": {"choices": ["NON_COMPLIANT"]}},
               {"type": "labels", "from_name": "issue", "value": {"start": 3, "end": 13, "text": "You should", "labels": ["PRESSURE"]}},
               {"type": "textarea", "from_name": "why", "value": {"text": ["A steer."]}}]},
   {"id": 2, "completed_by": 4, "was_cancelled": false, "result": [{"type": "choices", "value": {"choices": ["BORDERLINE"]}}]},
   {"id": 3, "completed_by": 5, "was_cancelled": true, "result": []}], "predictions": []},
 {"id": 8, "data": {"text": "Pension Wise is free."}, "annotations": [{"completed_by": 4, "result": [{"type": "choices", "value": {"choices": ["compliant guidance"]}}]}], "predictions": []},
 {"id": 9, "data": {"text": "Broken"}, "annotations": 5},
 {"id": 10, "data": {"text": "No labels."}, "annotations": [], "predictions": []}
]`
	rep := f.read(f.set, text, transfer.ImportOptions{Labels: transfer.AsRater, Name: "export.json"})
	if rep.Format != transfer.LabelStudio || rep.Added != 3 || rep.Broken != 1 || rep.Noted != 1 ||
		rep.Problems[1].Line != 10 || !slices.Contains(rep.Used(), "annotations") {
		t.Fatalf("%+v", rep)
	}
	page, err := f.sets.Waiting(ctx, f.set.ID, dataset.ItemDisputed, cy, "", 0)
	if err != nil || len(page.Items) != 1 {
		t.Fatalf("%+v, %v", page, err)
	}
	v, err := f.sets.Sides(ctx, page.Items[0].ID, cy)
	if err != nil || len(v.Labels) != 2 {
		t.Fatalf("%+v, %v", v, err)
	}
	for _, l := range v.Labels {
		if l.By.Name != "Ann Lee" {
			continue
		}
		if len(l.Issues) != 1 || l.Issues[0] != (dataset.Issue{Code: "PRESSURE", Start: 2, End: 12}) ||
			l.SpentMs != 12500 || l.Rationale != "A steer." || !l.External {
			t.Errorf("%+v", l)
		}
	}
	again := f.make("Final")
	rep = f.read(again, text, transfer.ImportOptions{Labels: transfer.AsFinal})
	if rep.Added != 2 || rep.Broken != 2 ||
		!strings.Contains(rep.Problems[0].Why, "element 1: its annotations don't agree") {
		t.Fatalf("%+v", rep)
	}
}

func TestArgillaAndHuggingFaceRows(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		labels string
		added  int
		final  int
	}{
		"argilla 2": {
			`[{"id":"a","fields":{"text":"You must decide today."},"metadata":{"group":"g1"},"responses":{"label":[{"value":"NON_COMPLIANT","user_id":"u1","status":"submitted"},{"value":"NON_COMPLIANT","user_id":"u2","status":"submitted"}],"span":[{"value":[{"start":0,"end":8,"label":"PRESSURE"}],"user_id":"u1","status":"submitted"}]}},{"id":"b","fields":{"text":"Two."},"responses":{}}]`, transfer.AsRater, 2, 1},
		"argilla 1": {
			`{"records":[{"fields":{"text":"One."},"responses":[{"user_id":"u1","status":"submitted","values":{"label":{"value":"BORDERLINE"}}},{"user_id":"u2","status":"discarded","values":{}}]}]}`, transfer.AsFinal, 1, 1},
		"rows": {
			`{"features":[{"feature_idx":0,"name":"text"}],"rows":[{"row_idx":0,"row":{"text":"One.","label":"COMPLIANT_GUIDANCE"},"truncated_cells":[]},{"row_idx":1,"row":{"text":"Two."},"truncated_cells":[]}],"num_rows_total":2}`, transfer.AsFinal, 2, 1},
		"min": {
			`[{"text":"One.","label":{"choices":["BORDERLINE"]},"annotator":1,"id":5},{"text":"Two.","label":["NON_COMPLIANT"]}]`, transfer.AsFinal, 2, 2},
		"check": {
			`{"id":"1","customer":{"age":58},"question":"Q?","guidance":"G.","label":"BORDERLINE","codes":["PRESSURE"],"group":"f1"}`, transfer.AsFinal, 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			f := open(t)
			rep := f.read(f.set, c.text, transfer.ImportOptions{Labels: c.labels})
			if rep.Added != c.added || rep.Broken != 0 {
				t.Fatalf("%+v", rep)
			}
			set, err := f.sets.Get(ctx, f.set.ID)
			if err != nil || set.Counts.Final != c.final {
				t.Fatalf("%+v, %v", set.Counts, err)
			}
		})
	}
}

func TestKnownAnswersAndMapping(t *testing.T) {
	f := open(t)
	text := "Was sagt er,Urteil\nNehmen Sie es.,schlecht\nFragen Sie nach.,gut\n"
	_, err := f.Import(ctx, f.set.ID, strings.NewReader(text), transfer.ImportOptions{By: mo, Labels: transfer.AsKnown})
	if !fault.Is(err, fault.Invalid) || fault.Fields(err)[0].Name != "guidance" {
		t.Fatal(err)
	}
	rep := f.read(f.set, text, transfer.ImportOptions{Labels: transfer.AsKnown,
		Mapping: &transfer.Mapping{Guidance: "Was sagt er", Label: "Urteil",
			Labels: map[string]string{"gut": "COMPLIANT_GUIDANCE", "schlecht": "NON_COMPLIANT"}}})
	set, err := f.sets.Get(ctx, f.set.ID)
	if rep.Added != 2 || err != nil || set.Counts.Checks != 2 || set.Counts.Open != 0 {
		t.Fatalf("%+v, %+v, %v", rep, set.Counts, err)
	}
}

func TestTypesAreNotGuessed(t *testing.T) {
	f := open(t)
	rep := f.read(f.set, `{"guidance":"One."}
{"guidance":5}
{"guidance":true}
{"guidance":["a"]}
{"guidance":{"a":1}}
{"guidance":"Two.","question":7}
{"guidance":"5"}
`, transfer.ImportOptions{Name: "x.jsonl"})
	if rep.Added != 2 || rep.Broken != 5 || rep.Problems[0].Line != 2 ||
		!strings.Contains(rep.Problems[0].Why, "guidance is 5, and a text is needed") || rep.Problems[4].Line != 6 {
		t.Errorf("%+v", rep)
	}
}

func TestLook(t *testing.T) {
	f := open(t)
	p, err := f.Look("x.csv", strings.NewReader("prompt,completion,verdict\nQ,\"A, b\",pass\n"), &f.set.Settings)
	if err != nil || p.Format != transfer.CSV || p.Guess.Guidance != "completion" || p.Guess.Question != "prompt" ||
		p.Guess.Label != "verdict" || !slices.Equal(p.Labels, []string{"pass"}) {
		t.Fatalf("%+v, %v", p, err)
	}
}

func TestErasedItemsStayOut(t *testing.T) {
	f := open(t)
	ids := f.fill()
	if _, err := f.versions.Freeze(ctx, f.set.ID, version.Options{By: mo}); err != nil {
		t.Fatal(err)
	}
	if err := f.sets.Erase(ctx, ids[0], "Asked.", audit.System("test")); err != nil {
		t.Fatal(err)
	}
	for _, v := range []int{0, 1} {
		s := string(f.write(f.set, transfer.ExportOptions{Format: transfer.JSONL, Version: v}))
		if strings.Contains(s, "You should transfer.") || strings.Contains(s, "Clear.") {
			t.Errorf("version %d tells it", v)
		}
	}
}
