package transfer

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"

	"preceptor/internal/table"
)

// chunk is one row of a file as it stands there.
type chunk struct {
	line int // where it begins, from 1
	raw  []byte
	err  error // for a person: why the row can't be read
}

// errTooLong is what is wrong with a row of more than MaxRow bytes.
var errTooLong = fmt.Errorf("the row is longer than %d bytes", MaxRow)

// counted counts what was read; it is asked while another goroutine reads.
type counted struct {
	io.Reader
	n atomic.Int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// nextLine gives the next line that is not blank; io.EOF at the end.
func nextLine(lines *table.Lines) (chunk, error) {
	for {
		raw, err := lines.Next()
		switch {
		case errors.Is(err, table.ErrLong):
			return chunk{line: lines.N, err: errTooLong}, nil
		case errors.Is(err, io.EOF):
			return chunk{}, err
		case err != nil:
			return chunk{}, fmt.Errorf("read line %d: %w", lines.N, err)
		}
		if raw = bytes.TrimSpace(raw); len(raw) > 0 {
			return chunk{line: lines.N, raw: raw}, nil
		}
	}
}

// listKeys are the keys of a JSON object under which its rows stand.
var listKeys = []string{"rows", "records", "items", "tasks", "examples", "data"}

// elements gives the elements of a JSON array, which is the document or stands in it under one of listKeys. It finds their ends
// by counting brackets, so that an element that is no JSON costs that element alone.
type elements struct {
	r     *bufio.Reader
	line  int
	begun bool
	ended bool
}

func (e *elements) byte() (byte, error) {
	b, err := e.r.ReadByte()
	if b == '\n' {
		e.line++
	}
	return b, err
}

// skip passes over blanks and gives the byte behind them, which stays.
func (e *elements) skip() (byte, error) {
	for {
		b, err := e.byte()
		if err != nil {
			return 0, err
		}
		if b != ' ' && b != '\t' && b != '\r' && b != '\n' {
			return b, e.r.UnreadByte()
		}
	}
}

// begin goes to the first element.
func (e *elements) begin() error {
	e.begun, e.line = true, max(e.line, 1)
	b, err := e.skip()
	if err != nil {
		return err
	}
	switch b {
	case '[':
		_, err = e.byte()
		return err
	case '{':
		_, err = e.byte()
		if err != nil {
			return err
		}
		return e.find()
	}
	return errors.New("the file is neither a JSON array nor a JSON object")
}

// find goes through an object up to the array under one of listKeys.
func (e *elements) find() error {
	none := errors.New("the file is a JSON object without a list of rows: none of rows, records, items, tasks, examples and data")
	for {
		b, err := e.skip()
		switch {
		case errors.Is(err, io.EOF) || err == nil && b == '}':
			return none
		case err != nil:
			return err
		case b == ',' || b == ':':
			if _, err := e.byte(); err != nil {
				return err
			}
			continue
		case b != '"':
			return none
		}
		key, err := e.value()
		if err != nil {
			return err
		}
		if b, err = e.skip(); err != nil || b != ':' {
			return none
		}
		if _, err = e.byte(); err != nil {
			return none
		}
		if b, err = e.skip(); err != nil {
			return none
		}
		if b == '[' && slices.Contains(listKeys, string(bytes.Trim(key, `"`))) {
			_, err = e.byte()
			return err
		}
		if _, err := e.value(); err != nil && !errors.Is(err, errTooLong) {
			return err
		}
	}
}

// value reads one JSON value by its brackets and quotes. What is longer than MaxRow is passed over and errTooLong.
func (e *elements) value() (raw []byte, err error) {
	depth, text, escape, long := 0, false, false, false
	for {
		b, err := e.byte()
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = errors.New("the file is cut off in this row")
				e.ended = true
			}
			return raw, err
		}
		if !text && depth == 0 && len(raw) > 0 && (b == ',' || b == ']' || b == '}') { // the end of a number or word
			return raw, e.r.UnreadByte()
		}
		if len(raw) < MaxRow {
			raw = append(raw, b)
		} else {
			long = true
		}
		switch {
		case escape:
			escape = false
			continue
		case text && b == '\\':
			escape = true
			continue
		case b == '"':
			text = !text
		case text:
			continue
		case b == '{' || b == '[':
			depth++
			continue
		case b == '}' || b == ']':
			depth--
		default:
			continue
		}
		if depth <= 0 && !text {
			if long {
				return nil, errTooLong
			}
			return raw, nil
		}
	}
}

func (e *elements) next() (chunk, error) {
	if e.ended {
		return chunk{}, io.EOF
	}
	if !e.begun {
		if err := e.begin(); err != nil {
			return chunk{}, err
		}
	}
	for {
		b, err := e.skip()
		if errors.Is(err, io.EOF) {
			e.ended = true
			return chunk{line: e.line, err: errors.New("the file is cut off: the list does not end")}, nil
		}
		if err != nil {
			return chunk{}, err
		}
		if b == ']' {
			e.ended = true
			return chunk{}, io.EOF
		}
		if b != ',' {
			break
		}
		if _, err := e.byte(); err != nil {
			return chunk{}, err
		}
	}
	c := chunk{line: e.line}
	raw, err := e.value()
	switch {
	case err != nil && (errors.Is(err, errTooLong) || e.ended):
		c.err = err
	case err != nil:
		return c, fmt.Errorf("read line %d: %w", e.line, err)
	default:
		c.raw = raw
	}
	return c, nil
}
