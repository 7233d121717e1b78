package transfer

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strconv"
	"strings"

	"preceptor/internal/platform/table"
)

// plainJSON writes values as they stand, one a line.
func plainJSON(b *bytes.Buffer) *json.Encoder {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	return enc
}

// jsonRows writes whole rows as lines of JSON.
func jsonRows(b *bytes.Buffer, list []*exportRow) error {
	enc := plainJSON(b)
	for _, r := range list {
		if err := enc.Encode(r); err != nil {
			return err
		}
	}
	return nil
}

// csvColumns are the columns of CSV. The lists are JSON in their cells.
var csvColumns = []string{"id", "external_id", "hash", "group", "customer", "question", "messages", "guidance",
	"source", "source_id", "state", "split", "cluster", "label", "boundary",
	"codes", "issues", "rationale", "notes", "label_why", "label_by", "labelled_at", "check", "known",
	"excluded_why", "erased", "labels", "skips", "flags", "rulings"}

func csvRows(b *bytes.Buffer, list []*exportRow) error {
	w := csv.NewWriter(b)
	cells := make([]string, 0, len(csvColumns))
	for _, r := range list {
		cells = append(cells[:0], r.ID, table.Guard(r.ExternalID), table.Guard(r.Hash), table.Guard(r.Group),
			table.Guard(string(r.Customer)), table.Guard(r.Question), listCell(r.Messages), table.Guard(r.Guidance),
			r.Source,
			table.Guard(r.SourceID), r.State, r.Split, r.Cluster, table.Guard(r.Label), table.Guard(r.Boundary),
			table.Guard(strings.Join(r.codes, " ")), listCell(r.Issues), table.Guard(r.Rationale),
			table.Guard(r.Notes), r.LabelWhy, table.Guard(r.LabelBy), r.LabelledAt, strconv.FormatBool(r.Check),
			string(r.Known), table.Guard(r.Excluded), strconv.FormatBool(r.Erased),
			listCell(r.Labels), listCell(r.Skips), listCell(r.Flags), listCell(r.Rulings))
		if err := w.Write(cells); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// listCell is a list as JSON, which no spreadsheet takes for a formula; "" when there is nothing in it.
func listCell[T any](list []T) string {
	if len(list) == 0 {
		return ""
	}
	var b bytes.Buffer
	if err := plainJSON(&b).Encode(list); err != nil {
		return "" // what is in it was JSON before
	}
	return strings.TrimSpace(b.String())
}

// plainRow is a row of the Hugging Face layout and of Parquet's first columns: every field of one type, whatever the
// row.
type plainRow struct {
	ID        string   `json:"id"`
	Customer  string   `json:"customer"` // JSON
	Question  string   `json:"question"`
	Guidance  string   `json:"guidance"`
	Label     string   `json:"label"`
	Boundary  string   `json:"boundary"`
	Codes     []string `json:"codes"`
	Issues    []issue  `json:"issues"`
	Rationale string   `json:"rationale"`
	Notes     string   `json:"notes"`
	Group     string   `json:"group"`
	Cluster   string   `json:"cluster"`
	Source    string   `json:"source"`
	LabelWhy  string   `json:"label_why"`
	Hash      string   `json:"hash"`
}

type issue struct {
	Code  string `json:"code"`
	Start int64  `json:"start"`
	End   int64  `json:"end"`
}

func (r *exportRow) plain() plainRow {
	p := plainRow{ID: r.ID, Customer: string(r.Customer), Question: r.Question, Guidance: r.Guidance, Label: r.Label,
		Boundary: r.Boundary, Codes: r.codes,
		Issues: make([]issue, len(r.Issues)), Rationale: r.Rationale, Notes: r.Notes, Group: r.Group,
		Cluster: r.Cluster, Source: r.Source, LabelWhy: r.LabelWhy, Hash: r.Hash}
	if p.Codes == nil {
		p.Codes = []string{}
	}
	for i, x := range r.Issues {
		p.Issues[i] = issue{x.Code, int64(x.Start), int64(x.End)}
	}
	return p
}

func plainRows(b *bytes.Buffer, list []*exportRow) error {
	enc := plainJSON(b)
	for _, r := range list {
		if r.Erased {
			continue
		}
		if err := enc.Encode(r.plain()); err != nil {
			return err
		}
	}
	return nil
}

// row gives a row's columns: the plain ones, and what was said as JSON.
func (f *parquetFile) row(r *exportRow) {
	p := r.plain()
	f.text("id", p.ID)
	f.text("customer", p.Customer)
	f.text("question", p.Question)
	f.text("guidance", p.Guidance)
	f.text("label", p.Label)
	f.text("boundary", p.Boundary)
	codes := f.column(parquetText, "codes", "list", "element")
	parquetList(codes, p.Codes, codes.text)
	code := f.column(parquetText, "issues", "list", "element", "code")
	start := f.column(parquetInt64, "issues", "list", "element", "start")
	end := f.column(parquetInt64, "issues", "list", "element", "end")
	parquetList(code, p.Issues, func(x issue) { code.text(x.Code) })
	parquetList(start, p.Issues, func(x issue) { start.number(x.Start) })
	parquetList(end, p.Issues, func(x issue) { end.number(x.End) })
	f.text("rationale", p.Rationale)
	f.text("notes", p.Notes)
	f.text("group", p.Group)
	f.text("cluster", p.Cluster)
	f.text("source", p.Source)
	f.text("label_why", p.LabelWhy)
	f.text("hash", p.Hash)
	f.text("messages", listCell(r.Messages))
	f.text("external_id", r.ExternalID)
	f.text("source_id", r.SourceID)
	f.text("state", r.State)
	f.text("split", r.Split)
	f.text("label_by", r.LabelBy)
	f.text("labelled_at", r.LabelledAt)
	f.flag("check", r.Check)
	f.text("known", string(r.Known))
	f.text("excluded_why", r.Excluded)
	f.flag("erased", r.Erased)
	f.text("labels", listCell(r.Labels))
	f.text("skips", listCell(r.Skips))
	f.text("flags", listCell(r.Flags))
	f.text("rulings", listCell(r.Rulings))
	f.endRow()
}

// groupRows is how many rows make a row group of Parquet, which is held in memory.
const groupRows = 5_000

func newParquet() *parquetFile {
	f := &parquetFile{}
	f.row(&exportRow{}) // an empty file has its columns too
	f.forget()
	return f
}

// rowsOf takes rows, and writes a row group once there are enough.
func (f *parquetFile) rowsOf(b *bytes.Buffer, list []*exportRow) error {
	for _, r := range list {
		f.row(r)
	}
	if f.rows >= groupRows {
		return f.flush(b)
	}
	return nil
}
