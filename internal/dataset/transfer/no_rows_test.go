package transfer_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"preceptor/internal/dataset/transfer"
	"preceptor/internal/platform/fault"
)

// A file of which no row can be taken says why, when it is looked at and when it is imported.
func TestAFileWithoutRowsSaysWhy(t *testing.T) {
	f := open(t)
	for file, want := range map[string]string{
		"text,label,text\nA,x,B\nC,y,D\n":      `the first line names "text" twice`,
		"text,label,Text\nA,x,B\n":             `the first line names "text" and "Text", which differ in case alone`,
		"text,label, text \n":                  `the first line names "text" twice`,
		"text,label\n":                         "a header row and no rows below it",
		"\n\n  \n":                             "the file is empty",
		" \ntext,label\n":                      "a header row and no rows below it",
		"text;label;note\n\n\n":                "a header row and no rows below it",
		"":                                     "the file is empty",
		"text,label\n\"open,x\n":               "Line 2: a quotation mark is not closed",
		"text,label\nonly one\nonly another\n": "Line 2: it has 1 cell, and the first line 2",
	} {
		p, err := f.Look("x.csv", strings.NewReader(file), &f.set.Settings)
		err = cmp.Or(err, p.None)
		if !fault.Is(err, fault.Invalid) || !strings.Contains(fault.Message(err), want) {
			t.Errorf("looked at, %q says %v, want %s", file, err, want)
		}
		rep, err := f.Import(ctx, f.set.ID, strings.NewReader(file), transfer.ImportOptions{Name: "x.csv", By: mo})
		said := fmt.Sprint(rep.Problems)
		if err != nil {
			said = fault.Message(err)
		}
		if _, reason, _ := strings.Cut(want, "Line 2: "); !strings.Contains(said, cmp.Or(reason, want)) {
			t.Errorf("imported, %q says %s, %v", file, said, err)
		}
	}
	if p, err := f.Look("x.json", strings.NewReader("[]"), &f.set.Settings); err != nil ||
		!fault.Is(p.None, fault.Invalid) {
		t.Errorf("an empty list: %+v %v", p, err)
	}
}

// A row that is too long costs itself, wherever it is, and what is looked at says what is true of it.
func TestALongFirstRowCostsItselfAlone(t *testing.T) {
	f := open(t)
	long := strings.Repeat("word ", 260_000)
	const header, good = "text,label\n", "Good,COMPLIANT_GUIDANCE\n"
	for name, c := range map[string]struct{ file, want string }{
		"quoted.csv":   {header + `"` + long + "\",B\n" + good, "the row is longer than 1 MB"},
		"unquoted.csv": {header + long + ",B\n" + good, "the row is longer than 1 MB"},
		"lines.csv": {header + `"` + strings.ReplaceAll(long, " ", ",\n") + "\",B\n" + good,
			"not closed within 1 MB"},
		"rows.jsonl": {`{"text":"` + long + long + `"}` + "\n" + `{"text":"Good"}` + "\n",
			"longer than 2097152 bytes"},
		"elements.json": {`[{"text":"` + long + long + `"},{"text":"Good"}]`, "element 1: the row is longer"},
	} {
		p, err := f.Look(name, strings.NewReader(c.file), &f.set.Settings)
		if err != nil || len(p.Broken) == 0 || !strings.Contains(p.Broken[0].Why, c.want) {
			t.Errorf("%s: %v %.200v", name, err, p.Broken)
		}
		if name == "lines.csv" {
			continue // its lines are read as rows
		}
		if len(p.Rows) != 1 || p.Rows[0]["text"] != "Good" || p.None != nil {
			t.Errorf("%s shows %.200v, %v", name, p.Rows, p.None)
		}
		rep, err := f.Import(ctx, f.set.ID, strings.NewReader(c.file),
			transfer.ImportOptions{Name: name, By: mo, Mapping: &transfer.Mapping{Guess: true}})
		if err != nil || rep.Broken != 1 || rep.Added+rep.Duplicates != 1 {
			t.Errorf("%s is imported as %+v, %v", name, rep, err)
		}
	}
	// A row of less than its bound comes whole into the preview, however far it reaches.
	p, err := f.Look("x.jsonl", strings.NewReader(`{"text":"`+long+`"}`+"\n"+`{"text":"Good"}`+"\n"), &f.set.Settings)
	if err != nil || len(p.Rows) != 2 || len(p.Broken) != 0 {
		t.Errorf("%d rows, %v, %v", len(p.Rows), p.Broken, err)
	}
}
