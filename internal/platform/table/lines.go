package table

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"preceptor/internal/platform/fault"
)

// ErrLong is what Next says of a line that is longer than the bound; it was read to its end and dropped.
var ErrLong = errors.New("the line is too long")

// Lines gives the lines of a file, such as JSON Lines.
type Lines struct {
	N    int // of the line that was read last, from 1
	in   *bufio.Reader
	most int
}

// NewLines reads lines of at most so many bytes.
func NewLines(r io.Reader, most int) *Lines {
	return &Lines{in: bufio.NewReaderSize(r, 64<<10), most: most}
}

// Next gives the next line without its end, blank ones too; io.EOF after the last.
func (l *Lines) Next() (line []byte, err error) {
	l.N++
	long := false
	for {
		part, err := l.in.ReadSlice('\n')
		if long = long || len(line)+len(part) > l.most; !long {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil && (!errors.Is(err, io.EOF) || len(line) == 0 && !long):
			return nil, err
		case long:
			return nil, ErrLong
		default:
			return bytes.TrimRight(line, "\r\n"), nil
		}
	}
}

// All gives the lines that are not blank, the first without a byte order mark. One that is too long comes as an Invalid
// fault, and the rest follows it; any other error is the reader's and the end.
func (l *Lines) All() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for {
			line, err := l.Next()
			long := errors.Is(err, ErrLong)
			switch {
			case errors.Is(err, io.EOF):
				return
			case long:
				err = fault.New(fault.Invalid, "The line is longer than %.3g MB.", float64(l.most)/(1<<20))
			case err != nil:
				err = fmt.Errorf("read line %d: %w", l.N, err)
			}
			if l.N == 1 {
				line = bytes.TrimPrefix(line, []byte(byteOrder))
			}
			if err == nil && len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			if !yield(line, err) || err != nil && !long {
				return
			}
		}
	}
}
