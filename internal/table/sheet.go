package table

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"preceptor/internal/fault"
)

// SheetRow is a row of CSV: its cells by their names on the first line, or why it can't be taken, for a person.
type SheetRow struct {
	Line  int // where it begins, from 1
	Cells map[string]string
	Err   error
}

// A record is at most so long; a quote that is never closed costs no more than that.
const (
	recordLines = 200
	recordBytes = 1 << 20
)

// Sheet gives the rows of CSV. encoding/csv reads each record from a bounded piece of the file. A record that can't be
// taken costs its first line; reading goes on at the line behind it.
type Sheet struct {
	lines  *Lines
	text   *Text
	back   []line // read and given back
	line   int    // the number of the next line, from 1
	comma  rune
	header []string
	piece  piece
	csv    *bufio.Reader // on piece
}

// line is a line of the file, or why there is none.
type line struct {
	text []byte
	err  error
}

// NewSheet reads CSV in any of the encodings of NewText and Windows-1252. What separates the cells is named on a first
// line such as "sep=;", or is what cuts the first rows into equally many.
func NewSheet(r io.Reader) *Sheet {
	t := &Sheet{text: NewText(r), line: 1}
	t.text.western = true
	t.lines = NewLines(t.text, recordBytes)
	t.csv = bufio.NewReader(&t.piece)
	return t
}

// Note is what a person should know about the file as a whole, once it is read; "" is nothing.
func (t *Sheet) Note() string { return t.text.Note }

func (t *Sheet) take() (l line) {
	if len(t.back) == 0 {
		l.text, l.err = t.lines.Next()
		return l
	}
	l, t.back = t.back[0], t.back[1:]
	return l
}

// piece gives encoding/csv the lines of one record as it asks for them, up to the bounds.
type piece struct {
	t      *Sheet
	read   []line
	raw    []byte // of the lines, and what was given of it
	given  int
	starts []int
}

func (p *piece) Read(b []byte) (int, error) {
	if p.given == len(p.raw) {
		if len(p.read) == recordLines || len(p.raw) > recordBytes {
			return 0, io.EOF
		}
		l := p.t.take()
		p.read, p.starts = append(p.read, l), append(p.starts, len(p.raw))
		if l.err != nil {
			return 0, io.EOF
		}
		p.raw = append(append(p.raw, l.text...), '\n')
	}
	n := copy(b, p.raw[p.given:])
	p.given += n
	return n, nil
}

// record reads the next record that is not blank, of so many cells unless that is 0, and says on which line it begins.
// bad says for a person why it can't be taken; err is of the file as a whole.
func (t *Sheet) record(cells int) (list []string, at int, bad, err error) {
	l := t.take()
	for ; l.err == nil && len(l.text) == 0; l = t.take() {
		t.line++
	}
	at = t.line
	t.line++
	switch {
	case errors.Is(l.err, ErrLong):
		return nil, at, errors.New("the row is longer than 1 MB"), nil
	case l.err != nil:
		return nil, at, nil, l.err
	}
	p := &t.piece
	p.read = append(p.read[:0], l)
	list, bad = t.cells(false)
	if errors.Is(bad, csv.ErrBareQuote) {
		list, bad = t.cells(true)
	}
	if bad == nil && cells > 0 && len(list) != cells {
		bad = fmt.Errorf("it has %d cells, and the first line %d", len(list), cells)
	}
	if bad == nil {
		t.line += len(p.read) - 1
	} else {
		t.back = append(slices.Clone(p.read[1:]), t.back...)
	}
	return list, at, bad, nil
}

// cells parses the record that begins with what was read. A quote in a cell that doesn't begin with one is text, which
// the parser is to be lazy for; in a cell that does, each must be doubled: the cell would else take in those behind it.
func (t *Sheet) cells(lazy bool) ([]string, error) {
	p := &t.piece
	t.back = append(slices.Clone(p.read), t.back...)
	*p = piece{t: t, read: p.read[:0], raw: p.raw[:0], starts: p.starts[:0]}
	t.csv.Reset(p)
	r := csv.NewReader(t.csv)
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = t.comma, -1, lazy
	cells, err := r.Read()
	switch {
	case errors.Is(err, csv.ErrQuote):
		return nil, errors.New(openQuote)
	case err != nil:
		return nil, fmt.Errorf("it is no CSV: %w", err)
	}
	for i, c := range cells {
		line, column := r.FieldPos(i)
		raw := p.raw[p.starts[line-1]+column-1:]
		if lazy && bytes.HasPrefix(raw, []byte{'"'}) &&
			!bytes.HasPrefix(raw, []byte(`"`+strings.ReplaceAll(c, `"`, `""`)+`"`)) {
			return nil, errors.New(openQuote)
		}
		if !utf8.ValidString(c) {
			return nil, errors.New("it is not valid UTF-8")
		}
	}
	return cells, nil
}

const openQuote = "a quotation mark is not closed, or not doubled"

// Names are those on the first line, in their order. An error is of the file as a whole: Invalid where the file is to blame.
func (t *Sheet) Names() ([]string, error) {
	for t.header == nil {
		if t.comma == 0 {
			t.begin()
		}
		cells, at, bad, err := t.record(0)
		switch {
		case errors.Is(err, io.EOF):
			return nil, fault.New(fault.Invalid, "the file is empty")
		case err != nil:
			return nil, fmt.Errorf("read line %d: %w", at, err)
		case bad != nil:
			return nil, fault.Wrap(fault.Invalid, bad, "the first line: %s", bad)
		}
		seen := map[string]bool{}
		for i, c := range cells {
			if c = strings.TrimSpace(c); c == "" {
				c = fmt.Sprintf("column %d", i+1)
			}
			if seen[c] {
				return nil, fault.New(fault.Invalid, "the first line names %.40q twice", c)
			}
			seen[c] = true
			t.header = append(t.header, c)
		}
	}
	return t.header, nil
}

// sampleRows and sampleBytes bound what tells which separator a file has.
const (
	sampleRows  = 20
	sampleBytes = 64 << 10
)

// begin finds out what separates the cells.
func (t *Sheet) begin() {
	var ahead []line
	var sample []byte
	for len(ahead) <= sampleRows && len(sample) < sampleBytes {
		l := t.take()
		ahead = append(ahead, l)
		if l.err != nil {
			break
		}
		sample = append(append(sample, l.text...), '\n')
	}
	t.back = ahead
	said := bytes.Trim(ahead[0].text, `"`)
	if rest, ok := bytes.CutPrefix(bytes.ToLower(said), []byte("sep=")); ok && len(rest) == 1 &&
		bytes.ContainsAny(rest, separators) {
		t.comma, t.back, t.line = rune(rest[0]), ahead[1:], t.line+1
		return
	}
	t.comma = separator(sample)
}

const separators = ",;\t|"

// separator is the one that cuts most rows into as many cells as the first, and that into most.
func separator(sample []byte) rune {
	best, most := ',', 0
	for _, c := range separators {
		r := csv.NewReader(bytes.NewReader(sample))
		r.Comma, r.FieldsPerRecord, r.LazyQuotes = c, -1, true
		first, _ := r.Read()
		same := 1
		for row, err := r.Read(); err == nil; row, err = r.Read() {
			if len(row) == len(first) {
				same++
			}
		}
		if n := same<<16 + len(first); len(first) > 1 && n > most {
			best, most = c, n
		}
	}
	return best
}

// Next gives the next row that is not blank; io.EOF at the end. An error is of the file as a whole.
func (t *Sheet) Next() (SheetRow, error) {
	if _, err := t.Names(); err != nil {
		return SheetRow{}, err
	}
	cells, line, bad, err := t.record(len(t.header))
	if err != nil || bad != nil {
		return SheetRow{Line: line, Err: bad}, err
	}
	row := SheetRow{Line: line, Cells: make(map[string]string, len(cells))}
	for i, c := range cells {
		row.Cells[t.header[i]] = Unguard(c)
	}
	return row, nil
}
