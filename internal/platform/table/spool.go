package table

import (
	"errors"
	"io"
	"os"

	"preceptor/internal/platform/fault"
)

// Unnamed is a file of which nothing is left when it is closed, or when the program ends.
func Unnamed() (*os.File, error) {
	f, err := os.CreateTemp("", "preceptor-file-*")
	if err != nil {
		return nil, noRoom(err)
	}
	if err := os.Remove(f.Name()); err != nil { // what is open stays readable
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Spool copies what comes in to an unnamed file, because it is read twice or outlives its request. The file is at its
// beginning.
func Spool(r io.Reader) (f *os.File, size int64, err error) {
	if f, err = Unnamed(); err != nil {
		return nil, 0, err
	}
	if size, err = io.Copy(f, r); err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, 0, noRoom(errors.Join(err, f.Close()))
	}
	return f, size, nil
}

func noRoom(err error) error {
	return fault.Wrap(fault.Unavailable, err,
		"There isn't enough space on the server for the file. Free some and try again.")
}
