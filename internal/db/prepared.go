package db

import (
	"context"
	"database/sql"
	"sync"
)

// mostPrepared bounds the statements that are kept prepared; texts beyond that are prepared each time they run.
const mostPrepared = 256

// prepared keeps the statements of one pool prepared, by their text. Reading SQL, asking the authorizer about each column
// and planning took a third of a page's time before.
//
// A statement can't be prepared on the pool inside a transaction, which holds a connection of it (the writer's only one).
// So a text that was met twice is noted, and prepared when the next transaction is about to begin.
type prepared struct {
	pool *sql.DB

	mu   sync.Mutex
	kept map[string]*sql.Stmt
	met  map[string]int
	next []string // met twice; to be prepared
}

func newPrepared(pool *sql.DB) *prepared {
	return &prepared{pool: pool, kept: map[string]*sql.Stmt{}, met: map[string]int{}}
}

// get is the statement of a text, or nil while there is none.
func (p *prepared) get(text string) *sql.Stmt {
	p.mu.Lock()
	defer p.mu.Unlock()
	if st := p.kept[text]; st != nil {
		return st
	}
	if len(p.met) < 8*mostPrepared { // texts that are put together from parts have no end
		if p.met[text]++; p.met[text] == 2 && len(p.kept)+len(p.next) < mostPrepared {
			p.next = append(p.next, text)
		}
	}
	return nil
}

// prepare prepares what was met twice. A text that can't be prepared stays as it is: it fails where it is used.
func (p *prepared) prepare(ctx context.Context) {
	p.mu.Lock()
	next := p.next
	p.next = nil
	p.mu.Unlock()
	for _, text := range next {
		st, err := p.pool.PrepareContext(ctx, text)
		if err != nil {
			continue
		}
		p.mu.Lock()
		p.kept[text] = st
		p.mu.Unlock()
	}
}

// stmt is the prepared statement of a text within the transaction, or nil. While the rows of a query are open, its
// statement can't run again on the same connection; so a text whose rows were asked for in this transaction is prepared
// anew each further time.
func (tx *Tx) stmt(text string, rows bool) *sql.Stmt {
	if tx.prepared == nil || tx.open[text] {
		return nil
	}
	if rows {
		if tx.open == nil {
			tx.open = map[string]bool{}
		}
		tx.open[text] = true
	}
	st := tx.prepared.get(text)
	if st == nil {
		return nil
	}
	return tx.Tx.Stmt(st)
}
