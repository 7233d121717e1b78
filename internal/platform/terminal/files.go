package terminal

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/mattn/go-isatty"
	"github.com/schollz/progressbar/v3"

	"preceptor/internal/platform/fault"
)

// Finding is what a check found wrong: no defect of this program, and not put right by another command line.
type Finding string

func (f Finding) Error() string { return string(f) }

// Unknown is what a check could not tell: neither a finding nor its absence. No fault has its exit code.
type Unknown string

func (u Unknown) Error() string { return string(u) }

// unknownCode is what a command ends with that could not tell.
const unknownCode = 7

// Say writes a message for the person at the terminal.
func (t *Terminal) Say(format string, args ...any) { fmt.Fprintf(t.Err, format+"\n", args...) }

// JSON writes v as indented JSON to standard output.
func (t *Terminal) JSON(v any) error { return t.encode(v, "  ") }

// Line writes v as one line of JSON to standard output.
func (t *Terminal) Line(v any) error { return t.encode(v, "") }

func (t *Terminal) encode(v any, indent string) error {
	enc := json.NewEncoder(t.Out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	return nil
}

// Columns aligns what is separated by tabs once it is flushed; numbers to the right.
func (t *Terminal) Columns(flags uint) *tabwriter.Writer {
	return tabwriter.NewWriter(t.Out, 0, 4, 2, ' ', flags)
}

// Percent is a share in words.
func Percent(share float64) string { return fmt.Sprintf("%.1f%%", share*100) }

// Progress is a bar on standard error when that is a terminal, and nothing otherwise.
func (t *Terminal) Progress(what string) func(done, total int) {
	if !t.interactive() {
		return func(int, int) {}
	}
	var bar *progressbar.ProgressBar
	return func(done, total int) {
		if bar == nil {
			bar = t.bar(int64(total), what, progressbar.OptionShowCount())
		}
		_ = bar.Set(done) // a bar that can't be drawn is no reason to stop
	}
}

// BytesRead is a bar of how much of a file was read; nil where standard error is no terminal.
func (t *Terminal) BytesRead(what string, in io.Reader) func(rows int, bytes int64) {
	if !t.interactive() {
		return nil
	}
	size := int64(-1)
	if f, ok := in.(*os.File); ok {
		if st, err := f.Stat(); err == nil && st.Mode().IsRegular() {
			size = st.Size()
		}
	}
	bar := t.bar(size, what, progressbar.OptionShowBytes(true))
	return func(_ int, bytes int64) { _ = bar.Set64(bytes) }
}

func (t *Terminal) interactive() bool {
	f, ok := t.Err.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

func (t *Terminal) bar(total int64, what string, shows progressbar.Option) *progressbar.ProgressBar {
	return progressbar.NewOptions64(total, progressbar.OptionSetWriter(t.Err), progressbar.OptionSetDescription(what),
		shows,
		progressbar.OptionSetWidth(32), progressbar.OptionClearOnFinish())
}

// Input opens a file to read; "-" is standard input.
func (t *Terminal) Input(name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(t.In), nil
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

// FileName is what a report calls the file.
func FileName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return filepath.Base(name)
}
