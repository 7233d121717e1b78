package transfer

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"

	"preceptor/internal/audit"
	"preceptor/internal/dataset"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/table"
	"preceptor/internal/platform/table/imports"
)

// ImportOptions of one import.
type ImportOptions struct {
	Format  Format   // guessed when empty
	Name    string   // of the file, for the audit row and the guess
	Mapping *Mapping // guessed when nil; an empty part of it is none
	Labels  string   // one of LabelUses; Ignored when empty
	Rater   string   // whose labels are that say nobody; "import" and the file's name when empty
	By      dataset.Person
	// Progress is told the rows and bytes read so far; may be nil. It is called between transactions.
	Progress func(rows int, bytes int64)
}

// source gives the rows of a file.
type source struct {
	format Format
	next   func() (row, error)
	names  []string        // of the columns of CSV
	note   func() string   // about the file as a whole, once it is read
	left   func() []string // names beside the rows, whose values were not read; once it is read
}

var errNoRows = fault.New(fault.Invalid,
	"There are no rows in the file. It should be JSON Lines, CSV, a Label Studio export or records as JSON.")

const zipBegins = "PK\x03\x04"

// officeZip is how an Office document begins; any other zip may have one in it.
var officeZip = regexp.MustCompile(`(?s)^PK\x03\x04.{26}(\[Content_Types\]\.xml|_rels/|docProps/|word/)`)

// magic is how files begin that are no text, and what they are.
var magic = map[string]string{zipBegins: "a zip archive or an Excel workbook; unpack it, or save the sheet as CSV",
	"\x1f\x8b": "compressed with gzip; unpack it",
	"\x89PNG":  "an image (PNG)", "\xff\xd8\xff": "an image (JPEG)", "%PDF-": "a PDF",
	"PAR1": "Parquet; save it as JSON Lines or CSV"}

var html = regexp.MustCompile(`(?i)^(<!--|<\?xml[^>]*>|\s)*<(!doctype\s+html|html|head|body|table)\b`)

// openSource looks at the beginning of a file and makes a reader for it.
func openSource(r io.Reader, name string, format Format) (*source, error) {
	plain := bufio.NewReader(r)
	for begins, what := range magic {
		if start, _ := plain.Peek(len(begins)); string(start) == begins {
			if inside, _ := plain.Peek(4 << 10); officeZip.Match(inside) && bytes.Contains(inside, []byte("word/")) {
				what = "a Word document; save its rows as CSV or JSON Lines"
			}
			return nil, fault.New(fault.Invalid, "The file can't be read: it is %s.", what)
		}
	}
	b := bufio.NewReaderSize(table.NewText(plain), 64<<10)
	start, _ := b.Peek(32 << 10)
	start = bytes.TrimLeft(bytes.TrimPrefix(start, []byte(byteOrder)), " \t\r\n")
	if html.Match(start) {
		return nil, fault.New(fault.Invalid, "The file can't be read: it is a web page (HTML), whatever its name. "+
			"Save its rows as CSV or JSON Lines.")
	}
	if format == "" {
		format = sniff(start, name)
	}
	seen := spellings{}
	e := &elements{r: b, line: 1}
	s := &source{format: format, note: func() string { return "" }, left: func() []string { return e.left }}
	values := func() (row, error) {
		c, err := e.next()
		if errors.Is(err, io.EOF) {
			return row{}, err
		}
		return seen.fold(readJSON(c)), err
	}
	switch format {
	case JSONL:
		l := table.NewLines(b, MaxRow)
		*e = elements{r: bufio.NewReader(strings.NewReader(""))}
		s.next = func() (row, error) {
			for {
				if r, err := values(); !errors.Is(err, io.EOF) {
					return r, err
				}
				c, err := nextLine(l)
				raw := bytes.TrimPrefix(c.raw, []byte(byteOrder))
				if !bytes.HasPrefix(raw, []byte("[")) {
					return seen.fold(readJSON(c)), err
				}
				e.r, e.line, e.nth = bufio.NewReader(bytes.NewReader(raw)), c.line, 0
			}
		}
	case CSV:
		sheet := table.NewSheet(b) // of our own exports Guard's apostrophes come off; what others wrote stays as it is
		s.note = sheet.Note
		s.names, _ = sheet.Names() // what is wrong with them the first row says
		guarded := !slices.ContainsFunc([]string{"id", "external_id", "hash"}, func(ours string) bool {
			return !slices.Contains(s.names, ours)
		})
		s.next = func() (row, error) {
			r, err := sheet.Next()
			out := row{line: r.Line, err: r.Err, fields: make(fields, len(r.Cells))}
			for name, c := range r.Cells {
				if guarded {
					c = table.Unguard(c)
				}
				out.fields[name] = value{text: c, plain: true}
			}
			return out, err
		}
	case LabelStudio, Records:
		s.next = values
	default:
		return nil, fault.Wrong("Files of this format can't be read.", "format",
			"Choose jsonl, csv, label-studio or records.")
	}
	return s, nil
}

// sniff tells the format by the file's name, and else by how it begins.
func sniff(start []byte, name string) Format {
	switch ext := strings.ToLower(path.Ext(name)); ext {
	case ".jsonl", ".ndjson":
		// a list is one, whatever its name, and so is an object over several lines
		if first, _, _ := bytes.Cut(start, []byte{'\n'}); !bytes.HasPrefix(start, []byte("[")) &&
			string(bytes.TrimSpace(first)) != "{" {
			return JSONL
		}
	case ".csv", ".tsv":
		if first, _, _ := bytes.Cut(start, []byte{'\n'}); !bytes.HasPrefix(first, []byte("{")) || !json.Valid(first) {
			return CSV
		}
	}
	first, _, more := bytes.Cut(start, []byte{'\n'})
	switch {
	case len(start) == 0:
		return JSONL
	case start[0] == '[':
		if bytes.Contains(start, []byte(`"annotations"`)) && bytes.Contains(start, []byte(`"data"`)) {
			return LabelStudio
		}
		return Records
	case start[0] == '{' && (json.Valid(first) || !more && !strings.HasSuffix(name, ".json")):
		var m map[string]json.RawMessage
		if json.Unmarshal(first, &m) == nil && slices.ContainsFunc(listKeys, func(k string) bool {
			return bytes.HasPrefix(m[k], []byte{'['})
		}) {
			return Records
		}
		return JSONL
	case start[0] == '{':
		return Records
	}
	return CSV
}

// ahead reads the first rows, until lookRows of them can be read or there is a whole batch.
func ahead(src *source) (rows []row, err error) {
	for good := 0; good < lookRows && len(rows) < batchRows; {
		r, err := src.next()
		if err != nil {
			return rows, cmp.Or(table.TooWide(len(fieldsOf(src.names, rows))), err)
		}
		rows = append(rows, r)
		if r.err == nil {
			good++
		}
	}
	return rows, table.TooWide(len(fieldsOf(src.names, rows)))
}

// Import reads a file into a set. Broken rows are reported, and the others go in. The error is of what stopped it; what
// went in before stays, and reading the file again takes it up where it stopped, since what is there is passed over.
func (s *Service) Import(ctx context.Context, datasetID string, r io.Reader, o ImportOptions) (rep Report, err error) {
	if o.Labels == "" {
		o.Labels = Ignored
	}
	if !slices.Contains(LabelUses, o.Labels) {
		return rep, fault.Wrong("The labels can't be used like this.", "labels",
			"Choose "+strings.Join(LabelUses, ", ")+".")
	}
	if o.Rater == "" {
		o.Rater = RaterOf(o.Name)
	}
	var set *dataset.Dataset
	if err := s.db.Read(ctx, func(tx *db.Tx) error {
		if err := s.sets.Manages(tx, o.By); err != nil {
			return err
		}
		if o.Labels == AsRater || o.Labels == AsBoth {
			if err := s.sets.MayBringLabels(tx, datasetID, o.By.ID); err != nil {
				return err
			}
		}
		set, err = s.sets.GetTx(tx, datasetID)
		return err
	}); err != nil {
		return rep, err
	}
	count := &counted{Reader: r}
	src, err := openSource(count, o.Name, o.Format)
	if err != nil {
		return rep, err
	}
	first, end := ahead(src)
	if end != nil && !errors.Is(end, io.EOF) {
		return rep, fault.Wrap(fault.Invalid, end, "The file can't be read: %s.", end)
	}
	if len(first) == 0 {
		return rep, noRows(src, first)
	}
	in := &importing{s: s, set: set, o: o, rep: &rep, bytes: count}
	if in.mapping = guessRows(src.names, first, &set.Settings); o.Mapping != nil {
		in.mapping = o.Mapping.or(in.mapping)
	}
	if m := &in.mapping; o.Labels == Ignored {
		m.Label, m.Boundary, m.Codes, m.Rationale, m.Notes, m.Rater = "", "", "", "", "", ""
	}
	rep.Format, rep.Mapping, rep.Labels, rep.Rater = src.format, in.mapping, o.Labels, o.Rater
	if in.mapping.Guidance == "" {
		return rep, fault.Wrong("It is not clear which field holds the guidance.", "guidance",
			"Choose one of these: "+strings.Join(fieldsOf(src.names, first), ", ")+".")
	}
	in.unused(src.names)
	return rep, in.run(ctx, src, first, end)
}

// RaterOf is whose labels are that say nobody, in a file of this name.
func RaterOf(name string) string {
	if name == "" {
		return "import"
	}
	return "import " + strings.ToValidUTF8(fmt.Sprintf("%.60s", path.Base(name)), "")
}

// importing is one import on its way.
type importing struct {
	s       *Service
	set     *dataset.Dataset
	o       ImportOptions
	mapping Mapping
	rep     *Report
	bytes   *counted

	items   []dataset.NewItem
	of      []row // their rows
	ids     map[string]bool
	started bool
}

// run takes batches of rows in; part is what was read already, and end what ended the reading.
func (in *importing) run(ctx context.Context, src *source, part []row, end error) (err error) {
	defer func() { err = errors.Join(err, in.record(context.WithoutCancel(ctx), err == nil)) }()
	for {
		for end == nil && len(part) < batchRows {
			var r row
			if r, end = src.next(); end == nil {
				part = append(part, r)
			}
		}
		for _, r := range part {
			in.take(r)
		}
		if err := errors.Join(ctx.Err(), in.flush(ctx)); err != nil {
			return err
		}
		if end != nil {
			in.left(src.left())
			if note := src.note(); note != "" {
				in.rep.Noted++
				in.rep.problem(0, note, true)
			}
			if errors.Is(end, io.EOF) {
				return nil
			}
			why := ""
			if fault.Is(end, fault.Invalid) {
				why = ": " + fault.Message(end)
			}
			return fault.Wrap(fault.Invalid, end,
				"The file could only be read in part%s. The part that was read was imported.", why)
		}
		part = part[:0]
	}
}

// take makes an item of a row.
func (in *importing) take(r row) {
	in.rep.Rows++
	if r.err == nil {
		var item dataset.NewItem
		in.unused(fieldsOf(nil, []row{r}))
		if in.o.Labels == Ignored {
			r.left = append(r.left, r.beside)
		} else {
			in.rep.Beside = add(in.rep.Beside, r.beside)
			if r.judge != nil {
				r.judge(&r, &in.mapping, &in.set.Settings)
			}
		}
		in.left(r.left)
		if item, r.err = in.item(&r); r.err == nil {
			r.fields = nil
			in.items, in.of = append(in.items, item), append(in.of, r)
			return
		}
	}
	in.rep.Broken++
	in.rep.problem(r.line, r.place()+r.err.Error(), false)
}

// flush writes what was taken.
func (in *importing) flush(ctx context.Context) error {
	if len(in.items) > 0 {
		var out []dataset.Outcome
		err := in.s.db.Write(ctx, func(tx *db.Tx) (err error) {
			if !in.started {
				if err := audit.Note(tx, in.o.By.Actor(), "dataset.import_started", "dataset", in.set.ID,
					map[string]any{"file": in.o.Name, "format": in.rep.Format, "labels": in.o.Labels}); err != nil {
					return err
				}
			}
			out, err = in.s.sets.AddTx(tx, in.set.ID, in.items, in.o.By.Actor())
			return err
		})
		if err != nil {
			return err
		}
		in.started = true
		for i, o := range out {
			switch o.Result {
			case dataset.Added:
				in.rep.Added++
			case dataset.Duplicate:
				if in.rep.Duplicates++; len(in.rep.Here) < mostHere {
					in.rep.Here = append(in.rep.Here, in.of[i].where())
				}
				if o.Labelled {
					in.rep.Labelled++
				}
			default:
				in.rep.Broken++
			}
			r := &in.of[i]
			if in.again(in.items[i].ExternalID) && o.Result == dataset.Added {
				r.noted = append(r.noted, fmt.Sprintf("another text of the file has the id %.40q, too",
					in.items[i].ExternalID))
			}
			if o.Why != "" {
				r.noted = append([]string{o.Why}, r.noted...)
			}
			if len(r.noted) > 0 {
				if o.Result != dataset.Broken {
					in.rep.Noted++
				}
				in.rep.problem(r.line, r.place()+strings.Join(r.noted, "; "), o.Result != dataset.Broken)
			}
		}
		in.items, in.of = in.items[:0], in.of[:0]
	}
	if in.o.Progress != nil {
		in.o.Progress(in.rep.Rows, in.bytes.n)
	}
	return nil
}

// mostIDs bounds how many ids of a file are remembered.
const mostIDs = 100_000

// again reports whether an id was there before.
func (in *importing) again(id string) bool {
	if in.ids == nil {
		in.ids = map[string]bool{}
	}
	before := in.ids[id]
	if id != "" && len(in.ids) < mostIDs {
		in.ids[id] = true
	}
	return before
}

// record tells the audit log how it ended.
func (in *importing) record(ctx context.Context, complete bool) error {
	slices.SortStableFunc(in.rep.Problems, func(a, b imports.Problem) int { return a.Line - b.Line })
	return in.s.db.Write(ctx, func(tx *db.Tx) error {
		return audit.Note(tx, in.o.By.Actor(), "dataset.imported", "dataset", in.set.ID,
			map[string]any{"file": in.o.Name, "format": in.rep.Format, "rows": in.rep.Rows, "added": in.rep.Added,
				"duplicates": in.rep.Duplicates,
				"labelled":   in.rep.Labelled, "broken": in.rep.Broken, "labels": in.o.Labels, "complete": complete})
	})
}
