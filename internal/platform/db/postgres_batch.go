package db

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"
)

// A statement whose result nobody reads (Exec) is sent together with the next one, or before the commit: half of what
// a decision writes, and each way to the server and back is one that other writes wait for. It isn't sent with the
// commit: if the connection broke then, nobody could tell what was saved.

// unread marks the context of such a statement, with what it is for.
type unread struct{}

// mostWaiting bounds the statements that wait to be sent.
const mostWaiting = 32

// call is a statement with its arguments.
type call struct {
	doing      string // of one that nobody reads
	name, text string // name: of a prepared one
	values     [][]byte
	types      []uint32
}

// send sends what waits, and gives the result of the last. If one fails, those after it don't run.
func (c *serverConn) send(ctx context.Context) (*pgconn.Result, error) {
	waiting := c.waiting
	c.waiting = nil
	var b pgconn.Batch
	for _, one := range waiting {
		if one.name != "" {
			b.ExecPrepared(one.name, one.values, nil, nil)
		} else {
			b.ExecParams(one.text, one.values, one.types, nil, nil)
		}
	}
	all, err := c.ExecBatch(ctx, &b).ReadAll()
	if err == nil && len(all) == len(waiting) {
		return all[len(all)-1], nil
	}
	if stale(err) { // the schema has changed since: the next connection prepares anew
		_ = c.Close()
	}
	at := slices.IndexFunc(all, func(r *pgconn.Result) bool { return r.Err != nil })
	if at < 0 {
		at = len(all)
	}
	if at < len(waiting) && waiting[at].doing != "" && !c.IsClosed() {
		return nil, fmt.Errorf("%s: %w", waiting[at].doing, err)
	}
	return nil, c.said(err)
}
