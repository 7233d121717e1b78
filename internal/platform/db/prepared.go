//go:build !sqlite_cgo

package db

import (
	"container/list"
	"context"
	"database/sql/driver"
)

// keeping is the driver with connections that keep statements prepared, by their text: reading SQL, asking the
// authorizer about each column and planning took a third of a page's time before. (The other engine's driver has a
// setting for it.)
type keeping struct{ driver.Driver }

func (k keeping) Open(name string) (driver.Conn, error) {
	c, err := k.Driver.Open(name)
	if err != nil {
		return nil, err
	}
	return &keeper{Conn: c, ConnPrepareContext: c.(driver.ConnPrepareContext), ConnBeginTx: c.(driver.ConnBeginTx),
		SessionResetter: c.(driver.SessionResetter), Validator: c.(driver.Validator), Pinger: c.(driver.Pinger),
		kept: map[string]*list.Element{}}, nil
}

// keeper is a connection; as any, it is used by one goroutine at a time.
type keeper struct {
	driver.Conn
	driver.ConnPrepareContext
	driver.ConnBeginTx
	driver.SessionResetter
	driver.Validator
	driver.Pinger

	kept map[string]*list.Element // nil: closed
	used list.List                // of keptStmt, those used last in front
}

type keptStmt struct {
	driver.Stmt
	text string
}

// take gives a statement to who runs it, and nobody else has it until it comes back: a query inside the rows of itself
// is prepared again.
func (c *keeper) take(ctx context.Context, text string) (keptStmt, error) {
	if e := c.kept[text]; e != nil {
		delete(c.kept, text)
		return c.used.Remove(e).(keptStmt), nil
	}
	s, err := c.PrepareContext(ctx, text)
	return keptStmt{s, text}, err
}

// put takes a statement back; one that failed is not kept.
func (c *keeper) put(s keptStmt, err error) {
	if err != nil || c.kept == nil || c.kept[s.text] != nil {
		s.Close()
		return
	}
	c.kept[s.text] = c.used.PushFront(s)
	if c.used.Len() > mostPrepared {
		old := c.used.Remove(c.used.Back()).(keptStmt)
		delete(c.kept, old.text)
		old.Close()
	}
}

func (c *keeper) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	s, err := c.take(ctx, text)
	if err != nil {
		return nil, err
	}
	res, err := s.Stmt.(driver.StmtExecContext).ExecContext(ctx, args)
	c.put(s, err)
	return res, err
}

func (c *keeper) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	s, err := c.take(ctx, text)
	if err != nil {
		return nil, err
	}
	rows, err := s.Stmt.(driver.StmtQueryContext).QueryContext(ctx, args)
	if err != nil {
		s.Close()
		return nil, err
	}
	return keptRows{rows, c, s}, nil
}

func (c *keeper) Close() error {
	for e := c.used.Front(); e != nil; e = e.Next() {
		e.Value.(keptStmt).Close()
	}
	c.kept = nil
	return c.Conn.Close()
}

type keptRows struct {
	driver.Rows
	c *keeper
	s keptStmt
}

func (r keptRows) Close() error {
	err := r.Rows.Close()
	r.c.put(r.s, err)
	return err
}
