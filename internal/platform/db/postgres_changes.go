package db

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// hearing is how a process hears of what other servers of its database commit: PostgreSQL tells it with the commit.
// Nobody may rely on it for more than showing: a notice may be late.
type hearing struct {
	once sync.Once
	self string
	stop context.CancelFunc
	done chan struct{}
}

// tell has the other servers hear of the topics that a transaction touched.
func (tx *Tx) tell() error {
	if !tx.OnServer() || len(tx.topics) == 0 {
		return nil
	}
	topics := slices.Compact(slices.Sorted(slices.Values(tx.topics)))
	return Exec(tx, "db: tell the other servers", `SELECT pg_notify('preceptor', $1)`,
		tx.d.hears.self+"\n"+strings.Join(topics, "\n"))
}

// hear begins to hear, until the database is closed.
func (d *DB) hear() {
	if !d.OnServer() {
		return
	}
	d.hears.once.Do(func() {
		ctx, stop := context.WithCancel(context.Background())
		d.hears.stop, d.hears.done = stop, make(chan struct{})
		go func() {
			defer close(d.hears.done)
			for ctx.Err() == nil {
				_ = d.listen(ctx)
				select {
				case <-ctx.Done():
				case <-time.After(time.Second):
				}
			}
		}()
	})
}

// listen hears until the connection breaks. What was said before it began is not known, so everything is told anew.
func (d *DB) listen(ctx context.Context) error {
	config := d.server.Copy()
	config.OnNotification = func(_ *pgconn.PgConn, n *pgconn.Notification) {
		if who, topics, _ := strings.Cut(n.Payload, "\n"); who != d.hears.self {
			d.changes.publish(strings.Split(topics, "\n"), d.Now())
		}
	}
	c, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer c.Close(context.WithoutCancel(ctx))
	if _, err := c.Exec(ctx, "LISTEN preceptor").ReadAll(); err != nil {
		return err
	}
	d.changes.mu.Lock()
	known := slices.Collect(maps.Keys(d.changes.last))
	d.changes.mu.Unlock()
	d.changes.publish(known, d.Now())
	for err == nil {
		err = c.WaitForNotification(ctx)
	}
	return err
}

// deafen ends the hearing.
func (d *DB) deafen() {
	d.hears.once.Do(func() {})
	if d.hears.stop != nil {
		d.hears.stop()
		<-d.hears.done
	}
}
