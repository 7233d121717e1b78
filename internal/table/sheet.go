package table

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
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
	most   int // bytes of a row
	r      io.Reader
	buf    []byte // what was read and not used
	eof    bool
	line   int // of the first byte of buf
	comma  rune
	header []string
}

// NewSheet reads rows of at most so many bytes. What separates the cells is guessed from the first line.
func NewSheet(r io.Reader, most int) *Sheet { return &Sheet{r: r, most: most} }

// fill reads more; false at the end of the file or when buf is full.
func (t *Sheet) fill() (bool, error) {
	if t.eof || len(t.buf) > t.most {
		return false, nil
	}
	part := make([]byte, 64<<10)
	n, err := t.r.Read(part)
	t.buf = append(t.buf, part[:n]...)
	if errors.Is(err, io.EOF) {
		t.eof = true
		return n > 0, nil
	}
	if err != nil {
		return false, fmt.Errorf("read line %d: %w", t.line, err)
	}
	return true, nil
}

// record cuts off the next record, without parsing it. A record that does not end is given as its first line, with an error
// for a person.
func (t *Sheet) record() (raw []byte, line int, bad, err error) {
	at, quoted := 0, false
	for {
		for ; at < len(t.buf); at++ {
			switch t.buf[at] {
			case '"':
				quoted = !quoted
			case '\n':
				if !quoted {
					raw, line = t.cut(at+1), t.line
					t.line += bytes.Count(raw, []byte{'\n'})
					return raw, line, nil, nil
				}
			}
		}
		more, err := t.fill()
		if err != nil {
			return nil, t.line, nil, err
		}
		if more {
			continue
		}
		if len(t.buf) == 0 {
			return nil, t.line, nil, io.EOF
		}
		line = t.line
		if !quoted && t.eof {
			return t.cut(len(t.buf)), line, nil, nil
		}
		bad = fmt.Errorf("the row is longer than %d bytes", t.most)
		if quoted {
			bad = errors.New("a quote is not closed")
		}
		end := bytes.IndexByte(t.buf, '\n') + 1
		if end == 0 {
			if err := t.passLine(); err != nil {
				return nil, line, nil, err
			}
			t.line++
			return nil, line, bad, nil
		}
		t.cut(end)
		t.line++
		return nil, line, bad, nil
	}
}

// passLine drops all up to the end of a line that is longer than the buffer.
func (t *Sheet) passLine() error {
	for {
		if at := bytes.IndexByte(t.buf, '\n'); at >= 0 {
			t.cut(at + 1)
			return nil
		}
		t.buf = t.buf[:0]
		if more, err := t.fill(); err != nil || !more {
			return err
		}
	}
}

func (t *Sheet) cut(n int) []byte {
	raw := t.buf[:n:n]
	t.buf = t.buf[n:]
	return raw
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

// begin reads the header.
func (t *Sheet) begin() error {
	t.line = 1
	for t.header == nil {
		raw, _, bad, err := t.record()
		if errors.Is(err, io.EOF) {
			return errors.New("the file is empty")
		}
		if err = errors.Join(err, bad); err != nil {
			return err
		}
		t.comma = separator(raw)
		cells, err := t.cells(raw)
		if err != nil {
			return fmt.Errorf("the first line: %w", err)
		}
		if len(cells) == 0 {
			continue
		}
		seen := map[string]bool{}
		for i, c := range cells {
			if c = strings.TrimSpace(c); c == "" {
				c = fmt.Sprintf("column %d", i+1)
			}
			if seen[c] {
				return fmt.Errorf("the first line names %.40q twice", c)
			}
			seen[c] = true
			t.header = append(t.header, c)
		}
	}
	return nil
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
	if t.header == nil {
		if err := t.begin(); err != nil {
			return SheetRow{}, err
		}
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
