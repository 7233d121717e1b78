package transfer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"preceptor/internal/dataset"
)

// readRow is a row as others' readers see it.
type readRow struct {
	ID         string      `parquet:"id"`
	Customer   string      `parquet:"customer"`
	Question   string      `parquet:"question"`
	Guidance   string      `parquet:"guidance"`
	Label      string      `parquet:"label"`
	Boundary   string      `parquet:"boundary"`
	Codes      []string    `parquet:"codes,list"`
	Issues     []readIssue `parquet:"issues,list"`
	Rationale  string      `parquet:"rationale"`
	Notes      string      `parquet:"notes"`
	Group      string      `parquet:"group"`
	Cluster    string      `parquet:"cluster"`
	Source     string      `parquet:"source"`
	LabelWhy   string      `parquet:"label_why"`
	Hash       string      `parquet:"hash"`
	Messages   string      `parquet:"messages"`
	ExternalID string      `parquet:"external_id"`
	SourceID   string      `parquet:"source_id"`
	State      string      `parquet:"state"`
	Split      string      `parquet:"split"`
	LabelBy    string      `parquet:"label_by"`
	LabelledAt string      `parquet:"labelled_at"`
	Check      bool        `parquet:"check"`
	Known      string      `parquet:"known"`
	Excluded   string      `parquet:"excluded_why"`
	Erased     bool        `parquet:"erased"`
	Labels     string      `parquet:"labels"`
	Skips      string      `parquet:"skips"`
	Flags      string      `parquet:"flags"`
	Rulings    string      `parquet:"rulings"`
}

type readIssue struct {
	Code  string `parquet:"code"`
	Start int64  `parquet:"start"`
	End   int64  `parquet:"end"`
}

// parquet-go reads what we write, over several row groups and for none, and finds the columns that it would write
// itself.
func TestParquetIsReadByOthers(t *testing.T) {
	for _, n := range []int{0, 1, 9, groupRows + 17} {
		var want []readRow
		var file bytes.Buffer
		w := newParquet()
		for i := 0; i < n; i += batchRows {
			var list []*exportRow
			for j := i; j < min(n, i+batchRows); j++ {
				r, read := sampleRow(j)
				list, want = append(list, r), append(want, read)
			}
			var b bytes.Buffer
			if err := w.rowsOf(&b, list); err != nil {
				t.Fatal(err)
			}
			file.Write(b.Bytes())
		}
		var b bytes.Buffer
		if err := w.end(&b); err != nil {
			t.Fatal(err)
		}
		file.Write(b.Bytes())
		f, err := parquet.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
		if err != nil {
			t.Fatal(err)
		}
		columns := func(s *parquet.Schema) string { _, inside, _ := strings.Cut(s.String(), "{"); return inside }
		if diff := cmp.Diff(columns(parquet.SchemaOf(readRow{})), columns(f.Schema())); diff != "" {
			t.Errorf("the columns differ: %s", diff)
		}
		got, err := parquet.Read[readRow](bytes.NewReader(file.Bytes()), int64(file.Len()))
		if err != nil || f.NumRows() != int64(n) {
			t.Fatalf("%d rows of %d, %v", f.NumRows(), n, err)
		}
		for i := range want {
			if diff := cmp.Diff(want[i], got[i]); diff != "" {
				t.Fatalf("row %d of %d: %s", i, n, diff)
			}
		}
	}
}

func sampleRow(i int) (*exportRow, readRow) {
	r := &exportRow{ID: fmt.Sprint("id-", i), Question: strings.Repeat("Why? ", i%40), Guidance: "Über £1,000\x00\n",
		Label: "COMPLIANT", Notes: "ask Tom", Erased: i%3 == 0, Check: i%7 == 0}
	r.Customer = json.RawMessage(`{"age":57}`)
	want := readRow{ID: r.ID, Customer: `{"age":57}`, Question: r.Question, Guidance: r.Guidance, Label: r.Label,
		Notes: r.Notes, Erased: r.Erased, Check: r.Check, Codes: []string{}, Issues: []readIssue{}}
	if i%5 == 1 {
		r.Messages, want.Messages = dataset.Messages{{Role: "customer", Text: "Why?"}}, `[{"role":"customer","text":"Why?"}]`
	}
	for j := range i % 4 {
		r.codes = append(r.codes, fmt.Sprint("CODE_", j))
		want.Codes = r.codes
	}
	for j := range i % 3 {
		r.Issues = append(r.Issues, dataset.Issue{Code: fmt.Sprint("ISSUE_", j), Start: j, End: 1000 * i})
		want.Issues = append(want.Issues, readIssue{fmt.Sprint("ISSUE_", j), int64(j), int64(1000 * i)})
	}
	return r, want
}
