package db

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
)

const (
	// room is how much a healthy disk takes beside the file, in bytes: some minutes of work.
	room = 1 << 20
	// roomKept is how long an answer counts: anybody may ask /readyz, as often as they like.
	roomKept = 5 * time.Second
)

// lastRoom is the last answer of HasRoom.
type lastRoom struct {
	sync.Mutex
	at  time.Time
	err error
}

// HasRoom reports what keeps the file from growing: a disk that is full, a quota that is used up, a folder that can't
// be written. It writes a file beside it, because what a file system says of its free blocks knows neither quotas nor
// what is kept for root; who asks again within roomKept gets the same answer.
func (d *DB) HasRoom() error {
	if d.OnServer() {
		return nil // the server's disk is the server's to watch
	}
	d.room.Lock()
	defer d.room.Unlock()
	now := d.clock()
	if since := now.Sub(d.room.at); since < 0 || since >= roomKept { // below 0: the clock was set back
		d.room.at, d.room.err = now, d.tryRoom()
	}
	return d.room.err
}

func (d *DB) tryRoom() error {
	name := d.path + ".room"
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("db: the folder can't be written: %w", err)
	}
	_, err = f.Write(make([]byte, room))
	if err = errors.Join(err, f.Close(), os.Remove(name)); err != nil {
		return fmt.Errorf("db: the disk has no room for %d bytes: %w", room, err)
	}
	return nil
}
