package transfer

import (
	"bufio"
	"bytes"
	"cmp"
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

// rowError is what is wrong with a row, for a person; reading goes on behind it.
type rowError string

func (e rowError) Error() string { return string(e) }

var (
	errTooLong = rowError(fmt.Sprintf("the row is longer than %d bytes", MaxRow))
	errCut     = rowError("the file is cut off in this row")
)

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

// elements gives the rows of JSON values that stand one after another: those of each list, those of each list that an
// object has under one of listKeys, and any other object as one row. What is none of these is a row that can't be read,
// so that whatever is there is a row or is named in left. It finds ends by counting brackets, so that an element that
// is no JSON costs that element alone, and one without end no more memory than MaxRow.
type elements struct {
	r    *bufio.Reader
	line int
	nth  int      // of the lists' elements, from 1
	left []string // keys, beside lists of rows, whose values are no rows

	list, object bool // it is in a list of rows; in an object, which may have some
	colon        bool // skip passed over one

	// Of the object: its keys, those of them that are no lists of rows, what is wrong with it, and all of it from its
	// line on for as long as it may be a row itself.
	keys  map[string]bool
	names []string
	wrong error
	whole bool
	begun int
	raw   []byte
}

// byteOrder is the mark that files begin with.
const byteOrder = "\ufeff"

func (e *elements) byte() (byte, error) {
	b, err := e.r.ReadByte()
	if b == '\n' {
		e.line++
	}
	if e.whole && err == nil && len(e.raw) <= MaxRow {
		e.raw = append(e.raw, b)
	}
	return b, err
}

// back gives the last byte back; it ended no line.
func (e *elements) back() error {
	if e.whole && len(e.raw) <= MaxRow {
		e.raw = e.raw[:len(e.raw)-1]
	}
	return e.r.UnreadByte()
}

// skip passes over blanks and what separates values, and gives the byte behind them, which stays.
func (e *elements) skip() (byte, error) {
	for e.colon = false; ; {
		if mark, _ := e.r.Peek(len(byteOrder)); !e.object && string(mark) == byteOrder {
			_, _ = e.r.Discard(len(byteOrder))
		}
		b, err := e.byte()
		if err != nil {
			return 0, err
		}
		if e.colon = e.colon || b == ':'; !bytes.ContainsRune([]byte(" \t\r\n,:"), rune(b)) {
			return b, e.back()
		}
	}
}

// next gives the next row; io.EOF behind the last.
func (e *elements) next() (c chunk, err error) {
	for err == nil {
		var b byte
		b, err = e.skip()
		c.line = e.line
		switch {
		case errors.Is(err, io.EOF) && (e.list || e.object):
			e.list, e.object, c.err = false, false, errors.New("the file is cut off: the list does not end")
			if e.whole {
				e.whole, c.line, c.err = false, e.begun, errCut
			}
			return c, nil
		case err != nil:
		case e.list && b == ']':
			_, err = e.byte()
			e.list = false
		case e.list:
			e.nth++
			c.nth = e.nth
			c.raw, c.err = e.value()
			return c, e.stopped(c.err)
		case e.object && b == '}':
			_, err = e.byte()
			if e.object = false; e.whole {
				return e.row(), err
			}
		case e.object:
			if e.whole {
				c.line = e.begun
			}
			if c.err = e.member(); c.err != nil {
				return c, e.stopped(c.err)
			}
		case b == '{':
			e.object, e.whole, e.begun, e.raw = true, true, e.line, nil
			e.keys, e.names, e.wrong = map[string]bool{}, nil, nil
			_, err = e.byte()
		case b == '[':
			_, err = e.byte()
			e.list = true
		default:
			return e.other()
		}
	}
	return c, e.stopped(err)
}

// stopped is an error of the file as a whole; nil for what costs one row.
func (e *elements) stopped(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return err
	}
	if _, row := errors.AsType[rowError](err); row {
		return nil
	}
	return fmt.Errorf("read line %d: %w", e.line, err)
}

// member reads the next member of the object: its value, or up to the first row of a list of them.
func (e *elements) member() error {
	raw, err := e.value()
	if err != nil {
		return err
	}
	b, err := e.skip()
	name := valueOf(raw).text
	twice := e.keys[name]
	switch {
	case errors.Is(err, io.EOF):
		return nil // which next says
	case err != nil:
		return err
	case !e.colon:
		err = rowError(fmt.Sprintf("it is no JSON: %.60q", raw))
	case b == '[' && slices.Contains(listKeys, name) && !twice:
		e.besides(e.names...)
		e.whole, e.list = false, true
		e.keys[name] = true
		if _, err = e.byte(); err == nil {
			err = e.wrong
		}
		return err
	default:
		if _, err = e.value(); errors.Is(err, errTooLong) {
			err = nil // it is no row
		}
		if err == nil && twice {
			err = rowError(fmt.Sprintf("the key %.40q comes twice in one object; this one was not read", name))
		}
	}
	if len(e.keys) < mostSpellings {
		e.keys[name] = true
	}
	switch {
	case e.whole && e.stopped(err) == nil && !errors.Is(err, errCut): // a row says itself what is wrong with it
		e.wrong, e.names, err = cmp.Or(e.wrong, err), append(e.names, name), nil
	case err == nil:
		e.besides(name)
	}
	return err
}

// besides notes keys beside lists of rows.
func (e *elements) besides(names ...string) {
	for _, n := range names {
		if len(e.left) < mostUnused {
			e.left = add(e.left, n+" (beside the rows)")
		}
	}
}

// row is the object as a row: it has no list of them.
func (e *elements) row() chunk {
	e.whole = false
	if len(e.raw) > MaxRow {
		return chunk{line: e.begun, err: errTooLong}
	}
	return chunk{line: e.begun, raw: e.raw}
}

// other reads what is neither a list nor an object, up to a line that begins with one.
func (e *elements) other() (chunk, error) {
	c := chunk{line: e.line}
	var begins []byte
	for last := byte(0); ; {
		next, _ := e.r.Peek(1)
		if last == '\n' && (string(next) == "[" || string(next) == "{") {
			break
		}
		b, err := e.byte()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return c, e.stopped(err)
		}
		if last = b; len(begins) < 60 {
			begins = append(begins, b)
		}
	}
	c.err = rowError(fmt.Sprintf("it is neither a JSON list nor a JSON object: %q",
		strings.TrimSpace(strings.ToValidUTF8(string(begins), ""))))
	return c, nil
}

// value reads one JSON value by its brackets and quotes. What is longer than MaxRow is passed over and errTooLong.
func (e *elements) value() (raw []byte, err error) {
	depth, text, escape, long := 0, false, false, false
	for {
		b, err := e.byte()
		if errors.Is(err, io.EOF) {
			e.list, e.object, e.whole = false, false, false
			return raw, errCut
		} else if err != nil {
			return raw, err
		}
		if !text && depth == 0 && len(raw) > 0 && (b == ',' || b == ']' || b == '}') { // the end of a number or word
			return raw, e.back()
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
