package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"preceptor/internal/app"
	"preceptor/internal/dataset"
	"preceptor/internal/dataset/transfer"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/terminal"
)

type exportDatasetCmd struct {
	config.File
	Name    string `arg:"" help:"The dataset."`
	Version string `placeholder:"N" help:"A frozen version by number, or newest; by default the set as it is now."`
	Format  string `default:"jsonl" enum:"jsonl,csv,parquet,hf" placeholder:"jsonl|csv|parquet|hf" help:"hf is the Hugging Face layout: README.md and data/."`
	Out     string `placeholder:"PATH" help:"Where to write; by default standard output. For hf, a folder or a file ending in .zip. Existing files are never overwritten."`
	BOM     bool   `name:"bom" help:"Start CSV with a byte order mark, for Excel."`
}

// Run writes the dataset, and to standard error how many rows it has.
func (c *exportDatasetCmd) Run(t *terminal.Terminal) error {
	o := transfer.ExportOptions{Format: transfer.Format(c.Format), By: dataset.Operator, BOM: c.BOM}
	var err error
	if o.Version, err = versionNumber(c.Version); err != nil {
		return err
	}
	return reading(t, c.With, "/datasets", func(a *app.App) error {
		set, err := a.Datasets.ByName(t.Ctx, c.Name)
		if err != nil {
			return err
		}
		if c.Format == string(transfer.HuggingFace) && c.Out != "" && c.Out != "-" &&
			!strings.HasSuffix(c.Out, ".zip") {
			out, err := c.folder(t, a, set.ID, o)
			if err == nil {
				t.Say("%d rows.", out.Rows)
			}
			return err
		}
		return writeFile(t, c.Out, func(w io.Writer) (string, error) {
			out, err := a.Transfer.Export(t.Ctx, set.ID, w, o)
			return fmt.Sprintf("%d rows.", out.Rows), err
		})
	})
}

func versionNumber(s string) (int, error) {
	switch s {
	case "":
		return 0, nil
	case "newest":
		return transfer.Newest, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return 0, fault.New(fault.Invalid, "%q isn't a version; give a number from 1, or newest.", s)
	}
	return n, nil
}

// folder writes the layout as files, one after the other.
func (c *exportDatasetCmd) folder(t *terminal.Terminal, a *app.App, setID string,
	o transfer.ExportOptions) (out transfer.Exported, err error) {
	if err := os.Mkdir(c.Out, 0o700); err != nil { // it holds customers' words
		return out, fault.Wrap(fault.Invalid, err, "The folder %s can't be created; does it already exist?", c.Out)
	}
	if err := os.Mkdir(filepath.Join(c.Out, "data"), 0o700); err != nil {
		return out, fault.Wrap(fault.Invalid, err, "The folder %s isn't writable.", c.Out)
	}
	var last *os.File
	var buffered *bufio.Writer
	end := func() error {
		if last == nil {
			return nil
		}
		return errors.Join(buffered.Flush(), last.Close())
	}
	out, err = a.Transfer.ExportFiles(t.Ctx, setID, func(name string) (io.Writer, error) {
		if err := end(); err != nil {
			return nil, err
		}
		f, err := os.OpenFile(filepath.Join(c.Out, filepath.FromSlash(name)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			last = nil
			return nil, fault.Wrap(fault.Invalid, err, "%s can't be created in %s.", name, c.Out)
		}
		last, buffered = f, bufio.NewWriterSize(f, 1<<20)
		return buffered, nil
	}, o)
	return out, errors.Join(err, end())
}
