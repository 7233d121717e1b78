package db

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"
)

// A statement whose result nobody reads (Exec) is sent together with the next one, or with the commit: half of what a
// decision writes, and each way to the server and back is one that other writes wait for.

// unread marks the context of such a statement, with what it is for.
type unread struct{}

// mostWaiting bounds the statements that wait to be sent.
const mostWaiting = 32

// call is a statement with its arguments.
type call struct {
	doing      string
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
	if at < len(waiting)-1 && !c.IsClosed() {
		return nil, fmt.Errorf("%s: %w", waiting[at].doing, err)
	}
	return nil, c.said(err)
}

// commit sends what waits and commits; if something fails, the transaction is rolled back.
func (c *serverConn) commit(ctx context.Context) (pgconn.CommandTag, error) {
	if len(c.waiting) == 0 {
		return c.simple(ctx, "COMMIT")
	}
	c.waiting = append(c.waiting, call{text: "COMMIT"})
	r, err := c.send(ctx)
	if err != nil {
		if !c.IsClosed() {
			_, _ = c.simple(context.WithoutCancel(ctx), "ROLLBACK")
		}
		return pgconn.CommandTag{}, err
	}
	return r.CommandTag, nil
}
