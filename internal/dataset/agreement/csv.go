package agreement

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"preceptor/internal/fault"
)

// maxRow bounds one row of a file in bytes, so that a quotation mark nobody closed does not read all of it into memory.
const maxRow = 1 << 20

var errLongRow = errors.New("row too long")

// ReadCSV reads a table: the first line names the raters, each other line is an item, a blank cell is a missing label. A
// byte order mark and either kind of line end are taken. ignore names columns that are no raters; order is as for
// Builder.Table. An error that the file is to blame for has kind Invalid and names the line.
func ReadCSV(r io.Reader, ignore, order []string) (*Table, error) {
	rows := newRows(r)
	header, err := rows.next()
	switch {
	case errors.Is(err, io.EOF):
		return nil, fault.New(fault.Invalid, "The file is empty. Its first line must name the raters, a column each.")
	case err != nil:
		return nil, err
	case len(header) > MaxRaters:
		return nil, fault.New(fault.Invalid, "Line 1: there are %d columns; %d is the most.", len(header), MaxRaters)
	}
	if len(header) == 1 && strings.ContainsAny(header[0], ";\t") {
		return nil, fault.New(fault.Invalid, "Line 1: there is one column, %q. Save the file with commas between its columns.", header[0])
	}
	keep, names, err := columns(header, ignore)
	if err != nil {
		return nil, err
	}
	b := NewBuilder(names)
	cells := make([]string, len(keep))
	for {
		row, err := rows.next()
		if errors.Is(err, io.EOF) {
			return b.Table(order...)
		}
		if err != nil {
			return nil, err
		}
		if len(row) != len(header) {
			return nil, fault.New(fault.Invalid, "Line %d: there are %d cells, and the first line has %d. A missing label is an empty cell.", rows.line, len(row), len(header))
		}
		for i, c := range keep {
			cells[i] = row[c]
		}
		if err := b.Add(cells...); err != nil {
			return nil, fault.New(fault.Invalid, "Line %d: %s", rows.line, fault.Message(err))
		}
	}
}

// columns are the places and names of the raters. One without a name is called by its number.
func columns(header, ignore []string) (keep []int, names []string, err error) {
	left := map[string]bool{}
	for _, name := range ignore {
		left[name] = false
	}
	for i, name := range header {
		name = strings.TrimSpace(name)
		if _, ok := left[name]; ok {
			left[name] = true
			continue
		}
		if name == "" {
			name = fmt.Sprintf("column %d", i+1)
		}
		keep, names = append(keep, i), append(names, strings.Clone(name))
	}
	for _, name := range ignore {
		if !left[name] {
			return nil, nil, fault.New(fault.Invalid, "There is no column %q to ignore.", name)
		}
	}
	return keep, names, nil
}

// rowReader reads rows that end before maxRow.
type rowReader struct {
	csv   *csv.Reader
	guard *guard
	line  int // where the last row began
}

func newRows(r io.Reader) *rowReader {
	in := bufio.NewReader(r)
	if mark, _ := in.Peek(3); string(mark) == "\uFEFF" {
		_, _ = in.Discard(3) // they were peeked at
	}
	g := &guard{r: in}
	c := csv.NewReader(g)
	c.ReuseRecord = true
	c.FieldsPerRecord = -1
	return &rowReader{csv: c, guard: g}
}

// next is the next row, good until the one after it is read.
func (r *rowReader) next() ([]string, error) {
	r.guard.left = maxRow
	row, err := r.csv.Read()
	var bad *csv.ParseError
	switch {
	case errors.Is(err, errLongRow):
		return nil, fault.New(fault.Invalid, "The row after line %d is longer than %d bytes; a quotation mark may not have been closed.", r.line, maxRow)
	case errors.As(err, &bad):
		return nil, fault.New(fault.Invalid, "Line %d: %s.", bad.Line, quoteTrouble(bad.Err))
	case err != nil && !errors.Is(err, io.EOF):
		return nil, fmt.Errorf("agreement: read: %w", err)
	}
	if err == nil {
		r.line, _ = r.csv.FieldPos(0)
	}
	return row, err
}

func quoteTrouble(err error) string {
	switch {
	case errors.Is(err, csv.ErrBareQuote):
		return `a quotation mark stands inside a cell that does not begin with one; write "" for it and put the cell in quotes`
	case errors.Is(err, csv.ErrQuote):
		return "a quoted cell is not closed, or goes on after its closing quotation mark"
	}
	return "the line can't be read: " + err.Error()
}

// guard fails once more than left bytes were read, at the size of the buffer above it.
type guard struct {
	r    io.Reader
	left int
}

func (g *guard) Read(p []byte) (int, error) {
	if g.left <= 0 {
		return 0, errLongRow
	}
	n, err := g.r.Read(p)
	g.left -= n
	return n, err
}
