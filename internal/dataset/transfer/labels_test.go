package transfer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"preceptor/internal/dataset"
	"preceptor/internal/dataset/transfer"
	"preceptor/internal/platform/fault"
)

// Two labels where one is needed are told, in every form in which a file can give them; so is what is left out.
func TestTwoLabelsAreNotOne(t *testing.T) {
	const choices = `{"type":"choices","value":{"choices":["%s"]}}`
	ls := func(annotations string) string {
		return `[{"id":1,"data":{"text":"One."},"annotations":[` + annotations + `]}]`
	}
	done := func(by int, at, results string) string {
		return fmt.Sprintf(`{"completed_by":%d,"created_at":"2026-01-0%sT00:00:00Z","result":[%s]}`, by, at, results)
	}
	one, other := fmt.Sprintf(choices, "BORDERLINE"), fmt.Sprintf(choices, "NON_COMPLIANT")
	for name, c := range map[string]struct {
		text  string
		added int
		why   string
	}{
		"two choices": {ls(done(1, "1", strings.Replace(one, `"]`, `","NON_COMPLIANT"]`, 1))), 0,
			"element 1: it has 2 answers where one is needed: BORDERLINE, NON_COMPLIANT"},
		"a choice it lacks":  {ls(done(1, "1", strings.Replace(one, `"]`, `","MAYBE"]`, 1))), 0, "2 answers"},
		"two controls":       {ls(done(1, "1", one+","+other)), 0, "2 answers"},
		"another control":    {ls(done(1, "1", fmt.Sprintf(choices, "tax")+","+one)), 1, ""},
		"a label and a code": {ls(done(1, "1", strings.Replace(one, `"]`, `","PRESSURE"]`, 1))), 1, ""},
		"one person, twice": {ls(done(1, "2", one) + "," + done(1, "1", other)), 1,
			"annotator 1 annotated it more than once; the newest answer counts"},
		"cancelled, and empty": {
			ls(strings.Replace(done(1, "1", one), `{`, `{"was_cancelled":true,`, 1) + "," + done(2, "1", "")), 1,
			"cancelled: 1; annotations left out because they are without a label: 1"},
		"no annotations": {
			`[{"id":1,"data":{"text":"One."}},{"id":2,"data":{"text":"Two."},"annotations":[],"predictions":[5]}]`, 2,
			""},
		"JSON_MIN": {
			`[{"text":"One.","id":11,"l":"BORDERLINE"},{"text":"Two.","id":12,"l":{"choices":["COMPLIANT_GUIDANCE","NON_COMPLIANT"]}}]`, 1, "element 2: it has 2 answers"},
		"a list": {`[{"text":"One.","label":["BORDERLINE","NON_COMPLIANT"]}]`, 0, "2 answers"},
		"Argilla, many": {
			`[{"fields":{"text":"One."},"responses":{"label":[{"value":["BORDERLINE","NON_COMPLIANT"],"user_id":"u"}]}}]`, 0, "2 answers"},
		"Argilla, twice": {
			`[{"fields":{"text":"One."},"responses":{"label":[{"value":"BORDERLINE","user_id":"u"},{"value":"NON_COMPLIANT","user_id":"u"}]}}]`, 1, "annotator u annotated it more than once; the newest answer counts"},
		"Argilla, left out": {
			`[{"fields":{"text":"One."},"responses":{"label":[{"value":"BORDERLINE","user_id":"u","status":"discarded"},{"value":"BORDERLINE","user_id":"v","status":"draft"},{"value":"NON_COMPLIANT","user_id":"w","status":"submitted"}]}}]`, 1, "responses left out because they are discarded: 1; responses left out because they are draft: 1"},
		"Argilla 1, again": {
			`[{"fields":{"text":"One."},"responses":[{"user_id":"u","values":{"a":{"value":"BORDERLINE"}}},{"user_id":"u","values":{"a":{"value":"NON_COMPLIANT"}}},{"user_id":"v","status":"discarded","values":{}}]}]`, 1, "annotator u annotated it more than once; the newest answer counts; responses left out because they are discarded: 1"},
		"Argilla 1, one twice": {
			`[{"fields":{"text":"One."},"responses":[{"user_id":"u","values":{"a":{"value":["BORDERLINE","BORDERLINE"]}}}]}]`, 1, ""},
		"CSV": {
			"text,label\nOne.,\"{\"\"choices\"\": [\"\"BORDERLINE\"\", \"\"NON_COMPLIANT\"\"]}\"\n", 0, "it has 2 answers"},
		"CSV of Label Studio": {"text,compliance\nOne.,BORDERLINE\nTwo.,\"{\"\"choices\"\":[\"\"BORDERLINE\"\",\"\"NON_COMPLIANT\"\"]}\"\n",
			1, "it has 2 answers"},
		"CSV, cut off": {"text,label\nOne.,BORDERLINE\nTwo.,\"{\"\"choices\"\":[\"\"BORDERLINE\"\"\"\n", 1,
			`its choices can't be read: {"choices":["BORDERLINE"`},
		"CSV, one person twice": {"text,label,annotator\nOne.,BORDERLINE,a\nOne.,NON_COMPLIANT,a\n", 1,
			"it already has the label BORDERLINE by a; NON_COMPLIANT was left out"},
	} {
		f := open(t)
		labels := transfer.AsFinal
		if strings.HasPrefix(name, "CSV, one") {
			labels = transfer.AsRater
		}
		rep := f.read(f.set, c.text, transfer.ImportOptions{Labels: labels})
		why := ""
		if len(rep.Problems) > 0 {
			why = rep.Problems[0].Why
		}
		if rep.Added != c.added || rep.Rows != rep.Added+rep.Broken+rep.Duplicates || !strings.Contains(why, c.why) ||
			(why == "") != (c.why == "") {
			t.Errorf("%s: %+v, want %q", name, rep, c.why)
		}
		if rep = f.read(f.make("Texts"), c.text, transfer.ImportOptions{}); rep.Broken != 0 || rep.Noted != 0 {
			t.Errorf("%s: without labels: %+v", name, rep)
		}
	}
}

// What a spreadsheet saved in another encoding goes in whole, with a word.
func TestAFileInWindows1252(t *testing.T) {
	f := open(t)
	rep := f.read(f.set, "id;question;text;label\r\n1;Can I take \xa3500?;You can take \xa3500 \x96 tax "+
		"free.;COMPLIANT_GUIDANCE\r\n2;plain;plain text;BORDERLINE\r\n",
		transfer.ImportOptions{Labels: transfer.AsFinal, Name: "x.csv"})
	page, err := f.sets.Items(ctx, dataset.ItemFilter{DatasetID: f.set.ID}, mo)
	if err != nil || rep.Added != 2 || rep.Noted != 1 || !strings.Contains(rep.Problems[0].Why, "Windows-1252") ||
		rep.Problems[0].Line != 0 {
		t.Fatalf("%+v, %v", rep, err)
	}
	if !slices.ContainsFunc(page.Items, func(i dataset.Item) bool {
		return i.Guidance == "You can take £500 – tax free."
	}) {
		t.Errorf("%+v", page.Items)
	}
}

// A byte order mark says that a file is UTF-8: a row that isn't is told in every format, and none is stored with broken
// characters.
func TestBytesBehindAMarkAreChecked(t *testing.T) {
	const bad, good = `{"guidance":"Costs ` + "\xa3" + `500."}`, `{"guidance":"Costs £6."}`
	for name, text := range map[string]string{
		"x.csv": "id,guidance\n1,Costs \xa3500 caf\xe9.\n2,Costs £6.\n", "x.jsonl": bad + "\n" + good + "\n",
		"x.json": "[" + bad + ",\n" + good + "]", "rows.json": `{"rows": [` + bad + ",\n" + good + "]}",
		"tasks.json": `[{"data":` + bad + `,"annotations":[]},` + "\n" + `{"data":` + good + `,"annotations":[]}]`,
	} {
		f := open(t)
		rep := f.read(f.set, "\ufeff"+text, transfer.ImportOptions{Name: name})
		if rep.Added != 1 || rep.Broken != 1 || !strings.Contains(rep.Problems[0].Why, "not valid UTF-8") {
			t.Errorf("%s: %+v", name, rep)
		}
	}
}

// Notes of a file go where its reasons go: to the label, to an export, and back.
func TestNotesOfAFileAreKept(t *testing.T) {
	f := open(t)
	const file = "id,guidance,label,notes,why\n1,One.,BORDERLINE,ask Tom,it hints\n"
	rep := f.read(f.set, file, transfer.ImportOptions{Labels: transfer.AsFinal})
	if used := strings.Join(rep.Used(), ", "); !strings.Contains(used, "notes, why as rationale") {
		t.Errorf("used %s", used)
	}
	for _, format := range []transfer.Format{transfer.JSONL, transfer.CSV} {
		out := f.write(f.set, transfer.ExportOptions{Format: format})
		if !strings.Contains(string(out), "ask Tom") || !strings.Contains(string(out), "it hints") {
			t.Errorf("%s lacks the note: %.900s", format, out)
		}
		again := f.make("Again " + string(format))
		f.read(again, string(out), transfer.ImportOptions{Labels: transfer.AsFinal})
		page, err := f.sets.Items(ctx, dataset.ItemFilter{DatasetID: again.ID}, mo)
		if err != nil || len(page.Items) != 1 || page.Items[0].Final == nil || page.Items[0].Final.Notes != "ask Tom" {
			t.Errorf("%s came back as %+v, %v", format, page.Items, err)
		}
	}
}

// A page can't ask about more columns than a sheet that people made has: such a file is refused before it is drawn.
func TestAFileOfTooManyColumnsIsRefused(t *testing.T) {
	f := open(t)
	var names, row strings.Builder
	for i := range 2_001 {
		fmt.Fprintf(&names, "c%d,", i)
		fmt.Fprintf(&row, "%q:1,", fmt.Sprint("c", i))
	}
	for _, file := range []string{names.String() + "guidance\n" + strings.Repeat(",", 2_001) + "One.\n",
		"{" + row.String() + `"guidance":"One."}` + "\n"} {
		_, err := f.Look("x", strings.NewReader(file), &f.set.Settings)
		if !fault.Is(err, fault.Invalid) || !strings.Contains(fault.Message(err), "2,002 columns, and at most 2,000") {
			t.Errorf("%.20s: %v", file, err)
		}
		if _, err := f.Import(ctx, f.set.ID, strings.NewReader(file), transfer.ImportOptions{By: mo}); err == nil {
			t.Errorf("%.20s was imported", file)
		}
	}
}
