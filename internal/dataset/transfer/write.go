package transfer

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strconv"
	"strings"

	"preceptor/internal/table"

	"github.com/parquet-go/parquet-go"
)

// jsonRows writes whole rows as lines of JSON. What is stored as JSON is put in as it stands: encoding/json would parse it again,
// which was half of the time.
func jsonRows(b *bytes.Buffer, list []*exportRow) error {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	for _, r := range list {
		plain := *r
		plain.Customer, plain.Known, plain.Labels, plain.Rulings = nil, nil, nil, nil
		if err := open(enc, b, &plain); err != nil {
			return err
		}
		member(b, "customer", r.Customer)
		member(b, "known", r.Known)
		if len(r.Labels) > 0 {
			b.WriteString(`,"labels":`)
			if err := answers(enc, b, r.Labels, labelRow.parts); err != nil {
				return err
			}
		}
		if len(r.Rulings) > 0 {
			b.WriteString(`,"rulings":`)
			if err := answers(enc, b, r.Rulings, rulingRow.parts); err != nil {
				return err
			}
		}
		b.WriteString("}\n")
	}
	return nil
}

// open encodes an object and takes its end off again.
func open(enc *json.Encoder, b *bytes.Buffer, v any) error {
	if err := enc.Encode(v); err != nil {
		return err
	}
	b.Truncate(b.Len() - len("}\n"))
	return nil
}

func member(b *bytes.Buffer, name string, raw json.RawMessage) {
	if len(raw) > 0 {
		b.WriteString(`,"` + name + `":`)
		b.Write(raw)
	}
}

// parts are a row without its answer, and the answer.
func (l labelRow) parts() (any, json.RawMessage) {
	raw := l.Answer
	l.Answer = nil
	return l, raw
}

func (v rulingRow) parts() (any, json.RawMessage) {
	raw := v.Answer
	v.Answer = nil
	return v, raw
}

// answers encodes a list of rows that hold answers.
func answers[T any](enc *json.Encoder, b *bytes.Buffer, list []T, parts func(T) (any, json.RawMessage)) error {
	for i, x := range list {
		b.WriteByte("[,"[min(i, 1)])
		v, raw := parts(x)
		if err := open(enc, b, v); err != nil {
			return err
		}
		member(b, "answer", raw)
		b.WriteByte('}')
	}
	b.WriteByte(']')
	return nil
}

// answersCell is such a list as a cell; "" when there is nothing in it.
func answersCell[T any](list []T, parts func(T) (any, json.RawMessage)) string {
	if len(list) == 0 {
		return ""
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := answers(enc, &b, list, parts); err != nil {
		return "" // what is in it was JSON before
	}
	return b.String()
}

// csvColumns are the columns of CSV. The lists are JSON in their cells.
var csvColumns = []string{"id", "external_id", "hash", "group", "customer", "question", "guidance", "source", "source_id", "state", "split", "cluster", "label", "boundary",
	"codes", "issues", "rationale", "label_why", "label_by", "labelled_at", "check", "known", "excluded_why", "erased", "labels", "skips", "flags", "rulings"}

func csvRows(b *bytes.Buffer, list []*exportRow) error {
	w := csv.NewWriter(b)
	cells := make([]string, 0, len(csvColumns))
	for _, r := range list {
		cells = append(cells[:0], r.ID, table.Guard(r.ExternalID), table.Guard(r.Hash), table.Guard(r.Group), table.Guard(string(r.Customer)), table.Guard(r.Question), table.Guard(r.Guidance), r.Source,
			table.Guard(r.SourceID), r.State, r.Split, r.Cluster, table.Guard(r.Label), table.Guard(r.Boundary), table.Guard(strings.Join(r.codes, " ")), listCell(r.Issues), table.Guard(r.Rationale),
			r.LabelWhy, table.Guard(r.LabelBy), r.LabelledAt, strconv.FormatBool(r.Check), string(r.Known), table.Guard(r.Excluded), strconv.FormatBool(r.Erased),
			answersCell(r.Labels, labelRow.parts), listCell(r.Skips), listCell(r.Flags), answersCell(r.Rulings, rulingRow.parts))
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
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(list); err != nil {
		return "" // what is in it was JSON before
	}
	return strings.TrimSpace(b.String())
}

// plainRow is a row of the Hugging Face layout and of Parquet's first columns: every field of one type, whatever the row.
type plainRow struct {
	ID        string   `json:"id" parquet:"id"`
	Customer  string   `json:"customer" parquet:"customer"` // JSON
	Question  string   `json:"question" parquet:"question"`
	Guidance  string   `json:"guidance" parquet:"guidance"`
	Label     string   `json:"label" parquet:"label,dict"`
	Boundary  string   `json:"boundary" parquet:"boundary,dict"`
	Codes     []string `json:"codes" parquet:"codes,list"`
	Issues    []issue  `json:"issues" parquet:"issues,list"`
	Rationale string   `json:"rationale" parquet:"rationale"`
	Group     string   `json:"group" parquet:"group"`
	Cluster   string   `json:"cluster" parquet:"cluster"`
	Source    string   `json:"source" parquet:"source,dict"`
	LabelWhy  string   `json:"label_why" parquet:"label_why,dict"`
	Hash      string   `json:"hash" parquet:"hash"`
}

type issue struct {
	Code  string `json:"code" parquet:"code,dict"`
	Start int64  `json:"start" parquet:"start"`
	End   int64  `json:"end" parquet:"end"`
}

func (r *exportRow) plain() plainRow {
	p := plainRow{ID: r.ID, Customer: string(r.Customer), Question: r.Question, Guidance: r.Guidance, Label: r.Label, Boundary: r.Boundary, Codes: r.codes,
		Issues: make([]issue, len(r.Issues)), Rationale: r.Rationale, Group: r.Group, Cluster: r.Cluster, Source: r.Source, LabelWhy: r.LabelWhy, Hash: r.Hash}
	if p.Codes == nil {
		p.Codes = []string{}
	}
	for i, x := range r.Issues {
		p.Issues[i] = issue{x.Code, int64(x.Start), int64(x.End)}
	}
	return p
}

func plainRows(b *bytes.Buffer, list []*exportRow) error {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
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

// parquetRow is a row of Parquet: the plain columns, and what was said as JSON.
type parquetRow struct {
	plainRow
	ExternalID string `parquet:"external_id"`
	SourceID   string `parquet:"source_id"`
	State      string `parquet:"state,dict"`
	Split      string `parquet:"split,dict"`
	LabelBy    string `parquet:"label_by"`
	LabelledAt string `parquet:"labelled_at"`
	Check      bool   `parquet:"check"`
	Known      string `parquet:"known"`
	Excluded   string `parquet:"excluded_why"`
	Erased     bool   `parquet:"erased"`
	Labels     string `parquet:"labels"`
	Skips      string `parquet:"skips"`
	Flags      string `parquet:"flags"`
	Rulings    string `parquet:"rulings"`
}

// groupRows is how many rows make a row group of Parquet, which is held in memory.
const groupRows = 5_000

// parquetWriter writes through a buffer that the caller empties.
func parquetWriter() writer {
	out := &pass{}
	w := parquet.NewGenericWriter[parquetRow](out, parquet.Compression(&parquet.Zstd), parquet.CreatedBy("preceptor", "", ""))
	n := 0
	rows := make([]parquetRow, 0, batchRows)
	return writer{
		encode: func(b *bytes.Buffer, list []*exportRow) error {
			out.to, rows = b, rows[:0]
			for _, r := range list {
				rows = append(rows, parquetRow{plainRow: r.plain(), ExternalID: r.ExternalID, SourceID: r.SourceID, State: r.State, Split: r.Split, LabelBy: r.LabelBy,
					LabelledAt: r.LabelledAt, Check: r.Check, Known: string(r.Known), Excluded: r.Excluded, Erased: r.Erased, Labels: answersCell(r.Labels, labelRow.parts),
					Skips: listCell(r.Skips), Flags: listCell(r.Flags), Rulings: answersCell(r.Rulings, rulingRow.parts)})
			}
			if _, err := w.Write(rows); err != nil {
				return err
			}
			if n += len(rows); n >= groupRows {
				n = 0
				return w.Flush()
			}
			return nil
		},
		end: func(b *bytes.Buffer) error {
			out.to = b
			return w.Close()
		},
	}
}

// pass hands on to the buffer of the moment.
type pass struct{ to *bytes.Buffer }

func (p *pass) Write(b []byte) (int, error) { return p.to.Write(b) }
