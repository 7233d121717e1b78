package transfer

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"preceptor/internal/platform/table"
)

// chunk is one row of a file as it stands there.
type chunk struct {
	line int // where it begins, from 1
	nth  int // of an array's elements, from 1
	raw  []byte
	err  error // for a person: why the row can't be read
}

// errTooLong is what is wrong with a row of more than MaxRow bytes.
var errTooLong = fmt.Errorf("the row is longer than %d bytes", MaxRow)

// counted counts what was read.
type counted struct {
	io.Reader
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
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

// elements gives the elements of a JSON array, which is the document or stands in it under one of listKeys. It finds
// their ends by counting brackets, so that an element that is no JSON costs that element alone, and one without end no
// more memory than MaxRow.
type elements struct {
	r     *bufio.Reader
	line  int
	nth   int
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

// skip passes over blanks and what separates values, and gives the byte behind them, which stays.
func (e *elements) skip() (byte, error) {
	for {
		b, err := e.byte()
		if err != nil {
			return 0, err
		}
		if !bytes.ContainsRune([]byte(" \t\r\n,:"), rune(b)) {
			return b, e.r.UnreadByte()
		}
	}
}

// begin goes to the first element.
func (e *elements) begin() error {
	e.begun = true
	first, err := e.skip()
	switch {
	case err != nil:
		return err
	case first != '[' && first != '{':
		return errors.New("the file is neither a JSON array nor a JSON object")
	}
	_, err = e.byte()
	for key := ""; first == '{' && err == nil; {
		var b byte
		if b, err = e.skip(); errors.Is(err, io.EOF) || b == '}' {
			return errors.New("the file is a JSON object without a list of rows: none of " +
				strings.Join(listKeys, ", "))
		}
		if b == '[' && slices.Contains(listKeys, key) {
			_, err = e.byte()
			return err
		}
		var raw []byte
		if raw, err = e.value(); errors.Is(err, errTooLong) {
			err = nil
		}
		key = string(bytes.Trim(raw, `"`)) // a value is taken for a key, too: a key follows it
	}
	return err
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
	if !e.begun {
		if err := e.begin(); err != nil {
			return chunk{}, err
		}
	}
	if e.ended {
		return chunk{}, io.EOF
	}
	b, err := e.skip()
	switch {
	case errors.Is(err, io.EOF):
		e.ended = true
		return chunk{line: e.line, err: errors.New("the file is cut off: the list does not end")}, nil
	case err != nil:
		return chunk{}, err
	case b == ']':
		e.ended = true
		return chunk{}, io.EOF
	}
	e.nth++
	c := chunk{line: e.line, nth: e.nth}
	if c.raw, c.err = e.value(); c.err != nil && !errors.Is(c.err, errTooLong) && !e.ended {
		return c, fmt.Errorf("read line %d: %w", e.line, c.err)
	}
	return c, nil
}
