package db

import (
	"errors"
	"fmt"
	"os"
)

// room is how much a healthy disk takes beside the file, in bytes: some minutes of work.
const room = 1 << 20

// HasRoom reports what keeps the file from growing: a disk that is full, a quota that is used up, a folder that can't
// be written. It writes a file beside it, because what a file system says of its free blocks knows neither quotas nor
// what is kept for root.
func (d *DB) HasRoom() error {
	name := d.path + ".room"
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("db: the folder can't be written: %w", err)
	}
	_, err = f.Write(make([]byte, room))
	gone := os.Remove(name)
	if errors.Is(gone, os.ErrNotExist) { // somebody who asked at the same time removed it
		gone = nil
	}
	if err = errors.Join(err, f.Close(), gone); err != nil {
		return fmt.Errorf("db: the disk has no room for %d bytes: %w", room, err)
	}
	return nil
}
