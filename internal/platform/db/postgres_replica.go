package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"preceptor/internal/platform/fault"
)

const (
	// mostBehind is how far a replica may be behind and still be read.
	mostBehind = time.Minute
	// replicaWait is how long a replica may take to answer, or to catch up; replicaRest is for how long one that
	// didn't is left alone.
	replicaWait, replicaRest = 2 * time.Second, 10 * time.Second
)

// replica is a server that follows the primary. Nothing depends on it: what it can't serve, the primary does.
type replica struct {
	*sql.DB
	most  time.Duration
	rests atomic.Int64 // until when, in milliseconds
	lags  atomic.Int64 // the same, for what must have everything
}

// openReplica doesn't wait for the replica, which may be away.
func (d *DB) openReplica(o Options) error {
	if o.Replica == "" {
		return nil
	}
	c, err := pgconn.ParseConfig(o.Replica)
	if err != nil {
		return fault.New(fault.Invalid, "--db-read is not a PostgreSQL address such as "+
			"postgres://user@host:5432/preceptor.")
	}
	c.RuntimeParams["timezone"] = "UTC"
	d.replica = &replica{DB: d.serverPool(readers, connector{config: c}), most: o.MostBehind}
	if o.MostBehind == 0 {
		d.replica.most = mostBehind
	}
	return nil
}

// behindSQL is how many milliseconds a replica is behind, and whether it has all up to a place in the log. One that has
// all that it got is not behind while it is connected: a primary with nothing to do sends nothing. What is no replica
// has no row, as the old primary after a failover.
const behindSQL = `SELECT CASE WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn()
			AND EXISTS (SELECT 1 FROM pg_stat_get_wal_receiver() w WHERE w.pid IS NOT NULL) THEN 0
		ELSE coalesce(extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000, 1e15) END::bigint,
	$1 = '' OR pg_last_wal_replay_lsn() >= CAST(nullif($1, '') AS pg_lsn)
	WHERE pg_is_in_recovery()`

// ask asks the replica how far it is behind, and waits a little until it has all up to a place; "" waits for nothing.
func (r *replica) ask(ctx context.Context, place string) (time.Duration, error) {
	if now := time.Now().UnixMilli(); now < r.rests.Load() || place != "" && now < r.lags.Load() {
		return 0, errors.New("db: the replica is left alone for some seconds")
	}
	limited, cancel := context.WithTimeout(ctx, replicaWait)
	defer cancel()
	for rests := &r.rests; ; rests = &r.lags {
		var ms int64
		var has bool
		err := r.QueryRowContext(limited, behindSQL, place).Scan(&ms, &has)
		switch {
		case err == nil && has:
			return time.Duration(ms) * time.Millisecond, nil
		case err == nil:
			time.Sleep(replicaWait / 100)
			continue
		case ctx.Err() == nil:
			rests.Store(time.Now().Add(replicaRest).UnixMilli())
		}
		return 0, fmt.Errorf("db: ask the replica: %w", err)
	}
}

// Behind is how far the replica is behind that ReadBehind reads now; zero where it reads the primary.
func (d *DB) Behind(ctx context.Context) time.Duration {
	if d.replica == nil {
		return 0
	}
	if late, err := d.replica.ask(ctx, ""); err == nil && d.agrees(late) {
		return late
	}
	return 0
}

// agrees reports whether a replica may be read that is so late: who has just changed a policy sees the new one.
func (d *DB) agrees(late time.Duration) bool {
	return late <= d.replica.most && d.Now().Sub(d.Touched("approvals")) > d.replica.most
}

// ReadBehind is Read for figures: of the replica where there is one that answers and isn't more than a minute behind.
func (d *DB) ReadBehind(ctx context.Context, f func(tx *Tx) error) error {
	if d.replica != nil {
		if late, err := d.replica.ask(ctx, ""); err == nil && d.agrees(late) {
			return d.readReplica(ctx, f)
		}
	}
	return d.Read(ctx, f)
}

// ReadWhole is Read for exports: of the replica once it has all that was committed before.
func (d *DB) ReadWhole(ctx context.Context, f func(tx *Tx) error) error {
	if d.replica != nil {
		var place string
		err := d.reader.QueryRowContext(ctx, `SELECT pg_current_wal_flush_lsn()`).Scan(&place)
		if err == nil {
			_, err = d.replica.ask(ctx, place)
		}
		if err == nil {
			return d.readReplica(ctx, f)
		}
	}
	return d.Read(ctx, f)
}

func (d *DB) readReplica(ctx context.Context, f func(tx *Tx) error) error {
	stx, err := d.replica.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return d.Read(ctx, f)
	}
	defer stx.Rollback()
	err = f(&Tx{Tx: stx, Now: d.Now(), d: d})
	if away(err) != nil { // f isn't run again: it may have sent rows on
		d.replica.rests.Store(time.Now().Add(replicaRest).UnixMilli())
	}
	return Classify(err)
}

// checkReplica is for doctor: a replica that is away or late serves nothing, and breaks nothing.
func (d *DB) checkReplica(ctx context.Context) Check {
	late, err := d.replica.ask(ctx, "")
	c := Check{Name: "replica", OK: err == nil && late <= d.replica.most,
		Detail: fmt.Sprintf("The replica is %s behind.", late.Round(time.Second))}
	switch {
	case errors.Is(err, sql.ErrNoRows):
		c.Detail = "--db-read names no replica, so statistics and exports are read from the primary."
	case err != nil:
		c.Detail = "The replica doesn't answer, so statistics and exports are read from the primary."
	case !c.OK:
		c.Detail += " Statistics are read from the primary until it is at most a minute behind."
	}
	return c
}
