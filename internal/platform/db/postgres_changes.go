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
	seen map[string]int64 // by ask; nil: it has not asked
}

// tell has the other servers hear of the topics that a transaction touched, and counts it under those that they ask
// about.
func (tx *Tx) tell() error {
	if !tx.OnServer() || len(tx.topics) == 0 {
		return nil
	}
	topics := slices.Compact(slices.Sorted(slices.Values(tx.topics)))
	for _, t := range topics {
		if !tx.d.poll && !slices.Contains(watched, t) {
			continue
		}
		if err := Exec(tx, "db: count a topic", `INSERT INTO topic (name, n) VALUES ($1, 1)
			ON CONFLICT (name) DO UPDATE SET n = topic.n + 1`, t); err != nil {
			return err
		}
	}
	if tx.d.poll {
		return nil
	}
	return Exec(tx, "db: tell the other servers", `SELECT pg_notify('preceptor', $1)`,
		tx.d.hears.self+"\n"+strings.Join(topics, "\n"))
}

// Hear begins to hear of other servers' commits, until the database is closed: those from then on can be told to who
// subscribes later (Touched).
func (d *DB) Hear() {
	if !d.OnServer() {
		return
	}
	d.hears.once.Do(func() {
		ctx, stop := context.WithCancel(context.Background())
		d.hears.stop, d.hears.done = stop, make(chan struct{})
		go func() {
			defer close(d.hears.done)
			hear := d.listen
			if d.poll {
				hear = d.ask
			}
			for ctx.Err() == nil {
				_ = hear(ctx)
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

// ask tells what was touched since it was asked last.
func (d *DB) ask(ctx context.Context) error {
	now := map[string]int64{}
	if err := d.Read(context.WithValue(ctx, beside{}, true), func(tx *Tx) error {
		return Each(tx, "db: look at the topics", Pairs(now), `SELECT name, n FROM topic`)
	}); err != nil {
		return err
	}
	for _, t := range slices.Sorted(maps.Keys(now)) {
		if d.hears.seen != nil && d.hears.seen[t] != now[t] {
			d.changes.publish([]string{t}, d.Now())
		}
	}
	d.hears.seen = now
	return nil
}

// deafen ends the hearing.
func (d *DB) deafen() {
	d.hears.once.Do(func() {})
	if d.hears.stop != nil {
		d.hears.stop()
		<-d.hears.done
	}
}
