package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"preceptor/internal/app"
	"preceptor/internal/config"
	"preceptor/internal/fault"
	"preceptor/internal/table"
)

// use opens the database, has f work with it, and closes it. When a server holds it, the refusal says where in the server the same is done.
func (t *terminal) use(cfg config.Config, elsewhere string, f func(a *app.App) error) (err error) {
	a, err := app.Open(t.ctx, cfg, app.WithTerminal(t.err), app.WithLog(app.NewLog(cfg.Log, t.err)))
	if fault.Is(err, fault.Conflict) {
		return fault.New(fault.Conflict, "%s\nWhile the server runs: %s.", fault.Message(err), elsewhere)
	}
	if err != nil {
		return err
	}
	keepZone(a.Zone)
	defer func() { err = errors.Join(err, a.Close()) }()
	return f(a)
}

// with is use with a command's settings.
func (t *terminal) with(settings func() (config.Config, error), elsewhere string, f func(a *app.App) error) error {
	cfg, err := settings()
	if err != nil {
		return err
	}
	return t.use(cfg, elsewhere, f)
}

// existing is with for a command that has nothing to do in an empty database: it makes no file of a mistyped name.
func (t *terminal) existing(settings func() (config.Config, error), elsewhere string, f func(a *app.App) error) error {
	cfg, err := settings()
	if err != nil {
		return err
	}
	if _, err := os.Stat(cfg.DB); errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.NotFound, "There is no file %s.", cfg.DB)
	}
	return t.use(cfg, elsewhere, f)
}

// input opens a file to read; "-" is standard input.
func (t *terminal) input(name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(t.in), nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "%s can't be read.", name)
	}
	if st, err := f.Stat(); err != nil || st.IsDir() {
		f.Close()
		return nil, fault.New(fault.Invalid, "%s is not a file that can be read.", name)
	}
	return f, nil
}

// fileName is what a report calls the file.
func fileName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return filepath.Base(name)
}

// nextLine is the next line; one that is too long is an Invalid fault.
func nextLine(lines *table.Lines, most int) ([]byte, error) {
	line, err := lines.Next()
	switch {
	case errors.Is(err, table.ErrLong):
		return nil, fault.New(fault.Invalid, "The line is longer than %d bytes.", most)
	case err != nil && !errors.Is(err, io.EOF):
		return nil, fmt.Errorf("read line %d: %w", lines.N, err)
	}
	return line, err
}

// finding is what a check found wrong: no defect of this program, and not put right by another command line.
type finding string

func (f finding) Error() string { return string(f) }
