package db

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"slices"
	"sync"
)

// watched are the topics under which something is kept in memory that must hold on every server at once. On a server
// each has a row that counts the transactions that touched it.
var watched = []string{"borderline", "checks", "examples", "judges"}

// Watch has what a process keeps of the database read again once another server changed it. On a file nobody else
// changes anything, and it does nothing.
type Watch struct {
	d     *DB
	topic string
	log   *slog.Logger
	again func(ctx context.Context) error

	mu   sync.Mutex
	seen int64
}

// NewWatch watches a topic; again reads, or forgets, what is kept.
func (d *DB) NewWatch(topic string, log *slog.Logger, again func(ctx context.Context) error) *Watch {
	if !slices.Contains(watched, topic) {
		panic("db: no row counts " + topic)
	}
	return &Watch{d: d, topic: topic, log: log, again: again}
}

// Look is called before what is kept is used: it asks the database whether it still holds. Where the database doesn't
// answer, what was read last counts.
func (w *Watch) Look() {
	if w == nil || w.d == nil || !w.d.OnServer() {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.WithValue(context.Background(), beside{}, true), writeTimeout)
	defer cancel()
	var n int64
	err := w.d.beside.QueryRowContext(ctx, `SELECT n FROM topic WHERE name = $1`, w.topic).Scan(&n)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	if err == nil && n != w.seen {
		if err = w.again(ctx); err == nil {
			w.seen = n
		}
	}
	if err != nil {
		w.log.Error("what another server changed can't be read; what was read before counts", "topic", w.topic,
			"error", err)
	}
}

// beside marks a context whose reads have connections of their own: who looks may hold one of the others, which they
// must not wait for.
type beside struct{}
