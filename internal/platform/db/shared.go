package db

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// What the servers of one database agree on without a transaction: who does what, and who came too often. It is kept in
// tables that a crash of PostgreSQL empties, which costs no write to the disk. A file has one process and needs none.

// leaseFor is how long a lease outlives the server that had it.
const leaseFor = 30 * time.Second

// sharedTimeout bounds what is asked beside a transaction.
const sharedTimeout = 5 * time.Second

// leases are the names that this process has, each with how many times.
type leases struct {
	mu    sync.Mutex
	held  map[string]int
	renew sync.Once
	stop  chan struct{}
}

// Lease keeps other servers from what is called name, until release is called, or for half a minute after this process
// died. It keeps nobody out within the process. Not ok while another server has it.
func (d *DB) Lease(ctx context.Context, name string) (release func(), ok bool, err error) {
	if !d.OnServer() {
		return func() {}, true, nil
	}
	l := &d.leases
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held[name] == 0 {
		if ok, err = d.lease(ctx, name); err != nil || !ok {
			return func() {}, false, err
		}
	}
	if l.held == nil {
		l.held, l.stop = map[string]int{}, make(chan struct{})
	}
	l.held[name]++
	l.renew.Do(func() { go d.renew(l.stop) })
	return sync.OnceFunc(func() { d.endLease(name) }), true, nil
}

func (d *DB) lease(ctx context.Context, name string) (ok bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, sharedTimeout)
	defer cancel()
	err = d.beside.QueryRowContext(ctx, `INSERT INTO server_lease (name, owner, until)
		VALUES ($1, $2, clock_timestamp() + $3 * interval '1 second')
		ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until
			WHERE server_lease.until < clock_timestamp() OR server_lease.owner = excluded.owner
		RETURNING true`, name, d.hears.self, int64(leaseFor/time.Second)).Scan(&ok)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, Classify(fmt.Errorf("db: take a lease: %w", err))
	}
	return ok, nil
}

// Leased reports whether another server has what is called name.
func (d *DB) Leased(ctx context.Context, name string) (other bool, err error) {
	if !d.OnServer() {
		return false, nil
	}
	ctx, cancel := context.WithTimeout(ctx, sharedTimeout)
	defer cancel()
	err = d.beside.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM server_lease WHERE name = $1 AND owner <> $2
		AND until >= clock_timestamp())`, name, d.hears.self).Scan(&other)
	if err != nil {
		return false, Classify(fmt.Errorf("db: look at a lease: %w", err))
	}
	return other, nil
}

func (d *DB) endLease(name string) {
	l := &d.leases
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held[name]--; l.held[name] > 0 {
		return
	}
	delete(l.held, name)
	ctx, cancel := context.WithTimeout(context.Background(), sharedTimeout)
	defer cancel()
	// One that can't be ended runs out.
	_, _ = d.beside.ExecContext(ctx, `DELETE FROM server_lease WHERE name = $1 AND owner = $2`, name, d.hears.self)
}

// renew has the leases of this process go on, until the database is closed.
func (d *DB) renew(stop <-chan struct{}) {
	tick := time.NewTicker(leaseFor / 3)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
		}
		d.leases.mu.Lock()
		for _, name := range slices.Collect(maps.Keys(d.leases.held)) {
			_, _ = d.lease(context.Background(), name) // it is tried again, and runs out where that fails
		}
		d.leases.mu.Unlock()
	}
}

// end ends the renewing.
func (l *leases) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stop != nil {
		l.renew.Do(func() {})
		close(l.stop)
		l.stop = nil
	}
}

// sweepEvery is after how many counts those that nobody needs any more are forgotten.
const sweepEvery = 4096

var spent atomic.Int64

// Pace counts what costs so much of the most that a key may have spent, on all servers together; what was spent comes
// back as time passes. over is how long it asks to wait, and then it isn't counted. Not shared where there is one
// process, or the database doesn't answer: then the caller counts.
func (d *DB) Pace(key string, now time.Time, cost, most time.Duration) (over time.Duration, shared bool) {
	if !d.OnServer() {
		return 0, false
	}
	ctx, cancel := context.WithTimeout(context.Background(), sharedTimeout)
	defer cancel()
	hash := sha256.Sum256([]byte(key)) // it may be a secret, or an address
	var us int64
	err := d.beside.QueryRowContext(ctx, `WITH took AS (
			INSERT INTO server_pace AS p (key, until) VALUES ($1, $2 + $3)
			ON CONFLICT (key) DO UPDATE SET until = least(greatest(p.until, $2), $2 + $4) + $3
				WHERE least(greatest(p.until, $2), $2 + $4) + $3 <= $2 + $4
			RETURNING 1)
		SELECT coalesce((SELECT 0 FROM took), (SELECT least(greatest(until, $2), $2 + $4) + $3 - $2 - $4 FROM server_pace
			WHERE key = $1), $3)`,
		hex.EncodeToString(hash[:]), now.UnixMicro(), cost.Microseconds(), most.Microseconds()).Scan(&us)
	if err != nil {
		return 0, false
	}
	if spent.Add(1)%sweepEvery == 0 {
		_, _ = d.beside.ExecContext(ctx, `DELETE FROM server_pace WHERE until < $1`, now.UnixMicro())
	}
	return time.Duration(us) * time.Microsecond, true
}
