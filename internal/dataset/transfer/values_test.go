package transfer_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"preceptor/internal/dataset"
	"preceptor/internal/dataset/transfer"
	"preceptor/internal/platform/fault"
)

// texts are the guidance of a set's items.
func (f *fixture) texts(set *dataset.Dataset) (list []string) {
	f.t.Helper()
	page, err := f.sets.Items(ctx, dataset.ItemFilter{DatasetID: set.ID}, mo)
	if err != nil {
		f.t.Fatal(err)
	}
	for _, i := range page.Items {
		list = append(list, i.Guidance)
	}
	slices.Sort(list)
	return list
}

// Every value of a JSON file is read or reported with its place, however many stand in it.
func TestEveryValueOfAJSONFileIsReadOrReported(t *testing.T) {
	for _, c := range []struct{ name, text, in, said, unused string }{
		{"two.json", "[{T1}, {T2}]\n[{T3},{T4}, {T5}]\n", "1 2 3 4 5", "", ""},
		{"list, then a line.jsonl", "[{T1}]\n{T2}\n", "1 2", "", ""},
		{"a line, then a list.jsonl", "{T1}\n[{T2},{T3}]\n\n{T4}\n", "1 2 3 4", "", ""},
		{"lists on one line.json", "[{T1}][{T2}] [ ] [{T3}]", "1 2 3", "", ""},
		{"lists by line.jsonl", "[{T1}]\n[{T2}]\n", "1 2", "", ""},
		{"objects with lists.json", `{"data":[{T1}]}{"data":[{T2}]}`, "1 2", "", ""},
		{"objects with lists, by line.json", `{"data":[{T1}]}` + "\n" + `{"items":[{T2}],"n":1}`, "1 2", "",
			"n (beside the rows)"},
		{"marked twice.json", "\ufeff[{T1}]\n\ufeff[{T2}]", "1 2", "", ""},
		{"an object and a list.json", "{\n {t1}\n}\n[{T2}]", "1 2", "", ""},
		{"objects over lines.jsonl", "{\n {t1}\n}\n{\n{t2}\n}\n", "1 2", "", ""},
		{"one.json", "{\n\n {t1}}", "1", "", ""},
		{"two keys.json", `{"a":{"b":[1]},"items":[{T1}],"more":[{T2}]}`, "1", "",
			"a (beside the rows), more (beside the rows)"},
		{"two lists of rows.json", `{"items":[{T1}],"rows":[{T2}]}`, "1 2", "", ""},
		{"one key twice.json", `{"data":[{T1}],` + "\n" + `"data":[{T2}]}`, "1", `2 the key "data" comes twice`, ""},
		{"another key twice.json", `{"n":1,"n":2,"data":[{T1}],"m":1,"m":2}`, "1",
			`1 the key "n" comes twice;1 the key "m" comes twice`, "m (beside the rows), n (beside the rows)"},
		{"a page behind.json", "[{T1}]\n<html>Error\n 502</html>\n", "1",
			`2 it is neither a JSON list nor a JSON object: "<html>Error`, ""},
		{"a page between.json", "[{T1}]\noops\n\n[{T2}]\n", "1 2", `2 it is neither`, ""},
		{"a word behind.json", "[{T1}] null", "1", `1 it is neither`, ""},
		{"a bracket too many.json", "[{T1}]]\n[{T2}]", "1 2", "1 it is neither", ""},
		{"a brace too many.json", "[{T1}}, {T2}]", "1 2", "1 element 2: the row", ""},
		{"cut in a row.json", `[{T1},{"guidance": "g`, "1", "1 element 2: the file is cut off", ""},
		{"cut in an object.json", "[{T1}]\n{\n\"data\":", "1", "2 the file is cut off", ""},
		{"cut behind a list.json", `{"data":[{T1}]`, "1", "1 the file is cut off", ""},
		{"cut behind a name.json", `{"data":[{T1}],"more"`, "1", "1 the file is cut off", ""},
		{"no name.json", `{"data":[{T1}],more}` + "\n[{T2}]", "1 2", `1 it is no JSON: "more"`, ""},
		{"a line that doesn't end.jsonl", "{T1}\n[{T2}\n{T3}\n", "1 2 3", "2 the file is cut off", ""},
		{"two on a line.jsonl", "{T1}{T2}\n{T3}\n", "3", "1 the row", ""},
	} {
		f := open(t)
		text := c.text
		for i := range 9 {
			text = strings.ReplaceAll(text, fmt.Sprintf("{T%d}", i), fmt.Sprintf(`{"guidance":"Text number %d."}`, i))
			text = strings.ReplaceAll(text, fmt.Sprintf("{t%d}", i), fmt.Sprintf(`"guidance":"Text number %d."`, i))
		}
		rep := f.read(f.set, text, transfer.ImportOptions{Name: c.name})
		in := strings.NewReplacer("Text number ", "", ".", "").Replace(strings.Join(f.texts(f.set), " "))
		var said []string
		for _, p := range rep.Problems {
			said = append(said, fmt.Sprint(p.Line, " ", p.Why))
		}
		slices.Sort(rep.Unused)
		want := strings.FieldsFunc(c.said, func(r rune) bool { return r == ';' })
		if in != c.in || rep.Rows != rep.Added+rep.Broken || strings.Join(rep.Unused, ", ") != c.unused ||
			!slices.EqualFunc(said, want, strings.HasPrefix) {
			t.Errorf("%s: in %s, %q, unused %q: %+v", c.name, in, said, rep.Unused, rep)
		}
	}
}

// Of any file made of lists, objects and what is neither, as many rows are read as are added and reported, and each
// text is in or has a report at its line.
func TestRowsReadAreAddedOrReported(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 7))
		var text strings.Builder
		good, bad, n := 0, 0, 0
		record := func() string {
			n++
			if r.IntN(5) == 0 {
				bad++
				return []string{`{"guidance":12}`, `[1]`, `null`, `{"guidance":"x" "y"}`, `"t"`, `tru`}[r.IntN(6)]
			}
			good++
			return fmt.Sprintf(`{"guidance":"Text %d ] } , [ { of %d.","n":{"a":[1,{}]}}`, n, seed)
		}
		list := func() string {
			var rows []string
			for range r.IntN(4) {
				rows = append(rows, record())
			}
			return "[" + strings.Join(rows, []string{",", ", ", ",\n"}[r.IntN(3)]) + "]"
		}
		for range 1 + r.IntN(6) {
			switch r.IntN(5) {
			case 0:
				text.WriteString(fmt.Sprintf(`{"total":%d,"items":%s,"next":null}`, n, list()))
			case 1:
				good++
				n++
				text.WriteString(fmt.Sprintf(`{"guidance":"Text %d of %d."}`, n, seed))
			case 2:
				bad++
				text.WriteString("oops: no JSON\nnor this")
			default:
				text.WriteString(list())
			}
			text.WriteString("\n")
		}
		if good == 0 {
			continue
		}
		// Where it is read by line, what is over several lines is reported; nothing is lost in either.
		for _, as := range []transfer.Format{transfer.Records, transfer.JSONL} {
			f := open(t)
			rep := f.read(f.set, text.String(), transfer.ImportOptions{Name: "x.json", Format: as,
				Mapping: &transfer.Mapping{Guidance: "guidance"}})
			exact := as == transfer.Records
			if rep.Rows != rep.Added+rep.Broken || len(rep.Problems) != rep.Broken || rep.Added > good ||
				rep.Added < good && (exact || rep.Broken == 0) || exact && rep.Broken > bad ||
				rep.Broken == 0 && bad > 0 {
				t.Errorf("seed %d: %d good, %d bad: %+v\n%s", seed, good, bad, rep, text.String())
			}
		}
	}
}

// What was here before is named with its place, in files by line and in lists.
func TestRowsThatWereHereHaveTheirPlace(t *testing.T) {
	f := open(t)
	f.read(f.set, "text\nOne.\nTwo.\n", transfer.ImportOptions{})
	for text, want := range map[string]string{"text\nOne.\nThree.\nTwo.\n": "line 2, line 4",
		`[{"text":"Two."},{"text":"Four."},` + "\n" + `{"text":"Four."}]`: "element 1, element 3",
		"text\n" + strings.Repeat("One.\n", 22): "line 2, line 3, line 4, line 5, line 6, line 7, line 8, line 9, " +
			"line 10, line 11, line 12, line 13, line 14, line 15, line 16, line 17, line 18, line 19, line 20, " +
			"line 21 and 2 more"} {
		if rep := f.read(f.set, text, transfer.ImportOptions{}); rep.AlreadyHere() != want {
			t.Errorf("%q: %q, want %q", text, rep.AlreadyHere(), want)
		}
	}
}

// A zip archive with a Word document in it is no Word document.
func TestAZipIsCalledWhatItIs(t *testing.T) {
	f := open(t)
	for want, names := range map[string][]string{"a Word document": {"[Content_Types].xml", "word/document.xml"},
		"a zip archive": {"a/08.docx", "word/document.xml"}} {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, name := range names {
			w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprint(w, "PK\x03\x04 word/document.xml")
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Look("x.zip", &b, &f.set.Settings); err == nil || !strings.Contains(fault.Message(err), want) {
			t.Errorf("%q: %v", names, err)
		}
	}
}
