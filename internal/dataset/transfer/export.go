package transfer

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"preceptor/internal/audit"
	"preceptor/internal/dataset"
	"preceptor/internal/dataset/version"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/table"
)

// Newest asks for the newest version.
const Newest = -1

// ExportOptions of one export.
type ExportOptions struct {
	Format  Format
	Version int            // number; Newest; 0: the live set
	By      dataset.Person // who asks; dataset.Operator sees also what settles, and check items
	BOM     bool           // begin CSV with a byte order mark, without which Excel takes £ for two other letters
	// Wrote is called after each piece that was written, to push it on and to extend a time limit. May be nil.
	Wrote func() error
}

// Check says whether the options can be met, so that a page can answer before the first byte.
func (o *ExportOptions) Check() error {
	if !slices.Contains(ExportFormats, o.Format) {
		return fault.Wrong("This can't be exported.", "format", "Choose jsonl, csv, parquet or hf.")
	}
	return nil
}

// Exported says what was written.
type Exported struct {
	Rows     int
	Complete bool // false when the reader went away or something failed
}

// Export writes a set or a version to w, the Hugging Face layout as a zip. It returns what was written so far also with
// an error. Denied to who may not manage the set; NotFound without such a version.
func (s *Service) Export(ctx context.Context, datasetID string, w io.Writer, o ExportOptions) (Exported, error) {
	e, err := s.begin(ctx, datasetID, o)
	if err != nil {
		return Exported{}, err
	}
	return e.finish(ctx, func() error {
		if o.Format != HuggingFace {
			return e.file(ctx, w, o.Format, "")
		}
		z := zip.NewWriter(w)
		if err := e.layout(ctx, func(name string) (io.Writer, error) { return z.Create(name) }); err != nil {
			return err
		}
		return z.Close()
	})
}

// ExportFiles writes the Hugging Face layout as files, which create makes by their names.
func (s *Service) ExportFiles(ctx context.Context, datasetID string, create func(name string) (io.Writer, error),
	o ExportOptions) (Exported, error) {
	e, err := s.begin(ctx, datasetID, o)
	if err != nil {
		return Exported{}, err
	}
	return e.finish(ctx, func() error { return e.layout(ctx, create) })
}

// exporting is one export on its way.
type exporting struct {
	s       *Service
	o       ExportOptions
	set     *dataset.Dataset
	version *version.Version // nil: the live set
	checks  bool             // check items are among the rows
	all     bool             // what settles too
	until   int              // the last item of the live set that is in it
	rows    int
}

func (s *Service) begin(ctx context.Context, datasetID string, o ExportOptions) (*exporting, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	e := &exporting{s: s, o: o, all: o.By == dataset.Operator}
	if err := s.db.Read(ctx, func(tx *db.Tx) (err error) {
		if err := s.sets.Manages(tx, o.By); err != nil {
			return err
		}
		if e.set, err = s.sets.GetTx(tx, datasetID); err != nil {
			return err
		}
		if e.checks, err = s.sets.SeesChecks(tx, o.By); err != nil {
			return err
		}
		return db.One(tx, "transfer: find the last item", `SELECT coalesce(max(n), 0) FROM dataset_item
			WHERE dataset_id = $1`, datasetID).Scan(&e.until)
	}); err != nil {
		return nil, err
	}
	if o.Version != 0 {
		var err error
		if e.version, err = s.versions.Get(ctx, datasetID, max(0, o.Version)); err != nil {
			return nil, err
		}
	}
	return e, e.record(ctx, "dataset.export_started", nil)
}

func (e *exporting) finish(ctx context.Context, write func() error) (out Exported, err error) {
	err = write()
	out = Exported{Rows: e.rows, Complete: err == nil}
	return out, errors.Join(err, e.record(context.WithoutCancel(ctx), "dataset.exported", &out))
}

func (e *exporting) record(ctx context.Context, action string, out *Exported) error {
	content := map[string]any{"format": e.o.Format}
	if e.version != nil {
		content["version"] = e.version.Number
	}
	if out != nil {
		content["rows"], content["complete"] = out.Rows, out.Complete
	}
	return e.s.db.Write(ctx, func(tx *db.Tx) error {
		return audit.Note(tx, e.o.By.Actor(), action, "dataset", e.set.ID, content)
	})
}

// file writes one file of one split; "" is all. It reads, encodes and writes a batch at a time, so that no reading
// waits for a slow w.
func (e *exporting) file(ctx context.Context, w io.Writer, format Format, split string) error {
	encode, end := jsonRows, func(*bytes.Buffer) error { return nil }
	switch format {
	case CSV:
		if err := table.Head(w, csvColumns, e.o.BOM); err != nil {
			return err
		}
		encode = csvRows
	case Parquet:
		f := newParquet()
		encode, end = f.rowsOf, f.end
	case HuggingFace:
		encode = plainRows
	}
	var b bytes.Buffer
	for after := 0; ; {
		list, last, err := e.read(ctx, split, after)
		if err != nil {
			return err
		}
		over := last == after
		if over {
			err = end(&b)
		} else {
			err = encode(&b, list)
		}
		if err != nil {
			return fmt.Errorf("transfer: encode: %w", err)
		}
		if _, err := b.WriteTo(w); err != nil {
			return err
		}
		if e.o.Wrote != nil {
			if err := e.o.Wrote(); err != nil {
				return err
			}
		}
		if over {
			return nil
		}
		after, e.rows = last, e.rows+len(list)
	}
}
