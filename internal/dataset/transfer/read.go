package transfer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

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

// counted counts what was read, and remembers where its lines end.
type counted struct {
	io.Reader
	n    int64
	ends []int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	for i, b := range p[:n] {
		if b == '\n' {
			c.ends = append(c.ends, c.n+int64(i))
		}
	}
	c.n += int64(n)
	return n, err
}

// line is the line that the byte at stands on, from 1.
func (c *counted) line(at int64) int {
	n, _ := slices.BinarySearch(c.ends, at)
	return n + 1
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

// elements gives the elements of a JSON array, which is the document or stands in it under one of listKeys. An element that is wrong in
// itself costs that element alone; where the file is no JSON any more, reading ends.
type elements struct {
	in    *counted
	dec   *json.Decoder
	begun bool
}

func newElements(r io.Reader) *elements {
	in := &counted{Reader: r}
	return &elements{in: in, dec: json.NewDecoder(in)}
}

// begin goes to the first element.
func (e *elements) begin() error {
	e.begun = true
	switch t, err := e.dec.Token(); {
	case err != nil || t == json.Delim('['):
		return err
	case t != json.Delim('{'):
		return errors.New("the file is neither a JSON array nor a JSON object")
	}
	for e.dec.More() {
		key, err := e.dec.Token()
		for depth := 0; err == nil; {
			var t json.Token
			switch t, err = e.dec.Token(); t {
			case json.Delim('['), json.Delim('{'):
				if name, _ := key.(string); depth == 0 && t == json.Delim('[') && slices.Contains(listKeys, name) {
					return nil
				}
				depth++
			case json.Delim(']'), json.Delim('}'):
				depth--
			}
			if depth == 0 {
				break
			}
		}
		if err != nil {
			return err
		}
	}
	return errors.New("the file is a JSON object without a list of rows: none of " + strings.Join(listKeys, ", "))
}

func (e *elements) next() (chunk, error) {
	if !e.begun {
		if err := e.begin(); err != nil {
			return chunk{}, err
		}
	}
	if !e.dec.More() {
		if _, err := e.dec.Token(); err != nil {
			return chunk{}, errors.New("the file is cut off: the list does not end")
		}
		return chunk{}, io.EOF
	}
	var raw json.RawMessage
	if err := e.dec.Decode(&raw); err != nil {
		return chunk{}, fmt.Errorf("line %d: %w", e.in.line(e.dec.InputOffset()), err)
	}
	c := chunk{line: e.in.line(e.dec.InputOffset() - int64(len(raw))), raw: raw}
	if len(raw) > MaxRow {
		c.raw, c.err = nil, errTooLong
	}
	return c, nil
}
