package db

import (
	"context"
	"fmt"
	"time"
)

// Scrub has what was deleted leave the files: pages of the write-ahead log, which hold texts as they were, are written
// back and the log is cut to nothing. secure_delete has overwritten the texts in the pages themselves. clean is false
// when a reader kept it from happening for some seconds; nothing is lost then, and it can be asked for again.
//
// What no program can promise: that the disk below keeps no copy of a block it was told to overwrite.
func (d *DB) Scrub(ctx context.Context) (clean bool, err error) {
	if d.OnServer() {
		return true, nil // its log and its dead rows are the server's: VACUUM, and how long copies are kept
	}
	for range 5 {
		var busy, pages, written int
		if err := d.writer.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &pages, &written); err !=
			nil {
			return false, Classify(fmt.Errorf("db: empty the log: %w", err))
		}
		if busy == 0 {
			return true, nil
		}
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	return false, nil
}
