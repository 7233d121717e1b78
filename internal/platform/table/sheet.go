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

	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
)

// SheetRow is a row of CSV: its cells by their names on the first line, or why it can't be taken, for a person.
type SheetRow struct {
	Line  int // where it begins, from 1
	Lines int // that it has
	Cells map[string]string
	Err   error
}

// A record is at most recordBytes long. What is given back of those that don't end is read again, and so much in all
// that reading takes no more than some times as long: spare, and spareOf for each byte that was taken. In a file of
// nothing but such records, they have recordLines.
const (
	recordBytes = 1 << 20
	recordLines = 200
	spare       = 16 << 20
	spareOf     = 4
)

// Sheet gives the rows of CSV. encoding/csv reads each record from a bounded piece of the file. A record that can't be
// taken costs its lines, and one with a quote that is never closed its first; reading goes on at the line behind.
type Sheet struct {
	lines  *Lines
	text   *Text
	back   []line // read and given back, the next one last
	spare  int
	line   int // the number of the next line, from 1
	comma  rune
	header []string
	wrong  error // with the first line
	note   string
	piece  piece
	csv    *bufio.Reader // on piece
}

// line is a line of the file, or why there is none.
type line struct {
	text []byte
	err  error
}

// NewSheet reads CSV in any of the encodings of NewText, or in one that can be guessed. What separates the cells is
// named on a first line such as "sep=;", or is what cuts the first rows into equally many.
func NewSheet(r io.Reader) *Sheet {
	t := &Sheet{text: NewText(r), line: 1, spare: spare}
	if mark, _ := t.text.b.Peek(len(byteOrder)); string(mark) == byteOrder {
		_, _ = t.text.b.Discard(len(byteOrder))
	} else {
		t.text.western = true
	}
	t.lines = NewLines(t.text, recordBytes)
	t.csv = bufio.NewReader(&t.piece)
	return t
}

// Note is what a person should know about the file as a whole, once it is read; "" is nothing.
func (t *Sheet) Note() string { return strings.TrimSpace(t.text.Note + " " + t.note) }

func (t *Sheet) take() (l line) {
	last := len(t.back) - 1
	if last < 0 {
		l.text, l.err = t.lines.Next()
		return l
	}
	l, t.back = t.back[last], t.back[:last]
	return l
}

// give takes lines back.
func (t *Sheet) give(list []line) {
	for _, l := range slices.Backward(list) {
		t.back = append(t.back, l)
	}
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
	if p.given == len(p.raw) && !p.more() {
		return 0, io.EOF
	}
	n := copy(b, p.raw[p.given:])
	p.given += n
	return n, nil
}

// more reads a line.
func (p *piece) more() bool {
	n := len(p.read)
	if len(p.raw) > recordBytes || n >= recordLines && p.t.spare < 0 || n > 0 && p.read[n-1].err != nil {
		return false
	}
	l := p.t.take()
	p.read, p.starts = append(p.read, l), append(p.starts, len(p.raw))
	if l.err == nil {
		p.raw = append(append(p.raw, l.text...), '\n')
	}
	return l.err == nil
}

// end is how many lines a cell takes up that is quoted and has, from a place in it, a quote that is not doubled: those
// to the quote that closes it. When one before that opens another cell, or none closes it, the first line is all.
func (p *piece) end(i int) int {
	for ; i < len(p.raw) || p.more(); i++ {
		if p.raw[i] != '"' {
			continue
		}
		switch before, behind := rune(p.raw[i-1]), rune(p.raw[i+1]); {
		case behind == '"':
			i++
		case behind == '\n' || behind == p.t.comma:
			return len(p.read)
		case before == '\n' || before == p.t.comma:
			return 1
		}
	}
	return 1
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
	l.text = bytes.TrimPrefix(l.text, []byte(byteOrder)) // of a file that was put behind another
	p := &t.piece
	p.read = append(p.read[:0], l)
	list, lines, bad := t.cells(false)
	if errors.Is(bad, csv.ErrBareQuote) {
		list, lines, bad = t.cells(true)
	}
	switch wrong := bad == nil && cells > 0 && len(list) != cells; {
	case wrong && slices.ContainsFunc(list, func(c string) bool { return strings.HasPrefix(c, ` "`) }):
		bad = errors.New(spaceQuote)
	case wrong:
		bad = fmt.Errorf("it has %s, and the first line %d", text.Count(len(list), "cell"), cells)
	}
	t.line += lines - 1
	t.give(p.read[lines:])
	taken := len(p.raw)
	if lines < len(p.read) {
		taken = p.starts[lines]
	}
	t.spare += spareOf*taken - (len(p.raw) - taken)
	return list, at, bad, nil
}

// cells parses the record that begins with what was read, and says how many lines it has. A quote in a cell that
// doesn't begin with one is text, which the parser is to be lazy for; in a cell that does, each must be doubled: the
// cell would else take in those behind it.
func (t *Sheet) cells(lazy bool) (cells []string, lines int, err error) {
	p := &t.piece
	t.give(p.read)
	*p = piece{t: t, read: p.read[:0], raw: p.raw[:0], starts: p.starts[:0]}
	t.csv.Reset(p)
	r := csv.NewReader(t.csv)
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = t.comma, -1, lazy
	cells, err = r.Read()
	if wrong, ok := errors.AsType[*csv.ParseError](err); ok && errors.Is(err, csv.ErrQuote) {
		at := len(p.raw) // none closes it, or:
		if line := wrong.Line - 1; line < len(p.starts) {
			at = min(at, p.starts[line]+max(1, wrong.Column)-1)
		}
		lines, why := p.end(at), openQuote
		if len(p.raw) > recordBytes {
			why = "a quotation mark is not closed within 1 MB"
		}
		return nil, lines, errors.New(why)
	} else if err != nil {
		return nil, 1, fmt.Errorf("it is no CSV: %w", err)
	}
	lines = len(p.read)
	for i, c := range cells {
		line, column := r.FieldPos(i)
		raw := p.raw[p.starts[line-1]+column-1:]
		if lazy && bytes.HasPrefix(raw, []byte{'"'}) &&
			!bytes.HasPrefix(raw, []byte(`"`+strings.ReplaceAll(c, `"`, `""`)+`"`)) {
			return nil, p.end(len(p.raw) - len(raw) + 1), errors.New(openQuote)
		}
		if !utf8.ValidString(c) {
			return nil, lines, errors.New("it is not valid UTF-8")
		}
	}
	return cells, lines, nil
}

const (
	openQuote  = "a quotation mark is not closed, or not doubled"
	spaceQuote = "a space stands before a quotation mark, so the cell isn't read as quoted; remove the space"
)

// Names are those on the first line, in their order. An error is of the file as a whole: Invalid where the file is to
// blame.
func (t *Sheet) Names() ([]string, error) {
	if t.header == nil && t.wrong == nil {
		t.header, t.wrong = t.names()
	}
	return t.header, t.wrong
}

func (t *Sheet) names() (names []string, err error) {
	t.begin()
	cells, at, bad, err := t.record(0)
	for err == nil && bad == nil && len(cells) == 1 && strings.TrimSpace(cells[0]) == "" {
		cells, at, bad, err = t.record(0)
	}
	switch {
	case errors.Is(err, io.EOF):
		return nil, fault.New(fault.Invalid, "the file is empty")
	case err != nil:
		return nil, fmt.Errorf("read line %d: %w", at, err)
	case bad != nil:
		return nil, fault.Wrap(fault.Invalid, bad, "the first line: %s", bad)
	}
	if err := TooWide(len(cells)); err != nil {
		return nil, err
	}
	seen := map[string]string{}
	for i, c := range cells {
		if c = strings.TrimSpace(c); c == "" {
			c = fmt.Sprintf("column %d", i+1)
		}
		if before, twice := seen[Fold(c)]; twice && before == c {
			return nil, fault.New(fault.Invalid, "the first line names %.40q twice", c)
		} else if twice {
			return nil, fault.New(fault.Invalid, "the first line names %.40q and %.40q, which differ in case alone",
				before, c)
		}
		seen[Fold(c)] = c
		names = append(names, c)
	}
	return names, nil
}

// MaxColumns bounds what a file has: a page can't ask about more.
const MaxColumns = 2_000

// TooWide is what is wrong with a file of more columns; nil for fewer.
func TooWide(columns int) error {
	if columns <= MaxColumns {
		return nil
	}
	return fault.New(fault.Invalid, "it has %s, and at most 2,000 are read; remove those that aren't needed",
		text.Count(columns, "column"))
}

// Fold is a column's name as it is compared: without case.
func Fold(name string) string { return strings.ToLower(strings.ToUpper(name)) }

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
	ahead, sample = t.comments(ahead, sample)
	t.give(ahead)
	said := bytes.Trim(ahead[0].text, `"`)
	if rest, ok := bytes.CutPrefix(bytes.ToLower(said), []byte("sep=")); ok && len(rest) == 1 &&
		bytes.ContainsAny(rest, separators) {
		t.take()
		t.comma, t.line = rune(rest[0]), t.line+1
		return
	}
	t.comma = separator(sample)
}

// comments passes over lines at the top that begin with # and have not the cells of the line below them.
func (t *Sheet) comments(ahead []line, sample []byte) ([]line, []byte) {
	n, rest := 0, sample
	for n < len(ahead) && bytes.HasPrefix(ahead[n].text, []byte("#")) {
		rest = rest[len(ahead[n].text)+1:]
		n++
	}
	if n == 0 || len(rest) == 0 {
		return ahead, sample
	}
	comma := separator(rest)
	if cells := func(b []byte) int { return bytes.Count(b, []byte(string(comma))) }; cells(ahead[n-1].text) ==
		cells(ahead[n].text) && cells(ahead[n].text) > 0 {
		return ahead, sample
	}
	t.line += n
	t.note = text.Count(n, "line") + " above the names of the columns begin with # and were not read."
	if n == 1 {
		t.note = "The first line begins with # and was not read."
	}
	return ahead[n:], rest
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
	lines := t.line - line
	if bad != nil && lines > 1 {
		bad = fmt.Errorf("%w; it ends on line %d", bad, t.line-1)
	}
	if err != nil || bad != nil {
		return SheetRow{Line: line, Lines: lines, Err: bad}, err
	}
	same := func(c, name string) bool { return strings.TrimSpace(c) == name }
	if len(cells) > 1 && slices.EqualFunc(cells, t.header, same) {
		return SheetRow{Line: line, Lines: lines, Err: errors.New("it is the first line of the file again")}, nil
	}
	row := SheetRow{Line: line, Lines: lines, Cells: make(map[string]string, len(cells))}
	for i, c := range cells {
		row.Cells[t.header[i]] = c
	}
	return row, nil
}
