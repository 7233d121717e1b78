// Package desk are the managers' numbers of the desk lately: how long people take, and what it caught of the planted
// checks. They are counted from the raw rows, which are bounded by the period and a limit; what pages over any period
// read is kept by package counter. It owns no table, and package stats, whose promises it keeps, is its door.
package desk

import (
	"context"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/stats/counter"
)

// Reader reads the numbers.
type Reader struct {
	read func(context.Context, func(tx *db.Tx) error) error
	zone *time.Location
}

// New reads with read, which runs a function in a read transaction. Days are the zone's; UTC's when nil.
func New(read func(context.Context, func(tx *db.Tx) error) error, zone *time.Location) *Reader {
	if zone == nil {
		zone = time.UTC
	}
	return &Reader{read: read, zone: zone}
}

// since is the first moment of the last n local days, today included.
func (r *Reader) since(now time.Time, n int) time.Time {
	return counter.Midnight(counter.Day(now, r.zone)+1-max(n, 1), r.zone)
}

// cared is what says how carefully people worked: what counts, and what was recalled since.
var cared = `r.planted = 0 AND d.kind <> 'sampled' AND ` + counter.CaredSQL(`d.state`)

// quarter is a quarter of an hour in ms: no local day begins or ends within one, so that what is counted by it can be
// put to its day.
const quarter = int64(15 * time.Minute / time.Millisecond)
