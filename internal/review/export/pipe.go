package export

import (
	"bytes"
	"context"
	"io"

	"preceptor/internal/platform/table"
)

// The bounds of a batch: one read transaction, and one piece in memory.
const (
	batchRows  = 1000
	batchBytes = 4 << 20 // of text; a single row may be more
)

// set is how the rows of a set are read and written.
type set[R any] struct {
	columns []string
	batch   func(ctx context.Context, f Filter, from place) ([]R, error) // what follows a place; nothing at the end
	at      func(last R) place
	lines   func(*bytes.Buffer, []R)
	cells   func(*bytes.Buffer, []R)
}

// write writes a set batch by batch: one is in memory at a time, however slow w is.
func (s set[R]) write(ctx context.Context, w io.Writer, o Options) (written int, err error) {
	encode := s.lines
	if o.Format == CSV {
		encode = s.cells
		if err := table.Head(w, s.columns, o.BOM); err != nil {
			return 0, err
		}
	}
	for from := (place{}); ; {
		if err := ctx.Err(); err != nil {
			return written, err // what a cancelled statement says of it differs
		}
		rows, err := s.batch(ctx, o.Filter, from)
		if gone := ctx.Err(); gone != nil {
			return written, gone
		}
		if err != nil || len(rows) == 0 {
			return written, err
		}
		from = s.at(rows[len(rows)-1])
		var b bytes.Buffer
		encode(&b, rows)
		if _, err := w.Write(b.Bytes()); err != nil {
			return written, err
		}
		if o.Wrote != nil {
			if err := o.Wrote(); err != nil {
				return written, err
			}
		}
		written += len(rows)
	}
}
