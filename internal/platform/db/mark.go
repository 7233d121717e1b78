package db

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"preceptor/internal/platform/fault"
)

// SetMark writes mark into the file's header (SQLite's application id), to tell files of one purpose from all others
// before they are opened. It is folded into the file at once, so that a killed process leaves it readable.
func (d *DB) SetMark(ctx context.Context, mark uint32) error {
	if d.OnServer() {
		return nil
	}
	for _, statement := range []string{fmt.Sprintf("PRAGMA application_id = %d", int32(mark)),
		"PRAGMA wal_checkpoint(TRUNCATE)"} {
		if _, err := d.writer.ExecContext(ctx, statement); err != nil {
			return Classify(fmt.Errorf("db: mark the file: %w", err))
		}
	}
	return nil
}

// RemoveMarked removes the database file at path, if there is one and it carries mark. Any other file is left as it is
// and refused, as is one that a process holds. The file is read and never opened as a database, which would change it.
//
// Of a server's database nothing is ever removed: it must be empty.
func RemoveMarked(ctx context.Context, path string, mark uint32) error {
	if IsServer(path) {
		return wantEmpty(ctx, path)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return fault.Wrap(fault.Invalid, err, "%q is not a usable file name.", path)
	}
	if _, err := os.Stat(abs); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	lock, err := acquire(abs, "")
	if err != nil {
		return err
	}
	defer release(lock)
	found, err := readMark(abs)
	if err != nil {
		return fault.Wrap(fault.Unavailable, err, "%s can't be read; check its permissions.", path)
	}
	if found != mark {
		return fault.New(fault.Conflict,
			"%s already exists and was not made for this purpose, so it is left alone. Choose another name.", path)
	}
	for _, name := range []string{abs, abs + "-wal", abs + "-shm"} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fault.Wrap(fault.Unavailable, err, "%s can't be removed; check its permissions.", name)
		}
	}
	return nil
}

// markAt is where SQLite's header keeps the application id, four bytes, big-endian.
const markAt = 68

// readMark is 0 for a file that is too short to be a database.
func readMark(path string) (uint32, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	var b [4]byte
	if _, err := f.ReadAt(b[:], markAt); errors.Is(err, io.EOF) {
		return 0, nil
	} else if err != nil {
		return 0, err
	}
	return binary.BigEndian.Uint32(b[:]), nil
}
