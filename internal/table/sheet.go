package table

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
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

// Sheet gives the rows of CSV. It cuts the file into records itself, so that a quote that is never closed costs its line and
// not the rest of the file, nor the memory for it.
type Sheet struct {
	lines  *Lines
	most   int    // bytes of a row
	back   []line // read and given back
	line   int    // the number of the next line, from 1
	comma  rune
	header []string
}

// line is a line of the file, or why there is none.
type line struct {
	text []byte
	err  error
}

// NewSheet reads rows of at most so many bytes. What separates the cells is guessed from the first line.
func NewSheet(r io.Reader, most int) *Sheet {
	return &Sheet{lines: NewLines(r, most), most: most, line: 1}
}

func (t *Sheet) take() (l line) {
	if len(t.back) == 0 {
		l.text, l.err = t.lines.Next()
		return l
	}
	l, t.back = t.back[0], t.back[1:]
	return l
}

// record cuts off the next record, without parsing it: a line, and those behind it while a quote is open. A record that does not end is
// given as its first line, with an error for a person.
func (t *Sheet) record() (raw []byte, at int, bad, err error) {
	var read []line
	quotes := 0
	at = t.line
	for len(raw) <= t.most {
		l := t.take()
		if l.err != nil && !errors.Is(l.err, ErrLong) && len(read) == 0 {
			return nil, at, nil, l.err
		}
		read = append(read, l)
		if l.err != nil {
			break
		}
		raw = append(append(raw, l.text...), '\n')
		if quotes += bytes.Count(l.text, []byte{'"'}); quotes%2 == 0 {
			t.line += len(read)
			return raw, at, nil, nil
		}
	}
	t.line++
	t.back = append(read[1:], t.back...)
	if read[0].err != nil {
		return nil, at, fmt.Errorf("the row is longer than %d bytes", t.most), nil
	}
	return nil, at, errors.New("a quote is not closed"), nil
}

// cells parses one record.
func (t *Sheet) cells(raw []byte) ([]string, error) {
	if !utf8.Valid(raw) {
		return nil, errors.New("it is not valid UTF-8")
	}
	r := csv.NewReader(bytes.NewReader(raw))
	r.Comma, r.FieldsPerRecord = t.comma, -1
	cells, err := r.Read()
	if errors.Is(err, io.EOF) {
		return nil, nil // a blank line
	}
	if pe, ok := errors.AsType[*csv.ParseError](err); ok {
		return nil, fmt.Errorf("it is no CSV: %w", pe.Err)
	}
	return cells, err
}

// Names are those on the first line, in their order. An error is of the file as a whole: Invalid where the file is to blame.
func (t *Sheet) Names() ([]string, error) {
	for t.header == nil {
		raw, at, bad, err := t.record()
		switch {
		case errors.Is(err, io.EOF):
			return nil, fault.New(fault.Invalid, "the file is empty")
		case err != nil:
			return nil, fmt.Errorf("read line %d: %w", at, err)
		case at == 1:
			raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
		}
		t.comma = separator(raw)
		cells, err := t.cells(raw)
		if err = errors.Join(bad, err); err != nil {
			return nil, fault.Wrap(fault.Invalid, err, "the first line: %s", err)
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

// separator is what stands between the names of the first line most often.
func separator(line []byte) rune {
	best, most := ',', 0
	for _, c := range []rune{',', ';', '\t'} {
		if n := bytes.Count(line, []byte(string(c))); n > most {
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
	for {
		raw, line, bad, err := t.record()
		if err != nil {
			return SheetRow{}, err
		}
		if bad != nil {
			return SheetRow{Line: line, Err: bad}, nil
		}
		cells, err := t.cells(raw)
		if err != nil {
			return SheetRow{Line: line, Err: err}, nil
		}
		if len(cells) == 0 {
			continue
		}
		if len(cells) != len(t.header) {
			return SheetRow{Line: line, Err: fmt.Errorf("it has %d cells, and the first line %d", len(cells), len(t.header))}, nil
		}
		row := SheetRow{Line: line, Cells: make(map[string]string, len(cells))}
		for i, c := range cells {
			row.Cells[t.header[i]] = Unguard(c)
		}
		return row, nil
	}
}
