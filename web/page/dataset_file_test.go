package page_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/dataset"
)

// frozenSet is a set with two final items, frozen.
func frozenSet(t *testing.T, s *apptest.Site, c *apptest.Client) (d *dataset.Dataset, path string) {
	t.Helper()
	d = labelSet(t, s, 4, 2)
	ann, ben := s.SignedIn(t, account.Expert), s.SignedIn(t, account.Expert)
	for range 4 {
		labelAs(t, ann, d, "NON_COMPLIANT", "code", "PRESSURE")
		labelAs(t, ben, d, "NON_COMPLIANT", "code", "PRESSURE")
	}
	s.Clock.Advance(dataset.UndoFor + time.Minute)
	list := page(t, c.Get(t, "/datasets/"+d.ID+"/versions"), http.StatusOK)
	form := filled(t, list, `form[action$="/versions"]`)
	has(t, page(t, c.Post(t, "/datasets/"+d.ID+"/versions", with(form, "train", "90")), http.StatusUnprocessableEntity),
		"#shares-error", "100")
	r := c.Post(t, "/datasets/"+d.ID+"/versions", with(form, "note", "First", "train", "60"))
	if r.Status != http.StatusSeeOther {
		t.Fatalf("freeze: %d %.400s", r.Status, r.Body)
	}
	return d, r.Header.Get("Location")
}

func TestAVersionIsFrozenShownAndVerified(t *testing.T) {
	s := apptest.Open(t)
	boss := s.SignedIn(t, account.Manager)
	d, path := frozenSet(t, s, boss)
	doc := page(t, boss.Get(t, path), http.StatusOK)
	has(t, doc, "h1", "Version 1")
	if n := doc.Find("#contents-title ~ .table-wrap tbody tr").Length(); n != 4 {
		t.Errorf("%d rows", n)
	}
	has(t, doc, ".data-card", "DB transfers")
	has(t, page(t, boss.Post(t, path+"/verify", url.Values{}), http.StatusOK), ".notice", "since it was frozen")
	if r := boss.Get(t, "/datasets/"+d.ID+"/versions/7"); r.Status != http.StatusNotFound {
		t.Errorf("a version that is not there: %d", r.Status)
	}
	r := boss.Post(t, "/datasets/"+d.ID+"/versions", url.Values{"train": {"60"}, "accept": {"20"}, "test": {"20"}})
	doc = page(t, boss.Get(t, r.Header.Get("Location")), http.StatusOK)
	has(t, doc, "#diff-title", "What changed")
	has(t, doc, "main", "4 items are the same")
}

// send uploads a file as a browser does.
func send(t *testing.T, c *apptest.Client, path, name, content string) apptest.Response {
	t.Helper()
	const cut = "----cut"
	body := "--" + cut + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + name +
		"\"\r\nContent-Type: text/plain\r\n\r\n" + content + "\r\n--" + cut + "--\r\n"
	return c.Do(t, http.MethodPost, path, "multipart/form-data; boundary="+cut, body, "Sec-Fetch-Site", "same-origin")
}

// settled waits until an import has come to its end.
func settled(t *testing.T, s *apptest.Site, c *apptest.Client, path string) *goquery.Document {
	t.Helper()
	has(t, page(t, c.Get(t, path), http.StatusOK), "#run", "is being imported")
	s.Drain(t)
	return page(t, c.Get(t, path), http.StatusOK)
}

func TestAFileIsLookedIntoMappedAndReported(t *testing.T) {
	s := apptest.Open(t)
	d := labelSet(t, s, 0, 2)
	boss := s.SignedIn(t, account.Manager)
	path := "/datasets/" + d.ID
	has(t, page(t, send(t, boss, path+"/import/upload", "x.csv", ""), http.StatusUnprocessableEntity), "#file-error",
		"Choose another file")
	blank := page(t, send(t, boss, path+"/import/upload", "x.csv", "\n \n"), http.StatusUnprocessableEntity)
	has(t, blank, "[role=alert]", "the file is empty")
	if strings.Contains(blank.Find("[role=alert]").Text(), "typed") {
		t.Error("nothing was typed, and the file isn't kept")
	}
	csv := "query,reply,verdict\nShould I?,You should transfer.,fail\nMay I?,,pass\nCan I?,You may ask a " +
		"adviser.,pass\n"
	doc := page(t, send(t, boss, path+"/import/upload", "x.csv", csv), http.StatusOK)
	has(t, doc, ".preview", "You should transfer.")
	hasNot(t, doc, ".notice")
	form := filled(t, doc, "form[action$='/import']")
	form["from"], form["to"] = []string{"fail", "pass"}, []string{"NON_COMPLIANT", "COMPLIANT_GUIDANCE"}
	form = with(form, "guidance", "", "question", "query", "map_label", "verdict", "labels", "final")
	doc = page(t, boss.Post(t, path+"/import", form), http.StatusUnprocessableEntity)
	has(t, doc, "#guidance-error", "Choose the field")
	if doc.Find(`#as-0 option[value="NON_COMPLIANT"][selected]`).Length() != 1 ||
		doc.Find(`input[name="labels"][value="final"][checked]`).Length() != 1 {
		t.Error("what was chosen is lost")
	}
	if r := boss.Post(t, path+"/import", with(form, "guidance", "reply")); r.Status != http.StatusSeeOther {
		t.Fatalf("import: %d %.400s", r.Status, r.Body)
	}
	doc = settled(t, s, boss, path+"/files")
	has(t, doc, "#run .notice[data-tone=amber]", "2 items imported")
	has(t, doc, "#run tbody td.num", "3")
	refused := page(t, send(t, boss, path+"/import/upload", "z.csv", ""), http.StatusUnprocessableEntity)
	has(t, refused, "[role=alert]", "file is empty")
	hasNot(t, refused, "#import .notice") // that would be the file before
	// The file is used up, and a labeller may not plant checks.
	if r := boss.Post(t, path+"/import", form); r.Status != http.StatusNotFound {
		t.Errorf("the file twice: %d", r.Status)
	}
	// A file with the same fields is matched as the last one was; one that lacks a field that was read then is not.
	doc = page(t, send(t, boss, path+"/import/upload", "y.csv",
		"query,reply,verdict,more\nShould you?,You may.,fail,x\n"), http.StatusOK)
	has(t, doc, "#like", "as in the import of x.csv")
	again := filled(t, doc, "form[action$='/import']")
	if g := again; g.Get("rater") != "import y.csv" || g.Get("guidance") != "reply" || g.Get("question") != "query" || g.Get("labels") != "final" ||
		!slices.Equal(g["to"], form["to"]) {
		t.Errorf("the form holds %v", again)
	}
	// A column that wasn't in it then is matched by its name.
	doc = page(t, send(t, boss, path+"/import/upload", "y.csv",
		"query,reply,verdict,codes\nCan you?,You may.,fail,PRESSURE\n"), http.StatusOK)
	if g := filled(t, doc, "form[action$='/import']"); g.Get("codes") != "codes" || g.Get("guidance") != "reply" {
		t.Errorf("the form holds %v", g)
	}
	doc = page(t, send(t, boss, path+"/import/upload", "z.csv", "query,text,verdict\nShould you?,You may.,fail\n"),
		http.StatusOK)
	hasNot(t, doc, "#like")
	if g := filled(t, doc, "form[action$='/import']"); g.Get("guidance") != "text" || g.Get("labels") != "ignore" {
		t.Errorf("the form holds %v", g)
	}
	doc = page(t, send(t, boss, path+"/import/upload", "z.csv", "query,text\nlone\nShould you?,You may.\n"),
		http.StatusOK)
	has(t, doc, ".notice", "1 of the first 2 rows can't be read")
	has(t, doc, ".notice td", "it has 1 cell, and the first line 2")
	// What is JSON Lines is read so, whatever its name, and in another format once that is chosen.
	doc = page(t, send(t, boss, path+"/import/upload", "w.csv", `{"q":"May I?","said":"You may wait."}`+"\n"),
		http.StatusOK)
	if got := filled(t, doc, "form[action$='/import']").Get("format"); got != "jsonl" {
		t.Errorf("JSON Lines are read as %s", got)
	}
	doc = page(t, send(t, boss, path+"/import/upload", "w.csv",
		"{cut\n"+`{"guidance":"You may go on Monday."}`+"\n"), http.StatusOK)
	form = filled(t, doc, "form[action$='/import']")
	doc = page(t, boss.Post(t, path+"/import", with(maps.Clone(form), "format", "records")),
		http.StatusUnprocessableEntity)
	has(t, doc, "#format-error", "No row of the file can be read")
	doc = page(t, boss.Post(t, path+"/import", with(form, "format", "jsonl")), http.StatusOK)
	has(t, doc, ".notice", "Nothing has been imported yet")
	has(t, doc, ".preview", "You may go on Monday.")
	form = filled(t, doc, "form[action$='/import']")
	if form.Get("guidance") != "guidance" || form.Get("format") != "jsonl" {
		t.Errorf("the form holds %v", form)
	}
	if r := boss.Post(t, path+"/import", form); r.Status != http.StatusSeeOther {
		t.Fatalf("import: %d %.400s", r.Status, r.Body)
	}
	has(t, settled(t, s, boss, path+"/files"), "#run", "1 item imported")
	eve := s.SignedIn(t, account.Expert)
	doc = page(t, send(t, eve, path+"/import/upload", "x.csv", "query,text\nShould I?,You may.\n"), http.StatusOK)
	hasNot(t, doc, `input[name="labels"][value="known"]`)
	form = with(filled(t, doc, "form[action$='/import']"), "guidance", "text", "labels", "known")
	has(t, page(t, eve.Post(t, path+"/import", form), http.StatusUnprocessableEntity), "#labels-error", "managers")
}

// What leaves as JSON Lines comes back as the same items with the same labels.
func TestAnExportReadInAgainIsEqual(t *testing.T) {
	s := apptest.Open(t)
	boss, eve := s.SignedIn(t, account.Manager), s.SignedIn(t, account.Expert)
	d, _ := frozenSet(t, s, boss)
	if r := eve.Post(t, "/datasets/"+d.ID+"/export",
		url.Values{"version": {"live"}, "format": {"jsonl"}}); r.Status != http.StatusForbidden {
		t.Errorf("a labeller exports what is still being labelled: %d", r.Status)
	}
	for _, format := range []string{"jsonl", "csv", "parquet", "hf"} {
		r := eve.Post(t, "/datasets/"+d.ID+"/export", url.Values{"version": {"1"}, "format": {format}})
		if r.Status != http.StatusOK || !strings.Contains(r.Header.Get("Content-Disposition"), "db-transfers-v1") ||
			len(r.Body) < 500 {
			t.Errorf("%s: %d %q %d bytes", format, r.Status, r.Header.Get("Content-Disposition"), len(r.Body))
		}
	}
	has(t, page(t, boss.Post(t, "/datasets/"+d.ID+"/export", url.Values{"version": {"1"}, "format": {"doc"}}),
		http.StatusUnprocessableEntity), "main", "can't be exported")
	file := boss.Post(t, "/datasets/"+d.ID+"/export", url.Values{"version": {"1"}, "format": {"jsonl"}}).Body
	again := labelSet(t, s, 0, 2, func(set *dataset.Settings) { set.Name = "Again" })
	doc := page(t, send(t, boss, "/datasets/"+again.ID+"/import/upload", "v1.jsonl", file), http.StatusOK)
	form := with(filled(t, doc, "form[action$='/import']"), "labels", "final")
	if r := boss.Post(t, "/datasets/"+again.ID+"/import", form); r.Status != http.StatusSeeOther {
		t.Fatalf("import: %d %.400s", r.Status, r.Body)
	}
	settled(t, s, boss, "/datasets/"+again.ID+"/files")
	one, two := finals(t, s, d.ID), finals(t, s, again.ID)
	if len(one) != 4 || fmt.Sprint(one) != fmt.Sprint(two) {
		t.Errorf("%v went out and %v came in", one, two)
	}
}

// finals are the final labels of a set with their codes, by content hash.
func finals(t *testing.T, s *apptest.Site, datasetID string) map[string]string {
	t.Helper()
	got, err := s.Datasets.Items(t.Context(), dataset.ItemFilter{DatasetID: datasetID, Limit: 100}, dataset.Operator)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, it := range got.Items {
		if it.Final != nil {
			out[it.Hash] = it.Final.Label + fmt.Sprint(it.Final.Issues)
		}
	}
	return out
}

// What came with its final label is called that, and no wait is announced that never ends: of a set that was imported,
// of one with some labels of people, and of one for a single label each.
func TestImportedFinalLabelsAreNoLabelsOfPeople(t *testing.T) {
	s := apptest.Open(t)
	boss := s.SignedIn(t, account.Manager)
	texts := func(guidance string, label string) dataset.NewItem {
		n := dataset.NewItem{Text: dataset.Text{Question: "Should I?", Guidance: guidance}}
		if label != "" {
			n.Final = &dataset.Answer{Label: label}
		}
		return n
	}
	add := func(d *dataset.Dataset, list ...dataset.NewItem) string {
		t.Helper()
		if _, err := s.Datasets.Add(t.Context(), d.ID, list, dataset.Operator); err != nil {
			t.Fatal(err)
		}
		return "/datasets/" + d.ID
	}
	named := func(name string) func(*dataset.Settings) { return func(d *dataset.Settings) { d.Name = name } }
	all := add(labelSet(t, s, 0, 2, named("All")), texts("You should.", "NON_COMPLIANT"),
		texts("Some people do.", "COMPLIANT_GUIDANCE"))
	doc := page(t, boss.Get(t, all), http.StatusOK)
	has(t, doc, ".figures", "2 of 2, 2 imported with a final label")
	hasNot(t, doc, `.figures:contains("independent")`)
	doc = page(t, boss.Get(t, "/datasets"), http.StatusOK)
	has(t, doc, "tbody tr", "2 of 2, 2 imported with a final label")
	hasNot(t, doc, `tbody tr:contains("labels each")`)
	doc = page(t, boss.Get(t, all+"/agreement"), http.StatusOK)
	has(t, doc, "#headline", "No complete item has labels from two people")
	hasNot(t, doc, `#headline:contains("minutes")`)

	one := labelSet(t, s, 1, 1, named("One"))
	path := add(one, texts("You must.", "NON_COMPLIANT"))
	has(t, page(t, boss.Get(t, path), http.StatusOK), ".figures", "1 imported with a final label, 1 independent label")
	ann := s.SignedIn(t, account.Expert)
	if r := labelAs(t, ann, one, "NON_COMPLIANT", "code", "PRESSURE"); r.Status >= 400 {
		t.Fatalf("label: %d %.300s", r.Status, r.Body)
	}
	has(t, page(t, boss.Get(t, path+"/agreement"), http.StatusOK), "#headline",
		"1 item is complete, and none is measured")
	s.Clock.Advance(dataset.UndoFor + time.Minute)
	has(t, page(t, boss.Get(t, path+"/agreement"), http.StatusOK), "#headline", "No item has two labels yet")
}

// Whichever column is chosen for the label, the page asks what its spellings mean before it refuses their rows; what
// the set knows by itself isn't asked.
func TestSpellingsAreAskedOfTheColumnThatIsChosen(t *testing.T) {
	s := apptest.Open(t)
	d := labelSet(t, s, 0, 2)
	boss := s.SignedIn(t, account.Manager)
	path := "/datasets/" + d.ID
	for i, test := range []struct{ column, yes, no string }{
		{"outcome", "in order", "not in order"}, {"answer", "1", "0"}, {"Ergebnis", "gut", "schlecht"},
	} {
		csv := fmt.Sprintf("query,reply,%s\nShould I?,You should transfer %d.,%s\nCan I?,Ask an adviser %d.,%s\n",
			test.column, i, test.no, i, test.yes)
		doc := page(t, send(t, boss, path+"/import/upload", "x.csv", csv), http.StatusOK)
		form := with(filled(t, doc, "form[action$='/import']"), "guidance", "reply", "question", "query", "map_label",
			test.column, "labels", "final")
		doc = page(t, boss.Post(t, path+"/import", form), http.StatusUnprocessableEntity)
		has(t, doc, "#names", test.yes)
		has(t, doc, "#names-error", "Say which label each spelling")
		form = filled(t, doc, "form[action$='/import']")
		form["to"] = nil
		for _, spelt := range form["from"] {
			form["to"] = append(form["to"], map[string]string{test.yes: "COMPLIANT_GUIDANCE",
				test.no: "NON_COMPLIANT"}[spelt])
		}
		if r := boss.Post(t, path+"/import", form); r.Status != http.StatusSeeOther {
			t.Fatalf("import: %d %.400s", r.Status, r.Body)
		}
		has(t, settled(t, s, boss, path+"/files"), "#run", "2 items imported")
	}
	doc := page(t, send(t, boss, path+"/import/upload", "x.csv", "query,reply,mark\nShould I?,Do it now.,fail\n"),
		http.StatusOK)
	form := with(filled(t, doc, "form[action$='/import']"), "guidance", "reply", "question", "query", "map_label",
		"mark", "labels", "final")
	if r := boss.Post(t, path+"/import", form); r.Status != http.StatusSeeOther {
		t.Errorf("what the set knows is asked: %d", r.Status)
	}
}
