package transfer_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"preceptor/internal/dataset/transfer"
	"preceptor/internal/fault"
)

// A file of which no row can be taken says why, when it is looked at and when it is imported.
func TestAFileWithoutRowsSaysWhy(t *testing.T) {
	f := open(t)
	for file, want := range map[string]string{
		"text,label,text\nA,x,B\nC,y,D\n":      `the first line names "text" twice`,
		"text,label,Text\nA,x,B\n":             `the first line names "text" and "Text", which differ in case alone`,
		"text,label, text \n":                  `the first line names "text" twice`,
		"text,label\n":                         "a header row and no rows below it",
		"text;label;note\n\n\n":                "a header row and no rows below it",
		"":                                     "the file is empty",
		"text,label\n\"open,x\n":               "Line 2: a quotation mark is not closed",
		"text,label\nonly one\nonly another\n": "Line 2: it has 1 cells, and the first line 2",
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
