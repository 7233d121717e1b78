package transfer

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"preceptor/internal/dataset"
)

// Whatever is in a file: reading it ends, every row has a line, and what would go in is text whose spans lie within it.
func fuzz(f *testing.F, format Format, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
		f.Add([]byte(s[:len(s)/2]))
		f.Add([]byte(strings.Replace(s, "\"", "\"\x00", 1)))
		f.Add([]byte(strings.Replace(s, ":", ":"+strings.Repeat("[", 200), 1)))
		f.Add([]byte("\ufeff" + s + "\xff\xfe"))
	}
	set := &dataset.Dataset{Settings: dataset.DefaultSettings()}
	f.Fuzz(func(t *testing.T, b []byte) {
		src, err := openSource(bytes.NewReader(b), "", format)
		if err != nil {
			t.Fatal(err)
		}
		rows, end := ahead(src)
		if end != nil && !errors.Is(end, io.EOF) {
			return
		}
		in := &importing{set: set, mapping: guessRows(src.names, rows, &set.Settings), rep: &Report{}}
		for n := 0; end == nil && n <= len(b); n++ {
			var r row
			if r, end = src.next(); end == nil {
				rows = append(rows, r)
			}
		}
		if end == nil {
			t.Fatal("it never ends")
		}
		for i, r := range rows {
			if r.line < 1 || r.line > bytes.Count(b, []byte{'\n'})+1 {
				t.Fatalf("row %d is on line %d", i, r.line)
			}
			in.o.Labels = LabelUses[i%len(LabelUses)]
			in.take(r)
		}
		if in.rep.Rows != len(rows) || in.rep.Broken+len(in.items) != len(rows) {
			t.Fatalf("%d rows, %d told, %d broken, %d taken", len(rows), in.rep.Rows, in.rep.Broken, len(in.items))
		}
		for _, it := range in.items {
			check(t, set, it)
		}
	})
}

func check(t *testing.T, set *dataset.Dataset, it dataset.NewItem) {
	if it.Prepare(&set.Settings) != nil {
		return
	}
	if !utf8.ValidString(it.Guidance+it.Question+string(it.Customer)) ||
		strings.ContainsRune(it.Guidance+it.Question, 0) {
		t.Fatalf("%+v", it)
	}
	hash := it.Hash()
	if err := it.Prepare(&set.Settings); err != nil || it.Hash() != hash {
		t.Fatalf("what was prepared is not fit to be prepared: %v", err)
	}
	answers := []*dataset.Answer{it.Final, it.Known}
	for i := range it.Labels {
		answers = append(answers, &it.Labels[i].Answer)
	}
	for _, a := range answers {
		if a == nil {
			continue
		}
		for _, i := range a.Issues {
			if i.Start < 0 || i.Start > i.End || i.End > utf8.RuneCountInString(it.Guidance) {
				t.Fatalf("%+v", a)
			}
		}
	}
}

func FuzzJSONL(f *testing.F) {
	fuzz(f, JSONL,
		`{"id":"1","customer":{"age":58},"question":"Q","guidance":"Take\r\nit.","label":"BORDERLINE","issues":[{"code":"PRESSURE","span":[0,6]}],"labels":[{"by":"A","standing":true,"answer":{"label":"BORDERLINE"}}]}`+"\n"+`{"guidance":"Two"}`)
}

func FuzzCSV(f *testing.F) {
	fuzz(f, CSV, "guidance,label,codes,customer.age\n\"A, \"\"b\"\"\",pass,PRESSURE,5\nC,fail,,\n", "a;b\n1;2\n",
		"'=x,guidance\n'=y,'=z\n", "guidance\n\"open\nnext\n")
}

func FuzzLabelStudio(f *testing.F) {
	fuzz(f, LabelStudio,
		`[{"id":1,"data":{"text":"👋 Take it."},"annotations":[{"completed_by":{"id":1},"lead_time":1e9,"result":[{"type":"choices","value":{"choices":["BORDERLINE"]}},{"type":"labels","value":{"start":0,"end":2,"text":"👋","labels":["PRESSURE"]}}]}]}]`)
}

func FuzzRecords(f *testing.F) {
	fuzz(f, Records,
		`{"x":[1,{"a":"]"}],"records":[{"fields":{"text":"T"},"responses":{"label":[{"value":"BORDERLINE","user_id":"u"}]}}, 5, "a", tru, {"row_idx":1,"row":{"text":"x"}}]}`)
}
