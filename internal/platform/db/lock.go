//go:build unix

package db

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"preceptor/internal/platform/fault"
)

// acquire takes the advisory lock on path's lock file. The lock is the flock, never the file's existence: a killed
// process leaves the file and loses the lock. The file's text says who holds it.
func acquire(path, holder string) (*os.File, error) {
	f, err := os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, err,
			"The lock file %s.lock can't be opened; the folder must be writable.", path)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		defer f.Close()
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fault.Wrap(fault.Unavailable, err,
				"%s can't be locked; is it on a network drive? Keep the file on a local disk.", path)
		}
		return nil, fault.New(fault.Conflict,
			"%s is in use by %s. Stop it first, or do this on its /admin pages, which need no second process.", path,
			readHolder(f))
	}
	text := fmt.Sprintf("process %d", os.Getpid())
	if holder != "" {
		text += " (" + holder + ")"
	}
	if err := f.Truncate(0); err != nil {
		f.Close()
		return nil, fmt.Errorf("db: write lock file: %w", err)
	}
	if _, err := f.WriteAt([]byte(text+"\n"), 0); err != nil {
		f.Close()
		return nil, fmt.Errorf("db: write lock file: %w", err)
	}
	return f, nil
}

func readHolder(f *os.File) string {
	b, err := io.ReadAll(io.LimitReader(f, 200))
	if s := strings.TrimSpace(string(b)); err == nil && s != "" {
		return s
	}
	return "another process"
}

func release(f *os.File) error {
	if f == nil {
		return nil
	}
	return f.Close() // closing drops the flock
}
